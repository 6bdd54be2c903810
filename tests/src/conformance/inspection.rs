use super::{
    Capability, Factory, Outcome, Report, cases, ensure,
    lab::{Case, Lab, insert, insert_boundary, insert_part, other_variant, same},
};
use throughline_core::{
    host::Storage,
    model::{Answer, Body, BodyKey, Op, Query, Table, Tally},
};

pub(super) async fn run<F: Factory>(lab: &mut Lab<'_, F>, report: &mut Report) {
    if !lab.factory.inspects() {
        report.add(Capability::Inspection, "all that is stored can be looked at", Outcome::Skipped);
        return;
    }
    cases!(Inspection, lab, report;
        "a table is as long as what was added to it" => tallies,
        "every body is read once, page by page, in the order of keys" => bodies,
    );
}

impl<F: Factory> Lab<'_, F> {
    async fn tally(&self, table: Table) -> Case<Tally> {
        match self.store().read(&Query::Tally { table }).await? {
            Answer::Tally(tally) => Ok(tally),
            other => Err(other_variant("tally", &other)),
        }
    }

    async fn bodies(&self, table: Table, after: Option<BodyKey>, limit: u32) -> Case<Vec<Body>> {
        match self.store().read(&Query::Bodies { table, after, limit }).await? {
            Answer::Bodies(found) => Ok(found),
            other => Err(other_variant("bodies", &other)),
        }
    }
}

/// Three sessions with one of everything.
async fn fill<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    for name in ["one", "two", "three"] {
        let session = lab.session(name);
        let (checkpoint, pending) =
            (lab.checkpoint(&session, 1), lab.pending(&session, "2026-03-01T09:30:02Z"));
        let ops = vec![
            lab.put(&session, 1),
            insert(&session, lab.row("m1", "2026-03-01T09:00:00Z")),
            insert_part(&session, lab.part("m1", 0, &lab.name("a body, ünïcode"))),
            insert_boundary(&session, lab.boundary("b1", 1)),
            Op::InsertCheckpoint { checkpoint },
            Op::PutPending { pending },
        ];
        lab.write(ops).await?;
    }
    Ok(())
}

async fn tallies<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let mut before = Vec::new();
    for table in Table::ALL {
        before.push(lab.tally(table).await?);
    }
    fill(lab).await?;
    for (table, before) in Table::ALL.into_iter().zip(before) {
        let after = lab.tally(table).await?;
        let added = if table == Table::Deliveries { 0 } else { 3 };
        same(&format!("rows of {}", table.as_str()), &after.rows, &(before.rows + added))?;
        ensure!(added == 0 || after.bytes > before.bytes + 30, "{} did not grow", table.as_str());
    }
    Ok(())
}

async fn bodies<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    fill(lab).await?;
    let (mine, mut is_there) = (lab.name("a body, ünïcode"), false);
    for table in Table::ALL {
        let tally = lab.tally(table).await?;
        let (mut all, mut after) = (Vec::new(), None);
        loop {
            let page = lab.bodies(table, after, 7).await?;
            ensure!(page.len() <= 7, "{} bodies on a page of 7", page.len());
            let Some(last) = page.last() else { break };
            after = Some(last.key.clone());
            all.extend(page);
        }
        let name = table.as_str();
        ensure!(all.is_sorted_by(|a, b| a.key < b.key), "the bodies of {name} are not in the order of keys");
        same(&format!("bodies of {name}"), &(all.len() as u64), &tally.rows)?;
        let bytes: usize = all.iter().map(|body| body.text.len()).sum();
        same(&format!("bytes of {name}"), &(bytes as u64), &tally.bytes)?;
        is_there |= table == Table::Parts && all.iter().any(|body| body.text.contains(&mine));
    }
    ensure!(is_there, "a text that was stored is in no body");
    Ok(())
}

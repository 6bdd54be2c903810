use super::{
    Factory, Report, cases, ensure,
    lab::{Case, Lab, at, insert_boundary, same},
};
use throughline_core::{
    id::SessionId,
    model::{CheckpointRow, Op, Query, SessionCursor, SessionRow},
};

pub(super) async fn run<F: Factory>(lab: &mut Lab<'_, F>, report: &mut Report) {
    cases!(Lists, lab, report;
        "the boundary in force is that with the greatest seq" => boundary,
        "checkpoints of a session come by seq, newest first, limited" => of_session,
        "checkpoints of all sessions come by time and id, newest first, limited" => of_all,
        "sessions are found by key, whatever harness and agent" => by_key,
        "sessions are paged newest first, without loss or repeat, ties by storage key" => paged,
        "sessions are found by project, and by project and key" => by_project,
        "a session that becomes active moves to the front" => moves,
    );
}

async fn boundary<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let session = lab.session("cuts");
    lab.write(vec![lab.put(&session, 1)]).await?;
    for (seq, wanted) in [(2, 2), (10, 10), (9, 10)] {
        let mut boundary = lab.boundary(&format!("b{seq}"), seq);
        // Time does not decide.
        boundary.created_at = at(&format!("20{:02}-01-01", 99 - seq));
        lab.write(vec![insert_boundary(&session, boundary)]).await?;
        let found = lab.boundary_in_force(&session).await?.map(|found| found.seq);
        same("seq", &found, &Some(wanted))?;
    }
    Ok(())
}

async fn of_session<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let (session, other) = (lab.session("one"), lab.session("two"));
    let mut ops = vec![lab.put(&session, 1), lab.put(&other, 1)];
    for seq in [3, 11, 1, 9, 10] {
        let mut checkpoint = lab.checkpoint(&session, seq);
        // Time does not decide.
        checkpoint.created_at = at(&format!("20{:02}-01-01", 99 - seq));
        ops.push(Op::InsertCheckpoint { checkpoint });
    }
    ops.push(Op::InsertCheckpoint { checkpoint: lab.checkpoint(&other, 50) });
    lab.write(ops).await?;
    for limit in [1, 3, 5, 1000] {
        let query = Query::Checkpoints { session: Some(session.clone()), limit };
        let found: Vec<u64> = lab.checkpoints(&query).await?.iter().map(|found| found.seq).collect();
        let wanted: Vec<u64> = [11, 10, 9, 3, 1].into_iter().take(limit as usize).collect();
        same(&format!("seq, limit {limit}"), &found, &wanted)?;
    }
    Ok(())
}

async fn of_all<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    // In a year of their own, so that they come first in a store that has others.
    const TIMES: [&str; 6] = [
        "9998-01-01T00:00:00Z",
        "9998-01-01T00:00:00.000000001Z",
        "9998-01-01T00:00:00.1Z",
        "9998-01-02T00:00:00Z",
        "9998-01-02T00:00:00Z",
        "9998-01-02T00:00:00Z",
    ];
    let mut ours: Vec<CheckpointRow> = Vec::new();
    let mut ops = Vec::new();
    for (number, time) in TIMES.into_iter().enumerate() {
        let session = lab.session(&format!("s{number}"));
        let mut checkpoint = lab.checkpoint(&session, 1);
        checkpoint.created_at = at(time);
        ours.push(checkpoint.clone());
        ops.extend([lab.put(&session, 1), Op::InsertCheckpoint { checkpoint }]);
    }
    lab.write(ops).await?;
    ours.sort_by(|a, b| (b.created_at, &b.id).cmp(&(a.created_at, &a.id)));
    let all = lab.checkpoints(&Query::Checkpoints { session: None, limit: 1000 }).await?;
    let found: Vec<_> = all.iter().filter(|found| ours.iter().any(|own| own.id == found.id)).collect();
    same(
        "ids",
        &found.iter().map(|found| &found.id).collect::<Vec<_>>(),
        &ours.iter().map(|own| &own.id).collect(),
    )?;
    let sorted = all.is_sorted_by(|a, b| (a.created_at, &a.id) > (b.created_at, &b.id));
    ensure!(sorted, "the checkpoints of all sessions are not sorted");
    let first = lab.checkpoints(&Query::Checkpoints { session: None, limit: 3 }).await?;
    same("the first three", &first, &all[..3].to_vec())
}

async fn by_key<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let key = lab.name("shared");
    let mut wanted = Vec::new();
    let mut ops = Vec::new();
    for (harness, agent) in [("claude-code", ""), ("claude-code", "reviewer"), ("codex", "")] {
        let id = SessionId::new(harness, agent, key.as_str()).expect("a session id of a case");
        ops.push(lab.put(&id, 1));
        wanted.push(id);
    }
    ops.push(lab.put(&lab.session("shared"), 1));
    lab.write(ops).await?;
    wanted.push(lab.session("shared"));
    wanted.sort_by_key(|id| std::cmp::Reverse(id.storage_key()));
    let query = Query::Sessions { key: Some(key), project_hash: None, after: None, limit: 1000 };
    let found: Vec<SessionId> = lab.sessions(&query).await?.into_iter().map(|found| found.id).collect();
    same("sessions", &found, &wanted)
}

/// Seven sessions of a project of the case; four were active at one instant.
async fn project<F: Factory>(lab: &mut Lab<'_, F>) -> Case<(String, Vec<SessionRow>)> {
    const TIMES: [&str; 7] = [
        "2026-03-01T09:00:00Z",
        "2026-03-01T09:00:00.000000001Z",
        "2026-03-01T10:00:00Z",
        "2026-03-01T10:00:00Z",
        "2026-03-01T10:00:00Z",
        "2026-03-01T10:00:00Z",
        "2026-03-02T00:00:00Z",
    ];
    let hash = lab.name("project");
    let mut rows = Vec::new();
    for (number, time) in TIMES.into_iter().enumerate() {
        let mut row = lab.session_row(&lab.session(&format!("s{number}")), 1);
        (row.last_activity, row.project_hash) = (at(time), Some(hash.clone()));
        rows.push(row);
    }
    lab.write(rows.iter().map(|session| Op::PutSession { session: session.clone() }).collect()).await?;
    rows.sort_by_key(|row| std::cmp::Reverse((row.last_activity, row.id.storage_key())));
    Ok((hash, rows))
}

fn cursor(row: &SessionRow<String>) -> SessionCursor {
    SessionCursor { last_activity: row.last_activity, storage_key: row.id.storage_key() }
}

async fn paged<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let (hash, rows) = project(lab).await?;
    let wanted: Vec<&SessionId> = rows.iter().map(|row| &row.id).collect();
    for limit in [1, 2, 3, 7, 8] {
        for project_hash in [Some(hash.clone()), None] {
            let mut found: Vec<SessionId> = Vec::new();
            let mut after = None;
            loop {
                let query = Query::Sessions { key: None, project_hash: project_hash.clone(), after, limit };
                let page = lab.sessions(&query).await?;
                ensure!(page.len() <= limit as usize, "{} sessions on a page of {limit}", page.len());
                let Some(last) = page.last() else { break };
                after = Some(cursor(last));
                found.extend(page.into_iter().map(|row| row.id));
            }
            found.retain(|id| wanted.contains(&id));
            same(&format!("pages of {limit}"), &found.iter().collect(), &wanted)?;
        }
    }
    Ok(())
}

async fn by_project<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let (hash, rows) = project(lab).await?;
    for row in &rows {
        let key = Some(row.id.key().to_owned());
        let both =
            Query::Sessions { key: key.clone(), project_hash: Some(hash.clone()), after: None, limit: 9 };
        let found: Vec<SessionId> = lab.sessions(&both).await?.into_iter().map(|row| row.id).collect();
        same("project and key", &found, &vec![row.id.clone()])?;
        let other = Some(lab.name("another project"));
        let none = Query::Sessions { key, project_hash: other, after: None, limit: 9 };
        same("another project", &lab.sessions(&none).await?, &Vec::new())?;
    }
    Ok(())
}

async fn moves<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let (hash, mut rows) = project(lab).await?;
    let mut last = rows.pop().expect("seven sessions");
    (last.version, last.last_activity) = (2, at("2026-03-05"));
    lab.write(vec![Op::PutSession { session: last.clone() }]).await?;
    rows.insert(0, last);
    let query = Query::Sessions { key: None, project_hash: Some(hash), after: None, limit: 1000 };
    let found: Vec<SessionId> = lab.sessions(&query).await?.into_iter().map(|row| row.id).collect();
    same("sessions", &found, &rows.into_iter().map(|row| row.id).collect())
}

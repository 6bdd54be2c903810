use super::{
    Factory, Report, cases, ensure,
    lab::{Case, Lab, at, ids, insert, insert_boundary, insert_part, plain, same, set_live, version},
};
use throughline_core::model::{Op, Query, StoredRow};

pub(super) async fn run<F: Factory>(lab: &mut Lab<'_, F>, report: &mut Report) {
    cases!(Commit, lab, report;
        "what does not exist is an empty answer" => nothing,
        "one batch of every operation reads back" => everything,
        "operations apply in order" => in_order,
        "a session is replaced whole" => replaced,
        "an empty batch is committed" => empty,
        "a batch of 2,000 rows is committed" => large,
    );
    cases!(Preconditions, lab, report;
        "version 0 asks for a session that does not exist" => version_zero,
        "any other version asks for exactly that one" => version_exact,
        "every precondition must hold" => every,
        "preconditions see the state before the batch" => before,
    );
}

async fn nothing<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let session = lab.session("nobody");
    same("session", &lab.stored(&session).await?, &None)?;
    same("rows", &lab.rows(&session).await?, &Vec::new())?;
    same("row index", &lab.row_index(&session).await?, &Vec::new())?;
    same("boundary", &lab.boundary_in_force(&session).await?, &None)?;
    let of_session = Query::Checkpoints { session: Some(session), limit: 10 };
    same("checkpoints", &lab.checkpoints(&of_session).await?, &Vec::new())?;
    let one = Query::Checkpoint { id: lab.checkpoint_id() };
    same("checkpoint", &lab.checkpoints(&one).await?, &Vec::new())?;
    let sessions =
        Query::Sessions { key: Some(lab.name("nobody")), project_hash: None, after: None, limit: 10 };
    same("sessions", &lab.sessions(&sessions).await?, &Vec::new())?;
    let id = lab.batch_id(at("2026-03-01"));
    ensure!(!lab.is_committed(&id).await?, "a batch that never was is known");
    Ok(())
}

async fn everything<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let session = lab.session("all");
    let head = lab.session_row(&session, 1);
    let row = lab.row("m1", "2026-03-01T09:00:01Z");
    let parts = vec![lab.part("m1", 0, "first"), lab.part("m1", 1, "second")];
    let boundary = lab.boundary("b1", 1);
    let checkpoint = lab.checkpoint(&session, 1);
    let mut ops = vec![Op::PutSession { session: head.clone() }, insert(&session, row.clone())];
    ops.extend(parts.iter().map(|part| insert_part(&session, part.clone())));
    ops.push(insert_boundary(&session, boundary.clone()));
    ops.push(Op::InsertCheckpoint { checkpoint: checkpoint.clone() });
    lab.write(ops).await?;

    same("session", &lab.stored(&session).await?, &Some(plain(&head)))?;
    let stored: StoredRow<String> = plain(&StoredRow { row, parts });
    same("rows", &lab.rows(&session).await?, &vec![stored])?;
    same("boundary", &lab.boundary_in_force(&session).await?, &Some(plain(&boundary)))?;
    let one = Query::Checkpoint { id: checkpoint.id.clone() };
    same("checkpoint", &lab.checkpoints(&one).await?, &vec![plain(&checkpoint)])?;
    let of_session = Query::Checkpoints { session: Some(session), limit: 10 };
    same("checkpoints", &lab.checkpoints(&of_session).await?, &vec![plain(&checkpoint)])
}

async fn in_order<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let session = lab.session("steps");
    let ops = vec![
        lab.put(&session, 1),
        insert(&session, lab.row("m1", "2026-03-01T09:00:01Z")),
        set_live(&session, "m1", false),
        insert(&session, lab.row("m2", "2026-03-01T09:00:02Z")),
        set_live(&session, "m2", false),
        set_live(&session, "m2", true),
        lab.put(&session, 2),
    ];
    lab.write(ops).await?;
    same("live rows", &ids(&lab.rows(&session).await?), &vec!["m2".to_owned()])?;
    same("version", &lab.stored(&session).await?.map(|found| found.version), &Some(2))
}

async fn replaced<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let session = lab.session("state");
    let mut first = lab.session_row(&session, 1);
    first.project_hash = Some("aa".repeat(32));
    lab.write(vec![Op::PutSession { session: first }, insert(&session, lab.row("m1", "2026-03-01"))]).await?;
    let mut second = lab.session_row(&session, 2);
    (second.project, second.project_normalized) = (None, None);
    second.last_activity = at("2026-03-01T10:00:00Z");
    second.counts.user = 7;
    lab.write(vec![Op::PutSession { session: second.clone() }]).await?;
    same("session", &lab.stored(&session).await?, &Some(plain(&second)))?;
    same("rows are kept", &ids(&lab.rows(&session).await?), &vec!["m1".to_owned()])
}

async fn empty<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    lab.write(Vec::new()).await
}

async fn large<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let session = lab.session("large");
    let mut ops = vec![lab.put(&session, 1)];
    let mut wanted = Vec::new();
    for number in 0..2000 {
        let id = format!("m{number:04}");
        ops.push(insert(&session, lab.row(&id, "2026-03-01T09:00:00Z")));
        ops.push(insert_part(&session, lab.part(&id, 0, "text")));
        wanted.push(id);
    }
    lab.write(ops).await?;
    same("rows", &ids(&lab.rows(&session).await?), &wanted)
}

async fn version_zero<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let session = lab.session("new");
    let ops = vec![lab.put(&session, 1)];
    lab.commit(vec![version(&session, 0)], ops).await?;
    let ops = vec![lab.put(&session, 9)];
    lab.refuse("a session that exists", vec![version(&session, 0)], ops).await?;
    same("version", &lab.stored(&session).await?.map(|found| found.version), &Some(1))
}

async fn version_exact<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let session = lab.session("steps");
    let ops = vec![lab.put(&session, 1)];
    lab.refuse("a session that is not there", vec![version(&session, 1)], ops).await?;
    lab.write(vec![lab.put(&session, 1)]).await?;
    for now in 1..4 {
        for wrong in [0, now - 1, now + 1] {
            let ops = vec![lab.put(&session, 9), insert(&session, lab.row("no", "2026-03-01"))];
            lab.refuse("another version", vec![version(&session, wrong)], ops).await?;
        }
        let ops = vec![lab.put(&session, now + 1)];
        lab.commit(vec![version(&session, now)], ops).await?;
    }
    same("version", &lab.stored(&session).await?.map(|found| found.version), &Some(4))?;
    same("rows", &lab.rows(&session).await?, &Vec::new())
}

async fn every<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let (here, there) = (lab.session("here"), lab.session("there"));
    lab.write(vec![lab.put(&here, 1), lab.put(&there, 1)]).await?;
    for (one, other) in [(1, 2), (2, 1), (2, 2)] {
        let ops = vec![lab.put(&here, 5), lab.put(&there, 5)];
        let preconditions = vec![version(&here, one), version(&there, other)];
        lab.refuse("one of two does not hold", preconditions, ops).await?;
    }
    let ops = vec![lab.put(&here, 2), lab.put(&there, 2)];
    lab.commit(vec![version(&here, 1), version(&there, 1)], ops).await?;
    same("here", &lab.stored(&here).await?.map(|found| found.version), &Some(2))?;
    same("there", &lab.stored(&there).await?.map(|found| found.version), &Some(2))
}

async fn before<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let session = lab.session("state");
    let ops = vec![lab.put(&session, 1), lab.put(&session, 2)];
    lab.commit(vec![version(&session, 0)], ops).await?;
    let ops = vec![lab.put(&session, 3), lab.put(&session, 4)];
    lab.refuse("a version that the batch itself makes", vec![version(&session, 3)], ops).await?;
    same("version", &lab.stored(&session).await?.map(|found| found.version), &Some(2))
}

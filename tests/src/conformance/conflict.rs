use super::{
    Factory, Report, cases,
    lab::{Case, Lab, ids, insert, insert_boundary, insert_part, plain, same, set_live},
};
use throughline_core::{
    id::SessionId,
    model::{Op, Query},
};

pub(super) async fn run<F: Factory>(lab: &mut Lab<'_, F>, report: &mut Report) {
    cases!(Conflicts, lab, report;
        "a row id is taken once in a session" => rows,
        "sessions share row ids and boundary ids" => other_session,
        "a part index is taken once in a row" => parts,
        "a boundary id and a boundary seq are taken once in a session" => boundaries,
        "a checkpoint seq is taken once in a session, its id once in the store" => checkpoints,
        "nothing is added to what does not exist" => missing,
        "operations of one batch conflict with each other" => within,
        "a conflict takes back every kind of operation" => whole,
    );
}

/// Refuses the operation as the last of a batch that would change everything else as well.
async fn refused<F: Factory>(lab: &mut Lab<'_, F>, what: &str, session: &SessionId, op: Op) -> Case {
    let before = (lab.stored(session).await?, lab.rows(session).await?, lab.row_index(session).await?);
    let ops = vec![
        lab.put(session, 99),
        insert(session, lab.row("extra", "2026-03-01T08:00:00Z")),
        insert_part(session, lab.part("extra", 0, "extra")),
        op,
    ];
    lab.refuse(what, Vec::new(), ops).await?;
    let after = (lab.stored(session).await?, lab.rows(session).await?, lab.row_index(session).await?);
    same(&format!("{what}: the state"), &after, &before)
}

async fn rows<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let session = lab.session("rows");
    let ops = vec![lab.put(&session, 1), insert(&session, lab.row("m1", "2026-03-01T09:00:00Z"))];
    lab.write(ops).await?;
    let again = insert(&session, lab.row("m1", "2026-03-01T09:00:00Z"));
    refused(lab, "the same row", &session, again).await?;
    let elsewhere = insert(&session, lab.row("m1", "2026-03-01T10:00:00Z"));
    refused(lab, "the id at another place", &session, elsewhere).await
}

async fn other_session<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    for name in ["one", "two"] {
        let session = lab.session(name);
        let ops = vec![
            lab.put(&session, 1),
            insert(&session, lab.row("m1", "2026-03-01T09:00:00Z")),
            insert_part(&session, lab.part("m1", 0, name)),
            insert_boundary(&session, lab.boundary("b1", 1)),
        ];
        lab.write(ops).await?;
    }
    for name in ["one", "two"] {
        let session = lab.session(name);
        let found = lab.rows(&session).await?;
        same("rows", &ids(&found), &vec!["m1".to_owned()])?;
        same("parts", &found[0].parts, &vec![plain(&lab.part("m1", 0, name))])?;
    }
    Ok(())
}

async fn parts<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let session = lab.session("parts");
    let ops = vec![
        lab.put(&session, 1),
        insert(&session, lab.row("m1", "2026-03-01T09:00:00Z")),
        insert_part(&session, lab.part("m1", 0, "kept")),
    ];
    lab.write(ops).await?;
    let again = insert_part(&session, lab.part("m1", 0, "other"));
    refused(lab, "the same index", &session, again).await
}

async fn boundaries<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let session = lab.session("cut");
    let kept = lab.boundary("b1", 1);
    lab.write(vec![lab.put(&session, 1), insert_boundary(&session, kept.clone())]).await?;
    let op = insert_boundary(&session, lab.boundary("b2", 1));
    refused(lab, "a seq that is taken", &session, op).await?;
    let op = insert_boundary(&session, lab.boundary("b1", 2));
    refused(lab, "an id that is taken", &session, op).await?;
    same("boundary", &lab.boundary_in_force(&session).await?, &Some(plain(&kept)))
}

async fn checkpoints<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let (session, other) = (lab.session("one"), lab.session("two"));
    let kept = lab.checkpoint(&session, 1);
    let ops =
        vec![lab.put(&session, 1), lab.put(&other, 1), Op::InsertCheckpoint { checkpoint: kept.clone() }];
    lab.write(ops).await?;
    let same_seq = lab.checkpoint(&session, 1);
    refused(lab, "a seq that is taken", &session, Op::InsertCheckpoint { checkpoint: same_seq }).await?;
    let mut same_id = lab.checkpoint(&other, 1);
    same_id.id = kept.id.clone();
    refused(lab, "an id of another session", &other, Op::InsertCheckpoint { checkpoint: same_id }).await?;
    let one = Query::Checkpoint { id: kept.id.clone() };
    same("checkpoint", &lab.checkpoints(&one).await?, &vec![plain(&kept)])?;
    let of_other = Query::Checkpoints { session: Some(other), limit: 10 };
    same("checkpoints of the other session", &lab.checkpoints(&of_other).await?, &Vec::new())
}

async fn missing<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let nobody = lab.session("nobody");
    let checkpoint = lab.checkpoint(&nobody, 1);
    for (what, op) in [
        ("a row", insert(&nobody, lab.row("m1", "2026-03-01"))),
        ("a part", insert_part(&nobody, lab.part("m1", 0, "text"))),
        ("a boundary", insert_boundary(&nobody, lab.boundary("b1", 1))),
        ("a checkpoint", Op::InsertCheckpoint { checkpoint }),
        ("the state of a row", set_live(&nobody, "m1", false)),
    ] {
        lab.refuse(&format!("{what} of no session"), Vec::new(), vec![op]).await?;
    }
    same("session", &lab.stored(&nobody).await?, &None)?;
    let session = lab.session("somebody");
    lab.write(vec![lab.put(&session, 1)]).await?;
    let part = insert_part(&session, lab.part("m1", 0, "text"));
    refused(lab, "a part of no row", &session, part).await?;
    refused(lab, "the state of no row", &session, set_live(&session, "m1", false)).await
}

async fn within<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let session = lab.session("twice");
    let row = || insert(&session, lab.row("m1", "2026-03-01T09:00:00Z"));
    let ops = vec![lab.put(&session, 1), row(), row()];
    lab.refuse("one row twice", Vec::new(), ops).await?;
    let ops = vec![
        lab.put(&session, 1),
        insert_part(&session, lab.part("m1", 0, "text")),
        insert(&session, lab.row("m1", "2026-03-01T09:00:00Z")),
    ];
    lab.refuse("a part before its row", Vec::new(), ops).await?;
    let ops = vec![insert(&session, lab.row("m1", "2026-03-01")), lab.put(&session, 1)];
    lab.refuse("a row before its session", Vec::new(), ops).await?;
    same("session", &lab.stored(&session).await?, &None)
}

async fn whole<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let (session, new) = (lab.session("old"), lab.session("new"));
    let (boundary, checkpoint) = (lab.boundary("b1", 1), lab.checkpoint(&session, 1));
    let ops = vec![
        lab.put(&session, 1),
        insert(&session, lab.row("m1", "2026-03-01T09:00:00Z")),
        insert(&session, lab.row("m2", "2026-03-01T09:00:01Z")),
        set_live(&session, "m2", false),
        insert_boundary(&session, boundary.clone()),
        Op::InsertCheckpoint { checkpoint: checkpoint.clone() },
    ];
    lab.write(ops).await?;
    let another = lab.checkpoint(&session, 2);
    let ops = vec![
        lab.put(&session, 2),
        lab.put(&new, 1),
        insert(&new, lab.row("m1", "2026-03-01T09:00:00Z")),
        set_live(&session, "m1", false),
        set_live(&session, "m2", true),
        insert_part(&session, lab.part("m1", 0, "text")),
        insert_boundary(&session, lab.boundary("b2", 2)),
        Op::InsertCheckpoint { checkpoint: another.clone() },
        insert(&session, lab.row("m1", "2026-03-01T09:00:00Z")),
    ];
    lab.refuse("the last of many", Vec::new(), ops).await?;
    same("the new session", &lab.stored(&new).await?, &None)?;
    same("version", &lab.stored(&session).await?.map(|found| found.version), &Some(1))?;
    let found = lab.rows(&session).await?;
    same("live rows", &ids(&found), &vec!["m1".to_owned()])?;
    same("parts", &found[0].parts, &Vec::new())?;
    same("boundary", &lab.boundary_in_force(&session).await?, &Some(plain(&boundary)))?;
    let of_session = Query::Checkpoints { session: Some(session.clone()), limit: 10 };
    same("checkpoints", &lab.checkpoints(&of_session).await?, &vec![plain(&checkpoint)])?;
    let ops =
        vec![Op::InsertCheckpoint { checkpoint: another }, insert_boundary(&session, lab.boundary("b2", 2))];
    lab.write(ops).await
}

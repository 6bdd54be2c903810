use super::{
    Factory, Report, cases, ensure,
    lab::{Case, Lab, at, ids, insert, must_conflict, same, version},
};
use throughline_core::{host::Storage, model::Batch};

pub(super) async fn run<F: Factory>(lab: &mut Lab<'_, F>, report: &mut Report) {
    cases!(BatchIds, lab, report;
        "a repeated batch is answered as repeated and changes nothing" => repeated,
        "a repeat is known before its preconditions are judged" => outdated,
        "a batch that was refused is judged anew" => refused,
        "ids are kept for seven days" => kept,
    );
}

async fn repeated<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let session = lab.session("once");
    let ops = vec![lab.put(&session, 1), insert(&session, lab.row("m1", "2026-03-01"))];
    let batch = lab.batch(Vec::new(), ops);
    ensure!(!lab.is_committed(&batch.id).await?, "the id is known before the commit");
    ensure!(!lab.store().commit(&batch).await?.repeated, "the first commit was answered as repeated");
    ensure!(lab.is_committed(&batch.id).await?, "the id is not known after the commit");
    for _ in 0..2 {
        ensure!(lab.store().commit(&batch).await?.repeated, "a repeat was not answered as repeated");
    }
    same("rows", &ids(&lab.rows(&session).await?), &vec!["m1".to_owned()])
}

async fn outdated<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let session = lab.session("once");
    let ops = vec![lab.put(&session, 1)];
    let batch = lab.batch(vec![version(&session, 0)], ops);
    lab.store().commit(&batch).await?;
    lab.write(vec![lab.put(&session, 2)]).await?;
    ensure!(lab.store().commit(&batch).await?.repeated, "a repeat was not answered as repeated");
    same("version", &lab.stored(&session).await?.map(|found| found.version), &Some(2))
}

async fn refused<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let session = lab.session("later");
    let ops = vec![lab.put(&session, 2)];
    let batch = lab.batch(vec![version(&session, 1)], ops);
    for _ in 0..2 {
        must_conflict("too early", lab.store().commit(&batch).await)?;
    }
    lab.write(vec![lab.put(&session, 1)]).await?;
    ensure!(!lab.store().commit(&batch).await?.repeated, "a batch that was refused is answered as repeated");
    same("version", &lab.stored(&session).await?.map(|found| found.version), &Some(2))
}

async fn kept<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let old = Batch { id: lab.batch_id(at("2026-02-22T01:00:00Z")), preconditions: vec![], ops: vec![] };
    lab.store().commit(&old).await?;
    for _ in 0..3 {
        lab.write(Vec::new()).await?;
    }
    ensure!(lab.is_committed(&old.id).await?, "an id of less than seven days was forgotten");
    ensure!(lab.store().commit(&old).await?.repeated, "an id of less than seven days was forgotten");
    Ok(())
}

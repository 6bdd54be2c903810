use super::{
    Capability, Factory, Outcome, Report, cases, ensure,
    lab::{Case, Failure, Lab, ids, insert, insert_part, must_conflict, same, version},
};
use std::{
    future::{Future, poll_fn},
    pin::pin,
    task::Poll,
};
use throughline_core::{
    host::{Storage, StorageError},
    id::SessionId,
    model::{Answer, Query},
};

pub(super) async fn run<F: Factory>(lab: &mut Lab<'_, F>, report: &mut Report) {
    cases!(Preconditions, lab, report;
        "of two commits at once on one version, one is made" => at_once,
    );
    if lab.factory.reopens() {
        cases!(Reopening, lab, report;
            "what was committed is there after the store was opened again" => reopened,
        );
    } else {
        report.add(Capability::Reopening, "the store can be opened again", Outcome::Skipped);
    }
    if lab.factory.shares() {
        cases!(Sharing, lab, report;
            "a second handle reads what the first has just committed" => seen,
            "two handles in turn lose no update" => in_turn,
        );
    } else {
        report.add(Capability::Sharing, "two handles can be open at once", Outcome::Skipped);
    }
}

/// Polls both until both are done.
async fn both<A: Future, B: Future>(a: A, b: B) -> (A::Output, B::Output) {
    let (mut a, mut b) = (pin!(a), pin!(b));
    let (mut first, mut second) = (None, None);
    poll_fn(move |context| {
        if first.is_none()
            && let Poll::Ready(done) = a.as_mut().poll(context)
        {
            first = Some(done);
        }
        if second.is_none()
            && let Poll::Ready(done) = b.as_mut().poll(context)
        {
            second = Some(done);
        }
        match (first.take(), second.take()) {
            (Some(first), Some(second)) => Poll::Ready((first, second)),
            rest => {
                (first, second) = rest;
                Poll::Pending
            }
        }
    })
    .await
}

async fn at_once<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let session = lab.session("race");
    lab.write(vec![lab.put(&session, 1)]).await?;
    for now in 1..6 {
        let ops = |lab: &Lab<'_, F>, id: &str| {
            vec![lab.put(&session, now + 1), insert(&session, lab.row(&format!("{id}{now}"), "2026-03-01"))]
        };
        let (left, right) = (ops(lab, "left"), ops(lab, "right"));
        let left = lab.batch(vec![version(&session, now)], left);
        let right = lab.batch(vec![version(&session, now)], right);
        match both(lab.store().commit(&left), lab.store().commit(&right)).await {
            (Ok(_), lost) | (lost, Ok(_)) => must_conflict("the other of two", lost)?,
            (left, right) => return Err(Failure(format!("neither was made: {left:?}, {right:?}"))),
        }
    }
    same("rows", &lab.rows(&session).await?.len(), &5)
}

async fn reopened<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let session = lab.session("kept");
    let ops = vec![
        lab.put(&session, 1),
        insert(&session, lab.row("m1", "2026-03-01")),
        insert_part(&session, lab.part("m1", 0, "kept")),
    ];
    let batch = lab.batch(vec![version(&session, 0)], ops);
    lab.store().commit(&batch).await?;
    let before = (lab.stored(&session).await?, lab.rows(&session).await?);
    for _ in 0..2 {
        lab.reopen().await?;
        let after = (lab.stored(&session).await?, lab.rows(&session).await?);
        same("state", &after, &before)?;
        ensure!(lab.store().commit(&batch).await?.repeated, "the id of the batch is forgotten");
    }
    Ok(())
}

async fn version_of<S: Storage>(store: &S, session: &SessionId) -> Result<u64, StorageError> {
    match store.read(&Query::Session { session: session.clone() }).await? {
        Answer::Session(found) => Ok(found.map_or(0, |found| found.version)),
        _ => Ok(0),
    }
}

async fn seen<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let second = lab.factory.open().await?;
    let session = lab.session("seen");
    for now in 0..5 {
        let ops = vec![lab.put(&session, now + 1)];
        let batch = lab.batch(vec![version(&session, now)], ops);
        lab.store().commit(&batch).await?;
        same("version", &version_of(&second, &session).await?, &(now + 1))?;
        ensure!(second.commit(&batch).await?.repeated, "the second handle does not know the batch");
        let ops = vec![lab.put(&session, 99)];
        let stale = lab.batch(vec![version(&session, now)], ops);
        must_conflict("a stale version on the second handle", second.commit(&stale).await)?;
    }
    Ok(())
}

async fn in_turn<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let second = lab.factory.open().await?;
    let session = lab.session("turns");
    for turn in 0..10 {
        let ops = vec![
            lab.put(&session, turn + 1),
            insert(&session, lab.row(&format!("m{turn}"), "2026-03-01T09:00:00Z")),
        ];
        let batch = lab.batch(vec![version(&session, turn)], ops);
        let done = if turn % 2 == 0 { second.commit(&batch).await } else { lab.store().commit(&batch).await };
        done?;
    }
    let wanted: Vec<String> = (0..10).map(|turn| format!("m{turn}")).collect();
    same("rows", &ids(&lab.rows(&session).await?), &wanted)
}

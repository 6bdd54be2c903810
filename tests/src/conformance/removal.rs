use super::{
    Factory, Report, cases,
    lab::{Case, Lab, at, ids, insert, insert_boundary, insert_part, plain, same},
};
use throughline_core::{
    id::SessionId,
    model::{CheckpointRow, Delivery, Op, Query, Trigger},
};

pub(super) async fn run<F: Factory>(lab: &mut Lab<'_, F>, report: &mut Report) {
    cases!(Removal, lab, report;
        "heads of checkpoints come by seq, oldest first" => heads,
        "a checkpoint goes with its delivery records, and no other" => checkpoint,
        "a session goes with everything under it, and no other" => session,
        "a conflict takes a removal back" => taken_back,
    );
}

fn insert_checkpoint(checkpoint: &CheckpointRow) -> Op {
    Op::InsertCheckpoint { checkpoint: checkpoint.clone() }
}

fn delete(checkpoint: &CheckpointRow) -> Op {
    Op::DeleteCheckpoint { session: checkpoint.session.clone(), checkpoint: checkpoint.id.clone() }
}

fn told(receiver: &SessionId, checkpoint: &CheckpointRow) -> Delivery {
    let (receiver, checkpoint) = (receiver.clone(), checkpoint.id.clone());
    Delivery { receiver, checkpoint, version: 1, offered_at: at("2026-03-01T09:31:00Z"), delivered_at: None }
}

async fn heads<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let session = lab.session("one");
    same("none", &lab.heads(&session).await?, &Vec::new())?;
    let mut ops = vec![lab.put(&session, 1)];
    let mut wanted = Vec::new();
    for (seq, trigger) in [10, 2, 9, 1, 3].into_iter().zip(Trigger::ALL) {
        let mut checkpoint = lab.checkpoint(&session, seq);
        checkpoint.trigger = trigger;
        checkpoint.created_at = at(&format!("20{:02}-01-01T00:00:00.000000001Z", 99 - seq));
        wanted.push((seq, trigger, checkpoint.created_at, checkpoint.id.clone()));
        ops.push(insert_checkpoint(&checkpoint));
    }
    lab.write(ops).await?;
    wanted.sort_by_key(|(seq, ..)| *seq);
    let found = lab.heads(&session).await?;
    let found: Vec<_> =
        found.into_iter().map(|head| (head.seq, head.trigger, head.created_at, head.id)).collect();
    same("heads", &found, &wanted)
}

async fn checkpoint<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let (session, other, receiver) = (lab.session("one"), lab.session("two"), lab.session("receiver"));
    let (gone, kept) = (lab.checkpoint(&session, 1), lab.checkpoint(&session, 2));
    let (of_gone, of_kept) = (told(&receiver, &gone), told(&receiver, &kept));
    let ops = vec![
        lab.put(&session, 1),
        lab.put(&other, 1),
        insert_checkpoint(&gone),
        insert_checkpoint(&kept),
        Op::PutDelivery { delivery: of_gone.clone() },
        Op::PutDelivery { delivery: of_kept.clone() },
    ];
    lab.write(ops).await?;
    let elsewhere = Op::DeleteCheckpoint { session: other, checkpoint: gone.id.clone() };
    lab.refuse("a checkpoint of another session", vec![], vec![elsewhere]).await?;
    lab.write(vec![delete(&gone)]).await?;
    same(
        "the one that is gone",
        &lab.checkpoints(&Query::Checkpoint { id: gone.id.clone() }).await?,
        &vec![],
    )?;
    same("its delivery", &lab.delivery(&receiver, &gone.id).await?, &None)?;
    same("the other delivery", &lab.delivery(&receiver, &kept.id).await?, &Some(of_kept))?;
    let all = Query::Checkpoints { session: Some(session), limit: 10 };
    same("the other", &lab.checkpoints(&all).await?, &vec![plain(&kept)])?;
    lab.refuse("what is gone", vec![], vec![delete(&gone)]).await?;
    // Its place is free again.
    lab.write(vec![insert_checkpoint(&gone)]).await?;
    same("no delivery of it", &lab.delivery(&receiver, &gone.id).await?, &None)
}

/// A session with everything, and what it was told itself.
async fn full<F: Factory>(lab: &mut Lab<'_, F>, name: &str) -> Case<(SessionId, CheckpointRow)> {
    let (session, receiver) = (lab.session(name), lab.session("receiver"));
    let (checkpoint, pending) = (lab.checkpoint(&session, 1), lab.pending(&session, "2026-03-01T09:30:02Z"));
    let mut row = lab.session_row(&session, 1);
    row.pending = true;
    let ops = vec![
        Op::PutSession { session: row },
        insert(&session, lab.row("m1", "2026-03-01T09:00:00Z")),
        insert_part(&session, lab.part("m1", 0, "said")),
        insert_boundary(&session, lab.boundary("b1", 1)),
        insert_checkpoint(&checkpoint),
        Op::PutPending { pending },
        Op::PutDelivery { delivery: told(&receiver, &checkpoint) },
    ];
    lab.write(ops).await?;
    Ok((session, checkpoint))
}

async fn session<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let (one, of_one) = full(lab, "one").await?;
    let (two, of_two) = full(lab, "two").await?;
    let receiver = lab.session("receiver");
    let deliveries = [told(&one, &of_two), told(&two, &of_two)];
    lab.write(deliveries.iter().map(|delivery| Op::PutDelivery { delivery: delivery.clone() }).collect())
        .await?;
    lab.write(vec![Op::DeleteSession { session: one.clone() }]).await?;
    same("session", &lab.stored(&one).await?, &None)?;
    same("rows", &lab.row_index(&one).await?, &Vec::new())?;
    same("boundary", &lab.boundary_in_force(&one).await?, &None)?;
    same("checkpoints", &lab.heads(&one).await?, &Vec::new())?;
    same("the checkpoint", &lab.checkpoints(&Query::Checkpoint { id: of_one.id.clone() }).await?, &vec![])?;
    same("draft", &lab.pending_of(&one).await?, &None)?;
    same("what others were told of it", &lab.delivery(&receiver, &of_one.id).await?, &None)?;
    same("what it was told", &lab.delivery(&one, &of_two.id).await?, &None)?;
    // The other has all of its own.
    same("rows of the other", &ids(&lab.rows(&two).await?), &vec!["m1".to_owned()])?;
    same("checkpoints of the other", &lab.heads(&two).await?.len(), &1)?;
    same("draft of the other", &lab.pending_of(&two).await?.is_some(), &true)?;
    same("deliveries of the other", &lab.delivery(&two, &of_two.id).await?.is_some(), &true)?;
    lab.refuse("what is gone", vec![], vec![Op::DeleteSession { session: one.clone() }]).await?;
    lab.write(vec![lab.put(&one, 1), insert(&one, lab.row("m1", "2026-03-01T09:00:00Z"))]).await?;
    let found = lab.rows(&one).await?;
    same("parts of a row that came again", &found[0].parts.len(), &0)
}

async fn taken_back<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let (one, checkpoint) = full(lab, "one").await?;
    let receiver = lab.session("receiver");
    let before = (lab.stored(&one).await?, lab.rows(&one).await?, lab.heads(&one).await?);
    let nothing = Op::DeleteSession { session: lab.session("nobody") };
    for op in [Op::DeleteSession { session: one.clone() }, delete(&checkpoint)] {
        lab.refuse("a batch that ends in a conflict", vec![], vec![op, nothing.clone()]).await?;
        let after = (lab.stored(&one).await?, lab.rows(&one).await?, lab.heads(&one).await?);
        same("the session", &after, &before)?;
        same("its draft", &lab.pending_of(&one).await?.is_some(), &true)?;
        same("its delivery", &lab.delivery(&receiver, &checkpoint.id).await?.is_some(), &true)?;
        let one_checkpoint = Query::Checkpoint { id: checkpoint.id.clone() };
        same("its checkpoint", &lab.checkpoints(&one_checkpoint).await?.len(), &1)?;
    }
    Ok(())
}

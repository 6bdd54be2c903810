use super::{
    Factory, Report, cases,
    lab::{Case, Lab, at, same},
};
use throughline_core::{
    id::SessionId,
    model::{CheckpointRow, Delivery, Op},
};

pub(super) async fn run<F: Factory>(lab: &mut Lab<'_, F>, report: &mut Report) {
    cases!(Deliveries, lab, report;
        "a delivery record comes back as it was written, by receiver and checkpoint" => whole,
        "a delivery record is written over the version before alone" => versions,
        "a delivery of a checkpoint that is not there is refused" => missing,
        "a conflict takes a delivery record back, and one that is not there may be removed" => taken_back,
    );
}

/// A checkpoint that is stored, and a receiver that is not.
async fn stored<F: Factory>(lab: &mut Lab<'_, F>) -> Case<(CheckpointRow, SessionId)> {
    let session = lab.session("one");
    let checkpoint = lab.checkpoint(&session, 1);
    lab.write(vec![lab.put(&session, 1), Op::InsertCheckpoint { checkpoint: checkpoint.clone() }]).await?;
    Ok((checkpoint, lab.session("receiver")))
}

fn offered(receiver: &SessionId, checkpoint: &CheckpointRow) -> Delivery {
    Delivery {
        receiver: receiver.clone(),
        checkpoint: checkpoint.id.clone(),
        version: 1,
        offered_at: at("2026-03-01T09:31:00.123456789Z"),
        delivered_at: None,
    }
}

fn put(delivery: &Delivery) -> Op {
    Op::PutDelivery { delivery: delivery.clone() }
}

async fn whole<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let (checkpoint, receiver) = stored(lab).await?;
    same("none", &lab.delivery(&receiver, &checkpoint.id).await?, &None)?;
    let mut delivery = offered(&receiver, &checkpoint);
    lab.write(vec![put(&delivery)]).await?;
    same("offer", &lab.delivery(&receiver, &checkpoint.id).await?, &Some(delivery.clone()))?;
    (delivery.version, delivery.delivered_at) = (2, Some(at("2026-03-01T09:31:01Z")));
    lab.write(vec![put(&delivery)]).await?;
    same("delivery", &lab.delivery(&receiver, &checkpoint.id).await?, &Some(delivery))?;
    same("another receiver", &lab.delivery(&lab.session("other"), &checkpoint.id).await?, &None)
}

async fn versions<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let (checkpoint, receiver) = stored(lab).await?;
    let mut delivery = offered(&receiver, &checkpoint);
    delivery.version = 2;
    lab.refuse("a second version where there is none", vec![], vec![put(&delivery)]).await?;
    delivery.version = 1;
    lab.write(vec![put(&delivery)]).await?;
    let mut late = delivery.clone();
    late.offered_at = at("2026-03-01T10:00:00Z");
    lab.refuse("the first version again", vec![], vec![put(&late)]).await?;
    late.version = 3;
    lab.refuse("a version left out", vec![], vec![put(&late)]).await?;
    same("offer", &lab.delivery(&receiver, &checkpoint.id).await?, &Some(delivery))
}

async fn missing<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let (checkpoint, receiver) = stored(lab).await?;
    let mut delivery = offered(&receiver, &checkpoint);
    delivery.checkpoint = lab.checkpoint_id();
    lab.refuse("a checkpoint that is not there", vec![], vec![put(&delivery)]).await
}

async fn taken_back<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let (checkpoint, receiver) = stored(lab).await?;
    let delivery = offered(&receiver, &checkpoint);
    let remove = |delivery: &Delivery| Op::DeleteDelivery {
        receiver: delivery.receiver.clone(),
        checkpoint: delivery.checkpoint.clone(),
    };
    lab.write(vec![remove(&delivery)]).await?;
    lab.refuse("the second of two", vec![], vec![put(&delivery), put(&delivery)]).await?;
    same("none", &lab.delivery(&receiver, &checkpoint.id).await?, &None)?;
    lab.write(vec![put(&delivery)]).await?;
    let mut wrong = delivery.clone();
    wrong.version = 5;
    lab.refuse("the last of two", vec![], vec![remove(&delivery), put(&wrong)]).await?;
    same("offer", &lab.delivery(&receiver, &checkpoint.id).await?, &Some(delivery.clone()))?;
    lab.write(vec![remove(&delivery)]).await?;
    same("none", &lab.delivery(&receiver, &checkpoint.id).await?, &None)
}

use super::{
    Factory, Report, cases,
    lab::{Case, Lab, at, same},
};
use throughline_core::{
    id::SessionId,
    model::{Aging, Delivery, Expired, Op, PromptEntry, Query},
};

pub(super) async fn run<F: Factory>(lab: &mut Lab<'_, F>, report: &mut Report) {
    cases!(Retention, lab, report;
        "checkpoints, drafts, states and deliveries are found once they are older, limited" => found,
        "a state that holds nothing does not grow old" => empty_states,
    );
}

/// Years of this case alone: what any other case stores is far younger.
const OLD: &str = "0102-01-01T00:00:00Z";
const YOUNGER: &str = "0102-01-01T00:00:00.000000001Z";

/// A session whose everything is of this time.
async fn aged<F: Factory>(lab: &mut Lab<'_, F>, name: &str, time: &str) -> Case<(SessionId, Vec<Expired>)> {
    let session = lab.session(name);
    let mut row = lab.session_row(&session, 1);
    row.last_activity = at(time);
    row.pending = true;
    row.continuity.recent_prompts = vec![PromptEntry { ordinal: 1, text: lab.clean("go on") }];
    let mut checkpoint = lab.checkpoint(&session, 1);
    checkpoint.created_at = at(time);
    let mut pending = lab.pending(&session, "2026-03-01T09:30:02Z");
    pending.draft.created_at = at(time);
    let delivery = Delivery {
        receiver: session.clone(),
        checkpoint: checkpoint.id.clone(),
        version: 1,
        offered_at: at(time),
        delivered_at: None,
    };
    let of_checkpoint = Expired { session: session.clone(), checkpoint: Some(checkpoint.id.clone()) };
    let whole = Expired { session: session.clone(), checkpoint: None };
    let ops = vec![
        Op::PutSession { session: row },
        Op::InsertCheckpoint { checkpoint },
        Op::PutPending { pending },
        Op::PutDelivery { delivery },
    ];
    lab.write(ops).await?;
    Ok((session, vec![of_checkpoint.clone(), whole.clone(), whole, of_checkpoint]))
}

async fn found<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let (old, wanted) = aged(lab, "old", OLD).await?;
    let (younger, _) = aged(lab, "younger", YOUNGER).await?;
    for (kind, wanted) in Aging::ALL.into_iter().zip(wanted) {
        let query = |before: &str, limit| Query::Expired { kind, before: at(before), limit };
        let ours = |found: Vec<Expired>| -> Vec<Expired> {
            found.into_iter().filter(|of| of.session == old || of.session == younger).collect()
        };
        same(&format!("{kind:?}"), &ours(lab.expired(&query(YOUNGER, 1000)).await?), &vec![wanted])?;
        same(&format!("{kind:?} of then"), &ours(lab.expired(&query(OLD, 1000)).await?), &Vec::new())?;
        let both = ours(lab.expired(&query("0102-01-02", 1000)).await?);
        same(&format!("{kind:?} of both"), &both.len(), &2)?;
        same(&format!("{kind:?}, limited"), &lab.expired(&query("0102-01-02", 1)).await?.len(), &1)?;
    }
    Ok(())
}

async fn empty_states<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let (session, _) = aged(lab, "old", OLD).await?;
    let mut row = lab.session_row(&session, 2);
    row.last_activity = at(OLD);
    lab.write(vec![Op::PutSession { session: row }]).await?;
    let query = Query::Expired { kind: Aging::State, before: at("0102-01-02"), limit: 1000 };
    let found = lab.expired(&query).await?;
    same("states", &found.into_iter().filter(|of| of.session == session).count(), &0)
}

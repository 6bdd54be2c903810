use super::{
    Factory, Report, cases, ensure,
    lab::{Case, Lab, at, plain, same, version},
};
use throughline_core::{
    id::SessionId,
    model::{Op, Pending, Precondition},
};

pub(super) async fn run<F: Factory>(lab: &mut Lab<'_, F>, report: &mut Report) {
    cases!(Drafts, lab, report;
        "a draft comes back as it was written, and nothing where there is none" => whole,
        "a draft is written over the version before alone" => versions,
        "a draft is removed at the version that was read alone" => removed,
        "a flush is one batch, and the second of two fails" => flushed,
        "drafts are found by deadline, the earliest first, limited" => by_deadline,
        "a conflict takes a draft back" => taken_back,
    );
    cases!(Clearing, lab, report;
        "what is at or before the clearing is refused, what is later is not" => cleared,
        "a session that does not exist was never cleared" => never,
        "the clearing is part of the session's state" => state,
    );
}

fn put(pending: &Pending) -> Op {
    Op::PutPending { pending: pending.clone() }
}

fn delete(pending: &Pending) -> Op {
    let session = pending.draft.session.clone();
    Op::DeletePending { session, id: pending.id.clone(), version: pending.version }
}

async fn whole<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let session = lab.session("one");
    same("draft of no session", &lab.pending_of(&session).await?, &None)?;
    let pending = lab.pending(&session, "2026-03-01T09:30:02.5Z");
    lab.refuse("a draft of no session", vec![], vec![put(&pending)]).await?;
    lab.write(vec![lab.put(&session, 1)]).await?;
    same("no draft", &lab.pending_of(&session).await?, &None)?;
    lab.write(vec![put(&pending)]).await?;
    same("draft", &lab.pending_of(&session).await?, &Some(plain(&pending)))
}

async fn versions<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let session = lab.session("one");
    lab.write(vec![lab.put(&session, 1)]).await?;
    let mut pending = lab.pending(&session, "2026-03-01T09:30:02.5Z");
    pending.version = 2;
    lab.refuse("a second version where there is none", vec![], vec![put(&pending)]).await?;
    pending.version = 1;
    lab.write(vec![put(&pending)]).await?;
    lab.refuse("the first version again", vec![], vec![put(&pending)]).await?;
    pending.version = 3;
    lab.refuse("a version left out", vec![], vec![put(&pending)]).await?;
    (pending.version, pending.due_at) = (2, at("2026-03-01T09:30:04Z"));
    pending.draft.prompt_count = 4;
    lab.write(vec![put(&pending)]).await?;
    same("draft", &lab.pending_of(&session).await?, &Some(plain(&pending)))?;
    let mut other = lab.pending(&session, "2026-03-01T09:30:02.5Z");
    other.version = 3;
    lab.refuse("another draft", vec![], vec![put(&other)]).await?;
    same("draft", &lab.pending_of(&session).await?, &Some(plain(&pending)))
}

async fn removed<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let session = lab.session("one");
    let pending = lab.pending(&session, "2026-03-01T09:30:02.5Z");
    lab.write(vec![lab.put(&session, 1), put(&pending)]).await?;
    let mut other = lab.pending(&session, "2026-03-01T09:30:02.5Z");
    lab.refuse("another id", vec![], vec![delete(&other)]).await?;
    (other.id, other.version) = (pending.id.clone(), 2);
    lab.refuse("another version", vec![], vec![delete(&other)]).await?;
    same("draft", &lab.pending_of(&session).await?, &Some(plain(&pending)))?;
    lab.write(vec![delete(&pending)]).await?;
    same("no draft", &lab.pending_of(&session).await?, &None)?;
    lab.refuse("what is gone", vec![], vec![delete(&pending)]).await?;
    lab.write(vec![put(&pending)]).await
}

async fn flushed<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let session = lab.session("one");
    let pending = lab.pending(&session, "2026-03-01T09:30:02.5Z");
    lab.write(vec![lab.put(&session, 1), put(&pending)]).await?;
    let flush = |lab: &Lab<'_, F>, seq| {
        let checkpoint = pending.draft.clone().into_row(pending.id.clone(), seq);
        vec![lab.put(&session, 2), delete(&pending), Op::InsertCheckpoint { checkpoint }]
    };
    let first = flush(lab, 1);
    lab.commit(vec![version(&session, 1)], first).await?;
    let (again, blind) = (flush(lab, 1), flush(lab, 2));
    lab.refuse("a second flush", vec![version(&session, 1)], again).await?;
    lab.refuse("a second flush that looks at nothing", vec![], blind).await?;
    let heads = lab.heads(&session).await?;
    same("checkpoints", &heads.iter().map(|head| head.seq).collect::<Vec<_>>(), &vec![1])?;
    same("its id", &heads[0].id, &pending.id)?;
    same("no draft", &lab.pending_of(&session).await?, &None)
}

async fn by_deadline<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    // In a year of their own, before those of any other case.
    const TIMES: [&str; 5] = [
        "0101-01-01T00:00:02Z",
        "0101-01-01T00:00:00.000000001Z",
        "0101-01-01T00:00:01Z",
        "0101-01-01T00:00:01Z",
        "0101-01-01T00:00:00Z",
    ];
    let (mut wanted, mut earliest) = (Vec::new(), None);
    for (number, time) in TIMES.into_iter().enumerate() {
        let session = lab.session(&format!("s{number}"));
        let pending = lab.pending(&session, time);
        lab.write(vec![lab.put(&session, 1), put(&pending)]).await?;
        wanted.push((pending.due_at, session.storage_key(), session));
        if time == TIMES[4] {
            earliest = Some(pending);
        }
    }
    wanted.sort();
    let ours = |found: Vec<throughline_core::model::DueDraft>| -> Vec<SessionId> {
        let ours = found.into_iter().filter(|due| wanted.iter().any(|(.., id)| *id == due.session));
        ours.map(|due| due.session).collect()
    };
    let wanted_ids: Vec<SessionId> = wanted.iter().map(|(.., id)| id.clone()).collect();
    let all = lab.due("0101-01-01T00:00:02Z", 1000).await?;
    ensure!(all.is_sorted_by_key(|due| (due.due_at, due.session.storage_key())), "deadlines are not sorted");
    same("drafts", &ours(all), &wanted_ids)?;
    same(
        "drafts until then",
        &ours(lab.due("0101-01-01T00:00:01Z", 1000).await?),
        &wanted_ids[..4].to_vec(),
    )?;
    same("none until then", &ours(lab.due("0100-01-01T00:00:00Z", 1000).await?), &Vec::new())?;
    let first = lab.due("0101-01-01T00:00:02Z", 2).await?;
    same("the first two", &first.len(), &2)?;
    // An update moves it.
    let mut moved = earliest.unwrap_or_else(|| unreachable!("one of the times is the earliest"));
    (moved.version, moved.due_at) = (2, at("0101-01-01T00:00:03Z"));
    lab.write(vec![put(&moved)]).await?;
    let last = [&wanted_ids[1..], &wanted_ids[..1]].concat();
    same("after an update", &ours(lab.due("0101-01-01T00:00:03Z", 1000).await?), &last)?;
    same("version", &lab.pending_of(&wanted_ids[0]).await?.map(|pending| pending.version), &Some(2))
}

async fn taken_back<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let (one, other) = (lab.session("one"), lab.session("two"));
    let (kept, new) =
        (lab.pending(&one, "2026-03-01T09:30:02Z"), lab.pending(&other, "2026-03-01T09:30:02Z"));
    lab.write(vec![lab.put(&one, 1), lab.put(&other, 1), put(&kept)]).await?;
    let mut second = kept.clone();
    (second.version, second.draft.prompt_count) = (2, 99);
    let ops = vec![put(&new), put(&second), delete(&second), put(&second)];
    lab.refuse("the last of four", vec![], ops).await?;
    same("draft", &lab.pending_of(&one).await?, &Some(plain(&kept)))?;
    same("no draft", &lab.pending_of(&other).await?, &None)
}

fn not_cleared(session: &SessionId, time: &str) -> Precondition {
    Precondition::NotCleared { session: session.clone(), at: at(time) }
}

async fn cleared<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let session = lab.session("one");
    lab.write(vec![lab.put(&session, 1)]).await?;
    let ops = vec![lab.put(&session, 1)];
    lab.commit(vec![not_cleared(&session, "0001-01-01")], ops).await?;
    let mut row = lab.session_row(&session, 2);
    row.cleared_at = Some(at("2026-03-01T09:30:00Z"));
    lab.write(vec![Op::PutSession { session: row }]).await?;
    for before in ["0001-01-01", "2026-03-01T09:29:59.999999999Z", "2026-03-01T09:30:00Z"] {
        let pending = lab.pending(&session, "2026-03-01T09:30:02Z");
        lab.refuse(before, vec![not_cleared(&session, before)], vec![put(&pending)]).await?;
    }
    let pending = lab.pending(&session, "2026-03-01T09:30:02Z");
    let later = vec![not_cleared(&session, "2026-03-01T09:30:00.000000001Z")];
    lab.commit(later, vec![put(&pending)]).await?;
    same("draft", &lab.pending_of(&session).await?, &Some(plain(&pending)))
}

async fn never<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let session = lab.session("none");
    let ops = vec![lab.put(&session, 1)];
    lab.commit(vec![not_cleared(&session, "0001-01-01")], ops).await?;
    Ok(())
}

async fn state<F: Factory>(lab: &mut Lab<'_, F>) -> Case {
    let session = lab.session("one");
    let mut row = lab.session_row(&session, 1);
    (row.cleared_at, row.pending) = (Some(at("2026-03-01T09:30:00.000000001Z")), true);
    lab.write(vec![Op::PutSession { session: row.clone() }]).await?;
    same("session", &lab.stored(&session).await?, &Some(plain(&row)))?;
    row.cleared_at = None;
    lab.write(vec![Op::PutSession { session: row }]).await?;
    let ops = vec![lab.put(&session, 2)];
    lab.commit(vec![not_cleared(&session, "2026-03-01T09:30:00Z")], ops).await?;
    Ok(())
}

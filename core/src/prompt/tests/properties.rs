//! The promise, over random histories in which rows, parts and results arrive in any legal order.
use super::{
    rows::{
        assistant, by, call, clean, done, id, imported, note, part, prompt_with, result, row, said, stopped,
        text, thinking, user,
    },
    shape::{check, shape},
};
use crate::{
    model::{BoundaryMode, Part, ResultStatus, RowKind, StoredRow},
    prompt::{Message, Prompt, Request},
};
use alloc::{format, string::String, vec, vec::Vec};
use proptest::{collection::vec as list, prelude::*};

#[derive(Debug, Clone)]
enum Step {
    User,
    Blank,
    Note,
    System,
    /// A message of our own: thinking, text, and as many calls, some of them with results.
    Own {
        calls: u32,
        done: u32,
        faithful: bool,
    },
    /// A message of a log begins.
    Imported {
        thinks: bool,
    },
    /// It grows by a text or a call, in any order of the indexes, and may end.
    Grow {
        is_call: bool,
        index: u32,
        stops: bool,
    },
    /// A call that names no message, or one that is closed or gone.
    Loose {
        round: usize,
        done: bool,
    },
    /// A call of the newest message, stored once more.
    Again {
        call: usize,
        done: bool,
    },
    /// A call that waits gets its result, late or not.
    Result {
        call: usize,
        status: u8,
    },
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => Just(Step::User),
        1 => Just(Step::Blank),
        2 => Just(Step::Note),
        1 => Just(Step::System),
        3 => (0..4u32, 0..4u32, any::<bool>()).prop_map(|(calls, done, faithful)| Step::Own { calls, done, faithful }),
        3 => any::<bool>().prop_map(|thinks| Step::Imported { thinks }),
        6 => (any::<bool>(), 0..12u32, prop::bool::weighted(0.2))
            .prop_map(|(is_call, index, stops)| Step::Grow { is_call, index, stops }),
        2 => (0..4usize, any::<bool>()).prop_map(|(round, done)| Step::Loose { round, done }),
        1 => (any::<usize>(), any::<bool>()).prop_map(|(call, done)| Step::Again { call, done }),
        6 => (any::<usize>(), 0..3u8).prop_map(|(call, status)| Step::Result { call, status }),
    ]
}

/// A history as it is stored, and what of it is still open.
#[derive(Default)]
struct History {
    rows: Vec<StoredRow>,
    /// The row of the newest message while it may grow.
    growing: Option<usize>,
    /// From this row on, a result is not late.
    open_from: usize,
    /// The message that the newest calls name.
    current: Option<Option<String>>,
    /// Whether a note followed the newest message: it takes further blocks only while calls of it wait.
    is_noted: bool,
    request: Request,
}

impl History {
    fn prompt(&self, cut: bool) -> Prompt {
        let first = cut.then(|| self.rows.iter().find(|stored| stored.row.kind != RowKind::System)).flatten();
        let boundary = first.map(|stored| {
            let name = stored.row.id.as_str();
            let mut boundary = super::rows::boundary(name, 0, BoundaryMode::Inclusive);
            boundary.anchor_at = stored.row.created_at;
            boundary
        });
        prompt_with(self.rows.clone(), boundary, self.request.clone())
    }

    fn name(&self) -> String {
        format!("r{}", self.rows.len())
    }

    /// A row that closes what came before it.
    fn close_with(&mut self, stored: StoredRow, message: Option<Option<String>>) {
        self.growing = None;
        self.is_noted = false;
        self.open_from = self.rows.len();
        self.current = message;
        self.rows.push(stored);
    }

    fn take(&mut self, step: &Step) {
        let (name, place) = (self.name(), self.rows.len());
        match step {
            Step::User => self.close_with(user(&name, place), None),
            Step::Blank => self.close_with(said(RowKind::User, &name, place, " "), None),
            Step::Note => {
                self.is_noted = true;
                self.rows.push(note(&name, place));
            }
            Step::System => self.rows.push(said(RowKind::System, &name, place, "for people")),
            Step::Own { calls, done: ended, faithful } => self.own(*calls, *ended, *faithful),
            Step::Imported { thinks } => {
                let mut stored = imported(row(RowKind::Assistant, &name, place));
                stored.row.issuer = Some(by("m"));
                stored.row.generation_checkpoint_id = Some(String::new());
                if *thinks {
                    stored.parts.push(thinking(&name, 20, "hm", "c2ln"));
                }
                self.close_with(stored, Some(Some(name)));
                self.growing = Some(place);
            }
            Step::Grow { is_call, index, stops } => self.grow(*is_call, *index, *stops),
            Step::Loose { round, done: ended } => {
                // A message that came before, or one that is not stored; never one that is still to come.
                let before = if round * 3 < place { "r" } else { "gone" };
                let message = (*round > 0).then(|| format!("{before}{}", round * 3));
                let loose = call(&name, place, message.as_deref().map(|message| (message, 30)));
                let loose = if *ended { done(loose) } else { loose };
                let is_own = self.current.as_ref() == Some(&message);
                // More of an ended message is not legal.
                let is_stored =
                    self.rows.get(self.open_from).is_some_and(|open| open.row.kind == RowKind::Assistant);
                match (is_own, is_stored) {
                    (true, true) => {}
                    (true, false) => self.rows.push(loose),
                    (false, _) => self.close_with(loose, Some(message)),
                }
            }
            Step::Again { call, done: ended } => self.again(*call, *ended),
            Step::Result { call, status } => self.result(*call, *status),
        }
    }

    fn own(&mut self, calls: u32, ended: u32, faithful: bool) {
        let (name, place) = (self.name(), self.rows.len());
        let mut stored = assistant(&name, place);
        stored.parts.push(thinking(&name, 1, "hm", "c2ln"));
        stored.row.issuer = Some(by("m"));
        stored.row.generation_checkpoint_id = Some(String::new());
        stored.row.prefix_hash = Some(if faithful { self.prompt(false).tail_hash } else { "else".into() });
        self.close_with(stored, Some(Some(name.clone())));
        for index in 0..calls {
            let called = call(&self.name(), self.rows.len(), Some((&name, 2 + index)));
            self.rows.push(if index < ended { done(called) } else { called });
        }
    }

    fn grow(&mut self, is_call: bool, index: u32, stops: bool) {
        let Some(at) = self.growing else { return };
        if self.is_noted && !self.waiting().iter().any(|call| *call > at) {
            return;
        }
        let message = String::from(self.rows[at].row.id.as_str());
        let ending = |part: Part| if stops { stopped(part) } else { part };
        if is_call {
            let mut called = call(&self.name(), self.rows.len(), Some((&message, index)));
            called.parts = called.parts.into_iter().map(ending).collect();
            self.rows.push(called);
        } else if self.rows[at].parts.iter().all(|part| part.index != index) {
            let words = if index.is_multiple_of(3) { "\n" } else { "more" };
            self.rows[at].parts.push(ending(part(&message, index, text(words))));
        } else {
            return;
        }
        if stops {
            self.growing = None;
        }
    }

    /// The calls that have no result, whether they are stored once or more.
    fn waiting(&self) -> Vec<usize> {
        let calls =
            || self.rows.iter().enumerate().filter(|(_, stored)| stored.row.kind == RowKind::Function);
        let answered: Vec<_> =
            calls().filter(|(_, call)| call.parts.len() > 1).map(|(_, call)| &call.parts[0].body).collect();
        calls().filter(|(_, call)| !answered.contains(&&call.parts[0].body)).map(|(at, _)| at).collect()
    }

    fn again(&mut self, which: usize, ended: bool) {
        let Some(at) = self.growing else { return };
        let of = id(self.rows[at].row.id.as_str());
        let own = |stored: &&StoredRow| stored.row.round.as_ref().is_some_and(|round| round.row == of);
        let calls: Vec<StoredRow> = self.rows.iter().filter(own).cloned().collect();
        if calls.is_empty() {
            return;
        }
        let first = &calls[which % calls.len()];
        let mut again = call(&self.name(), self.rows.len(), None);
        again.row.round = first.row.round.clone();
        again.parts[0].body = first.parts[0].body.clone();
        self.rows.push(if ended { done(again) } else { again });
    }

    fn result(&mut self, which: usize, status: u8) {
        let waiting = self.waiting();
        if waiting.is_empty() {
            return;
        }
        let at = waiting[which % waiting.len()];
        let status =
            [ResultStatus::Success, ResultStatus::Error, ResultStatus::Cancelled][usize::from(status)];
        let name = String::from(self.rows[at].row.id.as_str());
        let came = result(&name, status, "came");
        self.rows[at].parts.push(Part { replay: at >= self.open_from, ..came });
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn every_prompt_extends_the_stable_part_of_every_earlier_one(
        steps in list(step(), 1..40),
        cut in any::<bool>(),
        names_model in any::<bool>(),
    ) {
        let model = names_model.then(|| clean("m"));
        let mut history = History { request: Request { model, ..Request::default() }, ..History::default() };
        let mut promised: Vec<Message> = vec![];
        for step in &steps {
            history.take(step);
            // A boundary in force from its anchor on is the same boundary in each of them.
            let prompt = history.prompt(cut);
            check(&prompt);
            prop_assert_eq!(&prompt, &history.prompt(cut));
            prop_assert!(
                prompt.messages.starts_with(&promised),
                "promised {:#?} got {:#?}", promised, shape(&prompt)
            );
            prop_assert!(prompt.stable_len >= promised.len());
            promised = prompt.messages[..prompt.stable_len].to_vec();
        }
    }
}

#[test]
fn ten_thousand_rows_take_no_quadratic_time() {
    let round = |i: usize| {
        let name = format!("a{i:06}");
        [
            user(&format!("u{i:06}"), i * 4),
            assistant(&name, i * 4 + 1),
            done(call(&format!("c{i:06}"), i * 4 + 2, Some((&name, 1)))),
        ]
    };
    let rows: Vec<StoredRow> = (0..4000).flat_map(round).collect();
    let prompt = prompt_with(rows, None, Request::default());
    assert_eq!((prompt.messages.len(), prompt.stable_len), (12000, 12000));
}

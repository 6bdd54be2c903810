//! What happens to a session: each event stores rows as the session rules have it, and tells the conversation.
use super::{
    life::Life,
    rows::{self, Stored, ended, file, image, pending, positional, thinking, with},
};
use throughline_core::{
    id::RowId,
    json::parse,
    model::{BoundaryMode, InputState, PartBody, PartSource, ResultStatus, RowKind, Stale, StoredRow},
    prompt::{Applying, Change, Prompt, Removal, Request, Role, Upload},
    render,
};

/// What a call of the model came to.
pub(super) struct Sent {
    /// The request as it was sent.
    pub(super) prompt: Prompt,
    /// Blocks that the provider takes, and those that are not its own.
    pub(super) accepted: usize,
    pub(super) foreign: usize,
    /// Blocks that it refuses.
    pub(super) refused: Vec<String>,
    /// Blocks of the current round that it is asked to drop.
    pub(super) dropped: usize,
}

impl Life {
    /// A user opens a turn; what was waiting from the turn before stands before it.
    pub(super) fn request(&mut self) -> Vec<Change> {
        let mut stored = self.said(RowKind::User, "please go on");
        if self.random.chance(4) {
            stored = with(stored, image("screen.png"));
        }
        if self.random.chance(4) {
            stored = with(stored, file("upload-1"));
        }
        let opening = stored.row.id.clone();
        let mut changes = vec![self.put(stored)];
        let note = self.random.chance(2).then(|| {
            let note = self.said(RowKind::System, "the time is");
            positional(note, "turn_context")
        });
        let named = note.as_ref().map(|note| note.row.id.clone());
        changes.extend(note.map(|note| self.put(note)));
        self.opening = Some((opening, named));
        let turn = self.turn();
        changes.push(self.conversation.set_turn(turn));
        changes
    }

    /// A message comes while a turn runs.
    pub(super) fn steer(&mut self) -> Vec<Change> {
        let stored = pending(self.said(RowKind::User, "rather this"));
        vec![self.put(stored)]
    }

    /// Pending input with its anchors: that of earlier turns stands before the opening row.
    fn applying(&self) -> Vec<Applying> {
        let opening = self.opening.as_ref().map(|(opening, _)| self.get(opening).row.created_at);
        let (old, new): (Vec<RowId>, Vec<RowId>) = self
            .pending()
            .into_iter()
            .partition(|row| opening.is_some_and(|opening| self.get(row).row.created_at < opening));
        let before = opening.and_then(|opening| u64::try_from(opening.unix_millis()).ok());
        let old = Applying { after: self.anchor(before), rows: old };
        let new = Applying { after: self.anchor(None), rows: new };
        [old, new].into_iter().filter(|batch| !batch.rows.is_empty()).collect()
    }

    /// A step: steering is applied, notes are written, the model is asked and answers.
    pub(super) fn step(&mut self) -> (Vec<Change>, Option<Sent>) {
        if self.conversation.prompt().messages.is_empty() {
            return (Vec::new(), None); // nothing can be asked
        }
        let applying = self.applying();
        let as_if = (!applying.is_empty()).then(|| self.as_if_applied(&applying));
        let mut changes = Vec::new();
        for batch in &applying {
            changes.push(
                self.conversation
                    .apply_steering(&batch.rows, batch.after.as_ref())
                    .unwrap_or_else(|e| panic!("{e}")),
            );
            for row in &batch.rows {
                let mut stored = self.get(row);
                rows::meta(&mut stored).input = Some(InputState::Applied { after: batch.after.clone() });
                changes.push(self.put(stored));
            }
        }
        if let Some(as_if) = as_if {
            assert_eq!(as_if.json_text(), self.conversation.prompt().json_text(), "as if applied");
        }
        let mut notes = Vec::new();
        for kind in [RowKind::Developer, RowKind::System] {
            if self.random.chance(4) {
                let note = self.said(kind, "remember");
                let note = positional(note, "lifecycle_note");
                notes.push(note.row.id.clone());
                changes.push(self.put(note));
            }
        }
        let sent = self.send();
        if self.random.chance(12) {
            // The output is discarded, and the step's notes with it.
            for note in &notes {
                self.rows.retain(|stored| stored.row.id != *note);
            }
            let gone = self.conversation.remove(&notes, Removal::Discarded);
            changes.push(gone.unwrap_or_else(|error| panic!("{error}")));
            return (changes, Some(sent));
        }
        changes.extend(self.answer(&sent.prompt));
        (changes, Some(sent))
    }

    fn send(&mut self) -> Sent {
        let prompt = self.conversation.prompt().clone();
        let mut options = render::Options::default();
        options.cache_markers = false;
        let body = render::anthropic(&prompt, &options).body;
        let verdict = self.provider.read(&body);
        let kept = prompt.diagnostics.iter().filter(|note| note.code == "thinking_kept_for_round");
        let kept: Vec<&RowId> = kept.filter_map(|note| note.row.as_ref()).collect();
        let is_kept = |signature: &String| {
            prompt.messages.iter().filter(|message| kept.contains(&&message.row)).any(|message| {
                let data = message.parts.iter().filter_map(|part| part.provider_data.as_ref());
                data.filter_map(|data| data.signature.as_ref()).any(|known| known.as_str() == signature)
            })
        };
        let (dropped, refused): (Vec<String>, Vec<String>) = verdict.refused.into_iter().partition(is_kept);
        let (accepted, foreign) = (verdict.accepted.len(), verdict.foreign);
        Sent { accepted, foreign, refused, dropped: dropped.len(), prompt }
    }

    /// An answer with thinking, text and up to three calls, some of which end at once.
    fn answer(&mut self, asked: &Prompt) -> Vec<Change> {
        let model = asked.model.as_ref().map_or(String::new(), |model| model.as_str().to_owned());
        let (name, place) = (self.name(), self.tick());
        let mut stored = rows::row(RowKind::Assistant, &name, place);
        if self.random.chance(5) {
            stored.row.issuer = None;
        } else {
            let signature = self.provider.sign();
            stored = thinking(stored, &model, signature);
        }
        stored.row.generation_checkpoint_id =
            Some(self.boundary.as_ref().map_or(String::new(), |boundary| boundary.id.as_str().to_owned()));
        stored.row.prefix_fingerprint = Some(asked.fingerprint.clone());
        stored.row.prefix_hash = Some(asked.tail_hash.clone());
        if !self.random.chance(4) {
            stored = with(stored, PartBody::Text { text: format!("I look at {place}") });
        }
        let round = stored.row.id.clone();
        let first = u32::try_from(stored.parts.len()).unwrap_or(0);
        let mut rows = vec![stored];
        for index in 0..u32::try_from(self.random.size(4)).unwrap_or(0) {
            let kind = self.random.pick(&[
                RowKind::Function,
                RowKind::Function,
                RowKind::PrivateFunction,
                RowKind::Delegation,
            ]);
            let (name, place) = (self.name(), self.tick());
            rows.push(rows::call(kind, &name, place, Some((&round, first + index))));
        }
        // A response is stored in one batch.
        let sealed: Vec<StoredRow> = rows.into_iter().map(|row| self.store(row)).collect();
        vec![self.conversation.put_all(sealed)]
    }

    /// A call that waits gets its result, which is late when its round is closed.
    pub(super) fn settle(&mut self) -> Vec<Change> {
        let waiting = self.waiting();
        if waiting.is_empty() {
            return Vec::new();
        }
        let call = &waiting[self.random.size(waiting.len())];
        let status = self.random.pick(&[
            ResultStatus::Success,
            ResultStatus::Success,
            ResultStatus::Error,
            ResultStatus::Cancelled,
        ]);
        let body = match self.random.size(4) {
            0 => PartBody::Value { json: "null".into() },
            1 => PartBody::Value { json: r#"{"lines":[1,2,1234567890123456789]}"#.into() },
            _ => PartBody::Text { text: format!("read {}", self.clock) },
        };
        let is_late = !self.is_open(call);
        let stored = ended(&self.get(call), status, body, is_late);
        vec![self.put(stored)]
    }

    /// All calls of the open round end, so that the model can be asked again.
    pub(super) fn settle_all(&mut self, status: ResultStatus, words: &str) -> Vec<Change> {
        let mut changes = Vec::new();
        for call in self.waiting() {
            if self.is_open(&call) {
                let body = PartBody::Text { text: words.to_owned() };
                let stored = ended(&self.get(&call), status, body, false);
                changes.push(self.put(stored));
            }
        }
        changes
    }

    /// Stop: pending calls are cancelled, a boundary row says so, steering in flight goes back.
    pub(super) fn stop(&mut self) -> Vec<Change> {
        let mut changes = self.settle_all(ResultStatus::Cancelled, "stopped");
        let steering: Vec<&Stored> = self.in_force().collect();
        let applied = steering.iter().rev().find_map(|stored| match stored.row.input() {
            Some(InputState::Applied { after }) => Some((stored.row.id.clone(), after.clone())),
            _ => None,
        });
        // In flight is what no answer has seen yet.
        let messages = &self.conversation.prompt().messages;
        let unseen: Vec<RowId> = messages
            .iter()
            .rev()
            .take_while(|message| message.role != Role::Assistant)
            .map(|message| message.row.clone())
            .collect();
        if let Some((row, after)) = applied.filter(|(row, _)| unseen.contains(row)) {
            let mut stored = self.get(&row);
            rows::meta(&mut stored).input = Some(InputState::Pending);
            self.store(stored);
            let returned = self.conversation.return_steering(&[row], after.as_ref());
            changes.push(returned.unwrap_or_else(|error| panic!("{error}")));
        }
        let note = self.said(RowKind::Developer, "the turn was stopped");
        changes.push(self.put(note));
        changes
    }

    /// A compaction, at the newest request, the newest answer or any row.
    pub(super) fn cut(&mut self) -> Vec<Change> {
        let cut_at = self.boundary.as_ref().map(|boundary| boundary.anchor_at);
        let kind = self.random.pick(&[Some(RowKind::User), Some(RowKind::Assistant), None]);
        let fits = |stored: &&Stored| {
            stored.row.live
                && stored.row.input().is_none()
                && kind.is_none_or(|kind| stored.row.kind == kind)
                && cut_at.is_none_or(|at| stored.row.created_at > at)
        };
        let found: Vec<Stored> = self.rows.iter().filter(fits).cloned().collect();
        let Some(last) = found.len().checked_sub(1) else { return Vec::new() };
        let anchor = &found[if kind.is_none() { self.random.size(last + 1) } else { last }];
        let mode = self.random.pick(&[BoundaryMode::Inclusive, BoundaryMode::Exclusive]);
        let anchor = anchor.clone();
        let changes = vec![self.compact(&anchor, mode)];
        if self.random.chance(2) {
            // What cannot come back is let go, as a storage gives rows from the boundary on.
            self.conversation.release();
            let (opening, note) = self.opening.clone().unzip();
            let named = [opening, note.flatten()];
            let keeps = |stored: &Stored| {
                self.is_behind_cut(stored)
                    || stored.row.input().is_some()
                    || named.iter().flatten().any(|row| *row == stored.row.id)
            };
            self.rows = self.rows.iter().filter(|stored| keeps(stored)).cloned().collect();
        }
        changes
    }

    pub(super) fn withdraw(&mut self) -> Vec<Change> {
        let calls: Vec<RowId> = self
            .in_force()
            .filter(|stored| stored.row.kind.is_call() && stored.parts.len() > 1)
            .map(|stored| stored.row.id.clone())
            .collect();
        if calls.is_empty() {
            return Vec::new();
        }
        let call = calls[self.random.size(calls.len())].clone();
        let mut stored = self.get(&call);
        let why = self.random.chance(2).then(|| "version 4".to_owned());
        rows::meta(&mut stored).stale = Some(why.clone().map_or(Stale::Withdrawn, Stale::Because));
        self.store(stored);
        let why = why.map(|why| self.clean(&why));
        vec![self.conversation.withdraw(&call, why).unwrap_or_else(|error| panic!("{error}"))]
    }

    /// Rows that stand behind the boundary.
    fn in_force(&self) -> impl Iterator<Item = &Stored> {
        self.rows.iter().filter(|stored| stored.row.live && self.is_behind_cut(stored))
    }

    fn is_behind_cut(&self, stored: &Stored) -> bool {
        self.boundary.as_ref().is_none_or(|cut| match cut.mode {
            BoundaryMode::Inclusive => stored.row.created_at >= cut.anchor_at,
            BoundaryMode::Exclusive => stored.row.created_at > cut.anchor_at,
        })
    }

    /// The agent or the session's contexts change.
    pub(super) fn reconfigure(&mut self) -> Vec<Change> {
        match self.random.size(4) {
            0 => {
                let memory = self.clean(&format!("memory of {}", self.clock));
                self.contexts.memory = Some(memory);
                vec![self.conversation.set_contexts(self.contexts.clone())]
            }
            1 => {
                let name = self.random.pick(&["zone", "area"]);
                self.contexts
                    .named
                    .insert(name.to_owned(), self.redactor.clean(&format!("{name} {}", self.clock)));
                vec![self.conversation.set_contexts(self.contexts.clone())]
            }
            _ => {
                let (model, tokens) = (self.random.pick(&["m-1", "m-1", "m-2"]), 1000 + self.random.size(3));
                let file = format!(
                    r#"{{"model": "{model}", "tools": [{{"name": "read", "description": "of {}", "input_schema": {{"type": "object"}}}}],
                        "settings": {{"max_output_tokens": {tokens}}}}}"#,
                    self.random.size(2)
                );
                let json = parse(&file).unwrap_or_else(|error| panic!("{error}"));
                self.request =
                    Request::from_json(&json, &self.redactor).unwrap_or_else(|error| panic!("{error}"));
                vec![self.conversation.set_request(self.request.clone())]
            }
        }
    }

    /// A log comes in behind what is there: a prompt, and a message that thinks and calls.
    pub(super) fn import(&mut self) -> Vec<Change> {
        let mut changes = Vec::new();
        let mut prompt = self.said(RowKind::User, "from a log");
        prompt.row.imported = true;
        changes.push(self.put(prompt));
        self.opening = None;
        changes.push(self.conversation.set_turn(None));
        let (name, place) = (self.name(), self.tick());
        let mut stored =
            thinking(rows::row(RowKind::Assistant, &name, place), "m-1", format!("bG9n{place:06}"));
        stored.row.imported = true;
        stored.row.generation_checkpoint_id =
            Some(self.boundary.as_ref().map_or(String::new(), |boundary| boundary.id.as_str().to_owned()));
        changes.push(self.put(stored.clone()));
        let (name, place) = (self.name(), self.tick());
        let mut called = rows::call(RowKind::Function, &name, place, Some((&stored.row.id, 1)));
        called.row.imported = true;
        if self.random.chance(2) {
            called.parts[0].source =
                Some(PartSource { id: None, at: None, usage: None, stop_reason: Some("tool_use".into()) });
        }
        changes.push(self.put(called));
        changes
    }

    /// A row comes in before the end.
    pub(super) fn insert(&mut self) -> Vec<Change> {
        let places: Vec<i64> = self.in_force().map(|stored| stored.row.created_at.unix_millis()).collect();
        if places.len() < 2 {
            return Vec::new();
        }
        let place = u64::try_from(places[self.random.size(places.len() - 1)]).unwrap_or(0) + 1;
        let kind = self.random.pick(&[RowKind::User, RowKind::Developer, RowKind::Artifact]);
        let name = self.name();
        let mut stored = rows::said(kind, &name, place, "found later");
        stored.row.imported = kind == RowKind::User;
        vec![self.put(stored)]
    }

    /// The last rows leave the live conversation.
    pub(super) fn rewind(&mut self) -> Vec<Change> {
        let count = 1 + self.random.size(4);
        let last: Vec<RowId> = self.in_force().map(|stored| stored.row.id.clone()).collect();
        let mut changes = Vec::new();
        for row in last.iter().rev().take(count) {
            let mut stored = self.get(row);
            stored.row.live = false;
            changes.push(self.put(stored));
        }
        changes
    }

    /// An upload is renamed, an attachment expires, or a newer rule set scrubs a row again.
    pub(super) fn fade(&mut self) -> Vec<Change> {
        match self.random.size(3) {
            0 => {
                let name = format!("plan-{}.md", self.clock);
                let known = Upload { name: Some(self.clean(&name)), media_type: None, size: Some(40) };
                self.uploads.insert("upload-1".to_owned(), known);
                vec![self.conversation.set_uploads(self.uploads.clone())]
            }
            1 => {
                let shows = |stored: &&Stored| {
                    let is_shown = |part: &throughline_core::model::Part<String>| {
                        part.replay && matches!(part.body, PartBody::Image { .. })
                    };
                    stored.parts.iter().any(is_shown)
                };
                let Some(mut stored) = self.in_force().find(shows).cloned() else { return Vec::new() };
                stored.parts.iter_mut().filter(|part| part.index > 0).for_each(|part| part.replay = false);
                vec![self.put(stored)]
            }
            _ => {
                let is_note = |stored: &&Stored| stored.row.kind == RowKind::Developer;
                let Some(mut stored) = self.in_force().find(is_note).cloned() else { return Vec::new() };
                stored.row.rules += 1;
                for part in &mut stored.parts {
                    part.body = PartBody::Text { text: format!("[REDACTED:assignment] at {}", self.clock) };
                }
                vec![self.put(stored)]
            }
        }
    }
}

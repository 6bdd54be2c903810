//! Prompts of many rows: in one go, row by row, compared and rendered.
use crate::{
    cases::{Case, case},
    data,
};
use sha2::{Digest, Sha256};
use std::{
    cell::{OnceCell, RefCell},
    hint::black_box,
    rc::Rc,
};
use throughline_core::{
    model::StoredRow,
    prompt::{Conversation, Input, Provider, assemble, explain},
    render,
};

/// How many rows one run adds, so that it is long enough to be timed.
const APPENDS: usize = 100;
/// How many rows there are to add, until the conversation begins again.
const MORE: usize = 20_000;

pub(crate) fn all() -> Vec<Case> {
    let names = |count: &str| {
        [
            "assembly",
            "copying the rows",
            "one append",
            "explain",
            "render for Anthropic",
            "hashing",
            "bare SHA-256 of the same bytes",
        ]
        .map(|what| -> &'static str { format!("prompt: {count} rows: {what}").leak() })
    };
    let sizes = [(1000, names("  1,000")), (10_000, names(" 10,000")), (100_000, names("100,000"))];
    sizes.into_iter().flat_map(|(count, names)| of_size(count, names)).collect()
}

fn input(rows: &[StoredRow]) -> Input {
    Input { rows: rows.to_vec(), ..Input::default() }
}

fn of_size(count: usize, names: [&'static str; 7]) -> Vec<Case> {
    let [whole, copying, append, part, rendering, hashing, bare] = names;
    let rows = Rc::new(data::rows(count + MORE));
    let conversation = Rc::new(Conversation::new(input(&rows[..count])));
    let bytes = conversation.prompt().messages.iter().map(|message| message.size).sum();
    let next = {
        let mut next = (*conversation).clone();
        next.put_all(rows[count..count + APPENDS].iter().cloned());
        next
    };
    let growing = RefCell::new(((*conversation).clone(), count));
    let (given, copied, added) = (Rc::clone(&rows), Rc::clone(&rows), rows);
    let (first, before, rendered, hashed) = (
        Rc::clone(&conversation),
        Rc::clone(&conversation),
        Rc::clone(&conversation),
        Rc::clone(&conversation),
    );
    let text = OnceCell::<String>::new();
    let mut appending = case(append, 0, move || {
        let (growing, at) = &mut *growing.borrow_mut();
        if *at + APPENDS > added.len() {
            (*growing, *at) = ((*first).clone(), count);
        }
        for row in &added[*at..*at + APPENDS] {
            growing.put(row.clone());
        }
        *at += APPENDS;
        APPENDS
    });
    appending.times = APPENDS;
    vec![
        case(whole, 0, move || assemble(input(&given[..count])).messages.len()),
        case(copying, 0, move || black_box(input(&copied[..count])).rows.len()),
        appending,
        case(part, 0, move || {
            let found = explain(before.prompt(), next.prompt(), Provider::Anthropic, None);
            usize::from(found.longer == Some("next"))
        }),
        case(rendering, 0, move || {
            let body = render::anthropic(rendered.prompt(), &render::Options::default()).body;
            black_box(body).as_object().map_or(0, |body| body.iter().count())
        }),
        case(hashing, bytes, move || hashed.prompt().hash_again().len()),
        case(bare, bytes, move || {
            let text = text.get_or_init(|| {
                let mut text = conversation.prompt().json_text();
                text.truncate(text.floor_char_boundary(bytes));
                text
            });
            usize::from(Sha256::digest(black_box(text.as_bytes()))[0])
        }),
    ]
}

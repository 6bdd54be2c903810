//! The finders together: each is asked at the places that are its own.
use super::late::Late;
use super::memo::Memo;
use super::places::{self, Places, Rare};
use super::span::Span;
use super::tokens::Index;
use super::values::Stops;
use super::{assign, commands, headers, keys, logins, phrases, shapes, tokens, urls};
use alloc::vec::Vec;

/// What the finders remember from place to place.
#[derive(Debug, Default)]
pub(super) struct Finders {
    pub names: Memo,
    tokens: tokens::Finder,
    assign: assign::Finder,
    commands: commands::Finder,
    urls: urls::Finder,
    shapes: shapes::Past,
    logins: Stops,
    phrases: Stops,
    scheme: usize,
    keys: keys::Finder,
    /// Places that are looked at once all are known.
    pub late: Late,
}

impl Finders {
    /// Finders that know what names say, and room for places.
    pub(super) fn with(names: Memo, late: Late) -> Self {
        Self { names, late, ..Self::default() }
    }

    /// Whether something reads like the beginning of a key block.
    pub(super) fn begun(&self) -> bool {
        self.keys.begun()
    }

    /// Adds what stands at the places of a block, and drops from them what is none by what stands before it, whatever
    /// comes behind.
    #[inline(always)]
    pub(super) fn find(
        &mut self,
        bytes: &[u8],
        places: &mut Places,
        rare: Option<&Rare>,
        index: &Index,
        spans: &mut Vec<Span>,
    ) {
        if rare.is_none() && places.is_quiet() {
            return;
        }
        let Places { start, tokens, delimiters, flags, phrases, inside, .. } = *places;
        if tokens != 0 {
            places.tokens = index.find(bytes, (tokens, start), &mut self.tokens, spans);
        }
        if delimiters != 0 {
            self.assign.stops.note(start, inside);
            let find = |i: usize| self.assign.find(bytes, i, &mut self.names, spans);
            places.delimiters = places::those(delimiters, start, find);
        }
        if flags | phrases != 0 {
            self.others(bytes, places, spans);
        }
        if let Some(rare) = rare {
            self.logins.note(start, inside);
            self.rare(bytes, start, rare, spans);
        }
    }

    fn others(&mut self, bytes: &[u8], places: &Places, spans: &mut Vec<Span>) {
        let Places { start, flags, phrases, inside, .. } = *places;
        self.commands.stops.note(start, inside);
        places::each(flags, start, |i| self.commands.find(bytes, i, &mut self.names, spans));
        self.phrases.note(start, inside);
        places::each(phrases, start, |i| phrases::find(bytes, i, &mut self.phrases, &mut self.names, spans));
    }

    fn rare(&mut self, bytes: &[u8], start: usize, rare: &Rare, spans: &mut Vec<Span>) {
        let before = |i: usize, n: usize| i.saturating_sub(n);
        places::each(rare.logins, start, |i| logins::find(bytes, i, &mut self.logins, spans));
        places::each(rare.urls, start, |i| self.urls.find(bytes, i, spans));
        places::each(rare.schemes, start, |i| headers::find(bytes, before(i, 2), &mut self.scheme, spans));
        places::each(rare.keys, start, |i| self.keys.find(bytes, before(i, 5), spans));
        places::each(rare.web_tokens, start, |i| {
            shapes::web_token(bytes, before(i, 2), &mut self.shapes, spans)
        });
        places::each(rare.discord, start, |i| shapes::discord(bytes, before(i, 7), &mut self.shapes, spans));
        places::each(rare.telegram, start, |i| shapes::telegram(bytes, before(i, 1), spans));
        places::each(rare.mailchimp, start, |i| shapes::mailchimp(bytes, before(i, 2), spans));
        places::each(rare.terraform, start, |i| shapes::terraform(bytes, before(i, 4), spans));
        places::each(rare.entra, start, |i| shapes::entra(bytes, before(i, 1), spans));
    }
}

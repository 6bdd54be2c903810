//! The way through a text: what the finders find in it, what of that stands in it again, and what comes to light once
//! all of that is hidden.
//!
//! Only a text in which a mark stands or a secret was found is copied, to hide them.
use super::bytes::{inc, line_end, line_start, part};
use super::finders::Finders;
use super::late::{Late, Offsets};
use super::marks::Masked;
use super::places::{self, BLOB, Places, Reader, STEP};
use super::seen::{Kept, Seen};
use super::span::{Span, merge};
use super::{Engine, again, apart, containers, encoded, members, opaque, order, personal, sequences, views};
use alloc::vec::Vec;
use core::ops::Range;
use fearless_simd::dispatch;

/// How often what stands near new findings is looked at again, at most.
const SETTLES: usize = 4;
/// How far before a finding something may be judged otherwise once it is hidden.
const LEFT: usize = 640;
/// How far behind it.
const RIGHT: usize = 256;
/// How far lines with findings may be from each other to be looked at together.
const NEAR: usize = 512;

/// Finds values of earlier records in a text that was encoded.
pub(in crate::redact) type Earlier<'t> = &'t dyn Fn(&[u8]) -> Vec<Span>;

/// A text to be looked through, and what is known of it.
#[derive(Clone, Copy)]
pub(in crate::redact) struct Reading<'t> {
    pub text: &'t str,
    /// Whether a mark of the usual kind may stand in it.
    pub marks: bool,
    /// Whether all of its lines are one record, as those of a string of JSON or of a row are.
    pub whole: bool,
    /// Finds values of earlier records in the texts that are encoded in it; where they stand as they are is known.
    pub earlier: Earlier<'t>,
}

/// What is found in a text at first.
pub(in crate::redact) struct First {
    /// Sorted, apart from each other, none of them empty.
    pub spans: Vec<Span>,
    /// Where texts start that are encoded in it.
    pub encoded: Vec<usize>,
}

/// A text that is looked through.
pub(super) struct Scan<'t> {
    engine: &'t Engine,
    text: &'t str,
    whole: bool,
    earlier: Earlier<'t>,
    masked: Masked<'t>,
    kept: &'t mut Kept,
    /// Whether something reads like the beginning of a key block.
    block: bool,
    encoded: encoded::Seen,
}

/// What stands near spans that are hidden.
struct Near {
    part: Range<usize>,
    /// From the first of them to the last.
    hidden: Range<usize>,
}

impl<'t> Scan<'t> {
    pub(super) fn new(engine: &'t Engine, reading: Reading<'t>, kept: &'t mut Kept) -> Self {
        let Reading { text, marks, whole, earlier } = reading;
        let masked = if marks || engine.marks.own.is_some() {
            Masked::new(&engine.marks, text.as_bytes())
        } else {
            Masked::bare(text.as_bytes())
        };
        Self { engine, text, whole, earlier, masked, kept, block: false, encoded: encoded::Seen::default() }
    }

    /// Where something stands, each for itself: what else stands near is not looked for, and what is not to be scanned
    /// is not left out.
    pub(super) fn places(mut self) -> First {
        let found = self.first();
        let spans = self.merged(found);
        let mut encoded = self.encoded.texts;
        order::sort(&mut encoded, Ord::cmp);
        First { spans, encoded }
    }

    /// The spans of the text with those that are known: sorted, apart from each other, none of them empty.
    pub(super) fn spans(mut self, known: Vec<Span>) -> Vec<Span> {
        let mut found = self.first();
        if known.is_empty() && !self.any(&found) {
            return Vec::new();
        }
        let opaque = self.opaque();
        if !opaque.is_empty() {
            self.masked.cover(opaque);
            found = self.first();
        }
        found.extend(known);
        let found = self.masked.cut(found);
        let mut spans = merge(self.text, found.clone(), self.engine.least);
        if spans.is_empty() {
            return spans;
        }
        let first = spans.len();
        let late = (!self.encoded.texts.is_empty()).then_some(&self.kept.late);
        again::find(&self.masked.bytes, found, self.engine.least, (self.whole, late), &mut spans);
        if spans.len() > first {
            spans = self.merged(spans);
        }
        self.settle(spans)
    }

    /// What is not to be scanned. It is base64, of which all places are known, but for such as are hidden in part.
    fn opaque(&self) -> Vec<(usize, usize)> {
        let bytes = self.text.as_bytes();
        if self.masked.is_whole() {
            let starts = self.kept.late.blobs.iter().map(|last| inc(last).saturating_sub(BLOB));
            starts.filter_map(|start| opaque::value(bytes, start)).collect()
        } else {
            opaque::find(bytes)
        }
    }

    /// Whether anything of what was found counts.
    fn any(&self, found: &[Span]) -> bool {
        let counts = |span: &Span| span.counts(self.text, self.engine.least);
        found.iter().any(counts) && (self.masked.is_whole() || !self.merged(found.to_vec()).is_empty())
    }

    fn merged(&self, spans: Vec<Span>) -> Vec<Span> {
        merge(self.text, self.masked.cut(spans), self.engine.least)
    }

    /// What the finders find at first.
    fn first(&mut self) -> Vec<Span> {
        self.kept.clear(self.text.len());
        let (bytes, engine) = (&*self.masked.bytes, self.engine);
        let (mut spans, mut finders) = (Vec::new(), self.kept.finders());
        let all = (0..bytes.len(), bytes.len());
        engine.ask(bytes, all, &mut finders, &mut spans, Some(&mut self.kept.seen));
        self.block = finders.begun();
        self.kept.late = self.kept.give_back(finders);
        self.encoded = engine.others(bytes, &self.kept.late, (engine.levels(), self.earlier), &mut spans);
        engine.whole(bytes, &mut spans);
        engine.custom.allow.drop(bytes, &mut spans);
        spans
    }

    /// Looks again at what stands near findings, with those hidden: what a mark in their place would bring to light is
    /// found now, so that scrubbing twice changes nothing.
    fn settle(&mut self, mut spans: Vec<Span>) -> Vec<Span> {
        let mut fresh = spans.clone();
        self.masked.copy_to(core::mem::take(&mut self.kept.hidden));
        for _ in 0..SETTLES {
            self.masked.hide(&fresh);
            let more = self.near(&fresh);
            fresh = self.merged(more);
            if fresh.is_empty() {
                break;
            }
            spans.extend(&fresh);
        }
        self.kept.hidden = self.masked.room();
        merge(self.text, spans, self.engine.least)
    }

    /// What is found near spans that are hidden.
    fn near(&mut self, spans: &[Span]) -> Vec<Span> {
        // A key block goes over lines: all of the text is near.
        let (bytes, engine, block) = (&*self.masked.bytes, self.engine, self.block);
        let mut more = Vec::new();
        let lines = if block { alloc::vec![0..bytes.len()] } else { lines(bytes, spans) };
        let mut late = core::mem::take(&mut self.kept.near);
        late.clear();
        self.kept.late.within(&lines, members::FAR, &mut late);
        if !block {
            late.blobs = self.reached(spans);
        }
        let mut rests = Offsets::default();
        let all = || alloc::vec![Near { part: 0..bytes.len(), hidden: 0..bytes.len() }];
        for Near { part, hidden } in if block { all() } else { self.around(spans) } {
            let mut finders = self.kept.finders_near();
            let fresh = self.again(bytes, part.start..hidden.start, &mut finders, &mut more);
            let seen = Some(&mut self.kept.seen);
            let known = engine.ask(bytes, (fresh..part.end, hidden.end), &mut finders, &mut more, seen);
            self.again(bytes, known..part.end.saturating_add(STEP), &mut finders, &mut more);
            // Where a run of base64 was hidden in part, the rest is another one, which may be hidden in part later.
            let blobs = self.kept.give_back(finders).blobs;
            rests.merge(&self.kept.late.blobs.fresh(&blobs));
        }
        late.blobs.merge(&rests);
        self.kept.late.blobs.merge(&rests);
        let encoded = engine.others(bytes, &late, (engine.levels(), self.earlier), &mut more);
        self.encoded.folded.extend(encoded.folded);
        for Range { start, end } in lines {
            let mut found = Vec::new();
            engine.whole(part(bytes, start, end), &mut found);
            let place = |n: usize| n.saturating_add(start);
            more.extend(found.into_iter().map(|s| Span { start: place(s.start), end: place(s.end), ..s }));
        }
        engine.custom.allow.drop(bytes, &mut more);
        self.kept.near = late;
        more
    }

    /// Asks the finders again at the places of a part, up to the block in which its end stands; where that starts. Before
    /// what is hidden places are the same whatever that is, and behind it where they are as before.
    fn again(&self, bytes: &[u8], part: Range<usize>, finders: &mut Finders, more: &mut Vec<Span>) -> usize {
        let block = |i: usize| i.saturating_sub(i.checked_rem(STEP).unwrap_or(0));
        let (mut start, end) = (block(part.start), block(part.end));
        while start < end {
            if let Some((mut places, rare)) = self.kept.seen.at(start) {
                finders.find(bytes, &mut places, rare, &self.engine.index, more);
            }
            start = start.saturating_add(STEP);
        }
        end
    }

    /// Places of the runs of base64 that spans may have been hidden of: the last ones before them, and all lines of a blob
    /// in which they stand. Those near them are looked for, and what others hide was seen.
    fn reached(&self, spans: &[Span]) -> Offsets {
        let (mut reached, mut lines) = (Offsets::default(), Offsets::default());
        let all = &self.kept.late.blobs;
        spans.iter().filter_map(|span| all.before(span.start)).for_each(|i| reached.push(i));
        for folded in &self.encoded.folded {
            let span = spans.get(spans.partition_point(|span| span.end <= folded.start));
            if span.is_some_and(|span| span.start < folded.end) {
                lines.extend_within(all, folded);
            }
        }
        reached.merge(&lines);
        reached
    }

    /// What stands near spans; where that meets it is one. Behind a quote that was hidden strings are other strings.
    fn around(&self, spans: &[Span]) -> Vec<Near> {
        let mut all: Vec<Near> = Vec::new();
        for span in spans {
            let text = self.text.as_bytes().get(span.start..span.end);
            let quotes = text.is_some_and(|text| text.contains(&b'"'));
            let behind = if quotes { line_end(&self.masked.bytes, span.end) } else { span.end };
            let (start, end) =
                (span.start.saturating_sub(LEFT), behind.saturating_add(RIGHT).min(self.text.len()));
            match all.last_mut() {
                Some(last) if start <= last.part.end => {
                    last.part.end = last.part.end.max(end);
                    last.hidden.end = last.hidden.end.max(span.end);
                }
                _ => all.push(Near { part: start..end, hidden: span.start..span.end }),
            }
        }
        all
    }
}

impl Engine {
    /// Where something may stand in a text. Near each there may be more; some may be in what is not scanned.
    pub(in crate::redact) fn places(&self, text: &str, earlier: Earlier<'_>, kept: &mut Kept) -> First {
        Scan::new(self, Reading { text, marks: true, whole: false, earlier }, kept).places()
    }

    /// The spans of a text in which others are known already: sorted, apart from each other, none of them empty.
    pub(in crate::redact) fn scan(
        &self,
        reading: Reading<'_>,
        known: Vec<Span>,
        kept: &mut Kept,
    ) -> Vec<Span> {
        Scan::new(self, reading, kept).spans(known)
    }

    /// How many texts are looked through, each of which stands in the one before.
    fn levels(&self) -> u8 {
        self.depth.saturating_add(1)
    }

    /// What stands in a text that was encoded, and in the texts in it, of so many levels.
    fn find(&self, bytes: &[u8], (levels, earlier): (u8, Earlier<'_>)) -> Vec<Span> {
        let mut spans = Vec::new();
        let mut finders = Finders::default();
        self.ask(bytes, (0..bytes.len(), bytes.len()), &mut finders, &mut spans, None);
        self.others(bytes, &finders.late, (levels, earlier), &mut spans);
        self.whole(bytes, &mut spans);
        spans.extend(earlier(bytes));
        self.custom.allow.drop(bytes, &mut spans);
        spans
    }

    /// Asks the finders at the places of a part of a text, which starts where a block does, up to its end, or to where
    /// they are those that were seen before something in it was hidden, up to `hidden`; gives back where that is.
    /// `seen` keeps them, and knows those before the part.
    fn ask(
        &self,
        bytes: &[u8],
        (part, hidden): (Range<usize>, usize),
        finders: &mut Finders,
        spans: &mut Vec<Span>,
        mut seen: Option<&mut Seen>,
    ) -> usize {
        // The places of a block whose end is not read are not all there.
        let kept = if part.end < bytes.len() { part.end.saturating_sub(STEP) } else { part.end };
        let mut start = part.start.saturating_sub(STEP);
        let inside = seen.as_ref().and_then(|seen| seen.at(start)).is_some_and(|(places, _)| places.inside);
        dispatch!(self.level, simd => {
            let mut reader = Reader::new(simd, bytes, start, inside, self.scalar);
            while start < part.end {
                start = reader.read(bytes, start, part.end, |mut places, rare| {
                    let Places { start, blobs, .. } = places;
                    if start < part.start {
                        return;
                    }
                    places::each(blobs, start, |i| finders.late.blobs.push(i));
                    if let Some((_, late)) = rare {
                        finders.late.add(start, late);
                    }
                    let rare = rare.map(|(rare, _)| rare).filter(|rare| rare.any());
                    finders.find(bytes, &mut places, rare, &self.index, spans);
                    if let Some(seen) = seen.as_mut().filter(|_| start <= kept) {
                        seen.keep(&places, rare);
                    }
                });
                let known = || seen.as_ref().and_then(|seen| seen.at(start));
                if places::as_before(bytes, start, hidden)
                    && known().is_some_and(|(places, _)| places.inside == reader.inside())
                {
                    break;
                }
            }
        });
        start
    }

    /// Asks the finders whose places are looked at once all are known, of texts of so many levels; gives back what was
    /// seen of those.
    fn others(
        &self,
        bytes: &[u8],
        late: &Late,
        (levels, earlier): (u8, Earlier<'_>),
        spans: &mut Vec<Span>,
    ) -> encoded::Seen {
        let [values, operators, defines, secures, dollars, types, keywords, .., sequences] = &late.kinds;
        self.index.others(bytes, keywords, spans);
        containers::find(bytes, dollars, types, spans);
        apart::find(bytes, [values, operators, defines, secures], spans);
        let mut seen = encoded::Seen::default();
        let Some(inner) = levels.checked_sub(1) else { return seen };
        let find = |text: &[u8]| self.find(text, (inner, earlier));
        if inner > 0 {
            let decoded = |text: &str| {
                let masked = Masked::new(&self.marks, text.as_bytes());
                merge(text, masked.cut(find(&masked.bytes)), self.least)
            };
            seen = encoded::find(bytes, &late.blobs, &decoded, spans);
            seen.texts.extend(views::find(bytes, late.escapes(), &find, spans));
        }
        // Colours are no encoding: they are left out at any depth.
        seen.texts.extend(sequences::find(bytes, sequences, &find, spans));
        seen
    }

    /// Asks the finders that look for their places themselves: those of what the host asks for.
    fn whole(&self, bytes: &[u8], spans: &mut Vec<Span>) {
        self.exact.find(bytes, spans);
        self.custom.find(bytes, spans);
        if self.pii {
            personal::find(bytes, spans);
        }
    }
}

/// The lines in which spans stand; lines that are near each other are read together, with those between them.
fn lines(bytes: &[u8], spans: &[Span]) -> Vec<Range<usize>> {
    let mut all: Vec<Range<usize>> = Vec::new();
    for span in spans {
        match all.last_mut() {
            Some(last) if span.end <= last.end => {}
            Some(last) if span.start.saturating_sub(last.end) <= NEAR => last.end = line_end(bytes, span.end),
            _ => all.push(line_start(bytes, span.start)..line_end(bytes, span.end)),
        }
    }
    all
}

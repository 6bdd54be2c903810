//! The value that was judged last and was no secret: where the same stands again, it is none again.
use super::accept::{self, Context};
use super::bytes::{SHORT, alike, padded, part};
use super::span::Span;
use super::values::Value;

/// The longest value and the longest name that are remembered.
const LONGEST: usize = SHORT;

/// A value with all that was seen of it.
#[derive(Debug, Default)]
pub(super) struct Dismissed {
    text: Short,
    name: Short,
    quoted: bool,
    next: u8,
    here: Context<'static>,
}

impl Dismissed {
    /// As [`accept::judge`].
    pub(super) fn judge(&mut self, bytes: &[u8], value: Value, here: &Context<'_>) -> Option<Span> {
        let text = part(bytes, value.start, value.end);
        let short = !text.is_empty() && text.len() <= LONGEST && here.name.len() <= LONGEST;
        if !short {
            return accept::judge(bytes, value, here);
        }
        // By reference: the name has a life of its own.
        let around = Context { name: &[], ..*here };
        if self.text.is(text)
            && self.name.is(here.name)
            && (self.quoted, self.next) == (value.quoted, value.next)
            && self.here == around
        {
            return None;
        }
        let span = accept::judge(bytes, value, here);
        if span.is_none() {
            self.text.set(text);
            self.name.set(here.name);
            (self.quoted, self.next, self.here) = (value.quoted, value.next, around);
        }
        span
    }
}

#[derive(Debug, Default)]
struct Short {
    bytes: [u8; SHORT],
    length: usize,
}

impl Short {
    fn is(&self, text: &[u8]) -> bool {
        self.bytes.get(..self.length).is_some_and(|own| alike(own, text))
    }

    fn set(&mut self, text: &[u8]) {
        self.bytes = padded(text);
        self.length = text.len();
    }
}

#[cfg(test)]
mod tests {
    use super::{Context, Dismissed, Value, accept};
    use crate::redact::rules::names::Strength;

    #[test]
    fn what_was_dismissed_is_dismissed_where_all_is_the_same() {
        let bytes = b"word word w0rd-s3cret word";
        let mut dismissed = Dismissed::default();
        for _ in 0..2 {
            for (start, end) in [(0, 4), (5, 9), (10, 21), (22, 26)] {
                for strength in [Strength::Weak, Strength::Strong] {
                    for (quoted, colon) in [(true, true), (false, true), (false, false)] {
                        let value = Value { start, end, quoted, next: b' ' };
                        let here = Context { strength, name: b"password", colon, ..Context::default() };
                        let judged = accept::judge(bytes, value, &here).map(|s| (s.start, s.end));
                        let remembered = dismissed.judge(bytes, value, &here).map(|s| (s.start, s.end));
                        assert_eq!(judged, remembered);
                    }
                }
            }
        }
    }
}

use alloc::vec::Vec;
use core::mem;

/// Cuts a stream of bytes into lines at LF, with one line in memory at a time.
#[derive(Debug, Default)]
pub(super) struct Lines {
    held: Vec<u8>,
    number: u64,
}

impl Lines {
    /// Gives every line that `bytes` completes to `line`, with its number from 1.
    pub(super) fn push(&mut self, bytes: &[u8], mut line: impl FnMut(u64, &[u8])) {
        let mut rest = bytes;
        while let Some(end) = memchr::memchr(b'\n', rest) {
            let (head, tail) = rest.split_at(end);
            self.number = self.number.saturating_add(1);
            if self.held.is_empty() {
                line(self.number, without_cr(head));
            } else {
                self.held.extend_from_slice(head);
                let whole = mem::take(&mut self.held);
                line(self.number, without_cr(&whole));
                self.held = whole;
                self.held.clear();
            }
            rest = tail.get(1..).unwrap_or_default();
        }
        self.held.extend_from_slice(rest);
    }

    /// Gives the last line where it has no LF.
    pub(super) fn finish(&mut self, line: impl FnOnce(u64, &[u8])) {
        let last = mem::take(&mut self.held);
        if !last.is_empty() {
            self.number = self.number.saturating_add(1);
            line(self.number, without_cr(&last));
        }
    }
}

fn without_cr(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{string::String, vec};

    fn read(chunks: &[&[u8]]) -> Vec<(u64, String)> {
        let mut lines = Lines::default();
        let mut found = vec![];
        for chunk in chunks {
            lines.push(chunk, |number, line| found.push((number, String::from_utf8_lossy(line).into())));
        }
        lines.finish(|number, line| found.push((number, String::from_utf8_lossy(line).into())));
        found
    }

    #[test]
    fn every_chunking_gives_the_same_lines() {
        let text = b"one\r\n\ntwo\nthree";
        let whole = read(&[text]);
        assert_eq!(whole, [(1, "one".into()), (2, String::new()), (3, "two".into()), (4, "three".into())]);
        for size in 1..text.len() {
            assert_eq!(read(&text.chunks(size).collect::<Vec<_>>()), whole, "chunks of {size}");
        }
    }

    #[test]
    fn a_final_line_end_makes_no_line() {
        assert_eq!(read(&[b"one\n"]), [(1, "one".into())]);
        assert_eq!(read(&[]), []);
    }
}

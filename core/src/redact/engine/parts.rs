//! Parts of words that are looked for in a value at once, without regard to case.
use super::work;

/// Parts of three letters and more, in lower case. Most places of a value are passed over by the three bytes there.
pub(super) struct Parts {
    list: &'static [&'static str],
    /// For the low bits of each first byte of the parts, a bit for those of each second one.
    seconds: [u32; 32],
    /// For those of each second byte, a bit for those of each third one.
    thirds: [u32; 32],
}

impl Parts {
    /// The parts of a list.
    pub(super) const fn of(list: &'static [&'static str]) -> Self {
        Self { list, seconds: following(list, 0), thirds: following(list, 1) }
    }

    /// Whether one of them stands in a value.
    pub(super) fn stand_in(&self, value: &[u8]) -> bool {
        work::count(value.len());
        let places = value.windows(3).enumerate().filter(|(_, three)| self.may_start(three));
        places.filter_map(|(i, _)| value.get(i..)).any(|rest| self.list.iter().any(|part| starts(rest, part)))
    }

    /// Whether a part may start with three bytes.
    #[inline(always)]
    fn may_start(&self, three: &[u8]) -> bool {
        let [a, b, c] = three else { return false };
        let follows = |rows: &[u32; 32], a: u8, b: u8| {
            rows.get(usize::from(low(a))).is_some_and(|row| row & bit(b) != 0)
        };
        follows(&self.seconds, *a, *b) && follows(&self.thirds, *b, *c)
    }
}

fn starts(rest: &[u8], part: &str) -> bool {
    rest.get(..part.len()).is_some_and(|head| head.eq_ignore_ascii_case(part.as_bytes()))
}

/// For the low bits of each byte that stands so far in a part, a bit for those of each next one.
const fn following(mut list: &[&str], n: usize) -> [u32; 32] {
    let mut rows = [0; 32];
    while let [part, rest @ ..] = list {
        if let (_, [a, b, ..]) = part.as_bytes().split_at(n)
            && let (_, [row, ..]) = rows.split_at_mut(low(*a) as usize)
        {
            *row |= bit(*b);
        }
        list = rest;
    }
    rows
}

/// The low bits of a byte, which are the same for a letter in both cases.
const fn low(b: u8) -> u8 {
    b & 31
}

const fn bit(b: u8) -> u32 {
    1u32.wrapping_shl(low(b) as u32)
}

#[cfg(test)]
mod tests {
    use super::Parts;
    use crate::redact::rules::values::NO_PARTS;

    #[test]
    fn every_part_is_found_in_both_cases() {
        let parts = Parts::of(NO_PARTS);
        for part in NO_PARTS {
            let value = ["a1", part, "b2"].concat();
            assert!(
                parts.stand_in(value.as_bytes()) && parts.stand_in(value.to_uppercase().as_bytes()),
                "{part}"
            );
            assert!(part.len() >= 3 && part.to_lowercase() == *part, "{part}");
        }
        assert!(!parts.stand_in(b"Zf3D0LXCM3EIMbgJ") && !parts.stand_in(b"") && !parts.stand_in(b"ex"));
    }
}

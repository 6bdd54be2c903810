use alloc::vec::Vec;

/// The candidate that a mistyped word is nearest to: with at most two letters added, left out, changed or
/// swapped, and fewer of them in a short word.
pub(super) fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let letters = word.trim_start_matches('-').chars().count();
    let most = match letters {
        0..3 => return None,
        3..6 => 1,
        _ => 2,
    };
    let distances = candidates.map(|candidate| (distance(word, candidate), candidate));
    distances.filter(|(distance, _)| *distance <= most).min().map(|(_, candidate)| candidate)
}

/// How many letters have to be added, left out, changed or swapped with the next.
fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.iter().enumerate() {
        let mut row = Vec::with_capacity(last.len());
        row.push(i.saturating_add(1));
        for (j, b) in other.iter().enumerate() {
            let at = |row: &[usize], place: usize| row.get(place).copied().unwrap_or(usize::MAX);
            let next = j.saturating_add(1);
            let changed = at(&last, j).saturating_add(usize::from(a != b));
            let mut best = changed.min(at(&last, next).saturating_add(1)).min(at(&row, j).saturating_add(1));
            let earlier =
                |list: &[char], place: usize| place.checked_sub(1).and_then(|at| list.get(at)).copied();
            if earlier(&one, i) == Some(*b) && earlier(&other, j) == Some(*a) {
                best = best.min(at(&before, j.saturating_sub(1)).saturating_add(1));
            }
            row.push(best);
        }
        (before, last) = (last, row);
    }
    last.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistyped_words_are_known() {
        let known = ["redact", "rules", "sessions", "show", "--limit", "--json"];
        let near = |word| nearest(word, known.into_iter());
        assert_eq!(near("sesions"), Some("sessions"));
        assert_eq!(near("sessoins"), Some("sessions"));
        assert_eq!(near("rules2"), Some("rules"));
        assert_eq!(near("--limitt"), Some("--limit"));
        assert_eq!(near("--jsno"), Some("--json"));
        for word in ["xyz", "", "-x", "--zzz", "sh", "reduction"] {
            assert_eq!(near(word), None, "{word}");
        }
    }

    #[test]
    fn a_swap_is_one_change() {
        assert_eq!(distance("ab", "ba"), 1);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("same", "same"), 0);
    }
}

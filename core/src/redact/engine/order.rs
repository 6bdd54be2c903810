//! Putting the lists of the engine in order. The sort of the standard library comes as some 2 KB of code in a wasm
//! module for each kind of item that is sorted by it; this one is there once.
use alloc::vec::Vec;
use core::cmp::Ordering;

/// So many items are put in order where they stand.
const FEW: usize = 12;

/// Sorts a list; what is equal keeps its order.
pub(in crate::redact) fn sort<T: Copy>(list: &mut Vec<T>, compare: impl Fn(&T, &T) -> Ordering) {
    if list.is_sorted_by(|one, other| compare(one, other).is_le()) {
        return;
    }
    if list.len() <= FEW {
        for n in 1..list.len() {
            let place = list
                .get(..n)
                .zip(list.get(n))
                .map(|(sorted, item)| sorted.partition_point(|other| compare(other, item).is_le()));
            if let Some(part) = place.and_then(|place| list.get_mut(place..=n)) {
                part.rotate_right(1);
            }
        }
        return;
    }
    let order = order(list.len(), &|one, other| match (list.get(one), list.get(other)) {
        (Some(one), Some(other)) => compare(one, other).is_le(),
        _ => true,
    });
    *list = order.iter().filter_map(|n| list.get(*n).copied()).collect();
}

/// The order of so many items: runs of one, of two, of four and so on are merged.
fn order(length: usize, in_order: &dyn Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut from: Vec<usize> = (0..length).collect();
    let mut to = Vec::with_capacity(length);
    let mut run = 1usize;
    while run < length {
        to.clear();
        for pair in from.chunks(run.saturating_mul(2)) {
            let (mut one, mut other) = pair.split_at(run.min(pair.len()));
            while let ([first, rest @ ..], [second, more @ ..]) = (one, other) {
                if in_order(*first, *second) {
                    to.push(*first);
                    one = rest;
                } else {
                    to.push(*second);
                    other = more;
                }
            }
            to.extend_from_slice(one);
            to.extend_from_slice(other);
        }
        core::mem::swap(&mut from, &mut to);
        run = run.saturating_mul(2);
    }
    from
}

#[cfg(test)]
mod tests {
    use super::sort;
    use alloc::vec::Vec;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_sorts_as_the_standard_library(list in prop::collection::vec(0u8..20, 0..200)) {
            let list: Vec<(u8, usize)> = list.into_iter().enumerate().map(|(n, key)| (key, n)).collect();
            let (mut own, mut standard) = (list.clone(), list);
            sort(&mut own, |one, other| one.0.cmp(&other.0));
            standard.sort_by_key(|item| item.0);
            prop_assert_eq!(own, standard);
        }
    }
}

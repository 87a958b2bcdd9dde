//! Encodes which chunks contain which words. A list consists of blocks, each starting with a zero and its first chunk's
//! number; each chunk then takes its distance to the previous one and one byte of counts. Blocks can be concatenated, so a
//! word's list grows without being read. Removed chunks stay in the lists until these are rewritten; readers skip them. Any
//! bytes can be decoded safely.

use std::collections::BTreeMap;

/// Lists under construction, for chunks in ascending order.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    lists: std::collections::HashMap<String, List>,
    chunks: u64,
}

#[derive(Debug, Default)]
struct List {
    last: u64,
    bytes: Vec<u8>,
}

impl Builder {
    /// Adds a chunk; its number must be larger than all before.
    pub(crate) fn add(&mut self, chunk: u64, words: &[(String, u8)]) {
        self.chunks += 1;
        for (word, counts) in words {
            match self.lists.get_mut(word) {
                Some(list) => {
                    push(&mut list.bytes, chunk.saturating_sub(list.last));
                    list.bytes.push(*counts);
                    list.last = chunk;
                }
                None => {
                    let mut bytes = vec![0];
                    push(&mut bytes, chunk);
                    bytes.push(*counts);
                    self.lists.insert(word.clone(), List { last: chunk, bytes });
                }
            }
        }
    }

    /// How many chunks were added.
    pub(crate) fn chunks(&self) -> u64 {
        self.chunks
    }

    /// How many bytes it takes, about.
    pub(crate) fn weight(&self) -> usize {
        self.lists.len() * 96 + self.lists.values().map(|l| l.bytes.len()).sum::<usize>()
    }

    /// The lists, in order of their words.
    pub(crate) fn finish(self) -> BTreeMap<String, Vec<u8>> {
        self.lists.into_iter().map(|(word, list)| (word, list.bytes)).collect()
    }
}

/// Calls `found` with each chunk and its counts.
pub(crate) fn read(mut bytes: &[u8], mut found: impl FnMut(u64, u8)) {
    let mut last = 0u64;
    while !bytes.is_empty() {
        let Some(distance) = take(&mut bytes) else { return };
        let chunk = if distance == 0 {
            match take(&mut bytes) {
                Some(first) => first,
                None => return,
            }
        } else {
            last.saturating_add(distance)
        };
        let Some((counts, rest)) = bytes.split_first() else { return };
        bytes = rest;
        last = chunk;
        found(chunk, *counts);
    }
}

/// Several lists as one run of bytes: what a small change adds.
pub(crate) fn bundle(lists: &BTreeMap<String, Vec<u8>>) -> Vec<u8> {
    let mut out = Vec::new();
    for (word, list) in lists {
        push(&mut out, word.len() as u64);
        out.extend(word.as_bytes());
        push(&mut out, list.len() as u64);
        out.extend(list);
    }
    out
}

/// Calls `found` with each word of a bundle and its list.
pub(crate) fn unbundle<'b>(mut bytes: &'b [u8], mut found: impl FnMut(&'b str, &'b [u8])) {
    while !bytes.is_empty() {
        let Some(word) = take_run(&mut bytes) else { return };
        let Some(list) = take_run(&mut bytes) else { return };
        if let Ok(word) = std::str::from_utf8(word) {
            found(word, list);
        }
    }
}

/// The numbers of a file's chunks, which follow one another, and the length of each.
pub(crate) fn lengths(first: u64, lengths: impl Iterator<Item = u32>) -> Vec<u8> {
    let mut out = Vec::new();
    push(&mut out, first);
    lengths.for_each(|length| push(&mut out, u64::from(length)));
    out
}

/// Calls `found` with each chunk of a file and its length.
pub(crate) fn read_lengths(mut bytes: &[u8], mut found: impl FnMut(u64, u32)) {
    let Some(mut chunk) = take(&mut bytes) else { return };
    while let Some(length) = take(&mut bytes) {
        found(chunk, u32::try_from(length).unwrap_or(u32::MAX));
        chunk = chunk.saturating_add(1);
    }
}

fn take_run<'b>(bytes: &mut &'b [u8]) -> Option<&'b [u8]> {
    let length = usize::try_from(take(bytes)?).ok()?;
    let (run, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(run)
}

fn push(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn take(bytes: &mut &[u8]) -> Option<u64> {
    let mut out = 0u64;
    for shift in (0..63).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        out |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(out);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn all(bytes: &[u8]) -> Vec<(u64, u8)> {
        let mut out = Vec::new();
        read(bytes, |chunk, counts| out.push((chunk, counts)));
        out
    }

    proptest! {
        #[test]
        fn written_postings_are_read_back(mut chunks in prop::collection::btree_set(1u64..1_000_000, 1..200), cut in 0usize..200) {
            let word = |n: u64| vec![("w".to_owned(), (n % 251) as u8)];
            let chunks: Vec<u64> = std::mem::take(&mut chunks).into_iter().collect();
            let (first, second) = chunks.split_at(cut.min(chunks.len()));
            let mut bytes = Vec::new();
            for part in [first, second] {
                let mut builder = Builder::default();
                part.iter().for_each(|n| builder.add(*n, &word(*n)));
                bytes.extend(builder.finish().remove("w").unwrap_or_default());
            }
            let expected: Vec<(u64, u8)> = chunks.iter().map(|n| (*n, (n % 251) as u8)).collect();
            prop_assert_eq!(all(&bytes), expected);
        }

        #[test]
        fn any_bytes_are_accepted(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            all(&bytes);
            unbundle(&bytes, |_, list| { all(list); });
            read_lengths(&bytes, |_, _| {});
        }

        #[test]
        fn lengths_are_read_as_written(first in any::<u32>(), all in prop::collection::vec(any::<u32>(), 0..50)) {
            let mut out = Vec::new();
            read_lengths(&lengths(first.into(), all.iter().copied()), |chunk, length| out.push((chunk, length)));
            let expected: Vec<(u64, u32)> = (u64::from(first)..).zip(all).collect();
            prop_assert_eq!(out, expected);
        }
    }

    #[test]
    fn bundles_are_split_again() {
        let lists = BTreeMap::from([("a".to_owned(), vec![0, 1, 2]), ("word".to_owned(), vec![])]);
        let mut out = BTreeMap::new();
        unbundle(&bundle(&lists), |word, list| {
            out.insert(word.to_owned(), list.to_vec());
        });
        assert_eq!(out, lists);
    }
}

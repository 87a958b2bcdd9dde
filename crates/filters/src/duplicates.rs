//! Removes repetition from a report. A block of lines that is already above, word for word, is named by one of its
//! lines; lines that differ only in a path become one line with the paths by folder. Owns finding both: neither loses
//! anything, and a line that must stay is joined with no other.

use std::cell::Cell;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::hash::BuildHasher as _;

use foldhash::fast::FixedState;

use crate::guard::must_stay;
use crate::normal;

/// The smallest block, in lines and in bytes, and by how much its mark is shorter at least.
const BLOCK: usize = 3;
const BLOCK_BYTES: usize = 160;
const SHORTER: usize = 60;
/// The longest line that names a block, in bytes.
const NAME: usize = 120;
/// Places of the same lines above that are tried for the longest block, and the longest one that is looked for, in lines.
const TRIED: usize = 16;
const LONGEST: usize = 300;

/// The words of a row below a file's name in which its first place is.
const WORDS: usize = 4;

/// The minimum number of lines that are joined because they differ only in a path.
const PATHS: usize = 8;
/// The longest line that is joined, in bytes.
const LONG: usize = 400;

/// The same in every run, so that the same output is shortened to the same text.
const SEED: FixedState = FixedState::with_seed(0);

/// `text` without repetition; `None` if that isn't shorter.
pub(crate) fn shortened(text: &str) -> Option<String> {
    let lines: Vec<&str> = normal::lines(text).collect();
    let joined = paths(&lines);
    let lines: Vec<&str> = joined.as_ref().map_or(lines, |joined| normal::lines(joined).collect());
    blocks(&lines).or(joined).filter(|out| out.len() < text.len())
}

/// The text with a mark instead of each block that is there above.
fn blocks(lines: &[&str]) -> Option<String> {
    let mut shown = Shown::of(lines);
    let mut out = String::new();
    let mut any = false;
    let mut at = 0;
    while at < lines.len() {
        if let Some((above, length)) = shown.longest(at)
            && let Some(mark) = shown.mark(above, length)
        {
            let bytes: usize = lines[at..at + length].iter().map(|line| line.len() + 1).sum();
            if bytes >= BLOCK_BYTES.max(mark.len() + SHORTER) {
                out.push_str(&mark);
                shown.hidden[at..at + length].fill(true);
                any = true;
                at += length;
                continue;
            }
        }
        out.push_str(lines[at]);
        out.push('\n');
        shown.add(at);
        at += 1;
    }
    any.then_some(out)
}

/// What is shown so far.
struct Shown<'t> {
    lines: &'t [&'t str],
    /// For each line the number of its text.
    of: Vec<usize>,
    /// For each text whether it stays in place, once computed: this check takes longest.
    stays: Vec<Cell<Option<bool>>>,
    /// Lines that a mark replaces.
    hidden: Vec<bool>,
    /// Where so many lines began that are shown in one piece, by what they are.
    known: HashMap<[usize; BLOCK], Vec<usize>>,
    /// How often each line is shown.
    often: HashMap<u64, usize>,
}

impl<'t> Shown<'t> {
    fn of(lines: &'t [&'t str]) -> Self {
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        let mut of = Vec::with_capacity(lines.len());
        for line in lines {
            let next = numbers.len();
            of.push(*numbers.entry(*line).or_insert(next));
        }
        Self {
            lines,
            of,
            stays: vec![Cell::new(None); numbers.len()],
            hidden: vec![false; lines.len()],
            known: HashMap::new(),
            often: HashMap::new(),
        }
    }

    /// The line `at` is shown.
    fn add(&mut self, at: usize) {
        *self.often.entry(SEED.hash_one(self.lines[at].trim())).or_default() += 1;
        if let Some(from) = (at + 1).checked_sub(BLOCK)
            && !self.hidden[from..=at].contains(&true)
            && let Ok(block) = <[usize; BLOCK]>::try_from(&self.of[from..=at])
        {
            let places = self.known.entry(block).or_default();
            if places.len() < TRIED {
                places.push(from);
            }
        }
    }

    /// The longest block at `at` that is shown above: where, and how many lines.
    fn longest(&self, at: usize) -> Option<(usize, usize)> {
        let block = <[usize; BLOCK]>::try_from(self.of.get(at..at + BLOCK)?).ok()?;
        let most = LONGEST.min(self.lines.len() - at);
        let mut best = (0, 0);
        // In a long repeating pattern every place has as many lines as are searched, so one of them is enough.
        for above in self.known.get(&block)?.iter().rev().copied() {
            let same = |next: &usize| {
                let (before, now) = (above + next, at + next);
                before < at
                    && !self.hidden[before]
                    && self.of[before] == self.of[now]
                    && !self.must_stay_in_place(now)
            };
            let length = (0..most).take_while(same).count();
            if length > best.1 {
                best = (above, length);
            }
            if length == most {
                break;
            }
        }
        let length = ended(self.lines, at, best.1);
        (length >= BLOCK).then_some((best.0, length))
    }

    fn must_stay_in_place(&self, at: usize) -> bool {
        let known = &self.stays[self.of[at]];
        known.get().unwrap_or_else(|| {
            let stays = must_stay_in_place(self.lines[at]);
            known.set(Some(stays));
            stays
        })
    }

    /// `… 9 lines as above, those with "npm warn Found: eslint@8"`: a line of the block that is shown once, so that it is known
    /// which lines are meant.
    fn mark(&self, above: usize, length: usize) -> Option<String> {
        let once = |line: &&str| self.often.get(&SEED.hash_one(line)) == Some(&1);
        let says =
            |line: &&str| line.len() <= NAME && line.chars().filter(|c| c.is_alphanumeric()).nth(4).is_some();
        let block = self.lines[above..above + length].iter().map(|line| line.trim());
        let line = block.filter(says).find(once)?;
        Some(format!("… {length} lines as above, those with \"{line}\"\n"))
    }
}

/// Lines that begin with a figure, are about the file above them or must stay are shown where they are.
fn must_stay_in_place(line: &str) -> bool {
    line.trim_start().starts_with(|c: char| c.is_ascii_digit()) || is_below_file(line) || must_stay(line)
}

/// `  [needless_return] 36:6, 141:3: …`: places in the file that a line above names; `  urls.py | 17 +`: a file in a folder.
fn is_below_file(line: &str) -> bool {
    let is_figure = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_place = |word: &str| {
        let place = word.trim_end_matches([',', ':', ';']).split_once(':');
        place.is_some_and(|(line, column)| is_figure(line) && is_figure(column))
    };
    let is_changed =
        |(_, changed): (&str, &str)| changed.trim_start().starts_with(|c: char| c.is_ascii_digit());
    line.starts_with(' ') && line.split_whitespace().take(WORDS).any(is_place)
        || line.starts_with("  ") && line.split_once(" | ").is_some_and(is_changed)
}

/// How much of a block may be dropped: a line with others indented below it stays as their heading.
fn ended(lines: &[&str], at: usize, mut length: usize) -> usize {
    while let Some(next) = lines.get(at + length).filter(|next| length > 0 && !next.trim().is_empty()) {
        let inside = &lines[at..at + length];
        let heading = inside.iter().rposition(|line| !line.trim().is_empty() && indent(line) < indent(next));
        match heading {
            Some(heading) => length = heading,
            None => break,
        }
    }
    length
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Consecutive lines that differ only in a path, as one line with their paths by folder below it.
fn paths(lines: &[&str]) -> Option<String> {
    let taken: Vec<Option<Around<'_>>> = lines.iter().map(|line| Around::of(line)).collect();
    let mut out = String::new();
    let mut any = false;
    let mut at = 0;
    while at < lines.len() {
        let Some(first) = taken[at] else {
            let _ = writeln!(out, "{}", lines[at]);
            at += 1;
            continue;
        };
        let same = |next: &&Option<Around<'_>>| {
            next.is_some_and(|next| next.before == first.before && next.after == first.after)
        };
        let end = at + taken[at..].iter().take_while(same).count();
        // Most lines aren't in a long run, and checking whether one must stay takes longest.
        let is_long = end - at >= PATHS;
        let stays = |line: &&str| is_long && must_stay(line);
        for part in lines[at..end].chunk_by(|one, next| !stays(one) && !stays(next)) {
            let joined = &taken[at..at + part.len()];
            at += part.len();
            let short = (part.len() >= PATHS).then(|| by_folder(&first, joined.iter().flatten())).flatten();
            match short {
                Some(short) => {
                    out.push_str(&short);
                    any = true;
                }
                None => part.iter().for_each(|line| {
                    let _ = writeln!(out, "{line}");
                }),
            }
        }
    }
    any.then_some(out)
}

/// A line with a path in it, and what is around the path.
#[derive(Debug, Clone, Copy)]
struct Around<'t> {
    before: &'t str,
    folder: &'t str,
    name: &'t str,
    after: &'t str,
}

impl<'t> Around<'t> {
    /// For a line with one path as a word and words beside it.
    fn of(line: &'t str) -> Option<Self> {
        // A tool repeats words in capitals for each item.
        let shouts = |word: &str| word.len() > 3 && word.bytes().all(|byte| byte.is_ascii_uppercase());
        if line.len() > LONG || !line.contains('/') || line.split(' ').any(shouts) {
            return None;
        }
        let mut found = None;
        let mut from = 0;
        for word in line.split(' ') {
            if is_path(word) {
                // It's unknown which of two paths matters.
                if found.is_some() {
                    return None;
                }
                found = Some((from, word));
            }
            from += word.len() + 1;
        }
        let (from, word) = found?;
        let (before, after) = (&line[..from], &line[from + word.len()..]);
        let says = before.chars().chain(after.chars()).any(char::is_alphabetic);
        let (folder, name) = word.split_at(word.rfind('/')? + 1);
        (says && !name.is_empty()).then_some(Self { before, folder, name, after })
    }
}

fn is_path(word: &str) -> bool {
    word.contains('/')
        && !word.contains("://")
        && word.chars().all(|c| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '+' | '@' | '~'))
}

/// The lines' common text, their number, and the names in each folder; `None` if that isn't much shorter.
fn by_folder<'t>(first: &Around<'_>, lines: impl Iterator<Item = &'t Around<'t>>) -> Option<String> {
    let mut folders: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut place: HashMap<&str, usize> = HashMap::new();
    let (mut bytes, mut count) = (0, 0);
    for line in lines {
        bytes += line.before.len() + line.folder.len() + line.name.len() + line.after.len() + 1;
        count += 1;
        let at = *place.entry(line.folder).or_insert_with(|| {
            folders.push((line.folder, Vec::new()));
            folders.len() - 1
        });
        folders[at].1.push(line.name);
    }
    // The same path each time: the line itself was printed again.
    if let [(folder, names)] = folders.as_slice()
        && names.iter().all(|name| *name == first.name)
    {
        return Some(format!("{}{folder}{}{}  [×{count}]\n", first.before, first.name, first.after));
    }
    let mut out = format!("{}…{}  [×{count}]\n", first.before, first.after);
    let indent = &first.before[..indent(first.before)];
    for (folder, names) in folders {
        let _ = writeln!(out, "{indent}  {folder}: {}", names.join(" "));
    }
    (out.len() * 3 <= bytes * 2).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn a_block_is_printed_once_and_named_by_its_ends() {
        let block = "npm warn While resolving: shop@1.0.0\nnpm warn Found: eslint@8.57.1\nnpm warn   peer eslint@\"^7.5.0 || ^8.0.0\" from @babel/eslint-parser@7.29.13\nnpm warn   22 more (@eslint-community/eslint-utils, ...)\n";
        let text = format!("{block}first peer\n{block}second peer\n{block}");
        let mark = "… 4 lines as above, those with \"npm warn While resolving: shop@1.0.0\"\n";
        assert_eq!(shortened(&text).unwrap(), format!("{block}first peer\n{mark}second peer\n{mark}"));
        // A short block is no longer than its mark.
        assert_eq!(shortened(&"a line\nb line\nc line\nother\n".repeat(9)), None);
        assert_eq!(shortened(block), None);
        // It must be clear which of two blocks is meant, and lines that must stay are shown in place.
        let long = "of the same words as in other blocks, and some more of them so that it is worth a mark";
        let of = |odd: &str| format!("start {long}\nthen {long}\n{odd}\nend of {odd}, {long}\n");
        let short = shortened(&[of("image a1"), of("image b2"), of("image a1")].concat()).unwrap();
        assert!(short.ends_with("\n… 4 lines as above, those with \"image a1\"\n"), "{short}");
        assert_eq!(shortened(&format!("{0}other\n{0}", of("src/a.rs:3:9: error: no such thing"))), None);
        // Two files may have the same findings at the same places.
        let rows = "  [needless_return] 1:1: unneeded `return` statement\n  warning [clone_on_copy] 36:6, 141:3: using `clone` on type `Amount` which implements the `Copy` trait\n  CS8602 57:9, 162:6; CS0103 2:4\n";
        assert_eq!(shortened(&format!("crates/a/src/cart.rs\n{rows}crates/b/src/cart.rs\n{rows}")), None);
        let rows: String = (1..20).map(|n| format!("  part_of_the_shop_{n}.py | {n} +\n")).collect();
        assert_eq!(shortened(&format!(" shop/admin/:\n{rows} shop/billing/:\n{rows}")), None);
    }

    /// Each of its lines is like many above it: each text is checked once, and one long block is enough.
    #[test]
    fn a_short_repeating_pattern_is_read_in_time() {
        let started = std::time::Instant::now();
        let text = "  a\n    b\n".repeat(12_000);
        assert_eq!(shortened(&text), None);
        assert!(started.elapsed() < std::time::Duration::from_secs(10), "{:?}", started.elapsed());
    }

    #[test]
    fn the_heading_of_the_remaining_lines_is_repeated() {
        let long =
            "that is told in some more words than would be left out with a mark, which takes a line itself";
        let block = format!("part one\n  step {long}\n  then {long}\n  last {long}\npart two\n");
        let text = format!("{block}  odd\n{block}  even\n");
        let short = shortened(&text).unwrap();
        assert!(
            short.contains("\npart two\n  odd\n… 4 lines as above, those with \"part one\"\n"),
            "{short}"
        );
        assert!(short.ends_with("\npart two\n  even\n"), "{short}");
    }

    #[test]
    fn lines_that_differ_in_a_path_are_printed_once() {
        let text: String =
            (0..30).map(|n| format!("would reformat /home/ana/shop/src/{}/part{n}.py\n", n % 3)).collect();
        let short = shortened(&format!("{text}Oh no!\n")).unwrap();
        assert!(
            short
                .starts_with("would reformat …  [×30]\n  /home/ana/shop/src/0/: part0.py part3.py part6.py "),
            "{short}"
        );
        assert!(short.ends_with(" part29.py\nOh no!\n") && short.lines().count() == 5, "{short}");
        // The same line again has no list of its path.
        let again = "GET /health 200 OK in 3 ms\n".repeat(30);
        assert_eq!(
            shortened(&format!("{again}done\n")).unwrap(),
            "GET /health 200 OK in 3 ms  [×30]\ndone\n"
        );
        // Two paths, a failure, another number: each line differs in more than a path.
        let copies: String =
            (0..30).map(|n| format!("copying src/part{n}.py -> build/lib/part{n}.py\n")).collect();
        let failed: String = (0..30).map(|n| format!("error: cannot format src/part{n}.py\n")).collect();
        let sizes: String = (0..30).map(|n| format!("adding src/part{n}.py {n} bytes\n")).collect();
        for text in [copies, failed, sizes] {
            assert_eq!(shortened(&text), None, "{text}");
        }
    }
}

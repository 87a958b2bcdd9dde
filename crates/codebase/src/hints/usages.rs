//! After an edit of a definition, names its uses in other files: once a session for each definition, and only uses that the files
//! still contain.

use std::collections::{HashMap, HashSet};

use code::role::Role;
use code::{IndexedFile, Kind, Span};
use system::ModelContext;

use super::edits::FileEdit;
use super::{Near, fitting, plain};

/// A name in more files than this doesn't identify one definition.
const MOST_FILES: usize = 40;
/// The number of an edit's definitions that are looked at.
const MOST_DEFINITIONS: usize = 4;
/// The number of files that are read.
const LOOKED_INTO: usize = 8;
/// Shorter names are everywhere.
const SHORT: usize = 3;

/// Whether the file is as it was before the edit, or after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Moment {
    Before,
    After,
}

pub(super) fn tell(near: &Near<'_>, edits: &[FileEdit], moment: Moment) -> Option<ModelContext> {
    edits.iter().find_map(|edited| of(near, edited, moment))
}

fn of(near: &Near<'_>, edited: &FileEdit, moment: Moment) -> Option<ModelContext> {
    let path = near.relative(&edited.path)?;
    let spans = near.store.spans_of(&path).ok().filter(|spans| !spans.is_empty())?;
    if !near.store.is_complete().ok()? {
        return None;
    }
    let mut text = near.text(&path)?;
    if moment == Moment::Before {
        for (old, new) in &edited.pieces {
            text = text.replacen(old.as_str(), new, 1);
        }
    }
    for span in touched(&spans, edited, &text).into_iter().take(MOST_DEFINITIONS) {
        // Who makes a type calls its constructor, mostly by the type's name.
        let named = constructed(span, &spans).unwrap_or(span);
        if let Some(lines) = uses(near, &path, named) {
            let name = plain(&named.name, 60);
            let first = match moment {
                Moment::Before => format!("`{name}`, which this edits in {path}, is used in other files:"),
                Moment::After => format!("`{name}`, just edited in {path}, is used in other files:"),
            };
            let last = format!("\n{} with action references lists every use.", near.tool());
            let what = format!("users {path} {} {}", named.container, named.name);
            let Some(text) = fitting(&first, &lines, &last) else { continue };
            if near.first_time(&what) {
                return Some(ModelContext { text, reason: "users of what was edited", ledger_name: "users" });
            }
        }
    }
    None
}

/// The type that a definition is the constructor of.
fn constructed<'s>(span: &Span, spans: &'s [Span]) -> Option<&'s Span> {
    let of = span.container.rsplit('.').next().filter(|of| !of.is_empty())?;
    let called = ["__init__", "__new__", "__construct", "constructor", "initialize", "init"];
    if span.name != of && !called.contains(&span.name.as_str()) {
        return None;
    }
    let around = |one: &&Span| {
        one.kind.is_type() && one.name == of && one.start_line <= span.line && span.line <= one.end_line
    };
    spans.iter().find(around)
}

/// The definitions that an edit touched, by the file's current text.
fn touched<'s>(spans: &'s [Span], edited: &FileEdit, text: &str) -> Vec<&'s Span> {
    let named = |span: &&Span| span.kind != Kind::Module && span.name.len() >= SHORT;
    if let Some(whole) = &edited.whole {
        // Only the index has the earlier text: take definitions whose first line has disappeared.
        let lines = Lines::of(whole, spans);
        let heads = |span: &&Span| lines.defining(span).next().is_none();
        return if whole == text || whole.trim_end() == text.trim_end() {
            spans.iter().filter(named).filter(heads).collect()
        } else {
            Vec::new()
        };
    }
    let lines = Lines::of(text, spans);
    let mut out: Vec<&Span> = Vec::new();
    for (old, new) in &edited.pieces {
        // Text that occurs several times doesn't tell where it was inserted.
        let several = text.matches(new.as_str()).nth(1).is_some();
        let Some(at) = text.find(new.as_str()).filter(|_| !new.is_empty()) else {
            if new.is_empty() {
                let before = Lines::of(old, spans);
                out.extend(spans.iter().filter(named).filter(|span| before.defining(span).next().is_some()));
            }
            continue;
        };
        // The lines that really differ.
        let same = old.lines().zip(new.lines()).take_while(|(old, new)| old == new).count();
        let behind = |list: &str| list.lines().count().saturating_sub(same);
        let tail = old.lines().rev().zip(new.lines().rev()).take_while(|(old, new)| old == new).count();
        let tail = tail.min(behind(old)).min(behind(new));
        let first = text[..at].matches('\n').count() + 1 + same;
        let last = first + behind(new).saturating_sub(tail).max(1) - 1;
        let grown = new.lines().count().saturating_sub(old.lines().count());
        // Heads that are other than they were, then the innermost definition around the edit.
        let (before, now) = (Lines::of(old, spans), Lines::of(new, spans));
        let kept = |line: &str| old.lines().any(|before| before == line);
        let gone = |span: &&Span| {
            before.defining(span).next().is_some() && !now.defining(span).any(|(_, line)| kept(line))
        };
        out.extend(spans.iter().filter(named).filter(gone));
        if several {
            continue;
        }
        let around = spans.iter().filter(named).filter_map(|span| {
            let now = lines.nearest(span)?;
            let end = now + (span.end_line.saturating_sub(span.line)) as usize + grown;
            (now <= first && last <= end).then_some((now, span))
        });
        out.extend(around.max_by_key(|(now, _)| *now).map(|(_, span)| span));
    }
    let mut seen = HashSet::new();
    out.retain(|span| seen.insert((span.line, &span.name)));
    out
}

/// A text's lines by the definition names on them: a large file has many of both.
struct Lines<'t> {
    by_name: HashMap<&'t str, Vec<(usize, &'t str)>>,
}

impl<'t> Lines<'t> {
    fn of(text: &'t str, spans: &[Span]) -> Self {
        let names: HashSet<&str> = spans.iter().map(|span| span.name.as_str()).collect();
        let mut by_name: HashMap<&str, Vec<(usize, &str)>> = HashMap::new();
        for (at, line) in text.lines().enumerate() {
            let words = line.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
            for word in words.filter(|word| names.contains(word)) {
                by_name.entry(word).or_default().push((at + 1, line));
            }
        }
        Self { by_name }
    }

    /// The lines, from 1, that begin this definition.
    fn defining(&self, span: &Span) -> impl Iterator<Item = (usize, &'t str)> {
        let all = self.by_name.get(span.name.as_str()).into_iter().flatten().copied();
        all.filter(|(_, line)| defines(line, span))
    }

    /// The line on which a definition is now.
    fn nearest(&self, span: &Span) -> Option<usize> {
        let before = span.line as usize;
        self.defining(span).map(|(at, _)| at).min_by_key(|at| at.abs_diff(before))
    }
}

/// Whether a line begins this definition: up to the name it says what the definition's head says.
fn defines(line: &str, span: &Span) -> bool {
    let head = |text: &str| {
        let words: Vec<&str> = text.split_whitespace().collect();
        let joined = words.join(" ");
        word_at(&joined, &span.name).map(|at| joined[..at].to_owned())
    };
    let (Some(here), Some(known)) = (head(line), head(&span.signature)) else { return false };
    if known.is_empty() {
        // A JavaScript method has nothing before its name; a call has no body after it.
        return here.is_empty() && line.trim_end().ends_with(['{', ':']);
    }
    here.ends_with(&known) || known.ends_with(&here) && !here.trim().is_empty()
}

/// The position of a whole word.
fn word_at(text: &str, word: &str) -> Option<usize> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    text.match_indices(word).map(|(at, _)| at).find(|at| {
        !text[..*at].chars().next_back().is_some_and(is_word)
            && !text[at + word.len()..].chars().next().is_some_and(is_word)
    })
}

/// The uses in other files, as lines; `None` if they can't be attributed.
fn uses(near: &Near<'_>, path: &str, span: &Span) -> Option<Vec<String>> {
    let importers = near.store.import_lines(path).ok()?;
    // A name of several definitions may mean any of them; who imports this file means this one.
    let alone = near.store.count_definitions(&span.name).ok()? <= 1;
    if !alone && (span.kind == Kind::Method || !span.container.is_empty()) {
        return None;
    }
    let files = near.store.files_with_word(&span.name, MOST_FILES).ok()??;
    // Libraries have members of every name; a file that means this one imports it, or mentions what it belongs to.
    let owner = span.container.rsplit(['.', ':']).next().filter(|owner| !owner.is_empty());
    let means = |one: &IndexedFile| one.path != path && (alone || importers.contains_key(&one.path));
    let mut files: Vec<IndexedFile> =
        files.into_iter().filter(|one| means(one) && near.shows(&one.path)).collect();
    files.sort_by_key(|one| (one.role.is(Role::TEST), !importers.contains_key(&one.path), one.path.clone()));
    let more = files.len().saturating_sub(LOOKED_INTO);
    let (mut out, mut passed_over) = (Vec::<String>::new(), false);
    for one in files.into_iter().take(LOOKED_INTO) {
        if !near.in_time() {
            return None;
        }
        let Some(text) = near.text(&one.path) else { continue };
        let imports = importers.contains_key(&one.path);
        if !imports && owner.is_some_and(|owner| word_at(&text, owner).is_none()) {
            passed_over = true;
            continue;
        }
        if let Some(line) = used_on(&text, &span.name, imports || owner.is_some()) {
            let test = if one.role.is(Role::TEST) { " (test)" } else { "" };
            out.push(format!("{}:{line}{test}", one.path));
        }
    }
    // How many of the others mean something else isn't known.
    if more > 0 && !out.is_empty() && !passed_over {
        out.push(format!("… up to {more} more files"));
    }
    Some(out)
}

/// The first line that uses a name, neither in a comment nor to import it. Without `members`, what is called on something else
/// (`fd.close()`) isn't it.
fn used_on(text: &str, name: &str, members: bool) -> Option<usize> {
    let on_other = |line: &str, at: usize| line[..at].ends_with('.') && !line[..at].ends_with("..");
    let mut importing = false;
    for (at, line) in text.lines().enumerate() {
        let trimmed = line.trim_start();
        let begins =
            ["import ", "use ", "pub use ", "from ", "using ", "#include", "require", "export {", "export *"];
        let import = begins.iter().any(|word| trimmed.starts_with(word));
        if import {
            // A list of names may go on until it is closed.
            importing = line.contains(['{', '(']) && !line.contains(['}', ')']);
        }
        let comment =
            ["//", "#", "*", "/*", "--", "\"\"\"", "'''"].iter().any(|mark| trimmed.starts_with(mark));
        let skipped = import || importing || comment;
        if importing && line.contains(['}', ')']) {
            importing = false;
        }
        if !skipped && word_at(line, name).is_some_and(|at| members || !on_other(line, at)) {
            return Some(at + 1);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(name: &str, signature: &str, line: u32, end_line: u32) -> Span {
        Span {
            name: name.into(),
            kind: Kind::Function,
            container: String::new(),
            line,
            start_line: line,
            end_line,
            signature: signature.into(),
        }
    }

    #[test]
    fn a_definition_is_known_by_its_head() {
        let rust = span("total", "pub fn total(cart: &Cart) -> u32", 1, 3);
        for (line, expected) in [
            ("pub fn total(cart: &Cart) -> u32 {", true),
            ("    pub fn total(cart: &Cart, tax: u32) -> u32 {", true),
            ("fn total(cart: &Cart) {", true),
            ("    let x = total(cart);", false),
            ("pub fn totals() {", false),
            ("// pub fn was total", false),
        ] {
            assert_eq!(defines(line, &rust), expected, "{line}");
        }
        let method = span("total", "total(cart)", 1, 3);
        assert!(defines("  total(cart) {", &method) && !defines("  total(cart);", &method));
    }

    #[test]
    fn the_innermost_definition_around_an_edit_is_touched() {
        let spans = [span("alpha", "fn alpha()", 1, 3), span("beta", "fn beta(x: u32)", 5, 7)];
        let text = "fn alpha() {\n    1\n}\n\nfn beta(x: u32) {\n    2\n    3\n}\n";
        let names = |pieces: &[(&str, &str)]| {
            let pieces = pieces.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
            let edited = FileEdit { path: "a.rs".into(), whole: None, pieces };
            touched(&spans, &edited, text).iter().map(|span| span.name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(names(&[("    2\n", "    2\n    3\n")]), ["beta"]);
        assert_eq!(names(&[("    0\n", "    1\n")]), ["alpha"]);
        assert_eq!(names(&[("fn beta() {\n", "fn beta(x: u32) {\n")]), ["beta"]);
        assert_eq!(names(&[("x\n", "not there")]), [""; 0]);
        // It may have been put into either of them.
        assert_eq!(names(&[("    9\n}\n", "\n}\n")]), [""; 0]);
        let whole =
            FileEdit { path: "a.rs".into(), whole: Some("fn alpha() {}\n".into()), pieces: Vec::new() };
        let gone = touched(&spans, &whole, "fn alpha() {}\n");
        assert_eq!(gone.iter().map(|span| span.name.as_str()).collect::<Vec<_>>(), ["beta"]);
    }

    #[test]
    fn a_large_file_of_many_definitions_takes_no_time() {
        let text: String = (0..4_000).map(|n| format!("fn part_{n}(x: u32) {{\n    x + {n}\n}}\n")).collect();
        let spans: Vec<Span> = (0..4_000u32)
            .map(|n| span(&format!("part_{n}"), &format!("fn part_{n}(x: u32)"), 3 * n + 1, 3 * n + 3))
            .collect();
        let pieces = vec![("    x + 0\n".to_owned(), "    x + 3999\n".to_owned())];
        let edited = FileEdit { path: "a.rs".into(), whole: None, pieces };
        let began = std::time::Instant::now();
        assert_eq!(touched(&spans, &edited, &text)[0].name, "part_3999");
        assert!(began.elapsed() < std::time::Duration::from_millis(500), "{:?}", began.elapsed());
    }

    #[test]
    fn imports_and_comments_are_no_uses() {
        let text = "import {\n  total,\n} from './cart';\n// total is here\nfoo(subtotal);\nbar(total(x));\n";
        assert_eq!(used_on(text, "total", true), Some(6));
        assert_eq!(used_on("use a::total;\n", "total", true), None);
        let members = "let n = cart.total();\nlet n = total(cart);\n";
        assert_eq!((used_on(members, "total", true), used_on(members, "total", false)), (Some(1), Some(2)));
    }
}

//! After an edit of a definition, names its uses in other files: once a session for each definition, and only uses that the files
//! still contain.

use std::collections::HashSet;

use code::role::Role;
use code::{IndexedFile, Kind, Span, language};
use system::ModelContext;

use super::edits::{FileEdit, Moment};
use super::same_code::is_same_code;
use super::touched::{defines, earlier, touched, word_at, words_at};
use super::{LOOKED_INTO, Near, fitting, gone, plain};

/// A name in more files than this doesn't identify one definition.
const MOST_FILES: usize = 40;
/// The number of an edit's definitions that are looked at.
const MOST_DEFINITIONS: usize = 4;
/// A larger file isn't compared with its earlier text.
const MOST_COMPARED: usize = 300_000;

pub(super) fn tell(near: &Near<'_>, edits: &[FileEdit], moment: Moment) -> Option<ModelContext> {
    edits.iter().find_map(|edited| of(near, edited, moment))
}

fn of(near: &Near<'_>, edited: &FileEdit, moment: Moment) -> Option<ModelContext> {
    let path = near.relative(&edited.path)?;
    if edited.gone {
        return gone::tell(near, &path, edited, moment);
    }
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
    let edited = &edited.as_reported(&text);
    let touched = touched(&spans, edited, &text);
    // A definition's comments and layout don't affect its users.
    if !touched.is_empty() && text.len() <= MOST_COMPARED {
        let language = language::of(&path, "").map_or("", |language| language.name);
        if earlier(edited, &text).is_some_and(|before| is_same_code(language, &before, &text)) {
            return None;
        }
    }
    for span in touched.into_iter().take(MOST_DEFINITIONS) {
        // Code that creates a type's value calls its constructor, mostly by the type's name.
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

/// The uses in other files, as lines; `None` if they can't be attributed.
fn uses(near: &Near<'_>, path: &str, span: &Span) -> Option<Vec<String>> {
    // A name with several definitions may mean any of them; files that import this one mean this one.
    let alone = near.store.count_definitions(&span.name).ok()? <= 1;
    if !alone && (span.kind == Kind::Method || !span.container.is_empty()) {
        return None;
    }
    let files = near.store.files_with_word(&span.name, MOST_FILES).ok()??;
    // Nearly all files may import this one; only these are named.
    let mut importers = HashSet::new();
    for one in &files {
        if near.store.has_import(&one.path, path).ok()? {
            importers.insert(one.path.clone());
        }
    }
    // Libraries have members of every name; a file that means this one imports it, or mentions its owner.
    let owner = span.container.rsplit(['.', ':']).next().filter(|owner| !owner.is_empty());
    let means = |one: &IndexedFile| {
        one.path != path && (importers.contains(&one.path) || alone && can_use(path, &one.path))
    };
    let mut files: Vec<IndexedFile> =
        files.into_iter().filter(|one| means(one) && near.shows(&one.path)).collect();
    files.sort_by_key(|one| (one.role.is(Role::TEST), !importers.contains(&one.path), one.path.clone()));
    let more = files.len().saturating_sub(LOOKED_INTO);
    let (mut out, mut passed_over) = (Vec::<String>::new(), false);
    for one in files.into_iter().take(LOOKED_INTO) {
        if !near.in_time() {
            return None;
        }
        let Some(text) = near.text(&one.path) else { continue };
        let imports = importers.contains(&one.path);
        if !imports && owner.is_some_and(|owner| word_at(&text, owner).is_none()) {
            passed_over = true;
            continue;
        }
        if !imports && owner.is_none() && !may_mean(&one.path, &text, span) {
            passed_over = true;
            continue;
        }
        // Others define something of this name themselves.
        let others = near.store.spans_of(&one.path).unwrap_or_default();
        let others: Vec<&Span> = others.iter().filter(|other| other.name == span.name).collect();
        let language = language::of(&one.path, "").map_or("", |language| language.name);
        // A head without a body declares what is defined elsewhere.
        let declares = |line: &str| matches!(language, "c" | "cpp") && line.trim_end().ends_with(';');
        let is_other = |line: &str| !declares(line) && others.iter().any(|other| defines(line, other));
        if let Some(line) = used_on(&text, &span.name, imports || owner.is_some(), language, is_other) {
            let test = if one.role.is(Role::TEST) { " (test)" } else { "" };
            out.push(format!("{}:{line}{test}", one.path));
        }
    }
    // How many of the others mean something else is unknown.
    if more > 0 && !out.is_empty() && !passed_over {
        out.push(format!("… up to {}", contract::count(more as u64, "more file")));
    }
    Some(out)
}

/// Whether code in the file `by` can use what the file `of` defines, by their languages. Any language may use C code
/// and be used by it; nothing is known about files that aren't code.
fn can_use(of: &str, by: &str) -> bool {
    let code = |path: &str| language::of(path, "").filter(|language| language.grammar().is_some());
    let (Some(of), Some(by)) = (code(of), code(by)) else { return true };
    let (of, by) = (language::family(of.name), language::family(by.name));
    of == by || of == "c" || by == "c"
}

/// Whether a file that doesn't import the definition's file may mean it. In languages whose modules only see their
/// imports, it must be imported by name from somewhere; in others, the file must not define the name itself.
fn may_mean(path: &str, text: &str, span: &Span) -> bool {
    let imported = || {
        let mut imports = lines(text).filter(|(_, line, is_import)| *is_import || is_call_of_import(line));
        imports.any(|(_, line, _)| word_at(line, &span.name).is_some())
    };
    match language::of(path, "").map_or("", |language| language.name) {
        "typescript" | "tsx" | "python" => imported(),
        // A page's scripts see each other's definitions.
        "javascript" => {
            let is_module = lines(text).any(|(_, line, is_import)| {
                is_import || is_call_of_import(line) || line.starts_with("export ")
            });
            if is_module { imported() } else { !binds(text, span) }
        }
        _ => !binds(text, span),
    }
}

/// Whether a text gives a definition's name to a variable of its own.
fn binds(text: &str, span: &Span) -> bool {
    if matches!(span.kind, Kind::Variable | Kind::Constant) {
        return false;
    }
    words_at(text, &span.name).any(|at| {
        let before = text[..at].rsplit('\n').next().unwrap_or_default().trim_end();
        let behind = &text[at + span.name.len()..];
        let after = behind.trim_start();
        let is_set = after.starts_with(":=")
            || after.starts_with('=') && !["==", "=>", "=~"].iter().any(|mark| after.starts_with(mark));
        let declares = ["let", "mut", "var", "val", "for", "auto"];
        let last = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        // `total := total(cart)` gets its value from the definition.
        let value = behind.split('\n').next().and_then(|line| line.split_once('='));
        let calls_it = value.is_some_and(|(_, value)| calls(value, &span.name));
        !is_member(before) && (is_set || declares.contains(&last)) && !calls_it
    })
}

/// Whether a text ends just before a member's name.
fn is_member(before: &str) -> bool {
    ["->", "::", "."].iter().any(|mark| before.ends_with(mark))
}

/// Whether a text calls something of this name that isn't a member.
fn calls(text: &str, name: &str) -> bool {
    words_at(text, name).any(|at| text[at + name.len()..].starts_with('(') && !is_member(&text[..at]))
}

/// `require('…')` and `import('…')`.
fn is_call_of_import(line: &str) -> bool {
    line.contains("require(") || line.contains("import(")
}

/// The lines of a text, from 1, each with whether it is of an import.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str, bool)> {
    let begins =
        ["import ", "use ", "pub use ", "from ", "using ", "#include", "require", "export {", "export *"];
    let mut importing = false;
    text.lines().enumerate().map(move |(at, line)| {
        let trimmed = line.trim_start();
        let import = begins.iter().any(|word| trimmed.starts_with(word));
        if import {
            // A list of names may go on until it is closed.
            importing = line.contains(['{', '(']) && !line.contains(['}', ')']);
        }
        let is_import = import || importing;
        importing = importing && !line.contains(['}', ')']);
        (at + 1, line, is_import)
    })
}

/// The first line that uses a name, neither in a comment nor in a sentence nor to import it, and isn't left out. Without `members`,
/// calls on a value (`fd.close()`, `$fd->close()`) don't count, and in Python no line of a description does.
fn used_on(
    text: &str,
    name: &str,
    members: bool,
    language: &str,
    left_out: impl Fn(&str) -> bool,
) -> Option<usize> {
    let on_other = |before: &str| before.ends_with('.') && !before.ends_with("..") || before.ends_with("->");
    let is_comment = |line: &str| {
        let marks = ["//", "#", "*", "/*", "--", "\"\"\"", "'''"];
        marks.iter().any(|mark| line.trim_start().starts_with(mark))
    };
    let mut open = None;
    let mut code = lines(text).filter(|(_, line, is_import)| {
        let in_text = language == "python" && begins_in_text(line, &mut open);
        !in_text && !is_import && !is_comment(line) && !left_out(line)
    });
    let used = |line: &str| {
        let mut places = words_at(line, name);
        places.any(|at| {
            let (before, behind) = (&line[..at], &line[at + name.len()..]);
            (members || !on_other(before)) && !is_in_sentence(before, behind, language)
        })
    };
    code.find(|(_, line, _)| used(line)).map(|(at, ..)| at)
}

/// Languages in which a single quote begins something else than a text: a lifetime, a symbol, a comment.
const OTHER_QUOTES: [&str; 11] =
    ["rust", "scala", "lisp", "clojure", "ocaml", "fsharp", "haskell", "elm", "lean", "verilog", "vb"];

/// Whether a name between these parts of a line is a word of a text in quotes: `describe "#total of a cart" do`. One that is all of
/// the text may name the definition (`send("total")`), and in `"#{total}"` it's code.
fn is_in_sentence(before: &str, behind: &str, language: &str) -> bool {
    /// Longer lines weren't written by hand, and each name in one would be looked for from its beginning.
    const MAX_BYTES: usize = 500;
    if before.len() > MAX_BYTES {
        return false;
    }
    let only_double = OTHER_QUOTES.contains(&language);
    let begins = |at: usize, c: char| match c {
        // `'"'`
        '"' => !(only_double && before[..at].ends_with('\'') && before[at + 1..].starts_with('\'')),
        '\'' => !only_double && !is_apostrophe(&before[..at], language),
        _ => false,
    };
    let mut open: Option<(char, usize)> = None;
    let mut escaped = false;
    for (at, c) in before.char_indices() {
        match open {
            _ if escaped => escaped = false,
            Some(_) if c == '\\' => escaped = true,
            Some((quote, _)) if c == quote => open = None,
            None if begins(at, c) => open = Some((c, at)),
            _ => {}
        }
    }
    let Some((quote, from)) = open else { return false };
    let Some((rest, _)) = behind.split_once(quote) else { return false };
    let inner = &before[from + 1..];
    // `"\(total)"` of Swift, `"$cart->total"` of PHP.
    let is_code = ["{", "$(", "`", "\\(", "->"].iter().any(|mark| inner.contains(mark));
    !is_code && !names_definition(inner, rest, language)
}

/// Whether a single quote behind this text is that of `don't` and not of `f'total'`.
fn is_apostrophe(before: &str, language: &str) -> bool {
    let word = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let is_python = matches!(language, "python" | "cython" | "starlark");
    let begins_text = is_python && word.len() <= 2 && word.bytes().all(|byte| b"bfrtuBFRTU".contains(&byte));
    !word.is_empty() && !begins_text
}

/// Whether a text in quotes with a name between these parts names the definition: by its name alone, by a path (`"Shop::Cart"`,
/// `patch("shop.cart.total")`) or in a type (`"list[Cart]"`). Elsewhere than in Python dots are those of a translation's key.
fn names_definition(inner: &str, rest: &str, language: &str) -> bool {
    let is_python = language == "python";
    let is_path = |text: &str| text.chars().all(|c| c.is_alphanumeric() || "_.:\\@".contains(c));
    let ends: &[&str] = if is_python { &[".", ":"] } else { &["::", "\\"] };
    let is_last = ends.iter().any(|end| inner.ends_with(end)) && is_path(inner) && is_path(rest);
    let in_type = inner.trim_end().ends_with(['[', '|']) || rest.trim_start().starts_with(['[', ']', '|']);
    inner.is_empty() && rest.is_empty() || is_last || is_python && in_type
}

/// Whether a line of Python begins in a text of several lines; `open` is the mark that ends it.
fn begins_in_text(line: &str, open: &mut Option<&'static str>) -> bool {
    let began = open.is_some();
    // A mark in a comment begins nothing.
    if !began && line.trim_start().starts_with('#') {
        return false;
    }
    let mut rest = line;
    loop {
        let marks = ["\"\"\"", "'''"].into_iter().filter(|mark| open.is_none_or(|open| open == *mark));
        let next = marks.filter_map(|mark| Some((rest.find(mark)?, mark))).min();
        let Some((at, mark)) = next else { return began };
        *open = if open.is_some() { None } else { Some(mark) };
        rest = &rest[at + mark.len()..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_and_comments_are_not_uses() {
        let text = "import {\n  total,\n} from './cart';\n// total is here\nfoo(subtotal);\nbar(total(x));\n";
        let used_on = |text: &str, name: &str, members: bool| used_on(text, name, members, "rust", |_| false);
        assert_eq!(used_on(text, "total", true), Some(6));
        assert_eq!(used_on("use a::total;\n", "total", true), None);
        let members = "let n = cart.total();\nlet n = total(cart);\n";
        assert_eq!((used_on(members, "total", true), used_on(members, "total", false)), (Some(1), Some(2)));
        assert_eq!(used_on("return $cart->total(3);\n", "total", false), None);
        assert_eq!(used_on("cart->total = cart.total + total(3);\n", "total", false), Some(1));
        assert_eq!(used_on("all(...total);\n", "total", false), Some(1));
    }

    #[test]
    fn a_word_of_a_sentence_is_not_a_use() {
        for (line, language, expected) in [
            ("describe \"#total of a cart\" do", "ruby", None),
            ("it('adds total up', () => {", "typescript", None),
            ("cart.send(\"total\")", "ruby", Some(1)),
            ("puts \"is #{total(cart)}\"", "ruby", Some(1)),
            ("echo \"is $(total \"$1\")\"", "shell", Some(1)),
            ("say(\"don't\", total(\"a\"));", "java", Some(1)),
            ("fn f<'a>(x: Total<'a>) -> &'a str { total(x) }", "rust", Some(1)),
            ("x = \"a\\\"b\" + total(\"c\")", "python", Some(1)),
            ("print(f'{name}', total(cart), 'x')", "python", Some(1)),
            ("print(f'{name}', 'total of a cart')", "python", None),
            ("with patch(\"shop.cart.total\"):", "python", Some(1)),
            ("def f(x: \"list[total]\", y: 'total | None'):", "python", Some(1)),
            ("t('cart.total')", "typescript", None),
            ("belongs_to :cart, class_name: \"Shop::total\"", "ruby", Some(1)),
            ("show(\"is \\(total(cart)) euro\")", "swift", Some(1)),
            ("echo \"is $cart->total euro\";", "php", Some(1)),
            ("'\"' => total(\"x\"),", "rust", Some(1)),
            ("(add 'total '(1 2))", "lisp", Some(1)),
        ] {
            assert_eq!(used_on(line, "total", true, language, |_| false), expected, "{line}");
        }
    }

    #[test]
    fn a_description_and_a_definition_are_not_uses() {
        let text = "def total(a):\n    \"\"\"Adds up.\n\n    With total.\n    \"\"\"\n    x = '''total\n    total'''\n    return total(a)\n";
        let is_head = |line: &str| line.starts_with("def ");
        assert_eq!(used_on(text, "total", true, "python", is_head), Some(6));
        let text = text.replace("'''total", "'''");
        assert_eq!(used_on(&text, "total", true, "python", is_head), Some(8));
        assert_eq!(used_on(&text, "total", true, "", is_head), Some(4));
        assert_eq!(used_on(&text, "total", true, "python", |_| false), Some(1));
        assert_eq!(used_on("# it's '''\ntotal(1)\n", "total", true, "python", |_| false), Some(2));
    }
}

//! Finds the definitions of a name in languages without a grammar, by how their lines begin: `function Cart:total(`,
//! `defmodule Shop.Cart do`, `total <- function(`. Doesn't know where a definition ends, nor what a name means elsewhere. Pure.

use super::Definition;
use super::definition_words::words;
use super::documentation::Documentation;
use super::text_matches::{Lines, whole_words};
use super::wordless_heads::{is_typed_head, is_value_of_locals};
use crate::grammar::Kind;

/// The most definitions of one file.
const MAX_DEFINITIONS: usize = 100;
/// Behind so many bytes of a line no definition begins, and no more of a line is looked at.
const MAX_LINE: usize = 400;
/// Words that may be before the word of a definition.
const BEFORE: &[&str] = &[
    "abstract",
    "async",
    "base",
    "cdef",
    "export",
    "extern",
    "external",
    "final",
    "friend",
    "inline",
    "internal",
    "local",
    "mutable",
    "noncomputable",
    "noinline",
    "opaque",
    "open",
    "override",
    "partial",
    "private",
    "protected",
    "pub",
    "public",
    "pure",
    "recursive",
    "sealed",
    "shared",
    "static",
    "threadlocal",
    "use",
];
/// Words that may be between the word of a definition and the name.
const BETWEEN: &[&str] = &["alias", "inline", "mutable", "nonrec", "rec"];
/// What binds a local where it isn't at the beginning of its line, or of what others see.
const BINDINGS: &[&str] = &["const", "let", "local", "val", "var", "and"];
/// Attributes of a module of Elixir that say something about the next definition or to a tool.
const ATTRIBUTES: &[&str] = &[
    "after_compile",
    "after_verify",
    "before_compile",
    "behaviour",
    "callback",
    "compile",
    "deprecated",
    "derive",
    "describetag",
    "dialyzer",
    "doc",
    "enforce_keys",
    "external_resource",
    "impl",
    "macrocallback",
    "moduledoc",
    "moduletag",
    "on_definition",
    "on_load",
    "opaque",
    "optional_callbacks",
    "shortdoc",
    "since",
    "spec",
    "tag",
    "type",
    "typedoc",
    "typep",
    "vsn",
];

/// Whether a line of a language says by how it begins what it defines.
pub(super) fn reads(language: &str) -> bool {
    // R defines by what follows a name alone.
    language == "r" || !words(language).is_empty()
}

/// The definitions of `name` in a text of a language without a grammar, each with the column of its name; with `around`, only those
/// whose line or file is named after the last of that.
pub(super) fn definitions(
    language: &str,
    path: &str,
    text: &str,
    around: &[&str],
    name: &str,
) -> Vec<(u32, Definition)> {
    if !reads(language) {
        return Vec::new();
    }
    let lines = Lines::of(text);
    let mut documentation = Documentation::of(language, text);
    let mut out: Vec<(u32, Definition)> = Vec::new();
    let mut clause = 0;
    for at in whole_words(text, name) {
        let Some((start, end)) = line_around(text, at, at + name.len()) else { continue };
        let (before, after) = (&text[start..at], text[at + name.len()..end].trim_end());
        let is_local = is_value_of_locals(language, &text[..start], before, after);
        let kind = if is_local { Some(Kind::Variable) } else { kind_of(language, before, name, after) };
        let Some(kind) = kind else { continue };
        // In `print.cart`, `cart` isn't a name of R.
        let is_part = language == "r" && around.is_empty() && before.ends_with('.');
        let is_meant = match (language, around) {
            ("terraform", [.., "local"]) => is_local,
            ("terraform", [.., "var"]) => before.starts_with("variable "),
            _ => is_inside(around, path, before),
        };
        if is_part || documentation.is_inside(start) || !is_meant {
            continue;
        }
        let (line, column) = lines.place(at);
        // A function is defined by several clauses, each module of Elixir has its own.
        let has_clauses = matches!(language, "elixir" | "erlang" | "haskell");
        let last = std::mem::replace(&mut clause, start);
        let is_clause = has_clauses && out.iter().any(|(_, known)| known.kind == kind);
        if is_clause && !(language == "elixir" && begins_module(&text[last..start])) {
            continue;
        }
        let (path, signature) = (path.to_owned(), lines.text(line));
        let definition = Definition { path, line, end_line: line, kind, container: String::new(), signature };
        out.push((column, definition));
        if out.len() == MAX_DEFINITIONS {
            break;
        }
    }
    out
}

/// Where the line begins and ends that a name is on; nothing where it begins too far away.
fn line_around(text: &str, from: usize, to: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let first = from.saturating_sub(MAX_LINE);
    let start = match bytes[first..from].iter().rposition(|byte| *byte == b'\n') {
        Some(at) => first + at + 1,
        None if first == 0 => 0,
        None => return None,
    };
    let most = text.floor_char_boundary(to + MAX_LINE);
    let end = bytes[to..most].iter().position(|byte| *byte == b'\n').map_or(most, |at| to + at);
    Some((start, end))
}

/// Whether a module of Elixir begins on one of these lines.
fn begins_module(lines: &str) -> bool {
    let begins =
        |line: &str| ["defmodule ", "defimpl "].iter().any(|word| line.trim_start().starts_with(word));
    lines.lines().any(begins)
}

/// What a line defines by a name, given what is before and after that.
fn kind_of(language: &str, before: &str, name: &str, after: &str) -> Option<Kind> {
    // In `Cart.total`, `Cart` isn't what is defined, and neither is `total` in `total?`.
    let of_name = |c: char| c.is_alphanumeric() || c == '_';
    let goes_on = |mark: char| after.strip_prefix(mark).is_some_and(|rest| rest.starts_with(of_name));
    let in_quotes = before.ends_with(['"', '\'']);
    if after.starts_with(['?', '!'])
        || after.starts_with('\'') && !in_quotes
        || after.starts_with("::")
        || ['.', ':', '#', '-'].into_iter().any(goes_on)
    {
        return None;
    }
    let of_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '#' | '"' | '\'' | '@');
    let head = before.trim_end_matches(of_path);
    let head = if is_bracketed(language) { head.trim_end().trim_end_matches('(') } else { head };
    let parts: Vec<&str> = head.split_whitespace().collect();
    let is_before = |one: &&str| BEFORE.contains(&one.to_ascii_lowercase().as_str()) || one.starts_with('"');
    let is_outer = !before.starts_with([' ', '\t']);
    if !in_quotes
        && parts.iter().all(is_before)
        && let Some(kind) = by_what_follows(language, after, is_outer && head.is_empty())
    {
        return Some(kind);
    }
    if language == "elixir" && before.trim() == "@" {
        let value = after.strip_prefix(' ').filter(|_| !ATTRIBUTES.contains(&name)).map(str::trim_start)?;
        let is_value = !value.starts_with(['|', '=', '<', '>', '+', '-', '*', '/', '&', '.', ',']);
        return is_value.then_some(Kind::Constant);
    }
    // `let rec total`, `resource "aws_instance" "web"`
    let between = |one: &&str| BETWEEN.contains(one) || language == "terraform" && one.starts_with('"');
    let mut rest = parts.as_slice();
    while let Some((last, others)) = rest.split_last()
        && !others.is_empty()
        && between(last)
    {
        rest = others;
    }
    let (&word, others) = rest.split_last()?;
    let word = if is_bracketed(language) { word.trim_start_matches('(') } else { word };
    let any_case = matches!(language, "fortran" | "pascal" | "powershell" | "vb");
    let is_word = |known: &str| known == word || any_case && known.eq_ignore_ascii_case(word);
    let known = words(language).iter().find(|(known, _)| is_word(known)).map(|(_, kind)| *kind);
    if let Some(kind) = known
        && others.iter().all(is_before)
    {
        let kind = refined(language, kind, after);
        let is_local = BINDINGS.contains(&word) && !is_outer && !others.contains(&"pub") && !kind.is_type()
            // `def total = 1` of Groovy is a variable of what is around it.
            || language == "groovy" && word == "def" && !after.starts_with('(')
            // `type Total` of Prisma is a field that is called `type`.
            || language == "prisma" && !after.trim_start().starts_with('{')
            || language == "perl" && word == "has" && !in_quotes && !after.trim_start().starts_with("=>");
        return (!is_local && !is_import(language, name, after)).then_some(kind);
    }
    is_typed_head(language, &parts, after).then_some(Kind::Function)
}

/// Whether brackets are before the word or the name: `(defn total`, `function(total`, `-record(cart`.
fn is_bracketed(language: &str) -> bool {
    matches!(language, "clojure" | "lisp" | "cmake" | "erlang")
}

/// What is defined by what follows a name at the beginning of a line; `outer` if nothing at all is before it.
fn by_what_follows(language: &str, after: &str, outer: bool) -> Option<Kind> {
    let rest = after.trim_start();
    let begins = |marks: &[&str]| marks.iter().any(|mark| rest.starts_with(mark));
    match language {
        "lua" if begins(&["= function", "=function"]) => Some(Kind::Function),
        "r" if begins(&["<- function", "<- \\("]) => Some(Kind::Function),
        // Elsewhere it's mostly an argument: `tryCatch(…, error = function(e) …)`.
        "r" if outer && begins(&["= function"]) => Some(Kind::Function),
        "r" if outer && begins(&["<- "]) => Some(Kind::Variable),
        "haskell" if outer && (begins(&[":: "]) || is_equation(after)) => Some(Kind::Function),
        "elm" if outer && begins(&[": "]) => Some(Kind::Function),
        "erlang" if outer && after.starts_with('(') => Some(Kind::Function),
        "julia" if outer && after.starts_with('(') && after.contains(") = ") => Some(Kind::Function),
        _ => None,
    }
}

/// Whether the rest of a line is that of an equation of Haskell: `total (Cart all) = sum all`.
fn is_equation(after: &str) -> bool {
    after.starts_with(' ') && (after.contains(" = ") || after.ends_with(" ="))
}

/// The kind of a value that says what it is: `const Cart = struct {`, `let total x = …`.
fn refined(language: &str, kind: Kind, after: &str) -> Kind {
    let rest = after.trim_start();
    match language {
        "zig" if kind == Kind::Constant => {
            let value = rest.strip_prefix('=').map_or("", str::trim_start);
            let value =
                ["packed ", "extern "].iter().find_map(|word| value.strip_prefix(word)).unwrap_or(value);
            let begins = |words: [&str; 2]| words.iter().any(|word| value.starts_with(word));
            if begins(["struct", "union"]) {
                Kind::Struct
            } else if begins(["enum", "error{"]) {
                Kind::Enum
            } else {
                kind
            }
        }
        "ocaml" | "fsharp" if kind == Kind::Function && rest.starts_with(['=', ':']) => Kind::Constant,
        _ => kind,
    }
}

/// Whether a value is what another place defines: `local cart = require("cart")`, `const Cart = @import("Cart.zig");`,
/// `const Cart = shop.Cart;`, `module Cart = Cart`.
fn is_import(language: &str, name: &str, after: &str) -> bool {
    let value = after.trim_start().strip_prefix('=').map_or("", str::trim_start);
    let word = value.split(|c: char| !c.is_alphanumeric() && c != '@').next().unwrap_or_default();
    if matches!(word, "@import" | "import" | "importstr" | "require") {
        return true;
    }
    let value = value.trim_end_matches(';');
    let owner = value.strip_suffix(name).and_then(|owner| owner.strip_suffix('.'));
    let is_path = |owner: &str| owner.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
    value == name || matches!(language, "lua" | "zig") && owner.is_some_and(is_path)
}

/// Whether a definition is in what was asked for with it: what is before its name on the line, or its file, is called so.
fn is_inside(around: &[&str], path: &str, before: &str) -> bool {
    let Some(last) = around.last() else { return true };
    if whole_words(before, last).next().is_some() {
        return true;
    }
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = file.split('.').next().unwrap_or(file);
    let named = if matches!(stem, "init" | "main" | "mod" | "index") {
        folder.rsplit('/').next().unwrap_or(stem)
    } else {
        stem
    };
    let folded = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    folded(named) == folded(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds_in(language: &str, text: &str, name: &str) -> String {
        let all = definitions(language, "lib/cart.x", text, &[], name);
        let all = all.iter().map(|(column, one)| format!("{}:{column} {}", one.line, one.kind.name()));
        all.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn definitions_are_found_by_how_lines_begin() {
        let table = include_str!("../../tests/fixtures/references/by_lines.txt");
        let mut count = 0;
        for line in table.lines().filter(|line| !line.is_empty() && !line.starts_with("#:")) {
            let (language, rest) = line.split_once(" | ").unwrap();
            let (expected, code) = rest.split_once(" | ").unwrap();
            let found = definitions(language, "lib/cart.x", code, &[], "total");
            let kind = found.first().map_or("-", |(_, one)| one.kind.name());
            assert_eq!((kind, found.len()), (expected, usize::from(expected != "-")), "{language}: {code}");
            count += 1;
        }
        assert!(count > 60, "{count}");
    }

    #[test]
    fn clauses_are_one_definition_and_examples_in_documentation_are_none() {
        let elixir = "defmodule Cart do\n  @doc \"\"\"\n      def total(1), do: 2\n  \"\"\"\n  def total(0), do: 1\n  def total(n), do: n\nend\n";
        assert_eq!(kinds_in("elixir", elixir, "total"), "5:7 function");
        assert_eq!(
            kinds_in("lua", "local function total()\nend\nfunction M.total()\nend\n", "total"),
            "1:16 function, 3:12 function"
        );
        assert_eq!(
            kinds_in("elixir", "  @spec total(1) :: 1\n  @callback spec(1) :: 1\n", "spec"),
            "2:13 function"
        );
        assert_eq!(kinds_in("yaml", "total: 1\n", "total"), "");
        let perl = "package Cart;\n\n=head1 SYNOPSIS\n\n  sub total {...}\n\n=cut\n\nsub total { 1 }\n";
        assert_eq!(kinds_in("perl", perl, "total"), "9:5 function");
    }

    #[test]
    fn a_comment_of_several_lines_defines_nothing() {
        let dart = "/*\nclass Cart {}\n*/\nclass Cart {}\n";
        assert_eq!(kinds_in("dart", dart, "Cart"), "4:7 class");
    }

    #[test]
    fn each_module_of_a_file_has_its_own_definition() {
        let elixir = "defmodule Cart do\n  def total(0), do: 0\n  def total(n), do: n\nend\n\ndefmodule Bill do\n  \
                      def total(0), do: 0\n  def total(n), do: n\nend\n";
        assert_eq!(kinds_in("elixir", elixir, "total"), "2:7 function, 7:7 function");
    }

    #[test]
    fn a_dot_is_a_character_of_a_name_of_r() {
        let r = "print.cart <- function(x) {\n}\n";
        assert_eq!(kinds_in("r", r, "cart"), "");
        assert_eq!(definitions("r", "R/print.R", r, &["print"], "cart").len(), 1);
    }

    #[test]
    fn what_is_asked_for_with_its_owner_is_in_its_line_or_its_file() {
        for (path, text, around, expected) in [
            ("lua/pay.lua", "function Cart:total()\n", "Cart", true),
            ("lib/shop/cart_rules.ex", "  def total(x), do: x\n", "CartRules", true),
            ("lua/cart/init.lua", "function M.total()\n", "cart", true),
            ("main.tf", "variable \"total\" {\n", "var", true),
            ("main.tf", "output \"total\" {\n", "var", false),
            ("main.tf", "locals {\n  # all\n  total = 1\n}\n", "local", true),
            ("main.tf", "module \"cart\" {\n  total = 1\n}\n", "local", false),
            ("lua/pay.lua", "function M.total()\n", "Cart", false),
        ] {
            let language = match path.rsplit_once('.') {
                Some((_, "lua")) => "lua",
                Some((_, "tf")) => "terraform",
                _ => "elixir",
            };
            let found = definitions(language, path, text, &[around], "total");
            assert_eq!(!found.is_empty(), expected, "{path}: {text}");
        }
    }

    #[test]
    fn a_name_on_every_line_is_looked_at_in_time() {
        let start = std::time::Instant::now();
        let text = "  @doc \"\"\"\n  total total total\n  \"\"\"\n".repeat(50_000);
        assert_eq!(kinds_in("elixir", &text, "total"), "");
        assert_eq!(
            definitions("lua", "a.lua", &"function total()\n".repeat(50_000), &[], "total").len(),
            MAX_DEFINITIONS
        );
        assert!(start.elapsed() < std::time::Duration::from_secs(20), "{:?}", start.elapsed());
    }
}

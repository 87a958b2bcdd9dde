//! Derives the type of an expression from its text alone: `(x as T)`, `new T(…)`, `T(…)`, `T::new(…)`, `&T{…}`,
//! `T.new`, a function's declared return type, and calls on those results. Pure.

/// The declared return type of one of the project's functions; it's looked up as it's called, with its qualifier.
pub(super) type Returned<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Asked for this word, a lookup answers anything where it's needed to construct a value: there, `Make()` is a call.
pub(super) const NEW: &str = "new";

/// The maximum number of calls followed in one chain.
const MAX_CHAIN: u32 = 20;
/// Longer heads and arguments aren't read.
const MAX_HEAD: usize = 120;
const MAX_ARGUMENTS: usize = 2_000;
/// Another value further behind isn't read.
const MAX_CONDITION: usize = 400;
/// A type's functions that construct a value of that type.
const MAKERS: &[&str] = &["new", "default", "with_capacity", "open", "create", "from"];

/// The type of the expression at the beginning of a text.
pub(super) fn expression_type(expression: &str, returned: Returned<'_>) -> Option<String> {
    let of_words = cast_type(expression).or_else(|| constructed(expression, returned));
    let (mut of, mut behind) = match of_words {
        Some(found) => found,
        None => called(expression, returned)?,
    };
    for _ in 0..MAX_CHAIN {
        match next(behind) {
            Next::Nothing => return is_only_value(&of, behind, returned).then_some(of),
            Next::Method(name, rest) => (of, behind) = (returned(&format!("{of}.{name}"))?, rest),
            Next::Other => return None,
        }
    }
    None
}

/// Whether a call isn't one of two values that evidently have different types: `Cart() if empty else Till()` of Python.
fn is_only_value(of: &str, behind: &str, returned: Returned<'_>) -> bool {
    let behind = &behind[..behind.floor_char_boundary(MAX_CONDITION)];
    let line = behind.split('\n').next().unwrap_or_default();
    let is_same = |value: &str| expression_type(value, returned).is_none_or(|other| other == of);
    !line.trim_start().starts_with("if ") || line.split(" else ").skip(1).all(is_same)
}

/// Whether a name is written like that of a type.
pub(super) fn is_type(name: &str) -> bool {
    name.chars().next().is_some_and(char::is_uppercase) && name.chars().any(char::is_lowercase)
}

/// The last name of a path.
pub(super) fn last(path: &str) -> String {
    path.rsplit(['.', ':']).find(|p| !p.is_empty()).unwrap_or(path).to_owned()
}

/// The type that a value in brackets is cast to, and the text after it: `(x as T)`, `((T) x)`, `(<T>x)`.
fn cast_type(expression: &str) -> Option<(String, &str)> {
    let expression = expression.trim_start();
    let behind = behind_brackets(expression, '(', ')')?;
    let inner = expression.get(1..expression.len() - behind.len() - 1)?;
    let in_front = |open: char, close: char| inner.strip_prefix(open).and_then(|rest| rest.split_once(close));
    let (of, value) = match inner.rsplit_once(" as") {
        Some((value, of)) => (of.trim_start_matches(['?', '!']).strip_prefix(' ')?, value),
        None => in_front('(', ')').or_else(|| in_front('<', '>'))?,
    };
    let of_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    // `(a || b as T)` may be what the first is.
    let is_one = |c: char| of_path(c) || matches!(c, ' ' | '(' | ')' | '[' | ']' | ',' | '$');
    let begins = value.trim_start().starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$'));
    let is_stated = of.chars().all(of_path) && is_type(&last(of)) && begins && value.chars().all(is_one);
    is_stated.then(|| (last(of), behind))
}

/// The type that an expression constructs, and the text after it.
fn constructed<'t>(expression: &'t str, returned: Returned<'_>) -> Option<(String, &'t str)> {
    let inner = expression.trim_start().trim_start_matches(['&', '*', '(']);
    let opened = expression[..expression.len() - inner.len()].matches('(').count();
    let inner = inner.trim_start_matches("await ");
    let new = inner.strip_prefix("new ");
    let (head, rest) = head(new.unwrap_or(inner));
    let behind = || closed(behind_arguments(rest), opened);
    if let Some((owner, maker)) = head.rsplit_once("::").or_else(|| head.rsplit_once('.'))
        && MAKERS.contains(&maker)
        && is_type(&last(owner))
    {
        let owner = last(owner);
        return Some((returned(&format!("{owner}.{maker}")).unwrap_or(owner), behind()));
    }
    let name = last(head);
    if new.is_none() && returned(NEW).is_some() {
        return None;
    }
    if !is_type(&name) || new.is_none() && !rest.starts_with(['(', '{', '<']) {
        return None;
    }
    // `NewEngine()` of Go
    let of = name.strip_prefix("New").filter(|n| is_type(n) && rest.starts_with('('));
    Some((of.map_or_else(|| name.clone(), str::to_owned), behind()))
}

/// The declared return type of a called function, and the text after the call.
fn called<'t>(expression: &'t str, returned: Returned<'_>) -> Option<(String, &'t str)> {
    let expression = expression.trim().trim_start_matches("await ");
    let own = expression.strip_prefix("$this->");
    let (head, rest) = head(own.unwrap_or(expression));
    if head.is_empty() {
        return None;
    }
    let behind = behind_brackets(rest, '(', ')')?;
    let of = if own.is_some() { returned(&format!("this.{head}")) } else { returned(head) };
    Some((of?, behind))
}

/// A path at the beginning of a text, and the text after it.
fn head(text: &str) -> (&str, &str) {
    let of_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '$');
    let inner = text.char_indices().take(MAX_HEAD).take_while(|(_, c)| of_path(*c));
    text.split_at(inner.last().map_or(0, |(at, c)| at + c.len_utf8()))
}

/// The text after a constructor's arguments and block; empty if they don't end.
fn behind_arguments(rest: &str) -> &str {
    // `T<U>(…)`
    let rest = if rest.starts_with('<') {
        let head = rest.split(['{', ';', '\n']).next().unwrap_or_default();
        head.find(">(").and_then(|at| rest.get(at + 1..)).unwrap_or_default()
    } else {
        rest
    };
    let rest = if rest.starts_with('(') { behind_brackets(rest, '(', ')').unwrap_or_default() } else { rest };
    let block = rest.trim_start_matches(' ');
    if block.starts_with('{') { behind_brackets(block, '{', '}').unwrap_or_default() } else { rest }
}

/// The text after the brackets that it begins with.
fn behind_brackets(rest: &str, open: char, close: char) -> Option<&str> {
    if !rest.starts_with(open) {
        return None;
    }
    let mut depth = 0i32;
    for (i, c) in rest.char_indices().take(MAX_ARGUMENTS) {
        depth += i32::from(c == open) - i32::from(c == close);
        if depth == 0 {
            return rest.get(i + 1..);
        }
    }
    None
}

/// A text without the brackets at its beginning that close as many that were `opened`.
fn closed(mut text: &str, opened: usize) -> &str {
    for _ in 0..opened {
        let Some(rest) = text.trim_start().strip_prefix(')') else { break };
        text = rest;
    }
    text
}

/// A member access on a call's result, on its line or the next.
enum Next<'t> {
    Nothing,
    /// The method of this name, and the text after that call.
    Method(&'t str, &'t str),
    /// A field, an element, or a call of its result.
    Other,
}

fn next(behind: &str) -> Next<'_> {
    if behind.trim_start_matches([' ', '?', '!']).starts_with(['(', '[']) {
        return Next::Other;
    }
    let asked = behind.trim_start().trim_start_matches(['?', '!']);
    let Some(asked) = asked.strip_prefix("->").or_else(|| asked.strip_prefix('.')) else {
        return Next::Nothing;
    };
    let end = asked.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(asked.len());
    let (name, rest) = asked.split_at(end);
    match behind_brackets(rest, '(', ')') {
        Some(behind) if !name.is_empty() => Next::Method(name, behind),
        _ => Next::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::{NEW, expression_type};

    #[test]
    fn a_call_constructs_nothing_where_a_word_is_needed_for_that() {
        let returned = |called: &str| match called {
            NEW => Some(String::new()),
            "Make" => Some("Shop".to_owned()),
            _ => None,
        };
        for (expression, expected) in
            [("Make(1)", Some("Shop")), ("Other(1)", None), ("new Other(1)", Some("Other"))]
        {
            assert_eq!(expression_type(expression, &returned).as_deref(), expected, "{expression}");
        }
    }

    #[test]
    fn a_call_on_a_new_value_is_of_the_new_values_type() {
        let returned = |called: &str| match called {
            "make" | "Builder.name" | "this.make" => Some("Builder".to_owned()),
            "Builder.build" | "Store.open" => Some("Shop".to_owned()),
            _ => None,
        };
        for (expression, expected) in [
            ("new Shop()", Some("Shop")),
            ("new Shop().cart()", None),
            ("new Shop().cart", None),
            ("(new Shop()).cart", None),
            ("(new Shop())", Some("Shop")),
            ("new Builder().name(1)", Some("Builder")),
            ("new Builder()\n  .name(1)\n  .build()", Some("Shop")),
            ("Shop.new(1)", Some("Shop")),
            ("Shop.new(1).cart", None),
            ("Shop.builder()", None),
            ("Store.open(1)", Some("Shop")),
            ("Shop(1).lines[0]", None),
            ("Builder(1) { name(1) }.build()", Some("Shop")),
            ("make(1)", Some("Builder")),
            ("make(1).build()", Some("Shop")),
            ("$this->make(1)", Some("Builder")),
            ("$this->make(1)->build()", Some("Shop")),
            ("make(1)[0]", None),
            ("other.make(1)", None),
            ("Größe(1).x()", None),
            ("(x as Shop)", Some("Shop")),
            ("(x.y(1) as unknown as n.Shop)", Some("Shop")),
            ("(x as? Shop)", Some("Shop")),
            ("(x as Builder).name(1).build()", Some("Shop")),
            ("((Shop) x.y())", Some("Shop")),
            ("(<Shop>x)", Some("Shop")),
            ("(Builder(1) as Shop)", Some("Shop")),
            ("(x as Shop).cart", None),
            ("(x as Shop[])", None),
            ("(x || y as Shop)", None),
            ("(x as any)", None),
            ("(x assigns Shop)", None),
            ("(Shop)", None),
            ("Shop() if one else Builder(1)", None),
            ("Shop() if one else Shop(1) if two else Builder(1)", None),
            ("Shop() if one else Shop(1)", Some("Shop")),
            ("Shop() if one else None", Some("Shop")),
            ("Shop() if one else given\nBuilder(1)", Some("Shop")),
            ("Shop.new if one", Some("Shop")),
        ] {
            assert_eq!(expression_type(expression, &returned).as_deref(), expected, "{expression}");
        }
    }
}

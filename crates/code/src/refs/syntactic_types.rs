//! Types that are evident from the words around an expression: `self`, `x: T`, `T x`, `x = T(…)`, `x := &T{…}`,
//! `T::new(…)`. Anything else has no type; nothing is guessed. Pure.

use super::text_matches::whole_words;
use crate::grammar::Kind;
use crate::symbols::Symbol;

/// Which type a function of the project says it returns.
pub(super) type Returned<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The type of the receiver `expression` before `at`; `inside` is the definition around it. With `fields`, a name may be that of
/// a field without `this`.
pub(super) fn type_of(
    expression: &str,
    at: usize,
    text: &str,
    symbols: &[Symbol],
    inside: Option<usize>,
    returned: Returned<'_>,
    fields: bool,
) -> Option<String> {
    let own = || {
        let around = symbols.get(inside?)?;
        if around.kind.is_type() {
            return Some(around.name.clone());
        }
        around.container.rsplit('.').next().filter(|c| !c.is_empty()).map(str::to_owned)
    };
    match expression {
        "self" | "this" | "Self" | "static" | "cls" | "$this" | "@" => return own(),
        "super" | "?" => return None,
        _ => {}
    }
    if let Some(made) = made(expression).or_else(|| call(expression, returned)) {
        return Some(made);
    }
    // A field of `self`: its type is at its declaration.
    let of_php = expression.strip_prefix("$this->").map(|field| format!("${field}"));
    let of_self = ["self.", "this."].iter().find_map(|own| expression.strip_prefix(own));
    let field = of_php.is_some() || of_self.is_some();
    let variable = of_php.as_deref().or(of_self).unwrap_or(expression);
    let plain = variable.strip_prefix('$').unwrap_or(variable);
    if plain.is_empty() || !plain.chars().all(|c| c.is_alphanumeric() || c == '_') {
        return None;
    }
    let around = inside.and_then(|i| symbols.get(i));
    // A field may be named without `this`.
    let of_field =
        || around.filter(|_| field || fields).and_then(|one| own_field(one, symbols, plain, at, returned));
    if field && let Some(found) = of_field() {
        return Some(found);
    }
    let scope = if field { text } else { text.get(around.map_or(0, |s| s.start)..at)? };
    let places: Vec<usize> = whole_words(scope, variable).collect();
    let found = places.iter().rev().take(40).find_map(|place| declared(scope, *place, variable, returned));
    if found.is_some() {
        return found;
    }
    if !field {
        return of_field();
    }
    // `self.x = x`, where the parameter says what it is.
    places.iter().take(40).find_map(|place| {
        let after = scope[place + variable.len()..].trim_start().strip_prefix('=')?.trim_start();
        let value: String = after.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let ends = after[value.len()..].starts_with([';', '\n', '\r', ',']) || after.len() == value.len();
        if value.is_empty() || !ends {
            return None;
        }
        let around =
            symbols.iter().filter(|s| s.start <= *place && *place < s.end).max_by_key(|s| s.start)?;
        let before = scope.get(around.start..*place)?;
        let named: Vec<usize> = whole_words(before, &value).collect();
        named.into_iter().find_map(|at| declared(before, at, &value, returned))
    })
}

/// The type of the field `name` of the type around a definition, as the field's or the type's own head says it.
fn own_field(
    around: &Symbol,
    symbols: &[Symbol],
    name: &str,
    at: usize,
    returned: Returned<'_>,
) -> Option<String> {
    let own = if around.kind.is_type() { around.path() } else { around.container.clone() };
    let field = symbols.iter().find(|s| s.kind == Kind::Field && s.name == name && s.container == own);
    // `class A(B b)`
    let head = || symbols.iter().find(|s| s.kind.is_type() && s.path() == own && s.start <= at && at < s.end);
    let signature = &field.or_else(head)?.signature;
    let place = whole_words(signature, name).next()?;
    declared(signature, place, name, returned)
}

/// The type of the field `name`, as its own head says it.
pub(super) fn field_type(signature: &str, name: &str) -> Option<String> {
    let place = whole_words(signature, name).next()?;
    declared(signature, place, name, &|_| None)
}

/// The type that a call of a function gives, as that says itself.
fn call(expression: &str, returned: Returned<'_>) -> Option<String> {
    let expression = expression.trim().trim_start_matches("await ");
    let expression = expression.strip_prefix("$this->").unwrap_or(expression);
    let head: String = expression
        .chars()
        .take(120)
        .take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '$'))
        .collect();
    let name = last(&head);
    (!name.is_empty() && expression[head.len()..].starts_with('(') && whole_call(&expression[head.len()..]))
        .then(|| returned(&name))
        .flatten()
}

/// Whether the call's closing bracket ends the expression.
fn whole_call(rest: &str) -> bool {
    behind_brackets(rest).is_some_and(|behind| !goes_on(behind))
}

/// What comes behind the brackets that a text begins with.
fn behind_brackets(rest: &str) -> Option<&str> {
    let mut depth = 0i32;
    for (i, c) in rest.char_indices().take(2_000) {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return rest.get(i + 1..);
        }
    }
    None
}

/// Whether what comes behind a call asks something of what it gave, in its line or in the next.
fn goes_on(behind: &str) -> bool {
    let here = behind.trim_start_matches([' ', '?', '!']);
    let next = behind.trim_start().trim_start_matches(['?', '!']);
    here.starts_with(['(', '[']) || next.starts_with('.') || next.starts_with("->")
}

/// The type that the words around a variable's place give it.
fn declared(scope: &str, place: usize, variable: &str, returned: Returned<'_>) -> Option<String> {
    let after = scope[place + variable.len()..].trim_start_matches([' ', '?']);
    let before = scope[..place].trim_end_matches(' ');
    if let Some(rest) = after.strip_prefix(":=") {
        return made_alone(rest).or_else(|| call(rest, returned));
    }
    if let Some(rest) = after.strip_prefix(':')
        && !rest.starts_with(':')
    {
        // `for (T x : all)`
        return type_name(rest).or_else(|| typed_before(before));
    }
    if let Some(rest) = after.strip_prefix('=')
        && !rest.starts_with(['=', '>'])
    {
        // `T x = Make()` says what it is; without a type before it, `Make()` may make one.
        let new = rest.trim_start().starts_with("new ").then(|| made_alone(rest)).flatten();
        let declared = new.or_else(|| typed_before(before));
        return declared.or_else(|| made_alone(rest)).or_else(|| call(rest, returned));
    }
    // `T x` in parameters and declarations; `x T` and `x *T` in Go.
    if after.starts_with([',', ')', ';', '{']) || after.starts_with("in ") || after.is_empty() {
        return typed_before(before);
    }
    let word: String = after
        .trim_start_matches(['*', '&'])
        .chars()
        .take_while(|c| c.is_alphanumeric() || *c == '_' || *c == '.')
        .collect();
    let declares = before.ends_with(['(', ',']) || before.ends_with("var");
    (declares && word.chars().next().is_some_and(char::is_uppercase)).then(|| last(&word))
}

fn typed_before(before: &str) -> Option<String> {
    let trimmed = before.trim_end_matches(['*', '&', ' ']);
    // `T|null $x` of PHP
    let trimmed = trimmed.strip_suffix("|null").unwrap_or(trimmed);
    // `T? x` of C#, and not `Flag ? x : y`
    let nullable =
        trimmed.strip_suffix('?').filter(|of| of.ends_with(|c: char| c.is_alphanumeric() || c == '>'));
    let trimmed = nullable.unwrap_or(trimmed);
    let start = trimmed
        .char_indices()
        .rev()
        .take_while(|(_, c)| c.is_alphanumeric() || matches!(c, '_' | '<' | '>' | '.'))
        .last()
        .map_or(trimmed.len(), |(at, _)| at);
    let word = trimmed[start..].split('<').next()?;
    let known = [
        "return", "let", "const", "var", "val", "mut", "new", "in", "of", "case", "else", "await", "yield",
        "throw", "import", "from", "auto", "final",
    ];
    (trimmed.len() < before.len() + 1
        && !known.contains(&word)
        && word.chars().next().is_some_and(char::is_uppercase))
    .then(|| last(word))
}

/// The type that an expression makes: `new T(…)`, `T(…)`, `T::new(…)`, `&T{…}`, `NewT(…)`, `T.new`.
fn made(expression: &str) -> Option<String> {
    let expression = expression.trim_start().trim_start_matches(['&', '*', '(']).trim_start_matches("await ");
    let called = expression.strip_prefix("new ");
    let expression = called.unwrap_or(expression);
    let head: String = expression
        .chars()
        .take(120)
        .take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | ':'))
        .collect();
    let rest = &expression[head.len()..];
    if let Some((owner, maker)) = head.rsplit_once("::").or_else(|| head.rsplit_once('.'))
        && matches!(maker, "new" | "default" | "with_capacity" | "open" | "builder" | "create" | "from")
        && is_type(&last(owner))
    {
        return Some(last(owner));
    }
    let name = last(&head);
    let opens = rest.starts_with(['(', '{', '<']) || called.is_some();
    if opens && is_type(&name) {
        if let Some(made) = name.strip_prefix("New").filter(|n| is_type(n) && rest.starts_with('(')) {
            return Some(made.to_owned());
        }
        return Some(name);
    }
    None
}

/// The type that an expression makes and gives: what `new T().build()` gives may be of any type.
fn made_alone(expression: &str) -> Option<String> {
    let made = made(expression)?;
    let (_, arguments) = expression.split_once(made.as_str())?;
    // `T<U>(…)`
    let arguments = if arguments.starts_with('<') {
        let head = arguments.split(['{', ';', '\n']).next().unwrap_or_default();
        head.find(">(").and_then(|at| arguments.get(at + 1..)).unwrap_or_default()
    } else {
        arguments
    };
    let is_asked = arguments.starts_with('(') && behind_brackets(arguments).is_some_and(goes_on);
    (!is_asked).then_some(made)
}

fn is_type(name: &str) -> bool {
    name.chars().next().is_some_and(char::is_uppercase) && name.chars().any(char::is_lowercase)
}

/// The type in an annotation: `&mut Arc<T>` is `T`, because what is reached through a pointer is meant.
pub(super) fn type_name(annotation: &str) -> Option<String> {
    let mut rest = annotation.trim_start();
    loop {
        let before = rest;
        for decoration in [
            "&",
            "*",
            "mut ",
            "dyn ",
            "impl ",
            "'static ",
            "readonly ",
            "const ",
            "inout ",
            "any ",
            "some ",
            "\"",
            "'",
            "?",
            "[",
        ] {
            rest = rest.strip_prefix(decoration).unwrap_or(rest).trim_start();
        }
        for holder in [
            "Arc<",
            "Rc<",
            "Box<",
            "Option<",
            "Optional[",
            "RefCell<",
            "Mutex<",
            "Promise<",
            "Awaited<",
            "Readonly<",
        ] {
            rest = rest.strip_prefix(holder).unwrap_or(rest);
        }
        if rest.len() == before.len() {
            break;
        }
    }
    let word: String =
        rest.chars().take(120).take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | ':')).collect();
    let name = last(word.trim_end_matches(':'));
    is_type(&name).then_some(name)
}

fn last(path: &str) -> String {
    path.rsplit(['.', ':']).find(|p| !p.is_empty()).unwrap_or(path).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evident_types_are_seen_and_others_are_not() {
        for (text, expected) in [
            ("fn f(x: &mut Store) { x.", Some("Store")),
            ("let x = Store::open(p); x.", Some("Store")),
            ("const x = new api.Client(1); x.", Some("Client")),
            ("x = Client(url)\nx.", Some("Client")),
            ("void f(Client x) { x.", Some("Client")),
            // A character of several bytes before the type.
            ("// f（Client x) { x.", Some("Client")),
            ("x := &Engine{a: 1}\nx.", Some("Engine")),
            ("x := NewEngine()\nx.", Some("Engine")),
            ("func f(x *Engine) { x.", Some("Engine")),
            ("def f(x: 'Client') -> int:\n  x.", Some("Client")),
            ("let x: Arc<Store> = y; x.", Some("Store")),
            ("Client x = Make(); x.", Some("Client")),
            ("foreach (Client x in all) { x.", Some("Client")),
            ("for (Client x : all) { x.", Some("Client")),
            ("Base x = new Client(); x.", Some("Client")),
            // What a made one gives is of the type that is declared, if one is.
            ("Client x = new Builder().name(1).build(); x.", Some("Client")),
            ("Client x = new Builder()\n    .name(1)\n    .build(); x.", Some("Client")),
            ("Client x = new Builder<Other>(1)?.build(); x.", Some("Client")),
            ("val x = Builder().build()\nx.", None),
            ("x := NewEngine().Start()\nx.", None),
            ("x = Client(url)\ny.z\nx.", Some("Client")),
            ("val x = Builder<Other>(1)\nx.", Some("Builder")),
            ("var x = new Some<Other> { a(1).b }; x.", Some("Some")),
            ("void F(Client? x) { x.", Some("Client")),
            ("func f(x: inout Client) { x.", Some("Client")),
            ("func f(_ x: any Client) { x.", Some("Client")),
            ("var r = Flag ? x : y; x.", None),
            ("let x = make(); x.", None),
            ("x.y(); x.", None),
            ("return x.", None),
            ("if x == Client(1) { x.", None),
        ] {
            let at = text.len();
            assert_eq!(type_of("x", at, text, &[], None, &|_| None, false).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn a_function_says_what_it_gives() {
        let returned = |name: &str| (name == "make").then(|| "Client".to_owned());
        for (variable, text, expected) in [
            ("x", "x = make(1)\nx.", Some("Client")),
            ("$x", "$x = $this->make(1);\n$x->", Some("Client")),
            ("$x", "$x = $this->make(1)->other();\n$x->", None),
            ("$x", "$x = $this->other(1);\n$x->", None),
        ] {
            let found = type_of(variable, text.len(), text, &[], None, &returned, false);
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }
}

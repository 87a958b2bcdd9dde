//! Types that are evident from the words around an expression: `self`, `x: T`, `T x`, `x = T(…)`, `x := &T{…}`,
//! `T::new(…)`. Anything else has no type; nothing is guessed. Pure.

use std::cell::Cell;

use super::given_types::{Returned, expression_type, is_type, last};
use super::text_matches::{whole_words, whole_words_back};
use crate::grammar::Kind;
use crate::symbols::Symbol;

/// No more places of a variable are looked at.
const MAX_PLACES: usize = 400;
/// So many variables' types are looked for where one is made from another.
const MAX_VARIABLES: u32 = 4;
/// So many definitions in front of a place may be around it.
const MAX_AROUND: usize = 16;
/// Words before a name that `:` ends: what comes behind that isn't its type.
const BEFORE_BLOCKS: &[&str] =
    &["if", "elif", "else", "while", "in", "not", "and", "or", "as", "is", "lambda", "return", "when"];

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
    let budget = Cell::new(if fields { MAX_VARIABLES } else { 0 });
    asked_type(expression, at, text, symbols, inside, returned, (fields, &budget))
}

/// As [`type_of`], with how many variables' types may still be looked for on the way.
fn asked_type(
    expression: &str,
    at: usize,
    text: &str,
    symbols: &[Symbol],
    inside: Option<usize>,
    returned: Returned<'_>,
    (fields, budget): (bool, &Cell<u32>),
) -> Option<String> {
    let own = || own_type(symbols, inside).map(str::to_owned);
    // What a type asks itself is its own or inherited.
    let of_own = |called: &str| {
        if matches!(called, "cls" | "self.__class__") {
            return own();
        }
        let method = ["self.", "this.", "cls."].iter().find_map(|before| called.strip_prefix(before));
        let method = method.filter(|name| !name.contains(['.', ':']))?;
        returned(&format!("{}.{method}", own()?))
    };
    // What a method gives of a variable whose type is evident: `var cart = shop.open();`.
    let of_variable = |called: &str| {
        let (variable, method) = called.split_once('.')?;
        let is_plain = variable.starts_with(|c: char| c.is_lowercase() || c == '_') && variable != expression;
        if !is_plain || method.contains(['.', ':']) || matches!(variable, "self" | "this" | "super") {
            return None;
        }
        budget.set(budget.get().checked_sub(1)?);
        let of = asked_type(variable, at, text, symbols, inside, returned, (fields, budget))?;
        returned(&format!("{of}.{method}"))
    };
    let by_own = |called: &str| of_own(called).or_else(|| of_variable(called)).or_else(|| returned(called));
    let returned: Returned<'_> = &by_own;
    match expression {
        "self" | "this" => return annotated_self(expression, symbols, inside).or_else(own),
        "Self" | "static" | "cls" | "$this" | "@" => return own(),
        "super" | "?" => return None,
        _ => {}
    }
    if let Some(given) = expression_type(expression, returned) {
        return Some(given);
    }
    // A field of `self`: its type is at its declaration.
    let of_php = expression.strip_prefix("$this->").map(|field| format!("${field}"));
    let of_self = ["self.", "this."].iter().find_map(|own| expression.strip_prefix(own));
    let field = of_php.is_some() || of_self.is_some();
    let variable = of_php.as_deref().or(of_self).unwrap_or(expression);
    let plain = variable.strip_prefix('$').unwrap_or(variable);
    // `this.#cart`: a private field of JavaScript has its sign in its name.
    let letters = plain.strip_prefix('#').filter(|_| of_self.is_some()).unwrap_or(plain);
    if letters.is_empty() || !letters.chars().all(|c| c.is_alphanumeric() || c == '_') {
        return None;
    }
    let around = inside.and_then(|i| symbols.get(i));
    // A field may be named without `this`.
    let of_field =
        || around.filter(|_| field || fields).and_then(|one| own_field(one, symbols, plain, at, returned));
    // A property's type is what its function gives.
    let is_field = || symbols.iter().any(|s| s.kind == Kind::Field && s.name == plain);
    let of_property = || of_own(expression).filter(|_| of_self.is_some() && !is_field());
    if field && let Some(found) = of_field().or_else(of_property) {
        return Some(found);
    }
    let from = if field { 0 } else { around.map_or(0, |s| s.start) };
    let scope = if field { text } else { text.get(from..at)? };
    // A variable of a function that the place isn't in is another one.
    let seen = |place: &usize| field || !is_in_another(from + place, at, symbols);
    let mut places = whole_words_back(scope, variable).take(MAX_PLACES).filter(seen);
    let found = places.find_map(|place| declared_type(scope, place, variable, returned));
    if found.is_some() {
        return found;
    }
    if !field {
        return of_field();
    }
    // `self.x = x`, where the parameter says what it is.
    whole_words(scope, variable).take(MAX_PLACES).find_map(|place| {
        let after = scope[place + variable.len()..].trim_start().strip_prefix('=')?.trim_start();
        let value: String = after.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let ends = after[value.len()..].starts_with([';', '\n', '\r', ',']) || after.len() == value.len();
        if value.is_empty() || !ends {
            return None;
        }
        let around = symbols.iter().filter(|s| s.start <= place && place < s.end).max_by_key(|s| s.start)?;
        let before = scope.get(around.start..place)?;
        whole_words(before, &value).find_map(|at| declared_type(before, at, &value, returned))
    })
}

/// The type that a definition is or belongs to. A function in a method has the `self` or `this` of that, unless it's one with a `this`
/// of its own.
pub(super) fn own_type(symbols: &[Symbol], inside: Option<usize>) -> Option<&str> {
    let around = symbols.get(inside?)?;
    if around.kind.is_type() {
        return Some(around.name.as_str());
    }
    let container = |of: &Symbol| of.container.rsplit('.').next().is_some_and(|last| !last.is_empty());
    let mut outer = around;
    for _ in 0..MAX_AROUND {
        // A method in a function is of an object or a class without a name.
        let has_this =
            outer.signature.starts_with("function") || outer.signature.starts_with("async function");
        if outer.kind != Kind::Function || has_this {
            break;
        }
        let Some(next) = function_around(symbols, outer) else { break };
        outer = next;
    }
    // In JavaScript, a function may be what makes a type; one of Python has no members.
    let is_python = outer.signature.starts_with("def ") || outer.signature.starts_with("async def ");
    let of = if container(outer) || is_python { outer } else { around };
    of.container.rsplit('.').next().filter(|last| !last.is_empty())
}

/// The function or method that a definition is written in.
fn function_around<'s>(symbols: &'s [Symbol], of: &Symbol) -> Option<&'s Symbol> {
    symbols.iter().find(|s| {
        matches!(s.kind, Kind::Function | Kind::Method)
            && (s.start <= of.start && of.end <= s.end && !std::ptr::eq(*s, of))
            && of
                .container
                .strip_suffix(s.name.as_str())
                .is_some_and(|before| before.strip_suffix('.').unwrap_or(before) == s.container)
    })
}

/// The type that a function says its `self` or `this` has: `def wrapper(self: Cart)`, `function total(this: Cart)`.
fn annotated_self(name: &str, symbols: &[Symbol], inside: Option<usize>) -> Option<String> {
    let around = symbols.get(inside?).filter(|around| around.kind == Kind::Function)?;
    let place = whole_words(&around.signature, name).next()?;
    let rest = around.signature[place + name.len()..].trim_start().strip_prefix(':')?;
    type_name(rest).filter(|of| of != "Self")
}

/// Whether a place is in a function that another place isn't in; the symbols are in the order of their places.
fn is_in_another(place: usize, at: usize, symbols: &[Symbol]) -> bool {
    let before = symbols.partition_point(|s| s.start <= place);
    symbols[..before].iter().rev().take(MAX_AROUND).any(|s| {
        let is_around = |place: usize| s.start <= place && place < s.end;
        matches!(s.kind, Kind::Function | Kind::Method) && is_around(place) && !is_around(at)
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
    // `@Named(name = "x") T name`
    whole_words(signature, name).find_map(|place| declared_type(signature, place, name, returned))
}

/// The type of the field `name`, as its own head says it.
pub(super) fn field_type(signature: &str, name: &str) -> Option<String> {
    whole_words(signature, name).find_map(|place| declared_type(signature, place, name, &|_| None))
}

/// The type that the words around a variable's place give it.
fn declared_type(scope: &str, place: usize, variable: &str, returned: Returned<'_>) -> Option<String> {
    let after = scope[place + variable.len()..].trim_start_matches([' ', '?']);
    // `cart!: Cart` of TypeScript
    let after = after.strip_prefix('!').filter(|rest| rest.starts_with(':')).unwrap_or(after);
    let before = scope[..place].trim_end_matches(' ');
    if let Some(rest) = after.strip_prefix(":=") {
        return expression_type(rest, returned);
    }
    if let Some(rest) = after.strip_prefix(':')
        && !rest.starts_with(':')
    {
        // `for (T x : all)`
        let annotated = is_annotation(before, rest).then(|| type_name(rest)).flatten();
        return annotated.or_else(|| typed_before(before));
    }
    if let Some(rest) = after.strip_prefix('=')
        && !rest.starts_with(['=', '>'])
    {
        // `T x = Make()` says what it is; without a type before it, `Make()` may make one.
        let new = rest.trim_start().starts_with("new ").then(|| expression_type(rest, returned)).flatten();
        let declared = new.or_else(|| typed_before(before));
        return declared.or_else(|| expression_type(rest, returned));
    }
    // `T x` in parameters and declarations; `x T` and `x *T` in Go.
    // `case T x ->` of Java
    let line = || before.rsplit('\n').next().unwrap_or_default();
    let in_pattern = after.starts_with("->") && line().trim_start().starts_with("case ");
    if after.starts_with([',', ')', ';', '{']) || after.starts_with("in ") || after.is_empty() || in_pattern {
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

/// Whether what comes behind a name and `:` is its type: not the block of a condition, the other value of a condition in an
/// expression, or the value that an argument of this name is given.
fn is_annotation(before: &str, rest: &str) -> bool {
    let word = before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    let rest = rest.trim_start_matches([' ', '\t']);
    let behind = rest.trim_start_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.'));
    // `func draw(in cart: Cart)` of Swift
    let outer = before[..before.len() - word.len()].trim_end();
    let is_label = word != "lambda" && outer.ends_with(['(', ',']);
    (!BEFORE_BLOCKS.contains(&word) || is_label)
        && !before.ends_with('?')
        && !rest.starts_with(['\n', '\r'])
        && !behind.starts_with('(')
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_evident_types_are_inferred() {
        for (text, expected) in [
            ("fn f(x: &mut Store) { x.", Some("Store")),
            ("let x = Store::open(p); x.", Some("Store")),
            ("const x = new api.Client(1); x.", Some("Client")),
            ("x = Client(url)\nx.", Some("Client")),
            ("void f(Client x) { x.", Some("Client")),
            // A multi-byte character before the type.
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
            // A call on a new value has the declared type, if there is one.
            ("Client x = new Builder().name(1).build(); x.", Some("Client")),
            ("Client x = new Builder()\n    .name(1)\n    .build(); x.", Some("Client")),
            ("Client x = new Builder<Other>(1)?.build(); x.", Some("Client")),
            ("val x = Builder().build()\nx.", None),
            ("x := NewEngine().Start()\nx.", None),
            ("x = Client(url)\ny.z\nx.", Some("Client")),
            ("x = Client(url).session\nx.", None),
            ("user = Other.new(1)\nx = Client.new(1).save\nx.", None),
            ("def f(x):\n  if x:\n    Client(1)\n  x.", None),
            ("def f(x):\n  if not x: Client(1)\n  x.", None),
            ("var r = flag ? x : Client; x.", None),
            ("x match { case x: Client => x.", Some("Client")),
            ("func f(x: Client) { make(x: Other(1)); x.", Some("Client")),
            ("func f(in x: Client) { x.", Some("Client")),
            ("func f(_ y: Int, as x: Client) { x.", Some("Client")),
            ("f(lambda x: Client)\nx.", None),
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
    fn a_function_declares_its_return_type() {
        let returned = |called: &str| matches!(called, "make" | "this.make").then(|| "Client".to_owned());
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

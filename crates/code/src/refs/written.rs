//! Tells by how a name is written at a place which kinds of definitions it may mean there, and whether a receiver is a
//! literal. Pure.

use super::occurrences::{Occurrence, Role};
use crate::grammar::Kind;

/// Whether a name, spelt `spelt` in a text of this language, may mean a definition of this kind where it occurs.
pub(super) fn may_mean(kind: Kind, o: &Occurrence, spelt: &str, language: &str, text: &str) -> bool {
    let before = text.get(..o.at).unwrap_or_default().trim_end();
    let rest = text.get(o.at + spelt.len()..).unwrap_or_default().trim_start();
    let is_function = matches!(kind, Kind::Function | Kind::Method);
    match language {
        "rust" => is_written_in_rust(kind, rest, o.receiver.is_some(), before.ends_with('.')),
        // A method and a value may have one name: a method is called, or named behind `::`.
        "java" | "kotlin" if is_function => o.role == Role::Call || before.ends_with("::"),
        "php" if is_function => {
            // A trait's member that a class renames is named there.
            o.role == Role::Call || rest.starts_with("as ") || rest.starts_with("insteadof ")
        }
        "php" if kind == Kind::Field => o.role != Role::Call,
        _ => true,
    }
}

/// Whether a name of Rust that `rest` follows may be of this kind: a macro has its mark, a module is part of a path, a method
/// has a receiver and after a dot is called, a field isn't.
fn is_written_in_rust(kind: Kind, rest: &str, receiver: bool, dotted: bool) -> bool {
    let of_macro = rest.starts_with('!') && !rest.starts_with("!=");
    let called = rest.starts_with('(') || rest.starts_with("::<");
    match kind {
        Kind::Macro => of_macro,
        Kind::Module => rest.starts_with("::"),
        Kind::Method => receiver && !of_macro && (called || !dotted),
        Kind::Field => dotted && !called,
        _ => !of_macro,
    }
}

/// Whether a receiver is a text, or a dictionary of Python, in a language where a project gives those no methods.
pub(super) fn is_literal(receiver: &str, language: &str) -> bool {
    let plain = receiver.trim_start_matches(['b', 'B', 'r', 'R', 'f', 'F', 'u', 'U']);
    let in_marks = |mark: char| plain.len() > 1 && plain.starts_with(mark) && plain.ends_with(mark);
    match language {
        "python" => in_marks('"') || in_marks('\'') || receiver.starts_with('{') && receiver.ends_with('}'),
        "java" => in_marks('"'),
        "typescript" | "tsx" | "javascript" | "svelte" | "vue" => ['"', '\'', '`'].into_iter().any(in_marks),
        _ => false,
    }
}

//! Converts a pattern of characters into an equivalent one of bytes. Classes with non-ASCII characters become alternatives of
//! byte sequences: the compiler's own method makes the smallest automaton, but clears a table of half a megabyte per pattern,
//! which is most of a small pattern's cost.

use regex_syntax::hir::{Class, ClassBytes, ClassBytesRange, ClassUnicode, Hir, HirKind, Repetition};
use regex_syntax::utf8::{Utf8Sequence, Utf8Sequences};

/// Classes with more non-ASCII ranges are left to the compiler: as alternatives they would be slow.
const MANY: usize = 16;
/// The first character that takes three bytes.
const THREE: char = '\u{800}';

/// The same pattern without small classes of characters; with `fold`, its ASCII letters match in both cases.
pub(super) fn to_bytes(pattern: Hir, fold: bool) -> Hir {
    let to_bytes = |pattern| to_bytes(pattern, fold);
    match pattern.into_kind() {
        HirKind::Empty => Hir::empty(),
        HirKind::Literal(literal) if fold && literal.0.iter().any(u8::is_ascii_alphabetic) => {
            Hir::concat(literal.0.iter().map(|letter| either_case(*letter)).collect())
        }
        HirKind::Literal(literal) => Hir::literal(literal.0),
        HirKind::Look(look) => Hir::look(look),
        HirKind::Class(Class::Unicode(class)) => alternatives(class, fold),
        HirKind::Class(Class::Bytes(class)) => Hir::class(Class::Bytes(fold_class(class, fold))),
        HirKind::Repetition(repetition) => {
            Hir::repetition(Repetition { sub: Box::new(to_bytes(*repetition.sub)), ..repetition })
        }
        HirKind::Capture(mut capture) => {
            capture.sub = Box::new(to_bytes(*capture.sub));
            Hir::capture(capture)
        }
        HirKind::Concat(parts) => Hir::concat(parts.into_iter().map(to_bytes).collect()),
        HirKind::Alternation(parts) => Hir::alternation(parts.into_iter().map(to_bytes).collect()),
    }
}

fn either_case(letter: u8) -> Hir {
    if !letter.is_ascii_alphabetic() {
        return Hir::literal([letter]);
    }
    let cases = [letter.to_ascii_uppercase(), letter.to_ascii_lowercase()];
    Hir::class(Class::Bytes(ClassBytes::new(cases.map(|case| ClassBytesRange::new(case, case)))))
}

/// A class in both cases. One written in brackets has them already; the parser makes others from letters between
/// bars.
fn fold_class(mut class: ClassBytes, fold: bool) -> ClassBytes {
    if fold {
        class.case_fold_simple();
    }
    class
}

fn alternatives(class: ClassUnicode, fold: bool) -> Hir {
    let beyond: Vec<(char, char)> = class
        .iter()
        .filter(|range| !range.end().is_ascii())
        .map(|range| (range.start().max('\u{80}'), range.end()))
        .collect();
    if beyond.len() > MANY {
        return Hir::class(Class::Unicode(class));
    }
    let ascii = class
        .iter()
        .filter_map(|range| Some((u8::try_from(range.start()).ok().filter(u8::is_ascii)?, range.end())))
        .map(|(start, end)| ClassBytesRange::new(start, u8::try_from(end).unwrap_or(0x7f).min(0x7f)));
    let mut parts = vec![Hir::class(Class::Bytes(fold_class(ClassBytes::new(ascii), fold)))];
    for (start, end) in beyond {
        if start <= THREE && end == char::MAX {
            // The rest: a text is valid UTF-8, so the leading byte tells how many follow.
            if start < THREE {
                parts.extend(Utf8Sequences::new(start, '\u{7ff}').map(|bytes| sequence(&bytes)));
            }
            parts.push(Hir::concat(vec![byte(0xe0, 0xef), byte(0x80, 0xbf), byte(0x80, 0xbf)]));
            parts.push(Hir::concat(vec![
                byte(0xf0, 0xf4),
                byte(0x80, 0xbf),
                byte(0x80, 0xbf),
                byte(0x80, 0xbf),
            ]));
        } else {
            parts.extend(Utf8Sequences::new(start, end).map(|bytes| sequence(&bytes)));
        }
    }
    Hir::alternation(parts)
}

fn sequence(bytes: &Utf8Sequence) -> Hir {
    Hir::concat(bytes.as_slice().iter().map(|range| byte(range.start, range.end)).collect())
}

fn byte(start: u8, end: u8) -> Hir {
    Hir::class(Class::Bytes(ClassBytes::new([ClassBytesRange::new(start, end)])))
}

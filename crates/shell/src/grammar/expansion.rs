//! Expansions: variables, substitutions, arithmetic. Parses the commands inside, but computes no values.

use super::{Parser, Seg, Step};
use crate::names::is_name;

impl Parser<'_> {
    /// Parses only what a here-document or an arithmetic expression would expand.
    pub(super) fn expansions(&mut self) {
        while let Some(c) = self.peek() {
            match c {
                '\\' => {
                    self.bump();
                    self.bump();
                }
                '$' => {
                    self.dollar(true);
                }
                '`' => {
                    self.backtick();
                }
                _ => {
                    self.bump();
                }
            }
        }
    }

    /// Skips `((…))` or `$((…))` if it is next, parsing only the substitutions inside. As in the shell, it is arithmetic if
    /// the inner closing parenthesis is followed by another.
    pub(super) fn arithmetic(&mut self, opening: &str) -> bool {
        if !self.starts(opening) {
            return false;
        }
        let start = self.pos + opening.len();
        let mut depth = 1usize;
        let mut quote: Option<u8> = None;
        let mut escaped = false;
        let mut close = None;
        for (at, byte) in self.src.as_bytes().iter().enumerate().skip(start) {
            if escaped {
                escaped = false;
                continue;
            }
            match (quote, byte) {
                (_, b'\\') => escaped = true,
                (Some(q), b) if *b == q => quote = None,
                (Some(_), _) => {}
                (None, b'\'' | b'"') => quote = Some(*byte),
                (None, b'(') => depth += 1,
                (None, b')') => {
                    depth -= 1;
                    if depth == 0 {
                        close = Some(at);
                        break;
                    }
                }
                _ => {}
            }
        }
        let Some(close) = close else { return false };
        if self.src.as_bytes().get(close + 1) != Some(&b')') {
            return false;
        }
        let inner = self.slice(start, close).to_owned();
        self.pos = close + 2;
        if inner.contains(['$', '`']) {
            self.parse_nested(&inner, true);
        }
        true
    }

    /// An expansion, with the cursor at the dollar.
    pub(super) fn dollar(&mut self, quoted: bool) -> Seg {
        let start = self.pos;
        if self.arithmetic("$((") {
            return Seg::Opaque(self.slice(start, self.pos).to_owned());
        }
        self.pos += 1;
        match self.peek() {
            Some('(') => {
                self.pos += 1;
                let from = self.pos;
                self.substitution();
                let inner = self.slice(from, self.pos.saturating_sub(1)).trim().to_owned();
                self.out.chains.push(inner);
                Seg::Opaque(self.slice(start, self.pos).to_owned())
            }
            Some('{') => self.braced(start, quoted),
            Some(c) if c.is_ascii_alphabetic() || c == '_' => {
                let len = self.rest().find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
                let len = len.unwrap_or(self.rest().len());
                let name = self.slice(self.pos, self.pos + len).to_owned();
                self.pos += len;
                let raw = self.slice(start, self.pos).to_owned();
                Seg::Var { name, default: None, quoted, raw }
            }
            Some(c) if c.is_ascii_digit() || "@*#?$!-".contains(c) => {
                self.pos += 1;
                Seg::Opaque(self.slice(start, self.pos).to_owned())
            }
            _ => Seg::Lit { text: "$".to_owned(), quoted },
        }
    }

    fn braced(&mut self, start: usize, quoted: bool) -> Seg {
        let from = self.pos + 1;
        let close = self.closing_brace(from, quoted);
        self.out.odd |= close.is_none();
        let end = close.unwrap_or(self.src.len());
        let inner = self.slice(from, end).to_owned();
        self.pos = (end + 1).min(self.src.len());
        // bash 5.3 and ksh run commands in `${ list; }` and `${| list; }`; older shells reject it, so the text is odd.
        if inner.starts_with([' ', '\t', '\n', '|']) {
            self.out.odd = true;
            self.parse_nested(inner.trim_start_matches('|'), false);
        } else if inner.contains(['$', '`']) {
            self.parse_nested(&inner, true);
        }
        let name_len = inner.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(inner.len());
        let (name, operation) = inner.split_at(name_len);
        if is_name(name) {
            let raw = self.slice(start, self.pos).to_owned();
            if operation.is_empty() {
                return Seg::Var { name: name.to_owned(), default: None, quoted, raw };
            }
            let operand = |ops: &[&str]| {
                let operand = ops.iter().find_map(|op| operation.strip_prefix(op))?;
                (!operand.contains(['$', '`'])).then(|| Some(operand.replace(['"', '\'', '\\'], "")))
            };
            if let Some(default) = operand(&[":-", ":=", "-", "="]) {
                return Seg::Var { name: name.to_owned(), default, quoted, raw };
            }
            // `${x:+text}` is the text if x is set.
            if let Some(default) = operand(&[":+", "+"]) {
                return Seg::Var { name: String::new(), default, quoted, raw };
            }
        }
        Seg::Opaque(self.slice(start, self.pos).to_owned())
    }

    /// The brace that ends an expansion, found as bash does: the first outside of quotes, substitutions and nested expansions.
    /// bash ignores a lone `{` there, but shells differ, so the text is odd.
    fn closing_brace(&mut self, from: usize, quoted: bool) -> Option<usize> {
        let bytes = self.src.as_bytes();
        // What is open: `}` an expansion, `)` a substitution, `"` a string.
        let mut open: Vec<u8> = vec![b'}'];
        let mut at = from;
        while let Some(byte) = bytes.get(at) {
            let in_text = open.contains(&b'"') || quoted;
            match (byte, open.last()) {
                (b'\\', _) => at += 1,
                (b'$', _) if !in_text && bytes.get(at + 1) == Some(&b'\'') => {
                    at += 2;
                    while *bytes.get(at)? != b'\'' {
                        at += 1 + usize::from(bytes.get(at) == Some(&b'\\'));
                    }
                }
                (b'\'', _) if !in_text => {
                    at += 1 + bytes.get(at + 1..)?.iter().position(|b| *b == b'\'')?;
                }
                (b'"', Some(b'"')) => {
                    open.pop();
                }
                (b'"', _) => open.push(b'"'),
                (b'$', _) if bytes.get(at + 1) == Some(&b'{') => {
                    open.push(b'}');
                    at += 1;
                }
                (b'$', _) if bytes.get(at + 1) == Some(&b'(') => {
                    open.push(b')');
                    at += 1;
                }
                (b'(', Some(b')')) => open.push(b')'),
                (b'{', _) => self.out.odd = true,
                (b'}', Some(b'}')) | (b')', Some(b')')) => {
                    open.pop();
                    if open.is_empty() {
                        return Some(at);
                    }
                }
                _ => {}
            }
            if open.len() > 1_000 {
                return None;
            }
            at += 1;
        }
        None
    }

    pub(super) fn backtick(&mut self) -> Seg {
        let start = self.pos;
        self.pos += 1;
        let mut inner = String::new();
        let mut closed = false;
        while let Some(c) = self.bump() {
            match c {
                '`' => {
                    closed = true;
                    break;
                }
                '\\' => match self.bump() {
                    Some(c @ ('`' | '\\' | '$')) => inner.push(c),
                    Some(c) => {
                        inner.push('\\');
                        inner.push(c);
                    }
                    None => inner.push('\\'),
                },
                _ => inner.push(c),
            }
        }
        self.out.odd |= !closed;
        self.out.intricate = true;
        self.out.steps.push(Step::Enter);
        self.parse_nested(&inner, false);
        self.out.steps.push(Step::Leave);
        Seg::Opaque(self.slice(start, self.pos).to_owned())
    }
}

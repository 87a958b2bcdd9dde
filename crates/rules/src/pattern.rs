//! Matches command text: exact, prefix, wildcard and regular expression. Sees one text at a time; `set` decides which texts
//! a command is tried as.

use regex::{Regex, RegexBuilder};

use crate::rule::{Rule, Syntax};

/// A pattern that can't be compiled (a regular expression with look-around, for example).
#[derive(Debug)]
pub(crate) struct Unreadable(pub(crate) String);

/// Compiles `pattern`, bare or as `/…/flags`; memory is bounded.
pub(crate) fn regex(pattern: &str, ignore_case: bool) -> Result<Regex, Unreadable> {
    let (body, flags) = match pattern.strip_prefix('/').and_then(|p| p.rsplit_once('/')) {
        Some((body, flags)) if flags.chars().all(|c| c.is_ascii_lowercase()) => (body, flags),
        _ => (pattern, ""),
    };
    RegexBuilder::new(body)
        .case_insensitive(ignore_case || flags.contains('i'))
        .dot_matches_new_line(flags.contains('s'))
        .multi_line(flags.contains('m'))
        .size_limit(1 << 20)
        .build()
        .map_err(|e| Unreadable(e.to_string()))
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Token {
    Byte(u8),
    /// One character.
    One,
    /// Any text.
    Star,
}

/// A wildcard pattern over whole texts.
#[derive(Debug)]
pub(crate) struct Wild {
    tokens: Vec<Token>,
    /// The pattern without a final ` *`, which also matches "no arguments".
    bare: Option<Vec<Token>>,
}

impl Wild {
    /// `*` is any text, `\*` a star; `?` is one character if `question`.
    pub(crate) fn new(pattern: &str, question: bool) -> Wild {
        let mut tokens = Vec::new();
        let mut bytes = pattern.bytes().peekable();
        while let Some(byte) = bytes.next() {
            let token = match byte {
                b'*' => Token::Star,
                b'?' if question => Token::One,
                b'\\' => match bytes.peek() {
                    Some(&next) if next == b'*' || next == b'\\' || (question && next == b'?') => {
                        bytes.next();
                        Token::Byte(next)
                    }
                    _ => Token::Byte(b'\\'),
                },
                other => Token::Byte(other),
            };
            if token != Token::Star || tokens.last() != Some(&Token::Star) {
                tokens.push(token);
            }
        }
        let bare = match tokens.as_slice() {
            [start @ .., Token::Byte(b' '), Token::Star] => Some(start.to_vec()),
            _ => None,
        };
        Wild { tokens, bare }
    }

    pub(crate) fn matches(&self, text: &str) -> bool {
        glob(&self.tokens, text.as_bytes()) || self.bare.as_deref().is_some_and(|t| glob(t, text.as_bytes()))
    }
}

/// Iterative matching that backtracks to the last star only.
fn glob(pattern: &[Token], text: &[u8]) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some(Token::Byte(b)) if *b == text[t] => {
                p += 1;
                t += 1;
                continue;
            }
            Some(Token::One) => {
                p += 1;
                t += 1;
                while t < text.len() && text[t] & 0xC0 == 0x80 {
                    t += 1;
                }
                continue;
            }
            Some(Token::Star) => {
                retry = Some((p + 1, t));
                p += 1;
                continue;
            }
            _ => {}
        }
        match &mut retry {
            Some((after, from)) => {
                *from += 1;
                (p, t) = (*after, *from);
            }
            None => return false,
        }
    }
    pattern.get(p..).unwrap_or_default().iter().all(|t| *t == Token::Star)
}

/// A shell rule's pattern, compiled for many texts.
#[derive(Debug)]
pub(crate) enum CommandPattern {
    All,
    Exact(String),
    Wild(Wild),
    Words(Vec<String>),
    Regex(Box<Regex>),
    Unreadable(String),
}

impl CommandPattern {
    pub(crate) fn new(rule: &Rule, fold_case: bool) -> CommandPattern {
        let Some(pattern) = rule.pattern.as_deref() else { return CommandPattern::All };
        let folded = if fold_case { pattern.to_lowercase() } else { pattern.to_owned() };
        let pattern = folded.trim();
        match rule.syntax {
            Syntax::ClaudeCode => {
                if let Some(prefix) = pattern.strip_suffix(":*") {
                    if prefix.is_empty() {
                        return CommandPattern::All;
                    }
                    return CommandPattern::Wild(Wild::new(&format!("{prefix} *"), false));
                }
                if pattern == "*" {
                    CommandPattern::All
                } else if pattern.contains('*') {
                    CommandPattern::Wild(Wild::new(pattern, false))
                } else {
                    CommandPattern::Exact(pattern.to_owned())
                }
            }
            Syntax::Glob if pattern == "*" => CommandPattern::All,
            Syntax::Glob => CommandPattern::Wild(Wild::new(pattern, true)),
            Syntax::Prefix => {
                let words = crate::shell::plain_words(pattern);
                if words.is_empty() { CommandPattern::All } else { CommandPattern::Words(words) }
            }
            Syntax::Regex => match regex(rule.pattern.as_deref().unwrap_or_default().trim(), fold_case) {
                Ok(regex) => CommandPattern::Regex(Box::new(regex)),
                Err(Unreadable(why)) => CommandPattern::Unreadable(why),
            },
        }
    }

    /// Whether it matches only one exact command.
    pub(crate) fn is_exact(&self) -> bool {
        matches!(self, CommandPattern::Exact(_) | CommandPattern::All)
    }

    pub(crate) fn matches(&self, text: &str, words: &[String]) -> bool {
        match self {
            CommandPattern::All => true,
            CommandPattern::Exact(wanted) => text == wanted,
            CommandPattern::Wild(wild) => wild.matches(text),
            CommandPattern::Words(wanted) => {
                wanted.len() <= words.len() && wanted.iter().zip(words).all(|(w, g)| w == g)
            }
            CommandPattern::Regex(regex) => regex.is_match(text),
            CommandPattern::Unreadable(_) => false,
        }
    }
}

//! Simple commands: assignments, words and redirections up to the next operator, and reserved words.

use super::cursor::is_blank;
use super::{Parser, Seg, Simple, Step, Word};
use crate::names::is_name;

impl Parser<'_> {
    pub(super) fn command(&mut self, piped: bool) {
        let mut simple = Simple { piped, ..Simple::default() };
        let mut start = self.pos;
        let begun = start;
        // `{fd}>file`: a descriptor by name.
        let mut named = false;
        loop {
            self.skip_blanks();
            let Some(c) = self.peek() else { break };
            match c {
                '\n' | ';' | ')' | '|' => break,
                '&' if !self.starts("&>") => break,
                '#' => {
                    let end = self.pos;
                    self.skip_comment();
                    self.finish(simple, begun, start, end);
                    return;
                }
                '(' => {
                    let after = self.pos
                        + 1
                        + self
                            .slice(self.pos + 1, self.src.len())
                            .chars()
                            .take_while(|c| is_blank(*c))
                            .count();
                    if simple.words.len() == 1 && self.slice(after, after + 1) == ")" {
                        // `name()`: the body that follows is read as the next command.
                        self.out.intricate = true;
                        self.out.functions.extend(simple.words.first().map(|word| word.raw.clone()));
                        self.pos = after + 1;
                        return;
                    }
                    self.out.odd |= simple.words.first().is_some_and(|word| word.raw != "time");
                    break;
                }
                '<' | '>' | '&' if !self.starts("<(") && !self.starts(">(") => {
                    let number = std::mem::take(&mut named).then_some("");
                    self.redirection(&mut simple, number);
                }
                '0'..='9' if self.at_numbered_redirection() => {
                    let from = self.pos;
                    while self.peek().is_some_and(|c| c.is_ascii_digit()) {
                        self.pos += 1;
                    }
                    let number = self.slice(from, self.pos).to_owned();
                    self.redirection(&mut simple, Some(&number));
                }
                _ => {
                    let word = self.word();
                    if word.raw.is_empty() {
                        break;
                    }
                    // `{fd}>file` is a redirection.
                    if word.raw.strip_prefix('{').and_then(|w| w.strip_suffix('}')).is_some_and(is_name)
                        && self.peek().is_some_and(|c| matches!(c, '<' | '>'))
                    {
                        named = true;
                        continue;
                    }
                    if simple.words.is_empty() {
                        if let Some(assign) = assignment(&word) {
                            simple.assigns.push(assign);
                            continue;
                        }
                        if simple.assigns.is_empty() {
                            match word.raw.as_str() {
                                "if" | "then" | "elif" | "else" | "while" | "until" | "do" | "!" | "{"
                                | "}" | "fi" | "done" | "esac" | "coproc" | "begin" => {
                                    self.out.inner_pipe |= piped;
                                    start = self.pos;
                                    self.reserved(&word.raw);
                                    continue;
                                }
                                "for" | "select" => {
                                    self.out.inner_pipe |= piped;
                                    self.open_group();
                                    return self.for_loop();
                                }
                                "case" => {
                                    self.out.inner_pipe |= piped;
                                    self.out.intricate = true;
                                    return self.in_stage(Some(self.place), Self::case);
                                }
                                "function" => {
                                    self.out.intricate = true;
                                    self.skip_blanks();
                                    let name = self.word().raw;
                                    self.out.functions.push(name);
                                    self.skip_blanks();
                                    if self.eat("(") {
                                        self.skip_blanks();
                                        self.eat(")");
                                    }
                                    start = self.pos;
                                    continue;
                                }
                                "[[" => {
                                    self.out.intricate |= self.substituting == 0;
                                    self.test(&mut simple, word);
                                    // zsh allows a command right after the test.
                                    self.finish(std::mem::take(&mut simple), begun, start, self.pos);
                                    start = self.pos;
                                    continue;
                                }
                                _ => {}
                            }
                        }
                    }
                    simple.words.push(word);
                }
            }
        }
        let end = self.pos;
        self.finish(simple, begun, start, end);
    }

    /// Handles what a reserved word begins or ends.
    fn reserved(&mut self, word: &str) {
        self.out.intricate |= self.substituting == 0;
        match word {
            "if" | "while" | "until" | "{" | "begin" => self.open_group(),
            "fi" | "done" | "}" => self.close_group(),
            _ => {}
        }
    }

    fn finish(&mut self, mut simple: Simple, begun: usize, start: usize, end: usize) {
        if simple.words.is_empty() && simple.assigns.is_empty() && simple.redirs.is_empty() {
            return;
        }
        simple.place = self.place;
        simple.substituted = self.substituting > 0;
        simple.raw = self.slice(start, end).trim().to_owned();
        simple.raw_with_keywords = (begun < start).then(|| self.slice(begun, end).trim().to_owned());
        self.out.steps.push(Step::Run(simple));
    }
}

/// `NAME=value` or `NAME+=value`, with the name unquoted.
fn assignment(word: &Word) -> Option<(String, Word)> {
    let Some(Seg::Lit { text, quoted: false }) = word.segs.first() else { return None };
    let (name, value) = text.split_once('=')?;
    let bare = name.strip_suffix('+').unwrap_or(name);
    let bare = bare.split('[').next().unwrap_or(bare);
    if !is_name(bare) {
        return None;
    }
    let mut segs = word.segs.clone();
    if name.ends_with('+') || name.contains('[') {
        segs.insert(0, Seg::Opaque(String::new()));
    }
    let first = segs.iter_mut().find(|s| matches!(s, Seg::Lit { .. }))?;
    *first = Seg::Lit { text: value.to_owned(), quoted: false };
    let raw = word.raw.split_once('=').map_or(String::new(), |(_, v)| v.to_owned());
    Some((bare.to_owned(), Word { segs, raw, at: word.at }))
}

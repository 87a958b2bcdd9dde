//! Lists: what stands between commands, and where a nested list ends.

use super::{Parser, Step};

#[derive(Clone, Copy, PartialEq)]
pub(super) enum End {
    Eof,
    Paren,
    /// An arm of a `case`.
    Arm,
}

impl Parser<'_> {
    pub(super) fn list(&mut self, end: End) {
        let mut piped = std::mem::take(&mut self.fed);
        loop {
            self.skip_blanks();
            let Some(c) = self.peek() else {
                self.out.odd |= end != End::Eof;
                return;
            };
            match c {
                '\n' => {
                    self.pos += 1;
                    self.flush_heredocs();
                    piped = false;
                }
                '#' => self.skip_comment(),
                ';' => {
                    self.pos += 1;
                    if self.starts(";") || self.starts("&") {
                        while self.eat(";") || self.eat("&") {}
                        if end == End::Arm {
                            return;
                        }
                    }
                    piped = false;
                }
                '&' if !self.starts("&>") => {
                    self.pos += 1;
                    self.eat("&");
                    piped = false;
                }
                '|' => {
                    self.pos += 1;
                    piped = !self.eat("|");
                    self.eat("&");
                }
                ')' => {
                    self.pos += 1;
                    if end == End::Paren {
                        return;
                    }
                    self.out.odd = true;
                }
                '(' => {
                    if !self.arithmetic("((") {
                        self.pos += 1;
                        self.fed = piped;
                        self.subshell();
                    }
                    piped = false;
                }
                _ => {
                    if end == End::Arm && self.at_keyword("esac") {
                        return;
                    }
                    let before = self.pos;
                    self.command(piped);
                    piped = false;
                    if self.pos == before {
                        self.out.odd = true;
                        self.bump();
                    }
                }
            }
        }
    }

    /// The cursor is behind the opening parenthesis.
    pub(super) fn subshell(&mut self) {
        if self.enter() {
            self.out.steps.push(Step::Enter);
            self.list(End::Paren);
            self.out.steps.push(Step::Leave);
        }
        self.depth -= 1;
    }

    pub(super) fn at_keyword(&self, word: &str) -> bool {
        self.rest().strip_prefix(word).is_some_and(|after| {
            after.chars().next().is_none_or(|c| c.is_whitespace() || ";&|()<>".contains(c))
        })
    }
}

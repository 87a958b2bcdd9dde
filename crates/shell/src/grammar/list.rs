//! Lists: the operators between commands, and where a nested list ends.

use super::{Parser, Simple, Step};

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
        // Whether the command after a pipe is still missing.
        let mut waits = false;
        loop {
            self.skip_blanks();
            let Some(c) = self.peek() else {
                self.out.odd |= end != End::Eof;
                self.out.unfinished |= waits;
                return;
            };
            match c {
                '\n' => {
                    self.pos += 1;
                    self.out.intricate |= self.substituting > 0;
                    self.flush_heredocs();
                    // After a pipe, the command may be on the next line.
                    if !waits {
                        self.next_pipeline();
                    }
                    piped = waits;
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
                    (piped, waits) = (false, false);
                    self.next_pipeline();
                }
                '&' if !self.starts("&>") => {
                    self.pos += 1;
                    if !self.eat("&") {
                        self.update_last(|simple| simple.background = true);
                    }
                    (piped, waits) = (false, false);
                    self.next_pipeline();
                }
                '|' => {
                    self.pos += 1;
                    piped = !self.eat("|");
                    self.eat("&");
                    waits = piped;
                    if piped {
                        self.update_last(|simple| simple.piped_out = true);
                        self.place.stage += 1;
                    } else {
                        self.next_pipeline();
                    }
                }
                ')' => {
                    self.pos += 1;
                    if end == End::Paren {
                        return;
                    }
                    self.out.odd = true;
                }
                '(' => {
                    self.out.intricate |= self.substituting == 0;
                    if !self.arithmetic("((") {
                        self.pos += 1;
                        self.fed = piped;
                        self.in_stage(Some(self.place), Self::subshell);
                    }
                    (piped, waits) = (false, false);
                }
                _ => {
                    if end == End::Arm && self.at_keyword("esac") {
                        return;
                    }
                    let before = self.pos;
                    self.command(piped);
                    (piped, waits) = (false, false);
                    if self.pos == before {
                        self.out.odd = true;
                        self.bump();
                    }
                }
            }
        }
    }

    /// Updates the command parsed last, if the cursor is right after it.
    fn update_last(&mut self, set: impl FnOnce(&mut Simple)) {
        if let Some(Step::Run(simple)) = self.out.steps.last_mut()
            && simple.place == self.place
        {
            set(simple);
        }
    }

    /// A list whose output becomes part of a word, with the cursor after the opening parenthesis.
    pub(super) fn substitution(&mut self) {
        self.substituting += 1;
        self.in_stage(None, Self::subshell);
        self.substituting -= 1;
    }

    /// The cursor is after the opening parenthesis.
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

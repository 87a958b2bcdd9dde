//! Compound commands with a grammar of their own: `[[ … ]]`, `for` and `case`.

use super::list::End;
use super::{Parser, Simple, Step, Word};

impl Parser<'_> {
    /// `[[ … ]]`, in which operators are words.
    pub(super) fn test(&mut self, simple: &mut Simple, first: Word) {
        simple.words.push(first);
        loop {
            self.skip_blanks();
            match self.peek() {
                None => return,
                Some('\n') => {
                    self.pos += 1;
                    self.flush_heredocs();
                }
                Some(c) if "&|()<>;".contains(c) && !self.starts("<(") && !self.starts(">(") => {
                    self.pos += 1;
                }
                Some(_) => {
                    let word = self.word();
                    if word.raw.is_empty() {
                        self.bump();
                        continue;
                    }
                    let last = word.raw == "]]";
                    simple.words.push(word);
                    if last {
                        return;
                    }
                }
            }
        }
    }

    pub(super) fn for_loop(&mut self) {
        self.skip_blanks();
        if self.arithmetic("((") {
            return;
        }
        let name = self.word().raw;
        let mut words = Vec::new();
        loop {
            self.skip_blanks();
            if matches!(self.peek(), None | Some('\n' | ';' | '&' | '|' | ')')) {
                break;
            }
            let before = self.pos;
            let word = self.word();
            if self.pos == before {
                self.bump();
                self.out.odd = true;
                continue;
            }
            if words.is_empty() && word.raw == "in" {
                continue;
            }
            // `for i do …` and `for i in a; { …`
            if matches!(word.raw.as_str(), "do" | "{") {
                self.pos = before;
                break;
            }
            words.push(word);
        }
        self.out.steps.push(Step::Loop { name, words });
    }

    pub(super) fn case(&mut self) {
        if !self.enter() {
            self.depth -= 1;
            return;
        }
        self.skip_blanks();
        self.word();
        loop {
            // Up to the next pattern, over `in`, newlines and comments.
            loop {
                self.skip_blanks();
                match self.peek() {
                    Some('\n') => {
                        self.pos += 1;
                        self.flush_heredocs();
                    }
                    Some('#') => self.skip_comment(),
                    Some('i') if self.at_keyword("in") => self.pos += 2,
                    _ => break,
                }
            }
            if self.at_keyword("esac") {
                self.pos += 4;
                break;
            }
            self.eat("(");
            loop {
                self.skip_blanks();
                match self.peek() {
                    None => {
                        self.out.odd = true;
                        self.depth -= 1;
                        return;
                    }
                    Some(')') => {
                        self.pos += 1;
                        break;
                    }
                    Some(_) => {
                        let before = self.pos;
                        self.word();
                        if self.pos == before {
                            self.bump();
                        }
                    }
                }
            }
            self.next_pipeline();
            self.list(End::Arm);
            if self.peek().is_none() {
                break;
            }
        }
        self.depth -= 1;
    }
}

//! The cursor: reads ahead in the text and moves over it, blanks and comments included.

use super::Parser;

pub(super) fn is_blank(c: char) -> bool {
    c == ' ' || c == '\t' || c == '\r'
}

impl Parser<'_> {
    pub(super) fn rest(&self) -> &str {
        self.src.get(self.pos..).unwrap_or("")
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn starts(&self, text: &str) -> bool {
        self.rest().starts_with(text)
    }

    pub(super) fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.pos += c.len_utf8();
        Some(c)
    }

    pub(super) fn eat(&mut self, text: &str) -> bool {
        let found = self.starts(text);
        if found {
            self.pos += text.len();
        }
        found
    }

    pub(super) fn slice(&self, from: usize, to: usize) -> &str {
        self.src.get(from..to).unwrap_or("")
    }

    pub(super) fn skip_blanks(&mut self) {
        loop {
            if self.peek().is_some_and(is_blank) {
                self.pos += 1;
            } else if self.starts("\\\r\n") {
                // A shell ends the line here; a tool that strips the carriage return continues it.
                self.out.odd = true;
                return;
            } else if !self.eat("\\\n") {
                return;
            }
        }
    }

    pub(super) fn skip_comment(&mut self) {
        self.out.intricate |= self.substituting > 0;
        self.pos += self.rest().find('\n').unwrap_or(self.rest().len());
    }
}

//! Redirections and here-documents, whose bodies follow at the end of the line.

use super::{Parser, Redir, RedirKind, Seg, Simple};

pub(super) struct Pending {
    slot: usize,
    delimiter: String,
    strip_tabs: bool,
    literal: bool,
}

impl Parser<'_> {
    pub(super) fn at_numbered_redirection(&self) -> bool {
        self.rest().trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(['<', '>'])
    }

    /// With the cursor after the descriptor `number`, if there is one.
    pub(super) fn redirection(&mut self, simple: &mut Simple, number: Option<&str>) {
        self.out.intricate |= self.starts("<<");
        if self.starts("<<") && !self.starts("<<<") {
            self.pos += 2;
            let strip_tabs = self.eat("-");
            self.skip_blanks();
            let word = self.word();
            let mut delimiter = String::new();
            let mut literal = false;
            for seg in &word.segs {
                match seg {
                    Seg::Lit { text, quoted } => {
                        literal |= *quoted;
                        delimiter.push_str(text);
                    }
                    Seg::Opaque(text) => delimiter.push_str(text),
                    Seg::Var { name, quoted, .. } => {
                        literal |= *quoted;
                        delimiter.push('$');
                        delimiter.push_str(name);
                    }
                }
            }
            let slot = self.out.bodies.len();
            self.out.bodies.push(String::new());
            simple.heredocs.push(slot);
            self.pending.push(Pending { slot, delimiter, strip_tabs, literal });
            return;
        }
        let both = self.starts("&>") || self.starts(">&") && number.is_none();
        let copying = self.starts("<&") || self.starts(">&");
        let copying_output = self.starts(">&") && matches!(number, None | Some("1" | "2"));
        let kind = if self.eat("<<<") {
            RedirKind::HereString
        } else if self.eat("<>") {
            RedirKind::Both
        } else if self.eat("<&") || self.eat(">&") {
            // `>&2` copies a descriptor, `>&file` writes.
            RedirKind::Out
        } else if self.eat("&>>") || self.eat("&>") || self.eat(">>") || self.eat(">|") || self.eat(">") {
            RedirKind::Out
        } else {
            self.eat("<");
            RedirKind::In
        };
        self.skip_blanks();
        if matches!(self.peek(), None | Some('\n' | ';' | '|' | ')')) {
            self.out.odd = true;
            return;
        }
        let before = self.pos;
        let word = self.word();
        if self.pos == before {
            self.out.odd = true;
            self.bump();
        }
        // `>&2`, `>&-` and `3>&1-`: no file.
        let copies =
            copying && !word.raw.is_empty() && word.raw.chars().all(|c| c.is_ascii_digit() || c == '-');
        if copies {
            let descriptor = word.raw.trim_end_matches('-');
            simple.to_descriptor |=
                copying_output && !descriptor.is_empty() && !matches!(descriptor, "0" | "1" | "2");
        } else {
            let out = kind == RedirKind::Out && matches!(number, None | Some("1"));
            let errors = kind == RedirKind::Out && (both || number == Some("2"));
            simple.redirs.push(Redir { kind, word, out, errors });
        }
    }

    pub(super) fn flush_heredocs(&mut self) {
        for doc in std::mem::take(&mut self.pending) {
            let start = self.pos;
            let mut end = self.src.len();
            let mut next = self.src.len();
            let mut ended = false;
            let mut at = start;
            while at < self.src.len() {
                let line_end =
                    self.src.get(at..).and_then(|r| r.find('\n')).map_or(self.src.len(), |n| at + n);
                let line = self.slice(at, line_end).trim_end_matches('\r');
                let line = if doc.strip_tabs { line.trim_start_matches('\t') } else { line };
                if line == doc.delimiter {
                    ended = true;
                    end = at;
                    next = (line_end + 1).min(self.src.len());
                    break;
                }
                at = line_end + 1;
            }
            self.out.unfinished |= !ended;
            let body = self.slice(start, end).to_owned();
            self.pos = next;
            if !doc.literal {
                self.parse_nested(&body, true);
            }
            if let Some(slot) = self.out.bodies.get_mut(doc.slot) {
                *slot = body;
            }
        }
    }
}

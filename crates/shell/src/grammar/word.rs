//! Words: segments next to each other without a blank between them.

use super::{MAX_DEPTH, Parser, Seg, Word};

impl Parser<'_> {
    pub(super) fn word(&mut self) -> Word {
        let start = self.pos;
        let mut segs: Vec<Seg> = Vec::new();
        let mut plain = String::new();
        while let Some(c) = self.peek() {
            match c {
                ' ' | '\t' | '\r' | '\n' | ';' | '&' | '|' | ')' => break,
                '<' | '>' => {
                    if !self.starts("<(") && !self.starts(">(") {
                        break;
                    }
                    let from = self.pos;
                    // The input of `>( )` comes from a pipe.
                    self.fed = self.starts(">(");
                    self.pos += 2;
                    self.out.intricate = true;
                    self.substitution();
                    flush(&mut segs, &mut plain);
                    segs.push(Seg::Opaque(self.slice(from, self.pos).to_owned()));
                }
                '(' => {
                    // Only the value of an array assignment continues here.
                    if !self.slice(start, self.pos).ends_with('=') {
                        break;
                    }
                    let from = self.pos;
                    self.pos += 1;
                    self.out.intricate |= self.substituting == 0;
                    self.array();
                    flush(&mut segs, &mut plain);
                    segs.push(Seg::Opaque(self.slice(from, self.pos).to_owned()));
                }
                '\\' => {
                    self.pos += 1;
                    match self.bump() {
                        Some('\n') => {}
                        // Treated as a continuation inside a word, which reveals more; the shell may end it here.
                        Some('\r') if self.starts("\n") => {
                            self.out.odd = true;
                            if plain.is_empty() && segs.is_empty() {
                                break;
                            }
                            self.pos += 1;
                        }
                        Some(c) => {
                            flush(&mut segs, &mut plain);
                            segs.push(Seg::Lit { text: c.to_string(), quoted: true });
                        }
                        None => plain.push('\\'),
                    }
                }
                '\'' => {
                    self.pos += 1;
                    let end = self.rest().find('\'');
                    self.out.odd |= end.is_none();
                    let len = end.unwrap_or(self.rest().len());
                    let text = self.slice(self.pos, self.pos + len).to_owned();
                    self.pos = (self.pos + len + usize::from(end.is_some())).min(self.src.len());
                    flush(&mut segs, &mut plain);
                    segs.push(Seg::Lit { text, quoted: true });
                }
                '"' => {
                    flush(&mut segs, &mut plain);
                    self.pos += 1;
                    self.double_quoted(&mut segs);
                }
                '$' => {
                    flush(&mut segs, &mut plain);
                    if self.starts("$\"") {
                        self.pos += 2;
                        self.double_quoted(&mut segs);
                    } else if self.starts("$'") {
                        self.pos += 2;
                        let text = self.ansi_c();
                        segs.push(Seg::Lit { text, quoted: true });
                    } else {
                        let seg = self.dollar(false);
                        segs.push(seg);
                    }
                }
                '`' => {
                    flush(&mut segs, &mut plain);
                    let seg = self.backtick();
                    segs.push(seg);
                }
                _ => {
                    plain.push(c);
                    self.bump();
                }
            }
        }
        flush(&mut segs, &mut plain);
        Word { segs, raw: self.slice(start, self.pos).to_owned(), at: start }
    }

    /// The words of `NAME=( … )`, for their substitutions.
    fn array(&mut self) {
        loop {
            match self.peek() {
                None => {
                    self.out.odd = true;
                    return;
                }
                Some(')') => {
                    self.pos += 1;
                    return;
                }
                Some(c) if c.is_whitespace() => {
                    self.bump();
                }
                Some('#') => self.skip_comment(),
                Some(_) => {
                    let before = self.pos;
                    if self.depth >= MAX_DEPTH {
                        self.out.too_deep = true;
                        self.pos = self.src.len();
                        return;
                    }
                    self.depth += 1;
                    self.word();
                    self.depth -= 1;
                    if self.pos == before {
                        self.bump();
                    }
                }
            }
        }
    }
}

fn flush(segs: &mut Vec<Seg>, plain: &mut String) {
    if !plain.is_empty() {
        segs.push(Seg::Lit { text: std::mem::take(plain), quoted: false });
    }
}

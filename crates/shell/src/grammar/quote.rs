//! Quoted text with rules of its own: `"…"` and `$'…'`.

use super::{Parser, Seg};

impl Parser<'_> {
    pub(super) fn double_quoted(&mut self, segs: &mut Vec<Seg>) {
        let mut text = String::new();
        loop {
            let Some(c) = self.peek() else {
                self.out.odd = true;
                break;
            };
            match c {
                '"' => {
                    self.pos += 1;
                    break;
                }
                '\\' => {
                    self.pos += 1;
                    match self.bump() {
                        Some('\n') => {}
                        Some(c @ ('$' | '`' | '"' | '\\')) => text.push(c),
                        Some(c) => {
                            text.push('\\');
                            text.push(c);
                        }
                        None => text.push('\\'),
                    }
                }
                '$' => {
                    if !text.is_empty() {
                        segs.push(Seg::Lit { text: std::mem::take(&mut text), quoted: true });
                    }
                    let seg = self.dollar(true);
                    segs.push(seg);
                }
                '`' => {
                    if !text.is_empty() {
                        segs.push(Seg::Lit { text: std::mem::take(&mut text), quoted: true });
                    }
                    let seg = self.backtick();
                    segs.push(seg);
                }
                _ => {
                    text.push(c);
                    self.bump();
                }
            }
        }
        segs.push(Seg::Lit { text, quoted: true });
    }

    /// `$'…'`, with the cursor after the quote.
    pub(super) fn ansi_c(&mut self) -> String {
        let mut text = String::new();
        while let Some(c) = self.bump() {
            match c {
                '\'' => return text,
                '\\' => match self.bump() {
                    Some('n') => text.push('\n'),
                    Some('t') => text.push('\t'),
                    Some('r') => text.push('\r'),
                    Some('e' | 'E') => text.push('\u{1b}'),
                    Some('a') => text.push('\u{7}'),
                    Some('b') => text.push('\u{8}'),
                    Some('x') => text.extend(self.number(16, 2)),
                    Some('u') => text.extend(self.number(16, 4)),
                    Some('U') => text.extend(self.number(16, 8)),
                    Some('0'..='7') => {
                        self.pos -= 1;
                        text.extend(self.number(8, 3));
                    }
                    Some(c) => text.push(c),
                    None => {}
                },
                _ => text.push(c),
            }
        }
        self.out.odd = true;
        text
    }

    fn number(&mut self, radix: u32, max: usize) -> Option<char> {
        let mut value = 0u32;
        for _ in 0..max {
            let Some(digit) = self.peek().and_then(|c| c.to_digit(radix)) else { break };
            value = value.wrapping_mul(radix).wrapping_add(digit);
            self.pos += 1;
        }
        char::from_u32(value)
    }
}

//! Puts a text into its plain form: without invisible characters and the backslashes of Markdown's underscores, with
//! full-width signs, odd blanks and HTML's quotes as plain ones, and with the pieces of a long word joined, as programs
//! (`"abc" + "def"`), shells (`abc\\` and a new line) and files (folded lines) write them. Owns where each of its
//! bytes was; finds no secret.

/// A text in its plain form, with the original position of each of its bytes.
pub(super) struct Reading {
    pub(super) text: String,
    /// For each stretch: its first byte, that byte in the original, and how many original bytes became one character.
    places: Vec<Place>,
}

struct Place {
    plain: usize,
    original: usize,
    /// The length of the original character whose plain form begins here; 0 for text that is the same in both.
    width: usize,
}

/// The fewest letters, digits or signs of a word's piece before and after a join.
const PIECE: usize = 8;

/// The least lengths of a line that continues on the next one without any mark but indentation, and of that next line.
const FOLDED: (usize, usize) = (40, 16);

impl Reading {
    /// Where the byte at `plain` was.
    pub(super) fn place(&self, plain: usize) -> usize {
        let place = self.at(plain);
        if place.width > 0 { place.original } else { place.original + (plain - place.plain) }
    }

    /// The end, in the original, of what is at `plain`.
    pub(super) fn end(&self, plain: usize) -> usize {
        let place = self.at(plain);
        if place.width > 0 { place.original + place.width } else { self.place(plain) + 1 }
    }

    fn at(&self, plain: usize) -> &Place {
        let after = self.places.partition_point(|place| place.plain <= plain);
        &self.places[after.saturating_sub(1)]
    }
}

/// `text` in its plain form; `None` if it already is.
pub(super) fn read(text: &str) -> Option<Reading> {
    let bytes = text.as_bytes();
    let mut reading =
        Reading { text: String::new(), places: vec![Place { plain: 0, original: 0, width: 0 }] };
    let mut copied = 0;
    let mut from = 0;
    // A word's pieces begin with one of these; the others are first bytes of what only looks like a sign.
    while let Some(at) = next(bytes, from) {
        let change = match bytes[at] {
            b'"' | b'\'' | b'\\' | b'\n' => {
                escaped_underscore(bytes, at).or_else(|| join(bytes, at)).map(|end| (end, None))
            }
            b'&' => quote(&bytes[at..]).map(|(length, sign)| (at + length, Some(sign))),
            _ => plain(&text[at..]).map(|(length, sign)| (at + length, sign)),
        };
        let Some((end, sign)) = change else {
            from = at + 1;
            continue;
        };
        reading.text.push_str(&text[copied..at]);
        if let Some(sign) = sign {
            reading.places.push(Place { plain: reading.text.len(), original: at, width: end - at });
            reading.text.push(sign);
        }
        reading.places.push(Place { plain: reading.text.len(), original: end, width: 0 });
        (copied, from) = (end, end);
    }
    if copied == 0 {
        return None;
    }
    reading.text.push_str(&text[copied..]);
    Some(reading)
}

fn next(bytes: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    rest.iter()
        .position(|b| matches!(b, b'"' | b'\'' | b'\\' | b'\n' | b'&' | 0xc2 | 0xe2 | 0xe3 | 0xef))
        .map(|at| from + at)
}

/// The plain form of the character at the start of `text`: its length, and its sign or nothing.
fn plain(text: &str) -> Option<(usize, Option<char>)> {
    let c = text.chars().next()?;
    let sign = match c {
        '\u{ad}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2064}'
        | '\u{feff}' => None,
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => Some(' '),
        // Full-width forms are the plain ones, in the same order.
        '\u{ff01}'..='\u{ff5e}' => Some(char::from_u32(u32::from(c) - 0xff01 + 0x21)?),
        _ => return None,
    };
    Some((c.len_utf8(), sign))
}

/// The quote that HTML writes in an attribute, such as JSON there: its length, and its sign.
fn quote(bytes: &[u8]) -> Option<(usize, char)> {
    const QUOTES: [(&[u8], char); 6] = [
        (b"&quot;", '"'),
        (b"&#34;", '"'),
        (b"&#x22;", '"'),
        (b"&apos;", '\''),
        (b"&#39;", '\''),
        (b"&#x27;", '\''),
    ];
    QUOTES
        .iter()
        .find(|(written, _)| bytes.starts_with(written))
        .map(|(written, sign)| (written.len(), *sign))
}

/// Where the underscore is that Markdown writes with a backslash before it, and JSON of Markdown with two.
fn escaped_underscore(bytes: &[u8], at: usize) -> Option<usize> {
    let escapes = bytes[at..].iter().take(4).take_while(|b| **b == b'\\').count();
    (escapes > 0 && bytes.get(at + escapes) == Some(&b'_')).then_some(at + escapes)
}

/// The end of what joins the piece that ends at `at` to the one behind it.
fn join(bytes: &[u8], at: usize) -> Option<usize> {
    let before = bytes[..at].iter().rev().take(FOLDED.0).take_while(|b| is_token(**b)).count();
    if before < PIECE {
        return None;
    }
    let blanks = |from: usize| {
        from + bytes[from..]
            .iter()
            .take(200)
            .take_while(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\n'))
            .count()
    };
    let run = |from: usize, most: usize| {
        bytes.get(from..).unwrap_or_default().iter().take(most).take_while(|b| is_token(**b)).count()
    };
    let after = |from: usize| run(from, FOLDED.1);
    let end = match bytes[at] {
        b'\\' if bytes.get(at + 1) == Some(&b'\n') => at + 2,
        b'\\' if bytes[at + 1..].starts_with(b"\r\n") => at + 3,
        quote @ (b'"' | b'\'') => {
            let sign = blanks(at + 1);
            let next = match bytes.get(sign)? {
                b'+' | b'.' | b'&' => blanks(sign + 1),
                // Two strings beside each other are one in some languages, where the second is on a line of its own.
                _ if bytes[at + 1..sign].contains(&b'\n') => sign,
                _ => return None,
            };
            let digit = |piece: &[u8]| piece.iter().any(u8::is_ascii_digit);
            // The digit may be anywhere in it.
            let piece = bytes.get(next + 1..next + 1 + run(next + 1, FOLDED.0)).filter(|piece| digit(piece));
            // Words beside each other are words.
            let is_key = piece.is_some() && digit(&bytes[at - before..at]);
            (bytes.get(next) == Some(&quote) && is_key).then_some(next + 1)?
        }
        b'\n' if before >= FOLDED.0 => {
            let next = blanks(at + 1);
            let piece = &bytes[next..next + after(next)];
            let mixed = piece.iter().any(u8::is_ascii_digit) && piece.iter().any(u8::is_ascii_uppercase);
            return (next > at + 1 && bytes[at + 1] != b'\n' && piece.len() >= FOLDED.1 && mixed)
                .then_some(next);
        }
        _ => return None,
    };
    (after(end) >= PIECE).then_some(end)
}

fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'+' | b'/' | b'=' | b'~')
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn a_text_is_read_in_its_plain_form_with_original_positions() {
        for (text, meant) in [
            ("p\u{200b}q\u{ad}r", "pqr"),
            ("a\u{a0}=\u{3000}b", "a = b"),
            ("ｋey：1", "key:1"),
            (r"a\_b\_\_c = \\_d", "a_b__c = _d"),
            ("<a b='{&quot;c&quot;:&#39;d&#x27;}'>", "<a b='{\"c\":'d'}'>"),
            ("x = \"abcdefg1\" + \"2jklmnop\";", "x = \"abcdefg12jklmnop\";"),
            ("x = (\"abcdefg1\"\n     \"2jklmnop\")", "x = (\"abcdefg12jklmnop\")"),
            ("x = \"abcdefg1\" + \"hijklmnopqrstuvwxyz2\"", "x = \"abcdefg1hijklmnopqrstuvwxyz2\""),
            ("abcdefgh\\\nijklmnop z", "abcdefghijklmnop z"),
        ] {
            let reading = read(text).map(|reading| reading.text);
            assert_eq!(reading.as_deref(), Some(meant), "{text}");
        }
        for text in [
            "plain",
            "[\"abcdefg1\", \"2jklmnop\"]",
            "cmd \"abcdefg1\" \"2jklmnop\"",
            "ä – 日本\n  x",
            "a\\\nb",
            r"C:\bin\x \d+\.y",
            "a && b & c &amp; d &quote;",
        ] {
            assert!(read(text).is_none(), "{text}");
        }
        let text = "ｋey：z";
        let reading = read(text).unwrap();
        let at = reading.text.find(':').unwrap();
        assert_eq!(&text[reading.place(at)..reading.end(at)], "：");
        assert_eq!(&text[reading.place(at + 1)..reading.end(at + 1)], "z");
    }
}

//! Splits one large JSON document into the elements of its list `messages`, so that such a file, too, is read in constant
//! memory. The document's `sessionId` is a piece of its own. Knows no agent beyond those two names, and doesn't parse the
//! elements.

use std::io::{self, Read};

use crate::lines::{CHUNK, Piece, append};

/// The longest name or session id.
const NAME_BYTES: usize = 256;

/// The elements of `messages` in a stream.
pub(crate) struct Document<R> {
    reader: R,
    bound: usize,
    chunk: Vec<u8>,
    taken: usize,
    piece: Vec<u8>,
    too_long: bool,
    taking: Taking,
    depth: u32,
    string: bool,
    escaped: bool,
    /// The last string at depth 1, and whether a colon followed it.
    word: Vec<u8>,
    name: Vec<u8>,
    after_colon: bool,
    in_messages: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Taking {
    Nothing,
    Word,
    Element,
}

impl<R: Read> Document<R> {
    /// Elements of at most `bound` bytes.
    pub(crate) fn new(reader: R, bound: usize) -> Self {
        Self {
            reader,
            bound,
            chunk: Vec::with_capacity(CHUNK),
            taken: 0,
            piece: Vec::new(),
            too_long: false,
            taking: Taking::Nothing,
            depth: 0,
            string: false,
            escaped: false,
            word: Vec::new(),
            name: Vec::new(),
            after_colon: false,
            in_messages: false,
        }
    }

    /// The piece that [`Self::next`] announced.
    pub(crate) fn piece(&self) -> &[u8] {
        &self.piece
    }

    /// The next piece; `None` at the end of the stream.
    pub(crate) fn next(&mut self) -> io::Result<Option<Piece>> {
        self.piece.clear();
        loop {
            if self.taken == self.chunk.len() {
                self.taken = 0;
                self.chunk.resize(CHUNK, 0);
                let read = self.reader.read(&mut self.chunk);
                self.chunk.truncate(read.as_ref().copied().unwrap_or(0));
                if read? == 0 {
                    let open = self.taking == Taking::Element;
                    self.taking = Taking::Nothing;
                    self.piece.clear();
                    return Ok(open.then_some(Piece::Open));
                }
            }
            let byte = self.chunk[self.taken];
            self.taken += 1;
            if let Some(piece) = self.step(byte) {
                return Ok(Some(piece));
            }
        }
    }

    fn keep(&mut self, byte: u8) {
        match self.taking {
            Taking::Word if self.word.len() < NAME_BYTES => self.word.push(byte),
            Taking::Element if self.piece.len() < self.bound => append(&mut self.piece, &[byte], self.bound),
            Taking::Element => self.too_long = true,
            Taking::Word | Taking::Nothing => {}
        }
    }

    fn step(&mut self, byte: u8) -> Option<Piece> {
        if self.string {
            return self.step_in_string(byte);
        }
        match byte {
            b'"' => {
                self.string = true;
                if self.depth == 1 {
                    self.taking = Taking::Word;
                    self.word.clear();
                } else {
                    self.keep(byte);
                }
            }
            b'{' | b'[' => {
                if self.depth == 1 {
                    self.in_messages = byte == b'[' && self.after_colon && self.name == b"messages";
                }
                if self.depth == 2 && self.in_messages && byte == b'{' {
                    self.taking = Taking::Element;
                    self.piece.clear();
                    self.too_long = false;
                }
                self.keep(byte);
                self.depth = self.depth.saturating_add(1);
            }
            b'}' | b']' => {
                self.keep(byte);
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 2 && self.taking == Taking::Element {
                    self.taking = Taking::Nothing;
                    if std::mem::take(&mut self.too_long) {
                        self.piece.clear();
                        return Some(Piece::TooLong);
                    }
                    return Some(Piece::Whole);
                }
                if self.depth == 1 {
                    self.in_messages = false;
                }
            }
            b':' if self.depth == 1 => {
                self.name = std::mem::take(&mut self.word);
                self.after_colon = true;
            }
            b',' if self.depth == 1 => self.after_colon = false,
            _ => self.keep(byte),
        }
        None
    }

    fn step_in_string(&mut self, byte: u8) -> Option<Piece> {
        if self.escaped {
            self.escaped = false;
            self.keep(byte);
        } else if byte == b'\\' {
            self.escaped = true;
            self.keep(byte);
        } else if byte == b'"' {
            self.string = false;
            if self.taking != Taking::Word {
                self.keep(byte);
                return None;
            }
            self.taking = Taking::Nothing;
            if self.after_colon && self.name == b"sessionId" && self.word.len() < NAME_BYTES {
                self.piece.clear();
                self.piece.extend_from_slice(b"{\"sessionId\":\"");
                self.piece.extend_from_slice(&self.word);
                self.piece.extend_from_slice(b"\"}");
                return Some(Piece::Whole);
            }
        } else {
            self.keep(byte);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn pieces(text: &[u8], bound: usize) -> Vec<(Piece, String)> {
        let mut document = Document::new(text, bound);
        let mut found = Vec::new();
        while let Some(piece) = document.next().unwrap() {
            found.push((piece, String::from_utf8_lossy(document.piece()).into_owned()));
        }
        found
    }

    #[test]
    fn elements_and_the_session() {
        let text = br#" { "sessionId" : "s-1", "x": {"messages": [{"no": 1}]}, "messages": [
            {"id":"a","t":"}]\"{","l":[{"messages":[{}]}]}, 7, {"id":"b"} ], "y": [{"no":2}] } "#;
        let wanted = [
            (Piece::Whole, "{\"sessionId\":\"s-1\"}".to_owned()),
            (Piece::Whole, r#"{"id":"a","t":"}]\"{","l":[{"messages":[{}]}]}"#.to_owned()),
            (Piece::Whole, "{\"id\":\"b\"}".to_owned()),
        ];
        assert_eq!(pieces(text, 1000), wanted);
    }

    #[test]
    fn long_and_cut_elements() {
        let text = br#"{"messages":[{"id":"a long one indeed"},{"id":"b"},{"id":"c"#;
        let kinds: Vec<Piece> = pieces(text, 12).into_iter().map(|(piece, _)| piece).collect();
        assert_eq!(kinds, [Piece::TooLong, Piece::Whole, Piece::Open]);
    }

    proptest! {
        #[test]
        fn any_bytes_give_bounded_pieces(bytes in proptest::collection::vec(prop_oneof![Just(b'{'), Just(b'}'), Just(b'['), Just(b'"'), Just(b'\\'), Just(b':'), any::<u8>()], 0..400)) {
            for (piece, text) in pieces(&bytes, 50) {
                prop_assert!(text.len() <= 150, "{piece:?}");
            }
        }
    }
}

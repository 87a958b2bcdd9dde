//! Patterns in filters: `*` matches anything, including `/`; `?` matches one character; everything else matches
//! itself.

/// A part of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece {
    /// One character.
    Exactly(char),
    /// Any one character.
    One,
    /// Any number of characters.
    Many,
}

/// A pattern, or a plain text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glob(Vec<Piece>);

impl Glob {
    /// Parses a pattern; every text is one.
    pub fn new(text: &str) -> Self {
        let mut pieces = Vec::with_capacity(text.len());
        for c in text.chars() {
            let piece = match c {
                '*' => Piece::Many,
                '?' => Piece::One,
                c => Piece::Exactly(c),
            };
            if piece != Piece::Many || pieces.last() != Some(&Piece::Many) {
                pieces.push(piece);
            }
        }
        Self(pieces)
    }

    /// A pattern that matches this text literally.
    pub fn literal(text: &str) -> Self {
        Self(text.chars().map(Piece::Exactly).collect())
    }

    /// Its parts.
    pub fn pieces(&self) -> &[Piece] {
        &self.0
    }

    /// The text, if the pattern has no wildcards.
    pub fn plain(&self) -> Option<String> {
        self.0.iter().map(|piece| if let Piece::Exactly(c) = piece { Some(*c) } else { None }).collect()
    }

    /// Whether the whole text matches. Takes time proportional to the product of both lengths at most.
    pub fn matches(&self, text: &str) -> bool {
        let text: Vec<char> = text.chars().collect();
        let (mut p, mut t) = (0, 0);
        let mut back: Option<(usize, usize)> = None;
        while t < text.len() {
            match self.0.get(p) {
                Some(Piece::Many) => {
                    back = Some((p, t));
                    p += 1;
                }
                Some(Piece::One) => (p, t) = (p + 1, t + 1),
                Some(Piece::Exactly(c)) if *c == text[t] => (p, t) = (p + 1, t + 1),
                _ => match back {
                    Some((star, from)) => {
                        back = Some((star, from + 1));
                        (p, t) = (star + 1, from + 1);
                    }
                    None => return false,
                },
            }
        }
        self.0[p..].iter().all(|piece| *piece == Piece::Many)
    }
}

#[cfg(test)]
mod tests {
    use super::Glob;

    #[test]
    fn patterns() {
        for (pattern, text, fits) in [
            ("src/*.rs", "src/main.rs", true),
            ("src/*.rs", "src/deep/main.rs", true),
            ("src/*.rs", "lib/main.rs", false),
            ("*", "", true),
            ("**a**", "xxa", true),
            ("a?c", "aéc", true),
            ("a?c", "ac", false),
            ("[ab]", "[ab]", true),
            ("[ab]", "a", false),
            ("*.md", "notes.md.bak", false),
            ("", "", true),
            ("", "a", false),
        ] {
            assert_eq!(Glob::new(pattern).matches(text), fits, "{pattern} {text}");
        }
        assert!(Glob::literal("a*").matches("a*") && !Glob::literal("a*").matches("ab"));
    }
}

//! Normalises a text and splits it into words before tokenisation.

use ranking::words::is_cjk;
use serde_json::Value;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The rest of a longer text is ignored; no model reads more.
const MAX_BYTES: usize = 64 << 10;

/// The normalisation steps and the word boundaries.
#[derive(Debug, Default)]
pub(super) struct Normalizer {
    steps: Vec<Step>,
    cuts: Vec<Boundary>,
}

#[derive(Debug)]
enum Step {
    Bert { chinese: bool },
    Lower,
    Accents,
    Composed,
    Compatible,
    Trimmed,
    Prepend(String),
    Replace(String, String),
}

#[derive(Debug)]
enum Boundary {
    /// At white space, with punctuation as separate words.
    Bert,
    White,
    Meta(String),
}

impl Normalizer {
    /// Parses both parts of a file.
    ///
    /// # Errors
    /// The unsupported kind.
    pub(super) fn read(normalizer: &Value, pre: &Value) -> Result<Self, String> {
        let mut out = Self::default();
        out.step(normalizer, 0)?;
        out.cut(pre, 0)?;
        Ok(out)
    }

    fn step(&mut self, about: &Value, deep: u8) -> Result<(), String> {
        let Some(kind) = about["type"].as_str() else { return Ok(()) };
        match kind {
            "Sequence" if deep < 8 => {
                for one in about["normalizers"].as_array().into_iter().flatten() {
                    self.step(one, deep + 1)?;
                }
            }
            "BertNormalizer" => {
                let on = |key: &str| about[key].as_bool();
                let lower = on("lowercase").unwrap_or(true);
                self.steps.push(Step::Bert { chinese: on("handle_chinese_chars").unwrap_or(true) });
                if on("strip_accents").unwrap_or(lower) {
                    self.steps.push(Step::Accents);
                }
                if lower {
                    self.steps.push(Step::Lower);
                }
            }
            "Lowercase" => self.steps.push(Step::Lower),
            "StripAccents" => self.steps.push(Step::Accents),
            "NFC" | "NFD" => self.steps.push(Step::Composed),
            // SentencePiece's table is nearly the same.
            "NFKC" | "NFKD" | "Precompiled" => self.steps.push(Step::Compatible),
            "Strip" => self.steps.push(Step::Trimmed),
            "Prepend" => self.steps.push(Step::Prepend(text(about, "prepend"))),
            "Replace" => match about["pattern"]["String"].as_str().filter(|old| !old.is_empty()) {
                Some(old) => self.steps.push(Step::Replace(old.to_owned(), text(about, "content"))),
                // Runs of blanks are one boundary in any case.
                None if about["pattern"]["Regex"].as_str() == Some(" {2,}") => {}
                None => return Err("its normalizer Replace with a pattern isn't supported".into()),
            },
            other => return Err(format!("its normalizer {other} isn't supported")),
        }
        Ok(())
    }

    fn cut(&mut self, about: &Value, deep: u8) -> Result<(), String> {
        let Some(kind) = about["type"].as_str() else { return Ok(()) };
        match kind {
            "Sequence" if deep < 8 => {
                for one in about["pretokenizers"].as_array().into_iter().flatten() {
                    self.cut(one, deep + 1)?;
                }
            }
            "BertPreTokenizer" | "Whitespace" | "Punctuation" => self.cuts.push(Boundary::Bert),
            "WhitespaceSplit" => self.cuts.push(Boundary::White),
            "Metaspace" => {
                let sign = about["replacement"].as_str().filter(|sign| !sign.is_empty());
                self.cuts.push(Boundary::Meta(sign.unwrap_or("▁").to_owned()));
            }
            other => return Err(format!("its pre-tokenizer {other} isn't supported")),
        }
        Ok(())
    }

    /// The words of a text.
    pub(super) fn words(&self, text: &str) -> Vec<String> {
        let mut text = text[..text.floor_char_boundary(MAX_BYTES)].to_owned();
        for step in &self.steps {
            text = step.of(&text);
        }
        if self.cuts.is_empty() {
            return segments(&text);
        }
        let mut words = vec![text];
        for cut in &self.cuts {
            words = words.iter().flat_map(|word| cut.of(word)).collect();
        }
        words
    }
}

fn text(about: &Value, key: &str) -> String {
    about[key].as_str().unwrap_or_default().to_owned()
}

impl Step {
    fn of(&self, text: &str) -> String {
        match self {
            Self::Bert { chinese } => {
                let mut out = String::with_capacity(text.len());
                for c in text.chars().filter(|c| *c != '\u{fffd}' && (!c.is_control() || c.is_whitespace())) {
                    if *chinese && is_cjk(c) {
                        out.extend([' ', c, ' ']);
                    } else {
                        out.push(if c.is_whitespace() { ' ' } else { c });
                    }
                }
                out
            }
            Self::Lower => text.to_lowercase(),
            Self::Accents => text.nfd().filter(|c| !is_combining_mark(*c)).collect(),
            Self::Composed => text.nfc().collect(),
            Self::Compatible => text.nfkc().collect(),
            Self::Trimmed => text.trim().to_owned(),
            Self::Prepend(sign) => format!("{sign}{text}"),
            Self::Replace(old, new) => text.replace(old, new),
        }
    }
}

impl Boundary {
    fn of(&self, text: &str) -> Vec<String> {
        match self {
            Self::White => text.split_whitespace().map(str::to_owned).collect(),
            Self::Meta(sign) => text.split_whitespace().map(|word| format!("{sign}{word}")).collect(),
            Self::Bert => {
                let mut out: Vec<String> = Vec::new();
                let mut open = false;
                for c in text.chars() {
                    if c.is_whitespace() {
                        open = false;
                    } else if c.is_ascii_punctuation()
                        || (!c.is_alphanumeric() && !is_combining_mark(c) && !c.is_ascii())
                    {
                        out.push(c.into());
                        open = false;
                    } else {
                        match out.last_mut().filter(|_| open) {
                            Some(word) => word.push(c),
                            None => out.push(c.into()),
                        }
                        open = true;
                    }
                }
                out
            }
        }
    }
}

/// Splits a text before each `▁`, which begins a word: tokens never cross it.
fn segments(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut before = '▁';
    for c in text.chars() {
        match out.last_mut() {
            Some(last) if c != '▁' || before == '▁' => last.push(c),
            _ => out.push(c.into()),
        }
        before = c;
    }
    out
}

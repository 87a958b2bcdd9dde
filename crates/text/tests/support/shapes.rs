//! Shapes of secrets, generated for each case, so that no file contains anything that looks like one.

/// Numbers that look random and are the same for the same seed.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    pub(crate) fn next(&mut self) -> usize {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) as usize >> 1
    }

    fn of(&mut self, alphabet: &str, length: usize) -> String {
        let letters = alphabet.as_bytes();
        (0..length).map(|_| letters[self.next() % letters.len()] as char).collect()
    }
}

const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const DIGITS: &str = "0123456789";
const WORDS: &[&str] = &[
    "copper", "lantern", "orbit", "velvet", "harbour", "pickle", "saddle", "marble", "thunder", "willow",
    "cactus", "ember", "falcon", "glacier", "hazel", "indigo", "jungle", "kettle", "lemon", "meadow",
    "nectar", "otter",
];

/// Precedes a shape that is recognised by its lines alone.
pub(crate) const LINES_TELL: char = '¶';

/// A line of the fixture.
pub(crate) struct Shape {
    pub(crate) line: String,
}

/// A text with secrets in it.
pub(crate) struct Case {
    pub(crate) text: String,
    pub(crate) secrets: Vec<String>,
}

pub(crate) fn shapes(fixture: &str) -> Vec<Shape> {
    fixture
        .lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
        .map(|line| Shape { line: line.to_owned() })
        .collect()
}

impl Shape {
    pub(crate) fn throw(&self, dice: &mut Dice) -> Case {
        let mut text = String::new();
        let mut secrets = Vec::new();
        let mut begun = None;
        let mut rest = self.line.trim_start_matches(LINES_TELL);
        while let Some(c) = rest.chars().next() {
            rest = &rest[c.len_utf8()..];
            match c {
                '⟦' => begun = Some(text.len()),
                '⟧' => secrets.extend(begun.take().map(|at: usize| text[at..].to_owned())),
                '\\' if rest.starts_with('\\') && rest[1..].starts_with('n') => {
                    text.push_str("\\n");
                    rest = &rest[2..];
                }
                '\\' if rest.starts_with('n') => {
                    text.push('\n');
                    rest = &rest[1..];
                }
                '\\' if rest.starts_with("u001b") => {
                    text.push('\u{1b}');
                    rest = &rest[5..];
                }
                '\\' if rest.starts_with('t') => {
                    text.push('\t');
                    rest = &rest[1..];
                }
                '{' => match rest
                    .split_once('}')
                    .and_then(|(inside, after)| Some((made_up(inside, dice)?, after)))
                {
                    Some((made, after)) => {
                        text.push_str(&made);
                        rest = after;
                    }
                    None => text.push('{'),
                },
                c => text.push(c),
            }
        }
        secrets.extend(begun.map(|at| text[at..].to_owned()));
        // A key over several lines is as many secrets.
        let secrets = secrets
            .iter()
            .flat_map(|secret| secret.split(['\n', '\u{1b}']).flat_map(|part| part.split("\\n")))
            .filter(|secret| secret.len() > 2 && *secret != "[0m")
            .map(str::to_owned)
            .collect();
        Case { text, secrets }
    }
}

fn made_up(inside: &str, dice: &mut Dice) -> Option<String> {
    let (name, length) = inside.split_once(':').unwrap_or((inside, "0"));
    let length = length.parse().ok()?;
    let b62 = || format!("{LOWER}{UPPER}{DIGITS}");
    Some(match name {
        "" if inside.is_empty() => String::new(),
        "d" => dice.of("123456789", 1) + &dice.of(DIGITS, length - 1),
        "hex" => with_digit(dice, "0123456789abcdef", length),
        "HEX" => with_digit(dice, "0123456789ABCDEF", length),
        "b62" => with_digit(dice, &b62(), length),
        "b64" => with_digit(dice, &format!("{}+/", b62()), length),
        "url" => with_digit(dice, &format!("{0}{0}-_", b62()), length),
        "low" => with_digit(dice, &format!("{LOWER}{DIGITS}"), length),
        // Without a digit, as some are.
        "caps" => dice.of(UPPER, length),
        "up" => with_digit(dice, &format!("{UPPER}{DIGITS}"), length),
        "base32" => with_digit(dice, &format!("{UPPER}234567"), length),
        "pw" => {
            let middle = dice.of(&format!("{}!#%+=~^*", b62()), length - 3);
            dice.of(UPPER, 1) + &middle + &dice.of(DIGITS, 1) + &dice.of(LOWER, 1)
        }
        "word" => WORDS[dice.next() % WORDS.len()].to_owned(),
        "basic" => {
            let plain = format!("bob:{}{}", WORDS[dice.next() % WORDS.len()], dice.of(DIGITS, 3));
            base64(plain.as_bytes())
        }
        _ => return None,
    })
}

/// Begins and ends with a letter or a digit, and contains both.
fn with_digit(dice: &mut Dice, alphabet: &str, length: usize) -> String {
    loop {
        let made = dice.of(alphabet, length);
        let plain = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
        let mixed = made.bytes().filter(u8::is_ascii_digit).count()
            >= usize::from(length > 4) + usize::from(length > 16)
            && (length <= 4 || made.bytes().any(|b| b.is_ascii_alphabetic()));
        if plain(made.chars().next()) && plain(made.chars().last()) && mixed {
            return made;
        }
    }
}

fn base64(bytes: &[u8]) -> String {
    let alphabet = format!("{UPPER}{LOWER}{DIGITS}+/").into_bytes();
    let mut out = String::new();
    for three in bytes.chunks(3) {
        let all = (0..3).fold(0_usize, |all, i| all << 8 | usize::from(*three.get(i).unwrap_or(&0)));
        for i in 0..4 {
            out.push(if i <= three.len() { alphabet[all >> (18 - 6 * i) & 63] as char } else { '=' });
        }
    }
    out
}

impl Case {
    /// The start of a secret that is still in `text`: more than eight letters, or all of a short one.
    pub(crate) fn left_in(&self, text: &str) -> Option<&str> {
        self.secrets
            .iter()
            .map(|secret| &secret[..secret.floor_char_boundary(9.min(secret.len()))])
            .find(|begin| text.contains(begin))
    }
}

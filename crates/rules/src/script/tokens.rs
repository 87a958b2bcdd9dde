//! A light tokenizer for a dozen languages: strings, names, brackets and operators, without comments. It parses none of
//! them. If it loses its place (a quote in a regular expression), it recovers at the end of the line.

/// A token, as far as the analysis needs it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Token {
    /// A string's value. Interpolations keep their spelling.
    Str(String),
    /// A command that the language passes to a shell (backticks, `%x`, `qx`).
    Command(String),
    /// A list of words (`%w[…]`, `qw(…)`).
    Words(Vec<String>),
    /// A name with its path: `os.path.join`, `Command::new`, `.arg`.
    Name(String),
    Open(char),
    Close(char),
    Comma,
    Op(char),
    Newline,
}

/// A language's lexical features.
pub(crate) struct Surface {
    pub(crate) hash_comments: bool,
    pub(crate) slash_comments: bool,
    /// `'…'` is a string.
    pub(crate) single: bool,
    /// The meaning of `` `…` ``.
    pub(crate) backtick: Backtick,
    /// `/…/` may be a regular expression.
    pub(crate) regex: bool,
    /// `"""…"""` and `'''…'''`.
    pub(crate) triple: bool,
    /// `%x(…)`, `%w(…)` or `qx(…)`, `qw(…)`, `q(…)`.
    pub(crate) percent: bool,
    pub(crate) q: bool,
    /// `"…"` and `'…'` may span lines.
    pub(crate) multiline: bool,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Backtick {
    Nothing,
    Text,
    Raw,
    Shell,
}

/// The features of `language`; an unknown language gets the most common ones.
pub(crate) fn surface(language: &str) -> Surface {
    let mut s = Surface {
        hash_comments: false,
        slash_comments: false,
        single: true,
        backtick: Backtick::Nothing,
        regex: false,
        triple: false,
        percent: false,
        q: false,
        multiline: false,
    };
    match language {
        "javascript" => (s.slash_comments, s.regex, s.backtick) = (true, true, Backtick::Text),
        "python" => (s.hash_comments, s.triple) = (true, true),
        "ruby" => {
            (s.hash_comments, s.regex, s.backtick, s.percent, s.multiline) =
                (true, true, Backtick::Shell, true, true);
        }
        "go" => (s.slash_comments, s.single, s.backtick) = (true, false, Backtick::Raw),
        "rust" => (s.slash_comments, s.single, s.multiline) = (true, false, true),
        "php" => {
            (s.hash_comments, s.slash_comments, s.backtick, s.multiline) =
                (true, true, Backtick::Shell, true);
        }
        "perl" => {
            (s.hash_comments, s.regex, s.backtick, s.q, s.multiline) =
                (true, true, Backtick::Shell, true, true);
        }
        "r" => (s.hash_comments, s.multiline) = (true, true),
        "elixir" => (s.hash_comments, s.triple, s.multiline) = (true, true, true),
        "csharp" => (s.slash_comments, s.single, s.triple) = (true, false, true),
        "awk" => (s.hash_comments, s.single, s.regex) = (true, false, true),
        _ => (s.hash_comments, s.slash_comments) = (language != "lua", language != "lua"),
    }
    s
}

struct Cursor<'a> {
    src: &'a str,
    pos: usize,
}

impl Cursor<'_> {
    fn rest(&self) -> &str {
        self.src.get(self.pos..).unwrap_or("")
    }
    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }
    fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.pos += c.len_utf8();
        Some(c)
    }
    fn eat(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        if found {
            self.pos += text.len();
        }
        found
    }
    fn skip_to(&mut self, text: &str) {
        self.pos += self.rest().find(text).map_or(self.rest().len(), |at| at + text.len());
    }
    fn skip_line(&mut self) {
        self.pos += self.rest().find('\n').unwrap_or(self.rest().len());
    }

    /// A string up to `close`. `escapes`: a backslash escapes the next character; `lines`: it may contain newlines.
    fn text(&mut self, close: &str, escapes: bool, lines: bool) -> String {
        let mut text = String::new();
        while self.pos < self.src.len() {
            if self.eat(close) {
                return text;
            }
            match self.bump() {
                Some('\n') if !lines => return text,
                Some('\\') if escapes => match self.bump() {
                    Some('n') => text.push('\n'),
                    Some('t') => text.push('\t'),
                    Some('r') => text.push('\r'),
                    Some('\n') | None => {}
                    Some('x') => text.extend(self.code(2)),
                    Some('u') if self.eat("{") => {
                        text.extend(self.code(6));
                        self.eat("}");
                    }
                    Some('u') => text.extend(self.code(4)),
                    Some(c) => text.push(c),
                },
                Some(c) => text.push(c),
                None => {}
            }
        }
        text
    }

    fn code(&mut self, max: usize) -> Option<char> {
        let mut value = 0u32;
        for _ in 0..max {
            let Some(digit) = self.peek().and_then(|c| c.to_digit(16)) else { break };
            value = value * 16 + digit;
            self.pos += 1;
        }
        char::from_u32(value)
    }

    /// Text between a bracket (already consumed) and its partner.
    fn bracketed(&mut self, open: char) -> String {
        let close = match open {
            '(' => ')',
            '[' => ']',
            '{' => '}',
            '<' => '>',
            other => other,
        };
        let mut depth = 1;
        let mut text = String::new();
        while let Some(c) = self.bump() {
            if c == close {
                depth -= 1;
                if depth == 0 {
                    break;
                }
            } else if c == open {
                depth += 1;
            }
            text.push(c);
        }
        text
    }
}

fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$' || c == '@'
}

/// The tokens of `code`.
pub(crate) fn tokens(surface: &Surface, code: &str) -> Vec<Token> {
    let mut at = Cursor { src: code, pos: 0 };
    let mut out: Vec<Token> = Vec::new();
    while let Some(c) = at.peek() {
        match c {
            '\n' => {
                at.bump();
                out.push(Token::Newline);
            }
            c if c.is_whitespace() => {
                at.bump();
            }
            '#' if surface.hash_comments => at.skip_line(),
            '/' if surface.slash_comments && at.rest().starts_with("//") => at.skip_line(),
            '/' if surface.slash_comments && at.rest().starts_with("/*") => at.skip_to("*/"),
            '/' if surface.regex && regex_due(out.last()) => {
                at.bump();
                regex(&mut at);
            }
            '"' | '\'' => {
                let triple = if c == '"' { "\"\"\"" } else { "'''" };
                if surface.triple && at.eat(triple) {
                    out.push(Token::Str(at.text(triple, true, true)));
                } else if c == '"' || surface.single {
                    at.bump();
                    let close = c.to_string();
                    out.push(Token::Str(at.text(&close, true, surface.multiline)));
                } else {
                    // A character literal or a lifetime.
                    at.bump();
                    if at.eat("\\") || at.src.get(at.pos..).is_some_and(|r| r.chars().nth(1) == Some('\'')) {
                        at.bump();
                        at.eat("'");
                    }
                }
            }
            '`' => {
                at.bump();
                match surface.backtick {
                    Backtick::Text => out.push(Token::Str(at.text("`", true, true))),
                    Backtick::Raw => out.push(Token::Str(at.text("`", false, true))),
                    Backtick::Shell => out.push(Token::Command(at.text("`", true, true))),
                    Backtick::Nothing => {}
                }
            }
            '%' if surface.percent && percent(&mut at, &mut out) => {}
            '~' if at.rest().starts_with("~s")
                || at.rest().starts_with("~c")
                || at.rest().starts_with("~w") =>
            {
                at.pos += 2;
                if let Some(open) = at.peek().filter(|c| "([{<|/\"'".contains(*c)) {
                    at.bump();
                    out.push(Token::Str(at.bracketed(open)));
                }
            }
            '(' | '[' | '{' => {
                at.bump();
                out.push(Token::Open(c));
            }
            ')' | ']' | '}' => {
                at.bump();
                out.push(Token::Close(c));
            }
            ',' => {
                at.bump();
                out.push(Token::Comma);
            }
            c if is_name_char(c) || c == '.' || c == ':' => name(&mut at, surface, &mut out),
            c => {
                at.bump();
                out.push(Token::Op(c));
            }
        }
    }
    out
}

fn regex_due(last: Option<&Token>) -> bool {
    match last {
        None | Some(Token::Open(_) | Token::Comma | Token::Op(_) | Token::Newline) => true,
        Some(Token::Name(name)) => {
            matches!(name.as_str(), "return" | "if" | "unless" | "when" | "and" | "or" | "not")
        }
        _ => false,
    }
}

fn regex(at: &mut Cursor<'_>) {
    let mut class = false;
    while let Some(c) = at.peek() {
        if c == '\n' {
            return;
        }
        at.bump();
        match c {
            '\\' => {
                at.bump();
            }
            '[' => class = true,
            ']' => class = false,
            '/' if !class => return,
            _ => {}
        }
    }
}

fn percent(at: &mut Cursor<'_>, out: &mut Vec<Token>) -> bool {
    let mut chars = at.rest().chars().skip(1);
    let (kind, open) = (chars.next(), chars.next());
    match (kind, open) {
        (Some(kind @ ('x' | 'w' | 'W' | 'q' | 'Q' | 'i')), Some(open)) if "([{<|/!".contains(open) => {
            at.pos += 3;
            quoted(kind, open, at, out);
            true
        }
        _ => false,
    }
}

fn quoted(kind: char, open: char, at: &mut Cursor<'_>, out: &mut Vec<Token>) {
    let text = at.bracketed(open);
    out.push(match kind {
        'x' => Token::Command(text),
        'w' | 'W' | 'i' => Token::Words(text.split_whitespace().map(str::to_owned).collect()),
        _ => Token::Str(text),
    });
}

fn name(at: &mut Cursor<'_>, surface: &Surface, out: &mut Vec<Token>) {
    let start = at.pos;
    loop {
        match at.peek() {
            Some(c) if is_name_char(c) || c == '.' => {
                at.bump();
            }
            Some(':') if at.rest().starts_with("::") || at.pos == start => {
                if !at.eat("::") {
                    at.bump();
                }
            }
            Some('-') if at.rest().starts_with("->") => at.pos += 2,
            // `File.read!`, `println!`, `?` of Ruby; but not `!=`.
            Some('!' | '?') if at.pos > start && !at.rest().starts_with("!=") => {
                at.bump();
                break;
            }
            _ => break,
        }
    }
    let text = at.src.get(start..at.pos).unwrap_or("").to_owned();
    let next = at.peek();
    // String prefixes: r"…", b'…', f"…", r#"…"#, @"…", $"…".
    let is_prefix = text.len() <= 3 && text.chars().all(|c| "rRbBfFuUcC@$".contains(c));
    if is_prefix && (matches!(next, Some('"')) || (surface.single && matches!(next, Some('\'')))) {
        let raw = text.contains(['r', 'R', '@']);
        let quote = if next == Some('"') { '"' } else { '\'' };
        let triple: String = std::iter::repeat_n(quote, 3).collect();
        let value = if surface.triple && at.eat(&triple) {
            at.text(&triple, !raw, true)
        } else {
            at.bump();
            at.text(&quote.to_string(), !raw, surface.multiline || raw)
        };
        out.push(Token::Str(value));
        return;
    }
    if matches!(text.as_str(), "r" | "br") && at.rest().starts_with('#') {
        let hashes = at.rest().chars().take_while(|c| *c == '#').count();
        if at.rest().chars().nth(hashes) == Some('"') {
            at.pos += hashes + 1;
            let close = format!("\"{}", "#".repeat(hashes));
            out.push(Token::Str(at.text(&close, false, true)));
            return;
        }
    }
    if surface.q && matches!(text.as_str(), "q" | "qq" | "qw" | "qx") {
        let skipped = at.rest().chars().take_while(|c| *c == ' ').count();
        if let Some(open) = at.rest().chars().nth(skipped).filter(|c| "([{<|/!".contains(*c)) {
            at.pos += skipped + 1;
            let kind = text.chars().last().unwrap_or('q');
            quoted(kind, open, at, out);
            return;
        }
    }
    if text.is_empty() {
        at.bump();
    } else if text == ":" {
        out.push(Token::Op(':'));
    } else {
        out.push(Token::Name(text));
    }
}

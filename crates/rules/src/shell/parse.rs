//! The grammar of the shell, as far as it decides which programs are started with which words.
//!
//! One cursor walks the text once; what is nested (`$( )`, `( )`, backticks, here-documents) is parsed where
//! it stands. The result is a flat list of steps. Nothing is expanded here and nothing is judged. The parser
//! never fails: what a shell would refuse is read as well as it can be, and marked as odd.

/// How deep substitutions, subshells and scripts in scripts may nest before a command is given up as
/// something that cannot be taken apart.
pub(crate) const MAX_DEPTH: usize = 40;

/// A piece of a word.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Seg {
    /// Text that stands for itself.
    Lit { text: String, quoted: bool },
    /// `$NAME`, with the text it has when unset (`${NAME:-text}`).
    Var { name: String, default: Option<String>, quoted: bool },
    /// Something whose value cannot be known; the text as written.
    Opaque(String),
}

/// One word before expansion.
#[derive(Debug, Clone, Default)]
pub(crate) struct Word {
    pub(crate) segs: Vec<Seg>,
    pub(crate) raw: String,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum RedirKind {
    In,
    Out,
    Both,
    HereString,
}

#[derive(Debug, Clone)]
pub(crate) struct Redir {
    pub(crate) kind: RedirKind,
    pub(crate) word: Word,
}

/// A simple command.
#[derive(Debug, Clone, Default)]
pub(crate) struct Simple {
    pub(crate) raw: String,
    pub(crate) assigns: Vec<(String, Word)>,
    pub(crate) words: Vec<Word>,
    pub(crate) redirs: Vec<Redir>,
    /// Indices into [`Script::bodies`].
    pub(crate) heredocs: Vec<usize>,
    /// Its input is the output of the command before it.
    pub(crate) piped: bool,
}

#[derive(Debug, Clone)]
pub(crate) enum Step {
    /// A subshell begins: folder and variables are its own.
    Enter,
    Leave,
    /// A loop variable takes the words in turn.
    Loop {
        name: String,
        words: Vec<Word>,
    },
    Run(Simple),
}

/// A text taken apart.
#[derive(Debug, Default)]
pub(crate) struct Script {
    pub(crate) steps: Vec<Step>,
    pub(crate) bodies: Vec<String>,
    /// The whole text, and the text of each script inside it.
    pub(crate) chains: Vec<String>,
    pub(crate) too_deep: bool,
    /// A shell would read this otherwise or not at all.
    pub(crate) odd: bool,
}

pub(crate) fn parse(text: &str) -> Script {
    let mut parser = Parser { src: text, pos: 0, depth: 0, out: Script::default(), pending: Vec::new() };
    parser.out.chains.push(text.trim().to_owned());
    parser.list(End::Eof);
    parser.flush_heredocs();
    parser.out
}

#[derive(Clone, Copy, PartialEq)]
enum End {
    Eof,
    Paren,
    /// An arm of a `case`.
    Arm,
}

struct Pending {
    slot: usize,
    delimiter: String,
    strip_tabs: bool,
    literal: bool,
}

struct Parser<'a> {
    src: &'a str,
    pos: usize,
    depth: usize,
    out: Script,
    pending: Vec<Pending>,
}

fn is_blank(c: char) -> bool {
    c == ' ' || c == '\t' || c == '\r'
}

fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

impl Parser<'_> {
    fn rest(&self) -> &str {
        self.src.get(self.pos..).unwrap_or("")
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn starts(&self, text: &str) -> bool {
        self.rest().starts_with(text)
    }

    fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.pos += c.len_utf8();
        Some(c)
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.starts(text);
        if found {
            self.pos += text.len();
        }
        found
    }

    fn slice(&self, from: usize, to: usize) -> &str {
        self.src.get(from..to).unwrap_or("")
    }

    fn skip_blanks(&mut self) {
        loop {
            if self.peek().is_some_and(is_blank) {
                self.pos += 1;
            } else if !self.eat("\\\n") && !self.eat("\\\r\n") {
                return;
            }
        }
    }

    fn skip_comment(&mut self) {
        self.pos += self.rest().find('\n').unwrap_or(self.rest().len());
    }

    /// Goes one level down; `false` if that is too deep, and then nothing more is read.
    fn enter(&mut self) -> bool {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            self.out.too_deep = true;
            self.pos = self.src.len();
        }
        self.depth <= MAX_DEPTH
    }

    /// Parses `text`, which stands for itself, with the output going to the same place.
    fn nested(&mut self, text: &str, expansions_only: bool) {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            self.out.too_deep = true;
        } else {
            let out = std::mem::take(&mut self.out);
            let mut inner = Parser { src: text, pos: 0, depth: self.depth, out, pending: Vec::new() };
            if expansions_only {
                inner.expansions();
            } else {
                inner.out.chains.push(text.trim().to_owned());
                inner.list(End::Eof);
                inner.flush_heredocs();
            }
            self.out = inner.out;
        }
        self.depth -= 1;
    }

    /// Only what a here-document or an arithmetic expression would expand.
    fn expansions(&mut self) {
        while let Some(c) = self.peek() {
            match c {
                '\\' => {
                    self.bump();
                    self.bump();
                }
                '$' => {
                    self.dollar(true);
                }
                '`' => {
                    self.backtick();
                }
                _ => {
                    self.bump();
                }
            }
        }
    }

    fn flush_heredocs(&mut self) {
        for doc in std::mem::take(&mut self.pending) {
            let start = self.pos;
            let mut end = self.src.len();
            let mut next = self.src.len();
            let mut at = start;
            while at < self.src.len() {
                let line_end =
                    self.src.get(at..).and_then(|r| r.find('\n')).map_or(self.src.len(), |n| at + n);
                let line = self.slice(at, line_end).trim_end_matches('\r');
                let line = if doc.strip_tabs { line.trim_start_matches('\t') } else { line };
                if line == doc.delimiter {
                    end = at;
                    next = (line_end + 1).min(self.src.len());
                    break;
                }
                at = line_end + 1;
            }
            let body = self.slice(start, end).to_owned();
            self.pos = next;
            if !doc.literal {
                self.nested(&body, true);
            }
            if let Some(slot) = self.out.bodies.get_mut(doc.slot) {
                *slot = body;
            }
        }
    }

    fn list(&mut self, end: End) {
        let mut piped = false;
        loop {
            self.skip_blanks();
            let Some(c) = self.peek() else {
                self.out.odd |= end != End::Eof;
                return;
            };
            match c {
                '\n' => {
                    self.pos += 1;
                    self.flush_heredocs();
                    piped = false;
                }
                '#' => self.skip_comment(),
                ';' => {
                    self.pos += 1;
                    if self.starts(";") || self.starts("&") {
                        while self.eat(";") || self.eat("&") {}
                        if end == End::Arm {
                            return;
                        }
                    }
                    piped = false;
                }
                '&' if !self.starts("&>") => {
                    self.pos += 1;
                    self.eat("&");
                    piped = false;
                }
                '|' => {
                    self.pos += 1;
                    piped = !self.eat("|");
                    self.eat("&");
                }
                ')' => {
                    self.pos += 1;
                    if end == End::Paren {
                        return;
                    }
                    self.out.odd = true;
                }
                '(' => {
                    if !self.arithmetic("((") {
                        self.pos += 1;
                        self.subshell();
                    }
                    piped = false;
                }
                _ => {
                    if end == End::Arm && self.at_keyword("esac") {
                        return;
                    }
                    let before = self.pos;
                    self.command(piped);
                    piped = false;
                    if self.pos == before {
                        self.out.odd = true;
                        self.bump();
                    }
                }
            }
        }
    }

    /// The cursor is behind the opening parenthesis.
    fn subshell(&mut self) {
        if self.enter() {
            self.out.steps.push(Step::Enter);
            self.list(End::Paren);
            self.out.steps.push(Step::Leave);
        }
        self.depth -= 1;
    }

    /// Skips `((…))` or `$((…))` if that is what stands here, reading only the substitutions in it. As in
    /// the shell, it is arithmetic when the parenthesis that closes the inner one is followed by another.
    fn arithmetic(&mut self, opening: &str) -> bool {
        if !self.starts(opening) {
            return false;
        }
        let start = self.pos + opening.len();
        let mut depth = 1usize;
        let mut quote: Option<u8> = None;
        let mut escaped = false;
        let mut close = None;
        for (at, byte) in self.src.as_bytes().iter().enumerate().skip(start) {
            if escaped {
                escaped = false;
                continue;
            }
            match (quote, byte) {
                (_, b'\\') => escaped = true,
                (Some(q), b) if *b == q => quote = None,
                (Some(_), _) => {}
                (None, b'\'' | b'"') => quote = Some(*byte),
                (None, b'(') => depth += 1,
                (None, b')') => {
                    depth -= 1;
                    if depth == 0 {
                        close = Some(at);
                        break;
                    }
                }
                _ => {}
            }
        }
        let Some(close) = close else { return false };
        if self.src.as_bytes().get(close + 1) != Some(&b')') {
            return false;
        }
        let inner = self.slice(start, close).to_owned();
        self.pos = close + 2;
        if inner.contains(['$', '`']) {
            self.nested(&inner, true);
        }
        true
    }

    fn at_keyword(&self, word: &str) -> bool {
        self.rest().strip_prefix(word).is_some_and(|after| {
            after.chars().next().is_none_or(|c| c.is_whitespace() || ";&|()<>".contains(c))
        })
    }

    fn command(&mut self, piped: bool) {
        let mut simple = Simple { piped, ..Simple::default() };
        let mut start = self.pos;
        loop {
            self.skip_blanks();
            let Some(c) = self.peek() else { break };
            match c {
                '\n' | ';' | ')' | '|' => break,
                '&' if !self.starts("&>") => break,
                '#' => {
                    let end = self.pos;
                    self.skip_comment();
                    self.finish(simple, start, end);
                    return;
                }
                '(' => {
                    let after = self.pos
                        + 1
                        + self
                            .slice(self.pos + 1, self.src.len())
                            .chars()
                            .take_while(|c| is_blank(*c))
                            .count();
                    if simple.words.len() == 1 && self.slice(after, after + 1) == ")" {
                        // `name()`: the body that follows is read as the next command.
                        self.pos = after + 1;
                        return;
                    }
                    self.out.odd |= !simple.words.is_empty();
                    break;
                }
                '<' | '>' | '&' if !self.starts("<(") && !self.starts(">(") => self.redirection(&mut simple),
                '0'..='9' if self.at_numbered_redirection() => {
                    while self.peek().is_some_and(|c| c.is_ascii_digit()) {
                        self.pos += 1;
                    }
                    self.redirection(&mut simple);
                }
                _ => {
                    let word = self.word();
                    if word.raw.is_empty() {
                        break;
                    }
                    if simple.words.is_empty() {
                        if let Some(assign) = assignment(&word) {
                            simple.assigns.push(assign);
                            continue;
                        }
                        if simple.assigns.is_empty() {
                            match word.raw.as_str() {
                                "if" | "then" | "elif" | "else" | "while" | "until" | "do" | "!" | "{"
                                | "}" | "fi" | "done" | "esac" | "coproc" => {
                                    start = self.pos;
                                    continue;
                                }
                                "for" | "select" => return self.for_loop(),
                                "case" => return self.case(),
                                "function" => {
                                    self.skip_blanks();
                                    self.word();
                                    self.skip_blanks();
                                    if self.eat("(") {
                                        self.skip_blanks();
                                        self.eat(")");
                                    }
                                    start = self.pos;
                                    continue;
                                }
                                "[[" => {
                                    self.test(&mut simple, word);
                                    continue;
                                }
                                _ => {}
                            }
                        }
                    }
                    simple.words.push(word);
                }
            }
        }
        let end = self.pos;
        self.finish(simple, start, end);
    }

    fn finish(&mut self, mut simple: Simple, start: usize, end: usize) {
        if simple.words.is_empty() && simple.assigns.is_empty() && simple.redirs.is_empty() {
            return;
        }
        simple.raw = self.slice(start, end).trim().to_owned();
        self.out.steps.push(Step::Run(simple));
    }

    /// `[[ … ]]`, in which operators are words.
    fn test(&mut self, simple: &mut Simple, first: Word) {
        simple.words.push(first);
        loop {
            self.skip_blanks();
            match self.peek() {
                None => return,
                Some('\n') => {
                    self.pos += 1;
                    self.flush_heredocs();
                }
                Some(c) if "&|()<>;".contains(c) && !self.starts("<(") && !self.starts(">(") => {
                    self.pos += 1;
                }
                Some(_) => {
                    let word = self.word();
                    if word.raw.is_empty() {
                        self.bump();
                        continue;
                    }
                    let last = word.raw == "]]";
                    simple.words.push(word);
                    if last {
                        return;
                    }
                }
            }
        }
    }

    fn at_numbered_redirection(&self) -> bool {
        self.rest().trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(['<', '>'])
    }

    fn redirection(&mut self, simple: &mut Simple) {
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
        let copies =
            word.raw == "-" || (!word.raw.is_empty() && word.raw.chars().all(|c| c.is_ascii_digit()));
        if !copies {
            simple.redirs.push(Redir { kind, word });
        }
    }

    fn for_loop(&mut self) {
        self.skip_blanks();
        if self.arithmetic("((") {
            return;
        }
        let name = self.word().raw;
        let mut words = Vec::new();
        loop {
            self.skip_blanks();
            if matches!(self.peek(), None | Some('\n' | ';' | '&' | '|' | ')')) {
                break;
            }
            let before = self.pos;
            let word = self.word();
            if self.pos == before {
                self.bump();
                self.out.odd = true;
                continue;
            }
            if words.is_empty() && word.raw == "in" {
                continue;
            }
            words.push(word);
        }
        self.out.steps.push(Step::Loop { name, words });
    }

    fn case(&mut self) {
        if !self.enter() {
            self.depth -= 1;
            return;
        }
        self.skip_blanks();
        self.word();
        loop {
            // Up to the next pattern, over `in`, newlines and comments.
            loop {
                self.skip_blanks();
                match self.peek() {
                    Some('\n') => {
                        self.pos += 1;
                        self.flush_heredocs();
                    }
                    Some('#') => self.skip_comment(),
                    Some('i') if self.at_keyword("in") => self.pos += 2,
                    _ => break,
                }
            }
            if self.at_keyword("esac") {
                self.pos += 4;
                break;
            }
            self.eat("(");
            loop {
                self.skip_blanks();
                match self.peek() {
                    None => {
                        self.out.odd = true;
                        self.depth -= 1;
                        return;
                    }
                    Some(')') => {
                        self.pos += 1;
                        break;
                    }
                    Some(_) => {
                        let before = self.pos;
                        self.word();
                        if self.pos == before {
                            self.bump();
                        }
                    }
                }
            }
            self.list(End::Arm);
            if self.peek().is_none() {
                break;
            }
        }
        self.depth -= 1;
    }

    fn word(&mut self) -> Word {
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
                    self.pos += 2;
                    self.subshell();
                    flush(&mut segs, &mut plain);
                    segs.push(Seg::Opaque(self.slice(from, self.pos).to_owned()));
                }
                '(' => {
                    // Only the value of an array assignment goes on here.
                    if !self.slice(start, self.pos).ends_with('=') {
                        break;
                    }
                    let from = self.pos;
                    self.pos += 1;
                    self.array();
                    flush(&mut segs, &mut plain);
                    segs.push(Seg::Opaque(self.slice(from, self.pos).to_owned()));
                }
                '\\' => {
                    self.pos += 1;
                    match self.bump() {
                        Some('\n') => {}
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
        Word { segs, raw: self.slice(start, self.pos).to_owned() }
    }

    /// The words of `NAME=( … )`, for the substitutions in them.
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

    fn double_quoted(&mut self, segs: &mut Vec<Seg>) {
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

    /// `$'…'`, with the cursor behind the quote.
    fn ansi_c(&mut self) -> String {
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

    /// An expansion, with the cursor on the dollar.
    fn dollar(&mut self, quoted: bool) -> Seg {
        let start = self.pos;
        if self.arithmetic("$((") {
            return Seg::Opaque(self.slice(start, self.pos).to_owned());
        }
        self.pos += 1;
        match self.peek() {
            Some('(') => {
                self.pos += 1;
                let from = self.pos;
                self.subshell();
                let inner = self.slice(from, self.pos.saturating_sub(1)).trim().to_owned();
                self.out.chains.push(inner);
                Seg::Opaque(self.slice(start, self.pos).to_owned())
            }
            Some('{') => self.braced(start, quoted),
            Some(c) if c.is_ascii_alphabetic() || c == '_' => {
                let len = self.rest().find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
                let len = len.unwrap_or(self.rest().len());
                let name = self.slice(self.pos, self.pos + len).to_owned();
                self.pos += len;
                Seg::Var { name, default: None, quoted }
            }
            Some(c) if c.is_ascii_digit() || "@*#?$!-".contains(c) => {
                self.pos += 1;
                Seg::Opaque(self.slice(start, self.pos).to_owned())
            }
            _ => Seg::Lit { text: "$".to_owned(), quoted },
        }
    }

    fn braced(&mut self, start: usize, quoted: bool) -> Seg {
        let from = self.pos + 1;
        let mut depth = 1usize;
        let mut escaped = false;
        let mut single = false;
        let mut close = None;
        for (at, byte) in self.src.as_bytes().iter().enumerate().skip(from) {
            match byte {
                _ if escaped => escaped = false,
                b'\\' if !single => escaped = true,
                b'\'' if !quoted => single = !single,
                _ if single => {}
                b'{' => depth += 1,
                b'}' => {
                    depth -= 1;
                    if depth == 0 {
                        close = Some(at);
                        break;
                    }
                }
                _ => {}
            }
        }
        self.out.odd |= close.is_none();
        let end = close.unwrap_or(self.src.len());
        let inner = self.slice(from, end).to_owned();
        self.pos = (end + 1).min(self.src.len());
        if inner.contains(['$', '`']) {
            self.nested(&inner, true);
        }
        let name_len = inner.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(inner.len());
        let (name, operation) = inner.split_at(name_len);
        if is_name(name) {
            let default = match operation {
                "" => Some(None),
                _ => [":-", ":=", "-", "="]
                    .iter()
                    .find_map(|op| operation.strip_prefix(op))
                    .map(|d| Some(d.trim_matches(['"', '\'']).to_owned())),
            };
            if let Some(default) = default {
                return Seg::Var { name: name.to_owned(), default, quoted };
            }
        }
        Seg::Opaque(self.slice(start, self.pos).to_owned())
    }

    fn backtick(&mut self) -> Seg {
        let start = self.pos;
        self.pos += 1;
        let mut inner = String::new();
        let mut closed = false;
        while let Some(c) = self.bump() {
            match c {
                '`' => {
                    closed = true;
                    break;
                }
                '\\' => match self.bump() {
                    Some(c @ ('`' | '\\' | '$')) => inner.push(c),
                    Some(c) => {
                        inner.push('\\');
                        inner.push(c);
                    }
                    None => inner.push('\\'),
                },
                _ => inner.push(c),
            }
        }
        self.out.odd |= !closed;
        self.out.steps.push(Step::Enter);
        self.nested(&inner, false);
        self.out.steps.push(Step::Leave);
        Seg::Opaque(self.slice(start, self.pos).to_owned())
    }
}

fn flush(segs: &mut Vec<Seg>, plain: &mut String) {
    if !plain.is_empty() {
        segs.push(Seg::Lit { text: std::mem::take(plain), quoted: false });
    }
}

/// `NAME=value` or `NAME+=value`, with the name unquoted.
fn assignment(word: &Word) -> Option<(String, Word)> {
    let Some(Seg::Lit { text, quoted: false }) = word.segs.first() else { return None };
    let (name, value) = text.split_once('=')?;
    let bare = name.strip_suffix('+').unwrap_or(name);
    let bare = bare.split('[').next().unwrap_or(bare);
    if !is_name(bare) {
        return None;
    }
    let mut segs = word.segs.clone();
    if name.ends_with('+') || name.contains('[') {
        segs.insert(0, Seg::Opaque(String::new()));
    }
    let first = segs.iter_mut().find(|s| matches!(s, Seg::Lit { .. }))?;
    *first = Seg::Lit { text: value.to_owned(), quoted: false };
    let raw = word.raw.split_once('=').map_or(String::new(), |(_, v)| v.to_owned());
    Some((bare.to_owned(), Word { segs, raw }))
}

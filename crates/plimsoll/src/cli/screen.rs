//! The terminal: plain words, colours only where somebody sees them, a quiet end when the reader goes away.
//! Knows nothing of what is said.
//!
//! Everything that is printed goes through here, and most of it was written by others: pages, outputs, names. The law: what
//! reaches a terminal holds nothing that a terminal obeys but our own colours; what reaches a pipe or a file is as it was
//! stored, byte by byte.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How a command ended, as `--help` documents it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done.
    Done = 0,
    /// Failed.
    Failed = 1,
    /// Not understood.
    Usage = 2,
    /// Nothing was found.
    Nothing = 3,
    /// A person must do something.
    NeedsYou = 4,
}

/// Why a command stopped early.
#[derive(Debug)]
pub(crate) enum Stop {
    /// With a message for the person.
    Said(Exit, String),
    /// The reader of our output went away; there is nobody to tell.
    Gone,
}

impl Stop {
    /// A failure.
    pub(crate) fn failed(message: impl Into<String>) -> Self {
        Self::Said(Exit::Failed, message.into())
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::Gone,
            _ => Self::failed(error.to_string()),
        }
    }
}

impl From<contract::Error> for Stop {
    fn from(error: contract::Error) -> Self {
        use contract::ErrorCode;
        let exit = match error.code {
            ErrorCode::InvalidArgument | ErrorCode::UnknownTool => Exit::Usage,
            ErrorCode::NotFound => Exit::Nothing,
            ErrorCode::Ask | ErrorCode::ConfirmationNeeded => Exit::NeedsYou,
            _ => Exit::Failed,
        };
        Self::Said(exit, error.message.to_string())
    }
}

/// The result of a command.
pub(crate) type Ended = Result<Exit, Stop>;

/// Something said in a colour, when colours are on.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Tone {
    /// Fine.
    Good,
    /// Needs the person.
    Attention,
    /// Broken.
    Bad,
    /// Secondary.
    Quiet,
    /// A heading.
    Strong,
}

/// What stands for a colour until it is written, and its code. The characters are none of any text; where somebody puts
/// them in one all the same, they get a colour.
const TONES: [(char, &str); 5] = [
    ('\u{fdd0}', "\x1b[32m"),
    ('\u{fdd1}', "\x1b[33m"),
    ('\u{fdd2}', "\x1b[31m"),
    ('\u{fdd3}', "\x1b[2m"),
    ('\u{fdd4}', "\x1b[1m"),
];
/// What ends a colour.
const PLAIN: char = '\u{fdd5}';

/// `text` with its colours as a terminal knows them.
fn coloured(text: Cow<'_, str>) -> Cow<'_, str> {
    if !text.contains(|c| matches!(c, '\u{fdd0}'..='\u{fdd5}')) {
        return text;
    }
    let code = |c| TONES.iter().find(|(tone, _)| *tone == c).map(|(_, code)| *code);
    let mut out = String::with_capacity(text.len() + 32);
    for c in text.chars() {
        match code(c) {
            Some(code) => out.push_str(code),
            None if c == PLAIN => out.push_str("\x1b[0m"),
            None => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// A message on standard error, under the same law.
pub(crate) fn complain(message: &str) {
    if io::stderr().is_terminal() {
        eprintln!("{}", coloured(text::for_terminal(message)));
    } else {
        eprintln!("{message}");
    }
}

/// A writer of whole lines.
struct Lines<W: Write> {
    out: W,
    terminal: bool,
    waiting: Vec<u8>,
}

impl<W: Write> Write for Lines<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.terminal {
            return self.out.write(bytes);
        }
        self.waiting.extend_from_slice(bytes);
        if let Some(end) = self.waiting.iter().rposition(|byte| *byte == b'\n') {
            let rest = self.waiting.split_off(end + 1);
            let whole = std::mem::replace(&mut self.waiting, rest);
            self.out.write_all(text::for_terminal(&String::from_utf8_lossy(&whole)).as_bytes())?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let rest = std::mem::take(&mut self.waiting);
        self.out.write_all(text::for_terminal(&String::from_utf8_lossy(&rest)).as_bytes())?;
        self.out.flush()
    }
}

/// Where words go.
pub(crate) struct Screen {
    out: io::Stdout,
    terminal: bool,
    colours: bool,
    input_is_person: bool,
    progress: bool,
}

impl Screen {
    /// The process's own terminal. `no_colour` is whether the person asked for none.
    pub(crate) fn new(no_colour: bool, dumb: bool) -> Self {
        let out = io::stdout();
        let terminal = out.is_terminal();
        Self {
            colours: terminal && !no_colour && !dumb,
            input_is_person: terminal && io::stdin().is_terminal(),
            progress: io::stderr().is_terminal() && !dumb,
            terminal,
            out,
        }
    }

    /// What is written for `text`.
    fn written<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if self.terminal { coloured(text::for_terminal(text)) } else { Cow::Borrowed(text) }
    }

    /// Where a large export goes, line by line under the same law.
    pub(crate) fn writer(&self) -> impl Write {
        Lines { out: self.out.lock(), terminal: self.terminal, waiting: Vec::new() }
    }

    /// Whether a person can be asked.
    pub(crate) fn can_ask(&self) -> bool {
        self.input_is_person
    }

    /// One line.
    pub(crate) fn line(&self, text: impl AsRef<str>) -> Result<(), Stop> {
        let mut out = self.out.lock();
        out.write_all(self.written(text.as_ref()).as_bytes())?;
        out.write_all(b"\n")?;
        Ok(out.flush()?)
    }

    /// Text as it is; its lines end as they end.
    pub(crate) fn text(&self, text: &str) -> Result<(), Stop> {
        let mut out = self.out.lock();
        out.write_all(self.written(text).as_bytes())?;
        Ok(out.flush()?)
    }

    /// Data for a program.
    pub(crate) fn json(&self, value: &impl serde::Serialize) -> Result<(), Stop> {
        let text = serde_json::to_string_pretty(value).map_err(|error| Stop::failed(error.to_string()))?;
        self.line(text)
    }

    /// `text` in a tone.
    pub(crate) fn tone(&self, tone: Tone, text: &str) -> String {
        if !self.colours || text.is_empty() {
            return text.to_owned();
        }
        let begins = TONES[tone as usize].0;
        format!("{begins}{text}{PLAIN}")
    }

    /// A unified diff, its lines in their tones.
    pub(crate) fn diff(&self, diff: &str) -> Result<(), Stop> {
        for line in diff.lines() {
            let toned = match line.as_bytes().first() {
                Some(b'+') if !line.starts_with("+++") => self.tone(Tone::Good, line),
                Some(b'-') if !line.starts_with("---") => self.tone(Tone::Bad, line),
                Some(b'@') => self.tone(Tone::Quiet, line),
                _ => line.to_owned(),
            };
            self.line(format!("  {toned}"))?;
        }
        Ok(())
    }

    /// Asks a question and returns the answer, trimmed; `None` at the end of the input.
    pub(crate) fn ask(&self, question: &str) -> Result<Option<String>, Stop> {
        let mut out = self.out.lock();
        out.write_all(self.written(question).as_bytes())?;
        out.flush()?;
        drop(out);
        let mut answer = String::new();
        let read = io::stdin().read_line(&mut answer)?;
        Ok((read > 0).then(|| answer.trim().to_owned()))
    }

    /// A yes-or-no question; no answer is `default`, the end of the input is no.
    pub(crate) fn confirm(&self, question: &str, default: bool) -> Result<bool, Stop> {
        let hint = if default { "[Y/n]" } else { "[y/N]" };
        loop {
            match self.ask(&format!("{question} {hint} "))?.as_deref().map(str::to_lowercase).as_deref() {
                None => return Ok(false),
                Some("") => return Ok(default),
                Some("y" | "yes") => return Ok(true),
                Some("n" | "no") => return Ok(false),
                Some(_) => self.line("Please answer y or n.")?,
            }
        }
    }

    /// A line on standard error that is there while something takes long, and gone afterwards.
    pub(crate) fn progress(&self, words: &str) -> Progress {
        let progress = Progress { on: self.progress, shown: Mutex::new(None) };
        progress.say(words);
        progress
    }
}

/// See [`Screen::progress`].
pub(crate) struct Progress {
    on: bool,
    shown: Mutex<Option<Instant>>,
}

impl Progress {
    /// Replaces the words.
    pub(crate) fn say(&self, words: &str) {
        if self.on {
            // More than a few times a second nobody can read.
            let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
            if shown.is_some_and(|shown| shown.elapsed() < Duration::from_millis(60)) {
                return;
            }
            *shown = Some(Instant::now());
            let words: String = text::for_terminal(words).chars().take(78).collect();
            let mut err = io::stderr().lock();
            let _ = write!(err, "\r\x1b[2K{words}").and_then(|()| err.flush());
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.on {
            let mut err = io::stderr().lock();
            let _ = write!(err, "\r\x1b[2K").and_then(|()| err.flush());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn screen(terminal: bool) -> Screen {
        Screen { out: io::stdout(), terminal, colours: terminal, input_is_person: false, progress: false }
    }

    #[test]
    fn a_terminal_obeys_nobody_but_us() {
        let foreign = "a\u{1b}]0;title\u{7}b\u{9b}2Jc\rd\u{202e}";
        let line = |screen: &Screen| {
            screen.written(&format!("{}: {foreign}", screen.tone(Tone::Good, "fine"))).into_owned()
        };
        assert_eq!(line(&screen(true)), "\u{1b}[32mfine\u{1b}[0m: abc␍d⟨202E⟩");
        assert_eq!(line(&screen(false)), format!("fine: {foreign}"));
    }

    #[test]
    fn an_export_is_cleaned_for_a_terminal_only() {
        for (terminal, shown) in [(true, "one\ntwo"), (false, "o\u{1b}[1mne\nt\u{1b}[2Jwo")] {
            let mut out = Vec::new();
            let mut lines = Lines { out: &mut out, terminal, waiting: Vec::new() };
            for piece in ["o\u{1b}", "[1mne\nt\u{1b}[2", "Jwo"] {
                lines.write_all(piece.as_bytes()).unwrap_or_default();
            }
            lines.flush().unwrap_or_default();
            assert_eq!(String::from_utf8_lossy(&out), shown);
        }
    }
}

//! Terminal output and questions: plain text, colours only on a terminal, and a silent end when the reader closes the
//! pipe. Doesn't know what is printed.
//!
//! Everything printed goes through here, and most comes from outside: pages, outputs, names. The law: a terminal gets
//! no control sequence except Plimsoll's own colours; a pipe or a file gets the stored bytes unchanged.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How a command ended, as `--help` documents it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done.
    Done = 0,
    /// Failed.
    Failed = 1,
    /// The command line wasn't understood.
    Usage = 2,
    /// Nothing was found.
    Nothing = 3,
    /// The user must do something.
    NeedsYou = 4,
}

/// Why a command stopped early.
#[derive(Debug)]
pub(crate) enum CommandError {
    /// With a message for the user.
    Message(Exit, String),
    /// The reader closed the pipe; there is nobody to tell.
    ReaderGone,
}

impl CommandError {
    /// A failure.
    pub(crate) fn failed(message: impl Into<String>) -> Self {
        Self::Message(Exit::Failed, message.into())
    }

    /// A named file or folder that can't be used. One that isn't there wasn't found, whichever command it's named to.
    pub(crate) fn file(path: &Path, error: &io::Error) -> Self {
        let exit = if home::is_missing(error) { Exit::Nothing } else { Exit::Failed };
        Self::Message(exit, home::file_problem(path, error).to_string())
    }
}

impl From<io::Error> for CommandError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ReaderGone,
            _ => Self::failed(error.to_string()),
        }
    }
}

/// The error of an output that can't be written: a message that names only the reason reads as if the command had failed.
pub(crate) fn unwritten(error: io::Error) -> CommandError {
    match error.kind() {
        io::ErrorKind::BrokenPipe => CommandError::ReaderGone,
        _ => CommandError::failed(format!(
            "the output can't be written: {error}; what was done before stays done"
        )),
    }
}

impl From<contract::Error> for CommandError {
    fn from(error: contract::Error) -> Self {
        use contract::ErrorCode;
        let exit = match error.code {
            ErrorCode::InvalidArgument | ErrorCode::UnknownTool => Exit::Usage,
            ErrorCode::NotFound => Exit::Nothing,
            ErrorCode::Ask | ErrorCode::ConfirmationNeeded => Exit::NeedsYou,
            _ => Exit::Failed,
        };
        Self::Message(exit, error.message.to_string())
    }
}

/// The result of a command.
pub(crate) type CommandResult = Result<Exit, CommandError>;

/// The style of a text when colours are on.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Tone {
    /// Fine.
    Good,
    /// Needs the user.
    Attention,
    /// Broken.
    Bad,
    /// Secondary.
    Quiet,
    /// A heading.
    Strong,
}

/// The placeholder of each colour until it is written, and its escape code. The characters are non-characters; if
/// foreign text contains one, it merely gets a colour.
const TONES: [(char, &str); 5] = [
    ('\u{fdd0}', "\x1b[32m"),
    ('\u{fdd1}', "\x1b[33m"),
    ('\u{fdd2}', "\x1b[31m"),
    ('\u{fdd3}', "\x1b[2m"),
    ('\u{fdd4}', "\x1b[1m"),
];
/// The placeholder that ends a colour.
const PLAIN: char = '\u{fdd5}';

/// Replaces the placeholders in `text` by escape codes.
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

/// Prints a message on standard error, cleaned for a terminal like any other text.
pub(crate) fn print_error(message: &str) {
    if io::stderr().is_terminal() {
        eprintln!("{}", coloured(text::for_terminal(message)));
    } else {
        eprintln!("{message}");
    }
}

/// A writer that cleans whole lines.
struct Lines<W: Write> {
    out: W,
    is_terminal: bool,
    waiting: Vec<u8>,
}

impl<W: Write> Write for Lines<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.is_terminal {
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

/// The output, and what it supports.
pub(crate) struct Terminal {
    out: io::Stdout,
    is_terminal: bool,
    colours: bool,
    is_interactive: bool,
    progress: bool,
}

impl Terminal {
    /// This process's terminal. `no_colour` is whether the user asked for none.
    pub(crate) fn new(no_colour: bool, dumb: bool) -> Self {
        let out = io::stdout();
        let is_terminal = out.is_terminal();
        Self {
            colours: is_terminal && !no_colour && !dumb,
            is_interactive: is_terminal && io::stdin().is_terminal(),
            progress: io::stderr().is_terminal() && !dumb,
            is_terminal,
            out,
        }
    }

    /// `text` as it is written.
    fn rendered<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if self.is_terminal { coloured(text::for_terminal(text)) } else { Cow::Borrowed(text) }
    }

    /// A writer for large exports, cleaned line by line.
    pub(crate) fn writer(&self) -> impl Write {
        Lines { out: self.out.lock(), is_terminal: self.is_terminal, waiting: Vec::new() }
    }

    /// Whether there is a user to ask.
    pub(crate) fn can_ask(&self) -> bool {
        self.is_interactive
    }

    /// One line.
    pub(crate) fn line(&self, text: impl AsRef<str>) -> Result<(), CommandError> {
        let mut out = self.out.lock();
        out.write_all(self.rendered(text.as_ref()).as_bytes())
            .and_then(|()| out.write_all(b"\n"))
            .and_then(|()| out.flush())
            .map_err(unwritten)
    }

    /// Prints text without adding a line end.
    pub(crate) fn text(&self, text: &str) -> Result<(), CommandError> {
        let mut out = self.out.lock();
        out.write_all(self.rendered(text).as_bytes()).and_then(|()| out.flush()).map_err(unwritten)
    }

    /// Prints JSON.
    pub(crate) fn json(&self, value: &impl serde::Serialize) -> Result<(), CommandError> {
        let text =
            serde_json::to_string_pretty(value).map_err(|error| CommandError::failed(error.to_string()))?;
        self.line(text)
    }

    /// `text` in a style.
    pub(crate) fn tone(&self, tone: Tone, text: &str) -> String {
        if !self.colours || text.is_empty() {
            return text.to_owned();
        }
        let begins = TONES[tone as usize].0;
        format!("{begins}{text}{PLAIN}")
    }

    /// Prints a unified diff with styled lines.
    pub(crate) fn diff(&self, diff: &str) -> Result<(), CommandError> {
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
    pub(crate) fn ask(&self, question: &str) -> Result<Option<String>, CommandError> {
        let mut out = self.out.lock();
        out.write_all(self.rendered(question).as_bytes()).and_then(|()| out.flush()).map_err(unwritten)?;
        drop(out);
        let mut answer = String::new();
        let read = io::stdin().read_line(&mut answer)?;
        Ok((read > 0).then(|| answer.trim().to_owned()))
    }

    /// Asks a yes-or-no question; an empty answer means `default`, the end of the input means no.
    pub(crate) fn confirm(&self, question: &str, default: bool) -> Result<bool, CommandError> {
        let hint = if default { "[Y/n]" } else { "[y/N]" };
        loop {
            match self.ask(&format!("{question} {hint} "))?.as_deref().map(str::to_lowercase).as_deref() {
                None => return Ok(false),
                Some("") => return Ok(default),
                Some("y" | "yes") => return Ok(true),
                Some("n" | "no") => return Ok(false),
                Some(_) => self.line("Answer y or n.")?,
            }
        }
    }

    /// Shows a line on standard error while something takes long, and removes it afterwards.
    pub(crate) fn progress(&self, words: &str) -> Progress {
        let progress = self.waiting_progress();
        progress.update(words);
        progress
    }

    /// The same, which shows nothing before its first words.
    pub(crate) fn waiting_progress(&self) -> Progress {
        Progress { on: self.progress, shown: Mutex::new(None) }
    }
}

/// See [`Terminal::progress`].
pub(crate) struct Progress {
    on: bool,
    shown: Mutex<Option<Instant>>,
}

impl Progress {
    /// Replaces the text.
    pub(crate) fn update(&self, words: &str) {
        if self.on {
            // Nobody can read more than a few updates a second.
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
        if self.on && self.shown.get_mut().is_ok_and(|shown| shown.is_some()) {
            let mut err = io::stderr().lock();
            let _ = write!(err, "\r\x1b[2K").and_then(|()| err.flush());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terminal(is_terminal: bool) -> Terminal {
        Terminal {
            out: io::stdout(),
            is_terminal,
            colours: is_terminal,
            is_interactive: false,
            progress: false,
        }
    }

    #[test]
    fn only_plimsolls_own_escapes_reach_the_terminal() {
        let foreign = "a\u{1b}]0;title\u{7}b\u{9b}2Jc\rd\u{202e}";
        let line = |terminal: &Terminal| {
            terminal.rendered(&format!("{}: {foreign}", terminal.tone(Tone::Good, "fine"))).into_owned()
        };
        assert_eq!(line(&terminal(true)), "\u{1b}[32mfine\u{1b}[0m: abc␍d⟨202E⟩");
        assert_eq!(line(&terminal(false)), format!("fine: {foreign}"));
    }

    #[test]
    fn an_export_is_cleaned_for_a_terminal_only() {
        for (is_terminal, shown) in [(true, "one\ntwo"), (false, "o\u{1b}[1mne\nt\u{1b}[2Jwo")] {
            let mut out = Vec::new();
            let mut lines = Lines { out: &mut out, is_terminal, waiting: Vec::new() };
            for piece in ["o\u{1b}", "[1mne\nt\u{1b}[2", "Jwo"] {
                lines.write_all(piece.as_bytes()).unwrap_or_default();
            }
            lines.flush().unwrap_or_default();
            assert_eq!(String::from_utf8_lossy(&out), shown);
        }
    }
}

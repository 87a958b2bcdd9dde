//! The terminal: plain words, colours only where somebody sees them, a quiet end when the reader goes away.
//! Knows nothing of what is said.

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

/// Where words go.
pub(crate) struct Screen {
    out: io::Stdout,
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
            out,
        }
    }

    /// Whether a person can be asked.
    pub(crate) fn can_ask(&self) -> bool {
        self.input_is_person
    }

    /// One line.
    pub(crate) fn line(&self, text: impl AsRef<str>) -> Result<(), Stop> {
        let mut out = self.out.lock();
        out.write_all(text.as_ref().as_bytes())?;
        out.write_all(b"\n")?;
        Ok(out.flush()?)
    }

    /// Text as it is; its lines end as they end.
    pub(crate) fn text(&self, text: &str) -> Result<(), Stop> {
        let mut out = self.out.lock();
        out.write_all(text.as_bytes())?;
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
        let code = match tone {
            Tone::Good => "32",
            Tone::Attention => "33",
            Tone::Bad => "31",
            Tone::Quiet => "2",
            Tone::Strong => "1",
        };
        format!("\x1b[{code}m{text}\x1b[0m")
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
        out.write_all(question.as_bytes())?;
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
            let words: String = words.chars().take(78).collect();
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

//! The vocabulary of facts: what is remembered, how important it is, and what it replaces.

use serde::{Deserialize, Serialize};
use sessions::table::clean;
use sessions::{GuestLine, Note};

/// Our table in `plimsoll.db`.
pub(crate) const TABLE: &str = "facts";

/// The longest text of a fact that is kept, in characters.
const MAX_TEXT: usize = 600;
/// The longest subject or key that is kept, in characters.
pub(crate) const MAX_NAME: usize = 300;
/// How many facts of one session are kept.
pub(crate) const MAX_FACTS: u32 = 1_000;

/// What a fact is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// What the person asked for first.
    Goal,
    /// What the person asked for last.
    Request,
    /// Anything the person asked for.
    Prompt,
    /// A piece of work on the agent's list.
    Task,
    /// A plan that the person agreed to.
    Plan,
    /// Something that was chosen.
    Decision,
    /// A file that was read, edited or written.
    File,
    /// A command that failed.
    Error,
    /// A command that failed and then no longer did.
    Resolution,
    /// Something that must or must not be done.
    Constraint,
    /// Something that was tried or proposed and taken back.
    Rejected,
    /// What the work waits for.
    Blocker,
    /// A commit, a branch.
    Git,
    /// What a subagent reported.
    Finding,
    /// Something that was installed or switched on.
    Environment,
    /// What kind of work a prompt asks for.
    Intent,
    /// A tool that was used.
    Tool,
    /// Not a fact: the conversation begins anew, and what is remembered of it is over.
    Cleared,
    /// Not a fact: a new list of tasks follows, and what is not on it is dropped.
    NewList,
}

impl Category {
    /// Every category that is stored.
    pub const ALL: [Category; 17] = [
        Category::Goal,
        Category::Request,
        Category::Prompt,
        Category::Task,
        Category::Plan,
        Category::Decision,
        Category::File,
        Category::Error,
        Category::Resolution,
        Category::Constraint,
        Category::Rejected,
        Category::Blocker,
        Category::Git,
        Category::Finding,
        Category::Environment,
        Category::Intent,
        Category::Tool,
    ];

    /// Its name in the database and in search results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Category::Goal => "goal",
            Category::Request => "request",
            Category::Prompt => "prompt",
            Category::Task => "task",
            Category::Plan => "plan",
            Category::Decision => "decision",
            Category::File => "file",
            Category::Error => "error",
            Category::Resolution => "resolution",
            Category::Constraint => "constraint",
            Category::Rejected => "rejected",
            Category::Blocker => "blocker",
            Category::Git => "git",
            Category::Finding => "finding",
            Category::Environment => "environment",
            Category::Intent => "intent",
            Category::Tool => "tool",
            Category::Cleared => "cleared",
            Category::NewList => "new_list",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Category> {
        Category::ALL.into_iter().find(|category| category.name() == name)
    }
}

/// How a fact stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// It holds; of a task: still to be done.
    #[default]
    Open,
    /// A task that is being worked on.
    Active,
    /// A task that is done, an error that is gone.
    Done,
    /// No longer on the list, or of a conversation that was cleared.
    Dropped,
}

impl State {
    pub(crate) fn to_sql(self) -> i64 {
        match self {
            State::Open => 0,
            State::Active => 1,
            State::Done => 2,
            State::Dropped => 3,
        }
    }

    pub(crate) fn from_sql(value: i64) -> State {
        match value {
            0 => State::Open,
            1 => State::Active,
            2 => State::Done,
            _ => State::Dropped,
        }
    }

    /// Whether it is of the present.
    #[must_use]
    pub fn holds(self) -> bool {
        matches!(self, State::Open | State::Active)
    }
}

/// What happens when the same is known already. The same is what has the same key in the same session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Meeting {
    /// It is counted, dated anew and takes the newer words.
    #[default]
    Again,
    /// The first one stays as it is.
    First,
    /// The newer takes its place; what the newer leaves empty stays.
    Latest,
}

/// One thing to be remembered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    /// What it is about.
    pub category: Category,
    /// 1 (kept longest) to 4.
    pub priority: u8,
    /// What is known.
    pub text: String,
    /// More about it: the first line of an error, a task's number.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// What it belongs to: the kind of a command, the operation on a file.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub subject: String,
    /// What makes it the same as another; the text when empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub key: String,
    /// How it stands.
    #[serde(default)]
    pub state: State,
    /// What happens when the same is known already.
    #[serde(default)]
    pub meeting: Meeting,
}

impl Fact {
    /// A fact of a category with its text and importance (1 to 4).
    #[must_use]
    pub fn new(category: Category, priority: u8, text: impl Into<String>) -> Self {
        Self {
            category,
            priority: priority.clamp(1, 4),
            text: text.into(),
            detail: String::new(),
            subject: String::new(),
            key: String::new(),
            state: State::Open,
            meeting: Meeting::Again,
        }
    }

    /// With more about it.
    #[must_use]
    pub fn detail(self, detail: impl Into<String>) -> Self {
        Self { detail: detail.into(), ..self }
    }

    /// With what it belongs to.
    #[must_use]
    pub fn subject(self, subject: impl Into<String>) -> Self {
        Self { subject: subject.into(), ..self }
    }

    /// With what makes it the same as another.
    #[must_use]
    pub fn key(self, key: impl Into<String>) -> Self {
        Self { key: key.into(), ..self }
    }

    /// With how it stands.
    #[must_use]
    pub fn state(self, state: State) -> Self {
        Self { state, ..self }
    }

    /// With what happens when the same is known already.
    #[must_use]
    pub fn meeting(self, meeting: Meeting) -> Self {
        Self { meeting, ..self }
    }

    /// What tells it from the others of its session, as 32 hexadecimal digits.
    pub(crate) fn hash(&self) -> String {
        hash(self.category, if self.key.is_empty() { &self.text } else { &self.key })
    }

    /// The same without private spans and secrets, cut to the lengths that are kept.
    fn cleaned(&self) -> Self {
        Self {
            text: clean(&self.text, MAX_TEXT),
            detail: clean(&self.detail, MAX_TEXT),
            subject: clean(&self.subject, MAX_NAME),
            key: clean(&self.key, MAX_NAME),
            priority: self.priority.clamp(1, 4),
            ..self.clone()
        }
    }
}

/// See [`Fact::hash`].
pub(crate) fn hash(category: Category, key: &str) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(category.name().as_bytes());
    hasher.update(b"\0");
    hasher.update(key.as_bytes());
    hasher.finalize().to_hex().as_str().chars().take(32).collect()
}

/// What one event taught about one session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// The session, as the agent names it.
    pub session: String,
    /// The agent's id.
    pub agent: String,
    /// The project folder.
    pub project: String,
    /// When, in milliseconds since the Unix epoch.
    pub at_ms: i64,
    /// In the order in which they are to be written.
    pub facts: Vec<Fact>,
}

impl Facts {
    /// As a hook leaves it for whoever opens the record next; without private spans and secrets.
    ///
    /// # Errors
    /// When it cannot be written as JSON.
    pub fn note(&self) -> serde_json::Result<Note> {
        GuestLine::new(TABLE, &self.cleaned()).map(Note::Guest)
    }

    /// The same without private spans and secrets.
    fn cleaned(&self) -> Self {
        Self { facts: self.facts.iter().map(Fact::cleaned).collect(), ..self.clone() }
    }
}

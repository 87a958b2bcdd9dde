//! The vocabulary of facts: their categories, priorities and states, and what they replace.

use serde::{Deserialize, Serialize};
use sessions::table::clean;
use sessions::{GuestLine, Note};

/// The facts' table in `plimsoll.db`.
pub(crate) const TABLE: &str = "facts";

/// Maximum length of a fact's text, in characters.
const MAX_TEXT: usize = 600;
/// Maximum length of a subject or key, in characters.
pub(crate) const MAX_NAME: usize = 300;
/// Maximum number of facts per session.
pub(crate) const MAX_FACTS: u32 = 1_000;

/// The category of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// The user's first request.
    Goal,
    /// The user's last request.
    Request,
    /// Any request of the user.
    Prompt,
    /// A task on the agent's list.
    Task,
    /// A plan that the user approved.
    Plan,
    /// A decision.
    Decision,
    /// A file that was read, edited or written.
    File,
    /// A failed command.
    Error,
    /// A failed command that succeeded later.
    Resolution,
    /// A requirement or a prohibition.
    Constraint,
    /// Something tried or proposed and then rejected.
    Rejected,
    /// What the work waits for.
    Blocker,
    /// A commit or a branch.
    Git,
    /// A subagent's report.
    Finding,
    /// Something installed or enabled.
    Environment,
    /// The kind of work that a prompt asks for.
    Intent,
    /// A tool that was used.
    Tool,
    /// Not a fact: the conversation was cleared, and its facts no longer apply.
    Cleared,
    /// Not a fact: a new task list follows, and tasks missing from it are dropped.
    NewList,
}

impl Category {
    /// All stored categories.
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

/// The state of a fact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// It applies; a task isn't done yet.
    #[default]
    Open,
    /// A task in progress.
    Active,
    /// A finished task, a resolved error.
    Done,
    /// No longer on the list, or from a cleared conversation.
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

    /// Whether it still applies.
    #[must_use]
    pub fn is_current(self) -> bool {
        matches!(self, State::Open | State::Active)
    }
}

/// How a fact merges with a recorded one that has the same key in the same session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MergeRule {
    /// The recorded fact's count and date are updated, and it takes the new text.
    #[default]
    Again,
    /// The recorded fact stays unchanged.
    First,
    /// The new fact replaces the recorded one, except in fields that it leaves empty.
    Latest,
}

/// A fact about a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    /// Its category.
    pub category: Category,
    /// Its priority, 1 (kept longest) to 4.
    pub priority: u8,
    /// Its text.
    pub text: String,
    /// Details: the first line of an error, a task's number.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// What it relates to: a command's kind, the operation on a file.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub subject: String,
    /// Its identity within the session; empty means the text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub key: String,
    /// Its state.
    #[serde(default)]
    pub state: State,
    /// How it merges with a recorded fact.
    #[serde(default)]
    pub meeting: MergeRule,
}

impl Fact {
    /// A fact with its category, priority (1 to 4) and text.
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
            meeting: MergeRule::Again,
        }
    }

    /// Sets the details.
    #[must_use]
    pub fn detail(self, detail: impl Into<String>) -> Self {
        Self { detail: detail.into(), ..self }
    }

    /// Sets the subject.
    #[must_use]
    pub fn subject(self, subject: impl Into<String>) -> Self {
        Self { subject: subject.into(), ..self }
    }

    /// Sets the key.
    #[must_use]
    pub fn key(self, key: impl Into<String>) -> Self {
        Self { key: key.into(), ..self }
    }

    /// Sets the state.
    #[must_use]
    pub fn state(self, state: State) -> Self {
        Self { state, ..self }
    }

    /// Sets the merge rule.
    #[must_use]
    pub fn meeting(self, meeting: MergeRule) -> Self {
        Self { meeting, ..self }
    }

    /// Its identity within the session, as 32 hexadecimal digits.
    pub(crate) fn hash(&self) -> String {
        hash(self.category, if self.key.is_empty() { &self.text } else { &self.key })
    }

    /// The fact without private spans and secrets, cut to the maximum lengths.
    fn redacted(&self) -> Self {
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

/// The facts from one event of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// The session's id, as the agent names it.
    pub session: String,
    /// The agent's id.
    pub agent: String,
    /// The project folder.
    pub project: String,
    /// When, in milliseconds since the Unix epoch.
    pub at_ms: i64,
    /// The facts in order.
    pub facts: Vec<Fact>,
}

impl Facts {
    /// The facts as a line that a hook leaves for the next process that opens the record, without private spans and
    /// secrets.
    ///
    /// # Errors
    /// If they can't be written as JSON.
    pub fn note(&self) -> serde_json::Result<Note> {
        GuestLine::new(TABLE, &self.redacted()).map(Note::Guest)
    }

    /// The facts without private spans and secrets.
    fn redacted(&self) -> Self {
        Self { facts: self.facts.iter().map(Fact::redacted).collect(), ..self.clone() }
    }
}

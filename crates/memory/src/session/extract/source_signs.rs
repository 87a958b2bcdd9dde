//! Words by which a pasted text is told: where others write, what they write, and how the user introduces it.

/// Where others write.
pub(super) const PLACES: &[&str] = &[
    "slack",
    "discord",
    "jira",
    "github",
    "gitlab",
    "confluence",
    "reddit",
    "wikipedia",
    "stack overflow",
    "stackoverflow",
    "hacker news",
    "chatgpt",
];
/// Kinds of texts.
pub(super) const KINDS: &[&str] = &[
    "readme",
    "changelog",
    "release notes",
    "page",
    "site",
    "website",
    "article",
    "blog",
    "post",
    "issue",
    "ticket",
    "thread",
    "mail",
    "email",
    "message",
    "comment",
    "comments",
    "review",
    "answer",
    "slide",
    "slides",
    "docs",
    "documentation",
    "manual",
    "wiki",
    "spec",
    "footer",
    "seite",
    "artikel",
    "nachricht",
    "kommentar",
    "doku",
];
/// Those of them that nobody has rules about under such a heading, as for `docs:`.
pub(super) const MESSAGES: &[&str] = &[
    "comment",
    "comments",
    "reply",
    "answer",
    "mail",
    "email",
    "post",
    "tweet",
    "thread",
    "article",
    "lyrics",
    "excerpt",
    "issue",
    "ticket",
    "slide",
    "kommentar",
    "nachricht",
    "antwort",
    "artikel",
];
/// How a line begins that hands over a text of another: `from the README`, `here is a paragraph from Confluence`.
pub(super) const INTRODUCING: &[&str] = &[
    "from", "here", "here's", "this", "that", "text", "quote", "excerpt", "aus", "vom", "von", "hier", "das",
    "dies", "auszug", "zitat",
];
/// How a line begins that says when or about what the user's words below it apply: `before you open an issue`.
pub(super) const SITUATIONS: &[&str] = &[
    "before",
    "after",
    "when",
    "whenever",
    "if",
    "regarding",
    "wenn",
    "bevor",
    "nachdem",
    "beim",
    "bezüglich",
    "avant",
    "quand",
    "antes",
    "cuando",
];
/// Contractions that name nobody: `let's update the docs`, and not `Eve's docs`.
pub(super) const CONTRACTED: &[&str] = &["let's", "it's"];
/// How a text came here.
pub(super) const COPIED: &[&str] = &[
    "found this",
    "copied this",
    "got this",
    "read this",
    "saw this",
    "has this",
    "says this",
    "paste of",
    "copy of",
    "excerpt of",
    "excerpt from",
    "quote from",
    "commit message of",
    "auszug aus",
];
/// What tells where a text is from.
pub(super) const FROM: &[&str] = &["from", "by", "aus", "vom", "von"];
/// What tells whose a text is, where it isn't the user's.
pub(super) const THEIRS: &[&str] = &["his", "her", "their", "seine", "ihre", "deren"];
/// What the user calls an own list, whatever it's about.
pub(super) const OWN: &[&str] = &[
    "rule",
    "rules",
    "convention",
    "conventions",
    "decision",
    "decisions",
    "guideline",
    "guidelines",
    "note",
    "notes",
    "lesson",
    "lessons",
    "remember",
    "from now on",
    "we",
    "our",
    "regel",
    "regeln",
    "entscheidungen",
    "konventionen",
    "wir",
    "unsere",
    "i want",
    "i need",
    "i expect",
    "i'd like",
    "ich will",
    "ich möchte",
    "ich brauche",
    "my feedback",
    "my comment",
    "my comments",
    "my answer",
    "mein feedback",
    "meine antwort",
    // What is so for all of them.
    "each",
    "every",
    "any",
    "jede",
    "jedem",
    "jeden",
    "jeder",
    "jedes",
    "chaque",
    "cada",
];
/// Other names of a tag that users put around what they ask for.
pub(super) const OWN_TAGS: &[&str] =
    &["instruction", "instructions", "requirement", "requirements", "constraints", "task", "goal", "request"];
/// Verbs of saying at the end of a line.
pub(super) const SAYING: &[&str] = &[
    "says",
    "said",
    "replied",
    "replies",
    "answered",
    "responded",
    "commented",
    "posted",
    "reads",
    "wrote",
    "writes",
    "states",
    "shows",
    "prints",
    "printed",
    "sagt",
    "sagte",
    "meint",
    "schreibt",
    "schrieb",
    "steht",
    "dit",
    "écrit",
    "dice",
    "diz",
];
/// Who speaks for the user.
pub(super) const SPEAKERS: &[&str] = &["i", "we", "you", "ich", "wir", "je", "yo", "eu"];
/// What asks about what somebody says: `see what it says`.
pub(super) const ASKING: &[&str] = &["what", "how", "was", "wie"];
/// What the pages of issues and reviews say about who writes, behind a name.
pub(super) const ATTRIBUTED: &[&str] =
    &[" commented on ", " commented:", " requested changes", " opened this issue"];
/// How such a line begins.
pub(super) const TRACKED: &[&str] =
    &["issue", "ticket", "jira", "bug", "story", "epic", "pr", "mr", "pull request", "merge request"];
/// The fields of an issue.
pub(super) const FIELDS: &[&str] = &[
    "title",
    "description",
    "labels",
    "status",
    "assignee",
    "reporter",
    "priority",
    "acceptance criteria",
    "steps to reproduce",
    "beschreibung",
    "titel",
];
/// What an agent does with a text that it's shown.
pub(super) const READING: &[&str] = &[
    "check",
    "read",
    "review",
    "look at",
    "look over",
    "summarise",
    "summarize",
    "sum up",
    "translate",
    "explain",
    "here is",
    "here's",
    "see",
    "what",
    "prüfe",
    "prüf",
    "lies",
    "schau",
    "fasse",
    "übersetze",
    "erkläre",
];
/// What it's shown, at the beginning of a prompt, before an empty line.
pub(super) const SHOWN: &[&str] = &[
    "this page",
    "this issue",
    "this ticket",
    "this thread",
    "this mail",
    "this email",
    "this article",
    "this post",
    "this readme",
    "this changelog",
    "this answer",
    "this message",
    "this comment",
    "diese seite",
    "diese mail",
    "dieses ticket",
    "diesen artikel",
];
/// How a letter begins.
pub(super) const SALUTATIONS: &[&str] = &[
    "hi", "hello", "hey", "dear", "hallo", "liebe", "lieber", "liebes", "bonjour", "cher", "chère", "hola",
    "olá", "cześć",
];
/// Whom a user greets at the beginning of a prompt.
pub(super) const AGENTS: &[&str] = &[
    "claude",
    "codex",
    "gemini",
    "copilot",
    "cursor",
    "chatgpt",
    "gpt",
    "opencode",
    "agent",
    "assistant",
    "ai",
    "bot",
    "buddy",
    "mate",
    "man",
    "dude",
    "friend",
    "there",
    "again",
];
/// Who speaks in a protocol of a conversation with an agent, before a colon.
pub(super) const ROLES: &[&str] = &[
    "system",
    "assistant",
    "user",
    "human",
    "ai",
    "tool result",
    "tool output",
    "mcp result",
    "function result",
];

//! The window's requests about memories and their replies. Its TypeScript types are generated from these. Namespaces,
//! states and kinds use the filters' words; times are milliseconds since 1970.

use std::path::PathBuf;

use contract::Sentence;

system::shapes! {
    /// A project that has memories, or could have.
    MemoryProject {
        /// Its key, as memories name it.
        key: String,
        /// Its display name.
        name: String,
        /// Its folder on this computer, if known.
        folder: Option<PathBuf>,
        /// The number of its memories.
        memories: u64,
    }

    /// The projects.
    MemoryProjects {
        /// The projects, most recently used first.
        rows: Vec<MemoryProject>,
    }

    /// The scope of a request: a project's key, `*` for every project, empty outside any.
    InProject {
        /// The key.
        project: String,
    }

    /// A word with its count.
    MemoryCount {
        /// The word.
        word: String,
        /// How many.
        count: u64,
    }

    /// The figures of the memories in scope.
    MemoryStatusView {
        /// The number of active memories.
        total: u64,
        /// The number of memories that wait for review.
        pending: u64,
        /// Active memories by namespace, largest first.
        namespaces: Vec<MemoryCount>,
        /// All memories by state.
        statuses: Vec<MemoryCount>,
        /// By capturing agent; empty for the user.
        agents: Vec<MemoryCount>,
        /// All namespaces with their descriptions.
        known: Vec<MemoryNamespace>,
        /// The exchange with the organisation's server, if it lags behind.
        lagging: Option<MemoryLag>,
    }

    /// Memories that have waited too long for the organisation's server, or a server that couldn't be reached.
    MemoryLag {
        /// Why the server couldn't be reached; none if nobody tried.
        why: Option<Sentence>,
        /// The number of memories that wait to be sent.
        waiting: u64,
        /// When the oldest of them was captured.
        since_ms: Option<i64>,
        /// When the server was last reached.
        met_ms: Option<i64>,
    }

    /// A namespace.
    MemoryNamespace {
        /// Its name.
        name: String,
        /// What belongs there.
        about: String,
    }

    /// A request for a list of memories.
    MemoriesQuery {
        /// The project's key, `*` or empty.
        project: String,
        /// The typed text, a question with filters; empty lists everything, newest first.
        text: String,
        /// One namespace; empty for all.
        namespace: String,
        /// `project`, `user`, `org`; empty for all.
        scope: String,
        /// A state, `any`, `expired`; empty for active and replaced memories.
        status: String,
        /// The trust; empty for all.
        trust: String,
        /// The capturing agent, or `you`; empty for all.
        agent: String,
        /// The number of memories to skip.
        offset: usize,
        /// Maximum number of memories.
        limit: usize,
    }

    /// A page of memories.
    MemoriesPage {
        /// The memories, best or newest first.
        rows: Vec<MemoryRow>,
        /// The number of memories on all pages.
        total: u64,
        /// The question: the text without its filters.
        question: String,
        /// The search time in microseconds.
        elapsed_us: u64,
    }

    /// A memory in a list.
    MemoryRow {
        /// Its id.
        id: String,
        /// Its first line or sentence.
        title: String,
        /// The passage that matches the question, or the beginning; empty if the title says all.
        snippet: String,
        /// Its namespace.
        namespace: String,
        /// Who it is for.
        scope: String,
        /// Its project's key.
        project: Option<String>,
        /// The branch it was captured on.
        branch: Option<String>,
        /// The capturing agent; none for the user.
        agent: Option<String>,
        /// The statement's source.
        source: Option<String>,
        /// How far to trust it.
        trust: String,
        /// Its state.
        status: String,
        /// Whether it has expired.
        expired: bool,
        /// Whether it is a file of the repository.
        shared: bool,
        /// When it was captured.
        created_ms: i64,
        /// When it was last changed.
        updated_ms: i64,
        /// The memory that replaced it.
        replaced_by: Option<MemoryLinked>,
    }

    /// Another memory with its relation to this one.
    MemoryLinked {
        /// Its id.
        id: String,
        /// Its first line or sentence.
        title: String,
        /// `supersedes`, `conflicts` and so on.
        kind: String,
        /// Whether the link points from this memory to the other.
        outgoing: bool,
        /// When it was linked.
        at_ms: i64,
    }

    /// A reference to a memory.
    MemoryRef {
        /// Its id.
        id: String,
    }

    /// A memory with its details.
    MemoryView {
        /// The memory as in a list.
        row: MemoryRow,
        /// Its project's display name.
        project_name: Option<String>,
        /// Its full text.
        content: String,
        /// The text below the title; the full text if the title is only its beginning.
        body: String,
        /// Tags.
        tags: Vec<String>,
        /// The file it is about.
        file: Option<String>,
        /// Its author.
        author: Option<String>,
        /// The session it was captured in.
        session: Option<String>,
        /// Its version.
        version: u32,
        /// When it expires.
        expires_ms: Option<i64>,
        /// The entities that it mentions.
        about: Vec<EntityNamed>,
        /// The linked memories.
        links: Vec<MemoryLinked>,
        /// Its changes, latest first.
        history: Vec<MemoryStep>,
        /// When it was given to an agent and why, latest first.
        given: Vec<MemoryGiven>,
        /// How often it was given in total.
        given_times: u64,
        /// Whether it is shared or can be.
        sharing: MemorySharing,
    }

    /// An entity's id and name.
    EntityNamed {
        /// Its id.
        id: String,
        /// Its name.
        name: String,
    }

    /// A change in a memory's history.
    MemoryStep {
        /// The version after the change.
        version: u32,
        /// `captured`, `updated`, `archived`, `superseded`, `deleted`, `restored`.
        what: String,
        /// When.
        at_ms: i64,
        /// The agent; none for the user.
        agent: Option<String>,
        /// The text after the change.
        content: String,
        /// The tags after the change.
        tags: Vec<String>,
    }

    /// A delivery of a memory to an agent that didn't ask.
    MemoryGiven {
        /// When.
        at_ms: i64,
        /// The agent.
        agent: String,
        /// The session.
        session: String,
        /// `prompt`, `start` or `tool`.
        because: String,
        /// The prompt, or the file or command of a tool call, if there was one.
        asked: Option<String>,
        /// Its size in bytes.
        bytes: u64,
    }

    /// Whether a memory is shared through its repository.
    MemorySharing {
        /// `shared`, `private`, `impossible`, or `theirs` if it came from the repository.
        state: String,
        /// The file, relative to the project.
        file: Option<String>,
        /// Why it can't be shared: `scope`, `status`, `folder`.
        why: Option<String>,
    }

    /// A memory to capture.
    MemoryText {
        /// The project's key, `*` or empty.
        project: String,
        /// The text to remember.
        content: String,
        /// Its namespace.
        namespace: String,
        /// Who it is for: `project`, `user`.
        scope: String,
        /// Tags.
        tags: Vec<String>,
    }

    /// The result of a capture.
    MemoryCaptured {
        /// The memory.
        id: String,
        /// Whether the same text was there already.
        duplicate: bool,
        /// Whether a secret was redacted.
        redacted: bool,
        /// Why its file in the repository stayed as it was, if it is shared there.
        not_shared: Option<String>,
    }

    /// A change of a memory.
    MemoryChange {
        /// Its id.
        id: String,
        /// The expected current version.
        version: u32,
        /// The new text.
        content: String,
        /// The new namespace.
        namespace: String,
        /// The new tags, replacing all.
        tags: Vec<String>,
    }

    /// A memory with its new state.
    MemoryState {
        /// Its id.
        id: String,
        /// `active`, `pending`, `archived`, `superseded`.
        status: String,
    }

    /// The review of a pending memory.
    MemoryVerdict {
        /// Its id.
        id: String,
        /// Whether to keep or drop it.
        keep: bool,
    }

    /// Whether to share a memory.
    MemoryShare {
        /// Its id.
        id: String,
        /// Whether it should be shared.
        shared: bool,
    }
}

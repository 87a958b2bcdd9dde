//! What the window asks of memories and what it is answered, as types that its TypeScript side is made from. Words (namespaces,
//! states, kinds) are those of the filters; times are milliseconds since 1970.

use std::path::PathBuf;

system::shapes! {
    /// A project that has memories, or could have.
    MemoryProject {
        /// How memories name it.
        key: String,
        /// What people call it.
        name: String,
        /// Its folder on this computer, if that is known.
        folder: Option<PathBuf>,
        /// How many memories it has.
        memories: u64,
    }

    /// The projects.
    MemoryProjects {
        /// The one that was used last before all.
        rows: Vec<MemoryProject>,
    }

    /// From where memories are seen: a project's key, `*` for every project, empty outside any.
    InProject {
        /// The key.
        project: String,
    }

    /// A word with how many have it.
    MemoryCount {
        /// The word.
        word: String,
        /// How many.
        count: u64,
    }

    /// What there is.
    MemoryStanding {
        /// In use.
        total: u64,
        /// Waiting for a review.
        pending: u64,
        /// In use, by namespace, the largest first.
        namespaces: Vec<MemoryCount>,
        /// Everything, by state.
        statuses: Vec<MemoryCount>,
        /// By the agent that captured it; empty for you.
        agents: Vec<MemoryCount>,
        /// The namespaces there can be, with what belongs in each.
        known: Vec<MemoryNamespace>,
        /// The exchange with the organisation's server, where it is not as it should be.
        lagging: Option<MemoryLag>,
    }

    /// The organisation's server could not be met, or memories have waited for it too long.
    MemoryLag {
        /// Why it could not be met; empty where nobody tried.
        why: String,
        /// Memories that wait to be sent.
        waiting: u64,
        /// Since when the oldest of them waits.
        since_ms: Option<i64>,
        /// When the server was last met.
        met_ms: Option<i64>,
    }

    /// A namespace.
    MemoryNamespace {
        /// Its name.
        name: String,
        /// What belongs there.
        about: String,
    }

    /// Which memories are wanted.
    MemoriesQuery {
        /// From where.
        project: String,
        /// A question with filters in it, as one types it; empty lists everything, the newest first.
        text: String,
        /// One namespace; empty for all.
        namespace: String,
        /// `project`, `user`, `org`; empty for all.
        scope: String,
        /// A state, `any`, `expired`; empty for what is in use or was replaced.
        status: String,
        /// How far it may be relied on; empty for all.
        trust: String,
        /// The agent that captured it, `you`; empty for all.
        agent: String,
        /// Leaving out so many.
        offset: usize,
        /// At most so many.
        limit: usize,
    }

    /// A page of memories.
    MemoriesPage {
        /// The memories, the best or newest first.
        rows: Vec<MemoryRow>,
        /// How many there are on all pages.
        total: u64,
        /// What of the text was looked for, without the filters.
        question: String,
        /// How long it took, in microseconds.
        elapsed_us: u64,
    }

    /// A memory in a list.
    MemoryRow {
        /// Its id.
        id: String,
        /// Its first line or sentence.
        title: String,
        /// What of the rest was asked for, or its beginning; empty where the title says all.
        snippet: String,
        /// What it is about.
        namespace: String,
        /// Who it is for.
        scope: String,
        /// The key of its project.
        project: Option<String>,
        /// The branch it was made on.
        branch: Option<String>,
        /// The agent that captured it; none for you.
        agent: Option<String>,
        /// Where the statement comes from.
        source: Option<String>,
        /// How far it may be relied on.
        trust: String,
        /// What became of it.
        status: String,
        /// Its time has passed.
        expired: bool,
        /// It is a file of the repository.
        shared: bool,
        /// When it was captured.
        created_ms: i64,
        /// When it was last changed.
        updated_ms: i64,
        /// What took its place.
        replaced_by: Option<MemoryLinked>,
    }

    /// Another memory and what it is to this one.
    MemoryLinked {
        /// Its id.
        id: String,
        /// Its first line or sentence.
        title: String,
        /// `supersedes`, `conflicts` and so on.
        kind: String,
        /// The link leads from this memory to the other.
        outgoing: bool,
        /// Since when.
        at_ms: i64,
    }

    /// One memory.
    MemoryRef {
        /// Its id.
        id: String,
    }

    /// A memory, whole.
    MemoryView {
        /// As in the list.
        row: MemoryRow,
        /// What people call its project.
        project_name: Option<String>,
        /// Every word of it.
        content: String,
        /// What it says below its title; the whole where the title is only its beginning.
        body: String,
        /// Tags.
        tags: Vec<String>,
        /// The file it is about.
        file: Option<String>,
        /// Who said it.
        author: Option<String>,
        /// The session it was captured in.
        session: Option<String>,
        /// Its version.
        version: u32,
        /// From when on it no longer counts.
        expires_ms: Option<i64>,
        /// Who and what it speaks of.
        about: Vec<EntityNamed>,
        /// Memories it hangs together with.
        links: Vec<MemoryLinked>,
        /// What was done to it, the last first.
        history: Vec<MemoryStep>,
        /// When it was given to an agent, and why, the last first.
        given: Vec<MemoryGiven>,
        /// How often it was given in all.
        given_times: u64,
        /// Whether and how it can be shared.
        sharing: MemorySharing,
    }

    /// An entity by its name.
    EntityNamed {
        /// Its id.
        id: String,
        /// Its name.
        name: String,
    }

    /// A step in a memory's history.
    MemoryStep {
        /// The version after it.
        version: u32,
        /// `captured`, `updated`, `archived`, `superseded`, `deleted`, `restored`.
        what: String,
        /// When.
        at_ms: i64,
        /// The agent; none for you.
        agent: Option<String>,
        /// What it said after this step.
        content: String,
        /// Its tags after this step.
        tags: Vec<String>,
    }

    /// A time at which an agent was given a memory without asking.
    MemoryGiven {
        /// When.
        at_ms: i64,
        /// The agent.
        agent: String,
        /// The session.
        session: String,
        /// `prompt` or `start`.
        because: String,
        /// What was asked, where it was that.
        asked: Option<String>,
        /// How many bytes it took.
        bytes: u64,
    }

    /// Whether a memory is shared through its repository.
    MemorySharing {
        /// `shared`, `private`, `theirs` where it came from the repository, `impossible`.
        state: String,
        /// The file, relative to the project.
        file: Option<String>,
        /// Why it can't be shared: `scope`, `status`, `folder`.
        why: Option<String>,
    }

    /// A memory that you write.
    MemoryText {
        /// From where.
        project: String,
        /// What is to be remembered.
        content: String,
        /// What it is about.
        namespace: String,
        /// Who it is for: `project`, `user`.
        scope: String,
        /// Tags.
        tags: Vec<String>,
    }

    /// What came of writing one.
    MemoryCaptured {
        /// The memory.
        id: String,
        /// The same text was there already.
        duplicate: bool,
        /// A secret was taken out.
        redacted: bool,
    }

    /// A change of a memory.
    MemoryChange {
        /// Its id.
        id: String,
        /// The version that is meant.
        version: u32,
        /// The new text.
        content: String,
        /// What it is about now.
        namespace: String,
        /// All of its tags.
        tags: Vec<String>,
    }

    /// A memory and the state it is to have.
    MemoryState {
        /// Its id.
        id: String,
        /// `active`, `pending`, `archived`, `superseded`.
        status: String,
    }

    /// Whether a memory waiting for a review is kept.
    MemoryVerdict {
        /// Its id.
        id: String,
        /// Kept, or else dropped.
        keep: bool,
    }

    /// Whether a memory is shared.
    MemoryShare {
        /// Its id.
        id: String,
        /// Shared, or else not.
        shared: bool,
    }
}

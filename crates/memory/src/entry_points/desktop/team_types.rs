//! The window's requests about imports and sharing and their replies. An address in a reply never contains its
//! password.

use std::path::PathBuf;

use contract::Sentence;

system::shapes! {
    /// Something on this computer that can be imported.
    MemorySource {
        /// `instructions`, `agent_memory`, `memory_server`, `basic_memory`, `subcog`, `claude_mem`, `commits`.
        kind: String,
        /// The file or folder.
        path: PathBuf,
        /// The project it belongs to; none if it applies everywhere.
        folder: Option<PathBuf>,
        /// The number of statements that nobody has reviewed yet.
        new: u64,
        /// The beginnings of a few statements.
        samples: Vec<String>,
        /// Why it can't be read.
        problem: Option<Sentence>,
    }

    /// The import sources.
    MemorySources {
        /// Those with something new, and unreadable ones.
        rows: Vec<MemorySource>,
    }

    /// An import source.
    MemorySourceRef {
        /// The file or folder.
        path: PathBuf,
        /// The project.
        folder: Option<PathBuf>,
    }

    /// The result of an import.
    MemoryTaken {
        /// The number of statements that now wait for review.
        waiting: u64,
        /// The number of known statements.
        known: u64,
        /// The number of statements with a redacted secret.
        redacted: u64,
        /// The number of statements refused because of a secret.
        refused: u64,
        /// Other problems.
        problems: Vec<String>,
    }

    /// What is shared with others, and how.
    MemoryTeam {
        /// The project's local folder; none for every project or one without a folder.
        folder: Option<PathBuf>,
        /// The number of memories that are files of its repository.
        files: u64,
        /// The number of memories that came from others with it.
        theirs: u64,
        /// Unreadable files.
        problems: Vec<SharedProblem>,
        /// The organisation's server.
        org: MemoryOrg,
    }

    /// An unreadable file of a repository.
    SharedProblem {
        /// The file, relative to the project.
        file: String,
        /// The reason.
        problem: String,
    }

    /// The organisation's server, as far as this computer knows.
    MemoryOrg {
        /// Whether there is an address in the settings.
        configured: bool,
        /// The user and the host, without the password.
        server: String,
        /// Why the address is unusable.
        problem: Option<Sentence>,
        /// The number of memories that wait to be sent.
        waiting: u64,
        /// When the oldest of them was captured.
        since_ms: Option<i64>,
        /// When memories were last exchanged.
        met_ms: Option<i64>,
        /// When a memory was last sent.
        sent_ms: Option<i64>,
        /// Why the last attempt to reach the server failed; none if it succeeded.
        why: Option<Sentence>,
        /// Its last answer to a check.
        answer: Option<MemoryOrgAnswer>,
        /// The logged-in user's roles, as of the last check or exchange.
        roles: Vec<MemoryRole>,
        /// When they were reported; none if never.
        roles_ms: Option<i64>,
    }

    /// The address of a server to save in the settings. It contains a password and never appears in a reply.
    MemoryOrgAddress {
        /// `postgres://name:password@host/database`; empty to remove it.
        url: String,
    }

    /// The server's answer to a check.
    MemoryOrgAnswer {
        /// When it was asked.
        at_ms: i64,
        /// `reachable`, `unreachable`, `slow`, `refused`, `not set up`, `wrong version`, `failed`.
        status: String,
        /// What is wrong; none if nothing is.
        problem: Option<Sentence>,
        /// The answer time in microseconds.
        answer_us: u64,
        /// PostgreSQL's version.
        version: String,
        /// The approximate number of visible memories.
        memories: u64,
    }

    /// A role on the server.
    MemoryRole {
        /// The project; `*` for every one.
        project: String,
        /// `reader`, `writer`, `admin`.
        role: String,
    }
}

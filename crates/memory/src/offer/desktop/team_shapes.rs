//! What the window asks around beginning and around a team, and what it is answered: what can be taken in, what a repository
//! shares, and how the organisation's server is. Types like those of `shapes`; an address never has its password in it.

use std::path::PathBuf;

system::shapes! {
    /// Something on this computer that can be taken in.
    MemorySource {
        /// `instructions`, `agent_memory`, `memory_server`, `basic_memory`, `subcog`, `claude_mem`, `commits`.
        kind: String,
        /// The file or folder.
        path: PathBuf,
        /// The project it belongs to; none for what counts everywhere.
        folder: Option<PathBuf>,
        /// How many statements are in it that nobody has looked at yet.
        new: u64,
        /// The beginnings of a few of them.
        samples: Vec<String>,
        /// Why it can't be read.
        problem: Option<String>,
    }

    /// All of them.
    MemorySources {
        /// Those with something new, and those that can't be read.
        rows: Vec<MemorySource>,
    }

    /// One of them.
    MemorySourceRef {
        /// The file or folder.
        path: PathBuf,
        /// The project.
        folder: Option<PathBuf>,
    }

    /// It was taken in.
    MemoryTaken {
        /// So many statements wait for a review now.
        waiting: u64,
        /// So many were known already.
        known: u64,
        /// From so many a secret was taken out.
        redacted: u64,
        /// So many were refused because of a secret in them.
        refused: u64,
        /// What else could not be taken, and why.
        problems: Vec<String>,
    }

    /// What is shared with others, and how.
    MemoryTeam {
        /// The project's folder here; none for every project or one without a folder.
        folder: Option<PathBuf>,
        /// Memories that are files of its repository.
        files: u64,
        /// Memories that came with it from others.
        theirs: u64,
        /// Files that can't be read.
        problems: Vec<SharedProblem>,
        /// The organisation's server.
        org: MemoryOrg,
    }

    /// A file of a repository that can't be read.
    SharedProblem {
        /// The file, relative to the project.
        file: String,
        /// Why.
        problem: String,
    }

    /// The organisation's server, as far as this computer knows.
    MemoryOrg {
        /// Whether there is an address in the settings.
        configured: bool,
        /// Who logs in where, without the password.
        server: String,
        /// Why the address can't be used.
        problem: Option<String>,
        /// Memories that wait to be sent.
        waiting: u64,
        /// Since when the oldest of them waits.
        since_ms: Option<i64>,
        /// When memories were last exchanged.
        met_ms: Option<i64>,
        /// When one was last sent.
        sent_ms: Option<i64>,
        /// Why the server was not met the last time; empty where it was.
        why: String,
        /// What it answered when somebody last asked it.
        answer: Option<MemoryOrgAnswer>,
        /// What whoever logs in may do, as it said last: when it was asked for it, or in an exchange.
        roles: Vec<MemoryRole>,
        /// When it said so; none where it never did.
        roles_ms: Option<i64>,
    }

    /// The address of a server, to be kept in the settings. It has a password in it, and is never told back.
    MemoryOrgAddress {
        /// `postgres://name:password@host/database`; empty to have none.
        url: String,
    }

    /// What the server answered.
    MemoryOrgAnswer {
        /// When it was asked.
        at_ms: i64,
        /// `reachable`, `unreachable`, `slow`, `refused`, `not set up`, `wrong version`, `failed`.
        status: String,
        /// Why it can't be worked with; empty where it can.
        problem: String,
        /// How long its answer took, in microseconds.
        answer_us: u64,
        /// Its version of PostgreSQL.
        version: String,
        /// About how many memories may be seen there.
        memories: u64,
    }

    /// A right on the server.
    MemoryRole {
        /// The project; `*` for every one.
        project: String,
        /// `reader`, `writer`, `admin`.
        role: String,
    }
}

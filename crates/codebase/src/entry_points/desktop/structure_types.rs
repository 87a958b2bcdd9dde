//! The window's replies about a project's structure: map, files, patterns and cycles. Paths are relative to the project.

use std::path::PathBuf;

system::shapes! {
    /// A folder of the map.
    CodeMapQuery {
        /// Of this project.
        project: PathBuf,
        /// The folder; empty for the project.
        folder: String,
    }

    /// What is in a folder.
    CodeMap {
        /// The largest first.
        blocks: Vec<CodeBlock>,
        /// What is in each block, the largest first: a selection, and nothing for files and the smaller folders.
        inside: Vec<Vec<CodeBlock>>,
        /// Others, that are not shown.
        more: u64,
        /// There is a history, so changes are counted.
        history: bool,
    }

    /// A folder or file of the map.
    CodeBlock {
        /// Its path.
        path: String,
        /// Its name.
        name: String,
        /// It is a folder.
        folder: bool,
        /// Files in it.
        files: u64,
        /// Lines in it.
        lines: u64,
        /// How often commits of the last year touched its files.
        touched: u64,
        /// Files in it that have a finding.
        ailing: u64,
        /// A file's findings: `circle`, `long`.
        findings: Vec<String>,
    }

    /// A page of a list of files.
    CodeFilesQuery {
        /// Of this project.
        project: PathBuf,
        /// Below this folder; empty for all.
        folder: String,
        /// `lines`, `touched`, `findings`, `path`.
        sort: String,
        /// How many to skip.
        offset: usize,
        /// How many at most.
        limit: usize,
    }

    /// A list of files.
    CodeFiles {
        /// The files.
        rows: Vec<CodeBlock>,
        /// How many there are in all.
        total: u64,
    }

    /// How a project does things.
    CodeWays {
        /// Grouped by subject.
        categories: Vec<CodeCategory>,
        /// Files that show most of these ways at once.
        golden: Vec<String>,
        /// How names are written.
        naming: Vec<CodeNaming>,
        /// The history of added lines is still being read.
        reading: bool,
    }

    /// The ways of doing one thing.
    CodeCategory {
        /// `testing`, `errors` and so on.
        category: String,
        /// The most common first.
        ways: Vec<CodeWay>,
        /// The project's own conventions conflict here.
        conflict: bool,
    }

    /// A way of doing something.
    CodeWay {
        /// Its name.
        name: String,
        /// The number of files that use it.
        files: u64,
        /// Its share of all files that use one of the ways, from 0 to 1.
        share: f64,
        /// One of them.
        example: Option<String>,
        /// `Rising`, `Stable` or `Declining`; none where too little is known.
        trend: Option<String>,
        /// Its share of the uses added in each quarter of two years, oldest first; none if none were added. Empty
        /// without a history.
        curve: Vec<Option<f64>>,
        /// New uses in the last six months …
        lately: u64,
        /// … and in the eighteen months before.
        before: u64,
    }

    /// How names are written.
    CodeNaming {
        /// The kind of name: `rust function`.
        what: String,
        /// `snake_case` and so on.
        form: String,
        /// From 0 to 1.
        share: f64,
    }

    /// A part of a list about a project.
    CodePart {
        /// Of this project.
        project: PathBuf,
        /// How many to skip.
        offset: usize,
        /// How many at most.
        limit: usize,
    }

    /// Import cycles.
    CodeCycles {
        /// Those with the shortest way around first.
        rows: Vec<CodeCycle>,
        /// How many there are.
        total: u64,
        /// The number of examined files.
        files: u64,
    }

    /// Files that import one another in a circle.
    CodeCycle {
        /// The shortest way around; the last imports the first.
        files: Vec<String>,
        /// How many files reach one another.
        part_of: u64,
        /// `high`, `medium`, `low`.
        severity: String,
    }
}

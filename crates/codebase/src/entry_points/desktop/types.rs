//! The window's requests and replies, from which its TypeScript types are generated. Paths are relative to the project, lines start at
//! 1, times are milliseconds since 1970.

use std::path::PathBuf;

system::shapes! {
    /// A project with sessions or an index.
    CodeProject {
        /// Its folder.
        root: PathBuf,
        /// Its name.
        name: String,
        /// Its code is indexed.
        indexed: bool,
    }

    /// The projects.
    CodeProjects {
        /// Those that were worked in last first.
        rows: Vec<CodeProject>,
    }

    /// A project.
    CodeIn {
        /// Its folder.
        project: PathBuf,
    }

    /// The state of a project's index.
    CodeStatusView {
        /// `none`, `indexing`, `ready`, `unfinished`, `damaged`, `newer`.
        state: String,
        /// The number of indexed files.
        files: u64,
        /// Their lines.
        lines: u64,
        /// Their definitions.
        definitions: u64,
        /// When the project was last checked for changes.
        looked_ms: Option<i64>,
        /// The number of files read so far, while it is being built.
        done: u64,
        /// Files in all.
        total: u64,
        /// Its languages, the most used first.
        languages: Vec<CodeLanguage>,
        /// It is in a git repository.
        git: bool,
    }

    /// A language of a project.
    CodeLanguage {
        /// Its name; empty for files of none.
        name: String,
        /// Files.
        files: u64,
        /// Of these, files that are indexed by lines only.
        by_lines: u64,
    }

    /// A question.
    CodeQuery {
        /// Of this project.
        project: PathBuf,
        /// The query as typed.
        text: String,
        /// How many to skip.
        offset: usize,
        /// How many at most.
        limit: usize,
    }

    /// The answers to a query.
    CodePage {
        /// The best first.
        rows: Vec<CodeHit>,
        /// There are more after these.
        more: bool,
        /// The answers contain most of the query's words.
        sure: bool,
        /// How long it took, in microseconds.
        elapsed_us: u64,
        /// Every file is indexed in its current state.
        fresh: bool,
        /// The project is being indexed for the first time.
        partial: bool,
    }

    /// A place that answers.
    CodeHit {
        /// The file.
        path: String,
        /// First line of the matching part.
        start: u32,
        /// Its last line.
        end: u32,
        /// The definition, with its container.
        symbol: Option<String>,
        /// Its kind; the language where it isn't a definition.
        kind: String,
        /// Its parameters and result.
        signature: Option<String>,
        /// It defines the name in the query.
        defines: bool,
        /// How many files import it.
        importers: u32,
        /// A test imports it.
        tested: bool,
        /// `test`, `docs`, `generated` and so on.
        roles: Vec<String>,
        /// It imports the first answer's file.
        imports_first: bool,
        /// It changed since it was indexed.
        changed: bool,
    }

    /// A part of a file.
    CodeSpot {
        /// Of this project.
        project: PathBuf,
        /// The file.
        path: String,
        /// The first line.
        start: u32,
        /// The last line.
        end: u32,
    }

    /// A part of a file as text, with what the file defines.
    CodePreview {
        /// The file.
        path: String,
        /// Its language.
        language: String,
        /// The number of the first line.
        first: u32,
        /// The lines.
        lines: Vec<String>,
        /// How many lines the file has.
        total: u32,
        /// Its definitions, by line.
        outline: Vec<CodeSymbol>,
    }

    /// A definition.
    CodeSymbol {
        /// Its name.
        name: String,
        /// What it is.
        kind: String,
        /// Its container.
        container: String,
        /// Its line.
        line: u32,
    }

    /// A name, and the place of the intended definition.
    CodeName {
        /// Of this project.
        project: PathBuf,
        /// The name, or `Type.name`.
        symbol: String,
        /// The file.
        path: String,
        /// The first line.
        start: u32,
        /// The last line.
        end: u32,
    }

    /// Who uses a name.
    CodeReferences {
        /// Where it is defined.
        definitions: Vec<CodeDefinition>,
        /// Where it is used, the surest first.
        uses: Vec<CodeUse>,
        /// How many uses there are.
        total: u64,
        /// Files that contain the word but couldn't be parsed.
        unread: Vec<String>,
    }

    /// Where a name is defined.
    CodeDefinition {
        /// The file.
        path: String,
        /// The line.
        line: u32,
        /// Its parameters and result.
        signature: String,
    }

    /// A use.
    CodeUse {
        /// The file.
        path: String,
        /// The line.
        line: u32,
        /// The line's text.
        text: String,
        /// `resolved`, `in_scope`, `textual`.
        confidence: String,
        /// `call`, `import` and so on.
        role: String,
        /// The definition around it.
        inside: Option<String>,
        /// The file is a test.
        test: bool,
    }

    /// Whether enough is known to change something.
    CodeCard {
        /// It is.
        ready: bool,
        /// Too little is known to answer that.
        abstain: bool,
        /// The definition.
        name: Option<String>,
        /// Where.
        file: Option<String>,
        /// The index is up to date.
        fresh: bool,
        /// Other definitions have its name.
        same_name: u64,
        /// Files that call it; all are listed beside the card.
        callers: u64,
        /// Tests that name it.
        tests: Vec<String>,
        /// Its file is part of an import cycle.
        in_circle: bool,
        /// The project's conventions.
        preferred: Vec<CodeFollowed>,
        /// Conventions that the project is abandoning.
        avoided: Vec<CodeFollowed>,
        /// Where its conventions conflict.
        conflicts: Vec<String>,
        /// An example file.
        example: Option<String>,
        /// Files that a change may reach, nearest first.
        reached: Vec<CodeReached>,
        /// Memories about it, failures first.
        remembered: Vec<CodeRemembered>,
    }

    /// A memory of a part of the code.
    CodeRemembered {
        /// Its ID, as screen *Memory* opens it.
        id: String,
        /// `decision`, `convention`, `gotcha` or `failure`.
        kind: String,
        /// Its text, or the part that matters.
        text: String,
        /// When it was last written.
        written_ms: i64,
        /// So old that it may be out of date.
        stale: bool,
    }

    /// A convention that the project follows or is abandoning.
    CodeFollowed {
        /// Its subject.
        category: String,
        /// What it is called.
        name: String,
        /// Its share of all files that use one of the ways, from 0 to 1.
        share: f64,
        /// `Rising`, `Stable` or `Declining`; none where too little is known.
        trend: Option<String>,
    }

    /// A file that a change may reach.
    CodeReached {
        /// The file.
        file: String,
        /// 1 imports the changed file, 2 imports one that does.
        hop: u8,
        /// The line of the import.
        line: Option<u32>,
    }

    /// A text to be copied.
    CodeText {
        /// Markdown.
        text: String,
        /// An estimate.
        tokens: u64,
    }

    /// What to index again.
    CodeReindex {
        /// Of this project.
        project: PathBuf,
        /// Everything into a new index; else what changed.
        fresh: bool,
    }

    /// The result of indexing.
    CodeReindexed {
        /// The number of indexed files.
        read: u64,
    }
}

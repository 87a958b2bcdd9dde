//! The three layers: built in, the user's own folder, the project's folder once it is trusted. Owns looking a filter up
//! for a command; later layers come first, and a filter of the same name replaces the earlier one.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde::Serialize;

use crate::builtin::{self, Builtin};
use crate::command::{answers, runs_other_tools};
use crate::definition::Filter;
use crate::filter_error::FilterError;
use crate::inner::inner;
use crate::signature::{self, Signatures};

/// Where a project keeps its own filters, below its folder.
pub const PROJECT_FOLDER: &str = ".plimsoll/filters";

/// A larger file of filters wasn't written by hand.
const MAX_FILE: u64 = 1024 * 1024;

/// A hash of all files in a folder of filters, for remembering which content a user has reviewed; `None` if it has
/// none.
#[must_use]
pub fn fingerprint(folder: &Path) -> Option<String> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    let mut hasher = blake3::Hasher::new();
    for file in &files {
        let bytes = home::read_regular(file, MAX_FILE).ok()?;
        hasher.update(file.file_name()?.as_encoded_bytes());
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(&bytes);
    }
    (!files.is_empty()).then(|| hasher.finalize().to_hex().to_string())
}

/// Where a filter comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// Part of the program.
    Builtin,
    /// `~/.plimsoll/filters`.
    User,
    /// `.plimsoll/filters` of a project that the user trusts.
    Project,
}

/// A filter in a list.
#[derive(Debug, Clone, Serialize)]
pub struct Listed {
    /// Its name.
    pub name: String,
    /// Its layer.
    pub layer: Layer,
    /// The commands that it applies to.
    pub commands: Vec<String>,
    /// Whether it is switched off.
    pub off: bool,
    /// Its file.
    pub file: String,
    /// Whether its cases rest on documentation, as the tool could not be had.
    pub documented: bool,
}

/// The filters of one user and project.
#[derive(Debug, Default)]
pub struct FilterSet {
    /// Project first, then the user's own.
    own: Vec<(Layer, PathBuf, Arc<Filter>)>,
    /// Their signatures, compiled when the first output asks for them.
    signatures: OnceLock<Option<Signatures>>,
    /// Built-in filters by their file, each parsed once however often an output asks for it.
    parsed: Mutex<HashMap<&'static str, Arc<Filter>>>,
    off: Vec<String>,
    /// Files that could not be read, with why; they filter nothing.
    pub broken: Vec<FilterError>,
}

impl FilterSet {
    /// Only what is built in.
    #[must_use]
    pub fn builtin() -> Self {
        Self::default()
    }

    /// Reads the folders of the user and of a trusted project; missing ones aren't errors. `off` names filters that are
    /// switched off.
    #[must_use]
    pub fn load(user: Option<&Path>, project: Option<&Path>, off: &[String]) -> Self {
        let mut set = Self { off: off.to_vec(), ..Self::default() };
        for (layer, folder) in [(Layer::Project, project), (Layer::User, user)] {
            let Some(entries) = folder.and_then(|folder| std::fs::read_dir(folder).ok()) else { continue };
            let mut files: Vec<PathBuf> = entries
                .flatten()
                .map(|entry| entry.path())
                .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
                .collect();
            files.sort();
            for file in files {
                let shown = file.display().to_string();
                let read = home::read_regular_text(&file, MAX_FILE)
                    .map_err(|error| FilterError::Invalid { file: shown.clone(), reason: error.to_string() })
                    .and_then(|text| Filter::parse_whole(&text, &shown));
                match read {
                    Ok(filter) if set.own.iter().all(|(_, _, known)| known.name != filter.name) => {
                        set.own.push((layer, file, Arc::new(filter)));
                    }
                    Ok(_) => {}
                    Err(error) => set.broken.push(error),
                }
            }
        }
        set
    }

    /// Whether the filter of this name is switched off.
    #[must_use]
    pub fn is_off(&self, name: &str) -> bool {
        self.off.iter().any(|off| off == name)
    }

    /// Whether any filter may answer to the program call `argv` (wrappers looked through already). Parses nothing.
    #[must_use]
    pub fn knows(&self, argv: &[String]) -> bool {
        self.own.iter().any(|(_, _, filter)| own_answers(filter, argv) && !self.is_off(&filter.name))
            || builtin_for(argv).any(|found| !self.is_off(found.name))
    }

    /// Whether the output of the program call `argv` (wrappers looked through already) may be shortened while it is being
    /// printed: by a filter by rules that answers to it, or by those of the tools that it starts.
    #[must_use]
    pub fn can_stream(&self, argv: &[String]) -> bool {
        runs_other_tools(argv)
            || self.own.iter().any(|(_, _, filter)| {
                filter.native.is_none() && own_answers(filter, argv) && !self.is_off(&filter.name)
            })
            || builtin_for(argv).any(|found| !found.native && !self.is_off(found.name))
    }

    /// Whether the program call `argv` (wrappers looked through already) ends with an error whenever it has something
    /// to say: a host that shows no hook a failed command's output shows less only if the command itself prints less.
    #[must_use]
    pub fn fails_with_output(&self, argv: &[String]) -> bool {
        self.own
            .iter()
            .any(|(_, _, filter)| filter.fails && own_answers(filter, argv) && !self.is_off(&filter.name))
            || builtin_for(argv).any(|found| found.fails && !self.is_off(found.name))
    }

    /// Whether the program call `argv` is one whose reports a built-in filter knows, and which therefore tends to print more
    /// than is needed. Looks through wrappers; parses nothing.
    #[must_use]
    pub fn is_noisy(&self, argv: &[String]) -> bool {
        builtin_for(crate::command::unwrapped(argv)).any(|found| found.report && !self.is_off(found.name))
    }

    /// The names of the filters that answer to a command line, in the order in which they are tried.
    #[must_use]
    pub fn names_for(&self, line: &str) -> Vec<String> {
        let parsed = shell::line::parse(&inner(line));
        let mut names = Vec::new();
        for simple in &parsed.commands {
            let argv = simple.argv();
            for filter in self.answering(crate::command::unwrapped(&argv)) {
                if !names.contains(&filter.name) {
                    names.push(filter.name.clone());
                }
            }
        }
        names
    }

    /// Whether a filter answers to the program call `argv`, whatever that then prints.
    #[must_use]
    pub fn answers_to(&self, argv: &[String]) -> bool {
        !self.candidates(crate::command::unwrapped(argv)).is_empty()
    }

    /// The filters that work on what the program call `argv` prints, most specific first; those that stand aside because of
    /// an argument are left out.
    pub(crate) fn candidates(&self, argv: &[String]) -> Vec<Arc<Filter>> {
        let mut found = self.answering(argv);
        found.retain(|filter| !filter.generic);
        found
    }

    /// The same with those that leave it to the generic filter.
    fn answering(&self, argv: &[String]) -> Vec<Arc<Filter>> {
        let mut found: Vec<(usize, Arc<Filter>)> = Vec::new();
        for (_, _, filter) in &self.own {
            if own_answers(filter, argv) {
                // A user's filter comes before a built-in one, however specific that is.
                found.push((usize::MAX, Arc::clone(filter)));
            }
        }
        for builtin in builtin_for(argv) {
            let replaced = self.own.iter().any(|(_, _, own)| own.name == builtin.name);
            if let Some(filter) = (!replaced).then(|| self.parsed(builtin)).flatten() {
                found.push((specific(builtin, argv), filter));
            }
        }
        found.retain(|(_, filter)| !self.is_off(&filter.name) && !filter.steps_aside(argv));
        found.sort_by_key(|(specific, _)| std::cmp::Reverse(*specific));
        found.into_iter().map(|(_, filter)| filter).collect()
    }

    /// The filters by rules whose tool has printed a line of `text`, in the order of these lines. Those that stand
    /// aside or are switched off are left out.
    pub(crate) fn recognised(&self, text: &str) -> Vec<Arc<Filter>> {
        let mut found = self.signed(text);
        found.retain(|filter| filter.knows(text));
        found
    }

    /// The same without those that stand aside from one of the program `calls`: what a tool was asked to print isn't noise,
    /// however it is recognised.
    pub(crate) fn recognised_in(&self, text: &str, calls: &[Vec<String>]) -> Vec<Arc<Filter>> {
        let mut found = self.recognised(text);
        found.retain(|filter| !calls.iter().any(|argv| stands_aside(filter, argv)));
        found
    }

    /// The same by their signatures alone.
    pub(crate) fn signed(&self, text: &str) -> Vec<Arc<Filter>> {
        let compiled = self.signatures.get_or_init(|| {
            Signatures::new(
                self.own.iter().map(|(_, _, filter)| filter.signature.iter().map(String::as_str).collect()),
            )
        });
        let own = compiled.as_ref().map_or_else(Vec::new, |own| own.found_in(text));
        let own = own.into_iter().filter_map(|at| self.own.get(at)).map(|(_, _, filter)| Arc::clone(filter));
        let builtin = signature::builtin_in(text).into_iter().filter_map(|at| builtin::all().get(at));
        let builtin = builtin
            .filter(|builtin| self.own.iter().all(|(_, _, own)| own.name != builtin.name))
            .filter_map(|builtin| self.parsed(builtin));
        own.chain(builtin).filter(|filter| filter.native.is_none() && !self.is_off(&filter.name)).collect()
    }

    /// A built-in filter with its rules.
    fn parsed(&self, builtin: &Builtin) -> Option<Arc<Filter>> {
        let mut parsed = self.parsed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(filter) = parsed.get(builtin.file) {
            return Some(Arc::clone(filter));
        }
        let filter = Arc::new(Filter::parse(builtin.rules, builtin.file).ok()?);
        parsed.insert(builtin.file, Arc::clone(&filter));
        Some(filter)
    }

    /// Whether a command of the line prints data that was asked for.
    #[must_use]
    pub fn prints_data(&self, line: &str) -> bool {
        let parsed = shell::line::parse(&inner(line));
        parsed.commands.iter().any(|simple| {
            let argv = simple.argv();
            self.candidates(crate::command::unwrapped(&argv)).iter().any(|filter| filter.prints_data())
        })
    }

    /// Every filter with its layer, by name; those replaced by a later layer are left out.
    #[must_use]
    pub fn list(&self) -> Vec<Listed> {
        let mut all: Vec<Listed> = self
            .own
            .iter()
            .map(|(layer, file, filter)| Listed {
                name: filter.name.clone(),
                layer: *layer,
                commands: filter.commands.clone(),
                off: self.is_off(&filter.name),
                file: file.display().to_string(),
                documented: filter.is_documented(),
            })
            .collect();
        for builtin in builtin::all() {
            if all.iter().all(|listed| listed.name != builtin.name) {
                all.push(Listed {
                    name: builtin.name.to_owned(),
                    layer: Layer::Builtin,
                    commands: builtin.commands.iter().map(|words| words.join(" ")).collect(),
                    off: self.is_off(builtin.name),
                    file: builtin.file.to_owned(),
                    documented: builtin.documented,
                });
            }
        }
        all.sort_by(|a, b| a.name.cmp(&b.name));
        all
    }

    /// Whether the filter of this name is the user's or the project's.
    pub(crate) fn is_own(&self, name: &str) -> bool {
        self.own.iter().any(|(_, _, filter)| filter.name == name)
    }

    /// The user's and the project's filters, with the folder of their cases' files.
    pub(crate) fn own(&self) -> impl Iterator<Item = (&Path, &Filter)> {
        self.own.iter().map(|(_, file, filter)| (file.as_path(), filter.as_ref()))
    }
}

fn own_answers(filter: &Filter, argv: &[String]) -> bool {
    filter.commands.iter().any(|command| answers(&command.split_whitespace().collect::<Vec<_>>(), argv))
}

/// Whether a filter answers to the program call `argv` but stands aside because of an argument.
pub(crate) fn stands_aside(filter: &Filter, argv: &[String]) -> bool {
    filter.steps_aside(argv) && own_answers(filter, argv)
}

fn builtin_for(argv: &[String]) -> impl Iterator<Item = &'static Builtin> {
    builtin::all().iter().filter(move |builtin| builtin.commands.iter().any(|words| answers(words, argv)))
}

/// How many words of the most specific matching command there are.
fn specific(builtin: &Builtin, argv: &[String]) -> usize {
    builtin.commands.iter().filter(|words| answers(words, argv)).map(|words| words.len()).max().unwrap_or(0)
}

//! From a text to all that is seen in it: a flat list of parts, files and hosts.
//!
//! Follows the folder (`cd`), the variables and the input of pipes as far as they are plain. Judges nothing:
//! which rule speaks about a part is decided in `set`.

use std::path::{Path, PathBuf};

use super::expand::{Field, Vars, fields};
use super::files::touched;
use super::parse::{RedirKind, Script, Simple, Step, parse};
use super::wrap::{Inner, Weight, basename, unwrap};
use crate::paths::absolute;
use crate::script;

/// How many texts may be wrapped in one another (`bash -c "bash -c '…'"`).
const MAX_SCRIPTS: usize = 16;
/// How many parts one command may have before it is given up.
const MAX_PARTS: usize = 20_000;

/// Where the walk begins.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Start<'a> {
    Shell(&'a str),
    PowerShell(&'a str),
    /// A language and a program in it.
    Code(&'a str, &'a str),
}

/// One program with its arguments, as seen.
#[derive(Debug, Default)]
pub(crate) struct Part {
    /// The words without quotes, redirections and assignments.
    pub(crate) words: Vec<String>,
    /// The texts that a deny or ask rule is tried on.
    pub(crate) forms: Vec<String>,
    /// The texts that an allow rule is tried on.
    pub(crate) strict_forms: Vec<String>,
    /// No variable that could change what it does is set before it.
    pub(crate) plain_env: bool,
    /// What holds for what it wraps, holds for it.
    pub(crate) transparent: bool,
    /// Only an exact rule can allow it.
    pub(crate) sealed: bool,
    /// The part that wraps it.
    pub(crate) parent: Option<usize>,
}

/// A file or host that a command names, with the folder it is relative to.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) text: String,
    pub(crate) dir: PathBuf,
    pub(crate) glob: bool,
    /// The target of an output redirection.
    pub(crate) redirected: bool,
}

/// Everything seen in a text.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) parts: Vec<Part>,
    pub(crate) reads: Vec<Place>,
    pub(crate) writes: Vec<Place>,
    pub(crate) hosts: Vec<String>,
    /// Whole texts, for rules whose pattern holds an operator.
    pub(crate) chains: Vec<String>,
    /// Why some of it could not be taken apart.
    pub(crate) closed: Option<&'static str>,
    /// A shell might read it otherwise, so it must not be called allowed.
    pub(crate) odd: bool,
}

/// Looks through `start`. Without a home and folder, files are not looked at.
pub(crate) fn see(start: Start<'_>, cwd: Option<&Path>, home: Option<&Path>) -> Seen {
    let length = match start {
        Start::Shell(text) | Start::PowerShell(text) | Start::Code(_, text) => text.len(),
    };
    let mut walk =
        Walk { home, seen: Seen::default(), budget: length.saturating_mul(4).saturating_add(1 << 20) };
    let mut vars = Vars::default();
    if let Some(home) = home.and_then(Path::to_str) {
        vars.set("HOME", home);
    }
    if let Some(cwd) = cwd.and_then(Path::to_str) {
        vars.set("PWD", cwd);
    }
    let scope = Scope { vars, dir: cwd.map(Path::to_path_buf) };
    match start {
        Start::Shell(text) => walk.script(text, scope, None, 0),
        Start::PowerShell(text) => walk.powershell(text, &scope, None, 0),
        Start::Code(language, code) => walk.code(language, code, &scope, None, 0),
    }
    walk.seen
}

#[derive(Clone)]
struct Scope {
    vars: Vars,
    /// `None` once a `cd` went somewhere unknown.
    dir: Option<PathBuf>,
}

struct Walk<'a> {
    home: Option<&'a Path>,
    seen: Seen,
    budget: usize,
}

/// What comes into a command through a pipe or from a text.
#[derive(Default)]
struct Input {
    /// Text that is plain: here-documents, here-strings, `echo … |`.
    texts: Vec<String>,
    /// The words of the command before the pipe.
    words: Vec<Field>,
}

/// Variables that change what a program says, not what it does.
fn harmless(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "CI",
        "COLUMNS",
        "DEBUG",
        "FORCE_COLOR",
        "GOARCH",
        "GOOS",
        "LANG",
        "LANGUAGE",
        "LINES",
        "LOG_LEVEL",
        "NODE_ENV",
        "NO_COLOR",
        "PYTHONUNBUFFERED",
        "RUST_BACKTRACE",
        "RUST_LOG",
        "TERM",
        "TZ",
        "CARGO_TERM_COLOR",
        "CLICOLOR",
        "CLICOLOR_FORCE",
        "PYTHONDONTWRITEBYTECODE",
    ];
    NAMES.contains(&name) || name.starts_with("LC_")
}

impl Walk<'_> {
    fn too_deep(&mut self) {
        self.seen.closed = Some("it is nested too deep or too large");
    }

    fn script(&mut self, text: &str, mut scope: Scope, parent: Option<usize>, depth: usize) {
        if depth > MAX_SCRIPTS || self.seen.parts.len() > MAX_PARTS {
            return self.too_deep();
        }
        let script: Script = parse(text);
        if script.too_deep {
            self.too_deep();
        }
        self.seen.odd |= script.odd;
        self.seen.chains.extend(script.chains);
        let mut outer: Vec<Scope> = Vec::new();
        let mut before = Input::default();
        for step in &script.steps {
            match step {
                Step::Enter => outer.push(scope.clone()),
                Step::Leave => {
                    if let Some(back) = outer.pop() {
                        scope = back;
                    }
                }
                Step::Loop { name, words } => {
                    let values: Vec<Field> =
                        words.iter().flat_map(|w| fields(w, &scope.vars, &mut self.budget)).collect();
                    // One variable stands for all of them: `for f in .env x; do cat $f` names both files.
                    let joined: Vec<&str> =
                        values.iter().filter(|f| !f.dynamic).map(|f| f.text.as_str()).collect();
                    scope.vars.set_list(name, &joined.join(" "));
                }
                Step::Run(simple) => {
                    let input = if simple.piped { std::mem::take(&mut before) } else { Input::default() };
                    before = self.simple(simple, &script.bodies, &mut scope, parent, depth, input);
                    if self.seen.parts.len() > MAX_PARTS {
                        return self.too_deep();
                    }
                }
            }
        }
    }

    fn simple(
        &mut self,
        simple: &Simple,
        bodies: &[String],
        scope: &mut Scope,
        parent: Option<usize>,
        depth: usize,
        mut input: Input,
    ) -> Input {
        let had = self.budget;
        let argv: Vec<Field> =
            simple.words.iter().flat_map(|w| fields(w, &scope.vars, &mut self.budget)).collect();
        for slot in &simple.heredocs {
            input.texts.extend(bodies.get(*slot).cloned());
        }
        for redir in &simple.redirs {
            let target = fields(&redir.word, &scope.vars, &mut self.budget);
            match redir.kind {
                RedirKind::HereString => input.texts.extend(target.into_iter().map(|f| f.text)),
                RedirKind::In => self.places(&target, scope, false, true),
                RedirKind::Out => self.places(&target, scope, true, true),
                RedirKind::Both => {
                    self.places(&target, scope, false, true);
                    self.places(&target, scope, true, true);
                }
            }
        }
        if self.budget == 0 && had > 0 {
            self.too_deep();
        }
        let mut assigned = String::new();
        let mut all_harmless = true;
        for (name, value) in &simple.assigns {
            let value = fields(value, &scope.vars, &mut self.budget);
            all_harmless &= harmless(name);
            let text = value.iter().map(|f| f.text.as_str()).collect::<Vec<_>>().join(" ");
            assigned.push_str(&format!("{name}={text} "));
            if argv.is_empty() {
                match value.iter().any(|f| f.dynamic) {
                    true => scope.vars.forget(name),
                    false => scope.vars.set(name, &text),
                }
            }
        }
        if argv.is_empty() {
            return Input::default();
        }
        let raw_words = simple.words.iter().map(|w| w.raw.as_str()).collect::<Vec<_>>().join(" ");
        let mut own = vec![simple.raw.clone(), raw_words.clone()];
        let mut strict = vec![simple.raw.clone()];
        if !assigned.is_empty() {
            own.push(format!("{assigned}{}", join(&argv)));
        }
        if all_harmless {
            strict.push(raw_words);
            if argv.iter().all(|f| !f.dynamic && !f.text.is_empty() && !f.text.contains(char::is_whitespace))
            {
                strict.push(join(&argv));
            }
        }
        self.argv(&argv, own, strict, scope, parent, depth, &input);
        self.follow(&argv, scope);
        // `cat` and `tee` hand on what they are given.
        match argv.as_slice() {
            [only] if basename(&only.text) == "cat" => input,
            [first, ..] if basename(&first.text) == "tee" => input,
            _ => Input { words: argv, texts: Vec::new() },
        }
    }

    /// `cd`, `export` and their like change what later commands mean.
    fn follow(&mut self, argv: &[Field], scope: &mut Scope) {
        match argv.first().map(|f| f.text.as_str()) {
            Some("cd" | "pushd") => {
                let target = argv.iter().skip(1).find(|f| !f.text.starts_with('-'));
                scope.dir = match (target, self.home, &scope.dir) {
                    (Some(t), _, _) if t.dynamic || t.glob => None,
                    (Some(t), Some(home), Some(dir)) => Some(absolute(&t.text, dir, home)),
                    (None, Some(home), _) if argv.len() == 1 => Some(home.to_path_buf()),
                    _ => None,
                };
            }
            Some("export" | "declare" | "local" | "readonly" | "typeset") => {
                for field in argv.iter().skip(1).filter(|f| !f.dynamic) {
                    if let Some((name, value)) = field.text.split_once('=') {
                        scope.vars.set(name, value);
                    }
                }
            }
            Some("unset") => argv.iter().skip(1).for_each(|f| scope.vars.forget(&f.text)),
            Some("read") => argv.iter().skip(1).for_each(|f| scope.vars.forget(&f.text)),
            _ => {}
        }
    }

    #[expect(clippy::too_many_arguments, reason = "one call per command, with all that is known about it")]
    fn argv(
        &mut self,
        argv: &[Field],
        mut forms: Vec<String>,
        mut strict_forms: Vec<String>,
        scope: &Scope,
        parent: Option<usize>,
        depth: usize,
        input: &Input,
    ) {
        let Some(first) = argv.first() else { return };
        if depth > MAX_SCRIPTS || self.seen.parts.len() > MAX_PARTS {
            return self.too_deep();
        }
        let words: Vec<String> = argv.iter().map(|f| f.text.clone()).collect();
        let text = words.join(" ");
        let name = basename(&first.text).to_owned();
        // From a script, what is written before the command is only its raw spelling.
        let plain_env = strict_forms.len() != 1;
        if strict_forms.is_empty() && words.iter().all(|w| !w.is_empty() && !w.contains(char::is_whitespace))
        {
            strict_forms.push(text.clone());
        }
        if name != first.text {
            let mut short = words.clone();
            short[0] = name.clone();
            forms.push(short.join(" "));
        }
        if name == "git"
            && let Some(short) = without_git_options(&words)
        {
            forms.push(short);
        }
        forms.push(text);
        forms.dedup();
        let unwrapped = unwrap(argv);
        let index = self.seen.parts.len();
        self.seen.parts.push(Part {
            words,
            forms,
            strict_forms,
            plain_env,
            transparent: unwrapped.weight == Weight::Nothing && !unwrapped.inner.is_empty(),
            sealed: unwrapped.weight == Weight::Sealed,
            parent,
        });
        let touched = touched(&name, argv);
        self.places(&touched.reads, scope, false, false);
        self.places(&touched.writes, scope, true, false);
        self.seen.hosts.extend(touched.hosts);
        let here = Some(index);
        for inner in unwrapped.inner {
            match inner {
                Inner::Argv(mut words) => {
                    if unwrapped.more_words {
                        words
                            .extend(input.words.iter().skip(1).filter(|f| !f.text.starts_with('-')).cloned());
                        words.extend(input.texts.iter().flat_map(|t| t.split_whitespace()).map(Field::plain));
                    }
                    let carried = Input { texts: input.texts.clone(), words: input.words.clone() };
                    self.argv(&words, Vec::new(), Vec::new(), scope, here, depth + 1, &carried);
                }
                Inner::Script(text) => self.script(&text, scope.clone(), here, depth + 1),
                Inner::PowerShell(text) => self.powershell(&text, scope, here, depth + 1),
                Inner::Code(language, code) => self.code(language, &code, scope, here, depth + 1),
                Inner::Hidden(what) => self.seen.closed = Some(what),
            }
        }
        if let Some(language) = unwrapped.stdin {
            let echoed =
                input.words.first().map(|f| basename(&f.text) == "echo" || basename(&f.text) == "printf");
            let mut texts = input.texts.clone();
            if echoed == Some(true) {
                let said: Vec<&str> = input
                    .words
                    .iter()
                    .skip(1)
                    .map(|f| f.text.as_str())
                    .filter(|t| !t.starts_with('-'))
                    .collect();
                texts.push(said.join(" ").replace("\\n", "\n"));
            }
            for text in texts {
                match language {
                    "shell" => self.script(&text, scope.clone(), here, depth + 1),
                    _ => self.code(language, &text, scope, here, depth + 1),
                }
            }
        }
    }

    fn powershell(&mut self, text: &str, scope: &Scope, parent: Option<usize>, depth: usize) {
        self.seen.chains.push(text.trim().to_owned());
        for words in crate::powershell::commands(text) {
            let argv: Vec<Field> = words.iter().map(Field::plain).collect();
            let mut forms = Vec::new();
            for alias in crate::powershell::aliases(&words) {
                forms.push(alias.join(" "));
            }
            self.argv(&argv, forms, Vec::new(), scope, parent, depth + 1, &Input::default());
        }
    }

    fn code(&mut self, language: &str, code: &str, scope: &Scope, parent: Option<usize>, depth: usize) {
        if depth > MAX_SCRIPTS {
            return self.too_deep();
        }
        for found in script::scan(language, code) {
            match found {
                script::Found::Shell(text) => self.script(&text, scope.clone(), parent, depth + 1),
                script::Found::Argv(words) => {
                    let argv: Vec<Field> = words.iter().map(Field::plain).collect();
                    self.argv(&argv, Vec::new(), Vec::new(), scope, parent, depth + 1, &Input::default());
                }
                script::Found::Read(path) => self.places(&[Field::plain(path)], scope, false, false),
                script::Found::Write(path) => self.places(&[Field::plain(path)], scope, true, false),
                script::Found::Host(host) => self.seen.hosts.push(host),
            }
        }
    }

    fn places(&mut self, found: &[Field], scope: &Scope, write: bool, redirected: bool) {
        let Some(dir) = &scope.dir else {
            // Behind a `cd` to nowhere known, only absolute paths say where they are.
            let known: Vec<Field> =
                found.iter().filter(|f| f.text.starts_with(['/', '~'])).cloned().collect();
            if let (false, Some(home)) = (known.is_empty(), self.home) {
                let scope = Scope { vars: Vars::default(), dir: Some(home.to_path_buf()) };
                self.places(&known, &scope, write, redirected);
            }
            return;
        };
        for field in found.iter().filter(|f| !f.text.is_empty()) {
            let place = Place { text: field.text.clone(), dir: dir.clone(), glob: field.glob, redirected };
            if write { self.seen.writes.push(place) } else { self.seen.reads.push(place) }
        }
    }
}

fn join(argv: &[Field]) -> String {
    argv.iter().map(|f| f.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// `git -C x --no-pager push` is `git push`.
fn without_git_options(words: &[String]) -> Option<String> {
    let mut i = 1;
    while let Some(word) = words.get(i) {
        match word.as_str() {
            "-C" | "-c" | "--git-dir" | "--work-tree" | "--namespace" | "--exec-path" | "--config-env" => {
                i += 2;
            }
            w if w.starts_with('-') => i += 1,
            _ => break,
        }
    }
    let rest = words.get(i..).filter(|r| i > 1 && !r.is_empty())?;
    Some(format!("git {}", rest.join(" ")))
}

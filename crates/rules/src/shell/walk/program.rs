//! One program with its arguments: its spellings, the files it uses, and what it runs in turn.

use super::known_input::process_substitution;
use super::scope::Scope;
use super::{Input, MAX_PARTS, MAX_SCRIPTS, Part, Walk, weight};
use crate::absolute_path::absolute_path;
use crate::shell::expand::Field;
use crate::shell::files::file_access;
use crate::shell::wrap::{Coverage, DATABASES, Inner, basename, inner_commands, input_commands};

impl Walk<'_> {
    #[expect(clippy::too_many_arguments, reason = "one call per command, with all that is known about it")]
    pub(super) fn argv(
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
        // Words that are tried as programs repeatedly must not exceed the text's budget.
        let heard: usize = input.texts.iter().map(String::len).sum();
        let left = self.spend(weight(argv) + weight(&input.words) + heard);
        if depth > MAX_SCRIPTS || self.seen.parts.len() > MAX_PARTS || !left {
            return self.too_deep();
        }
        let before = self.seen.parts.len();
        self.hidden_programs(argv, scope, parent, depth, input);
        self.seen.parts.iter_mut().skip(before).for_each(|part| part.speculative = true);
        let words: Vec<String> = argv.iter().map(|f| f.text.clone()).collect();
        let text = words.join(" ");
        let name = basename(&first.text).to_owned();
        // In a script, what precedes the command is only its raw spelling.
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
            && let Some(short) = strip_git_options(&words)
        {
            forms.push(short);
        }
        forms.push(text);
        forms.dedup();
        let unwrapped = inner_commands(argv);
        let index = self.seen.parts.len();
        self.seen.parts.push(Part {
            words,
            forms,
            strict_forms,
            plain_env,
            transparent: unwrapped.coverage == Coverage::Transparent && !unwrapped.inner.is_empty(),
            exact_only: unwrapped.coverage == Coverage::ExactOnly,
            speculative: false,
            parent,
            glob: first.glob,
        });
        let touched = file_access(&name, argv);
        let elsewhere = self.directory_option(argv, scope);
        if let Some(there) = &elsewhere {
            self.mention_paths(&touched.reads, there, false, false);
        }
        // `env -C x` and `sudo -D x` change the folder of what they start.
        let moved =
            elsewhere.filter(|_| matches!(name.as_str(), "env" | "genv" | "sudo" | "nix-shell" | "chroot"));
        let inside = moved.as_ref().unwrap_or(scope);
        self.mention_paths(&touched.reads, scope, false, false);
        self.mention_paths(&touched.writes, scope, true, false);
        self.seen.hosts.extend(touched.hosts);
        let here = Some(index);
        for (at, inner) in unwrapped.inner.into_iter().enumerate() {
            let before = self.seen.parts.len();
            match inner {
                Inner::Argv(mut words) => {
                    if unwrapped.more_words {
                        words = self.with_more_words(words, argv, input, inside, here, depth);
                    }
                    self.argv(&words, Vec::new(), Vec::new(), inside, here, depth + 1, &input.clone());
                }
                Inner::Script(text) => self.script(&text, inside.clone(), here, depth + 1),
                Inner::PowerShell(text) => self.powershell(&text, inside, here, depth + 1),
                Inner::Code(language, code) => self.code(language, &code, inside, here, depth + 1),
                Inner::Hidden(what) => self.seen.unparsed = Some(what),
                Inner::Unsure(why) => self.seen.undetermined = Some(why),
            }
            if at >= unwrapped.parsed {
                self.seen.parts.iter_mut().skip(before).for_each(|part| part.speculative = true);
            }
        }
        self.follow_input_texts(argv, input, inside, here, depth);
        self.follow_program_input(unwrapped.stdin, argv, input, inside, here, depth);
        for text in self.texts_written_to(&first.text) {
            self.script(&text, inside.clone(), here, depth + 1);
        }
    }

    /// The words of a command that gets more from its input, as `xargs` gives them: with all words that may arrive. Also looks at
    /// it with each known text in place of a placeholder, and with exactly what is known to arrive.
    fn with_more_words(
        &mut self,
        mut words: Vec<Field>,
        argv: &[Field],
        input: &Input,
        scope: &Scope,
        here: Option<usize>,
        depth: usize,
    ) -> Vec<Field> {
        let token = xargs_placeholder(argv);
        let texts = input.known_texts();
        if words.iter().any(|w| w.text.contains(&token)) {
            for text in &texts {
                let filled: Vec<Field> =
                    words.iter().map(|w| w.with(w.text.replace(&token, text.trim()))).collect();
                self.argv(&filled, Vec::new(), Vec::new(), scope, here, depth + 1, &Input::default());
            }
        }
        let own = words.len();
        words.extend(input.words.iter().skip(1).filter(|f| !f.text.starts_with('-')).cloned());
        words.extend(input.texts.iter().flat_map(|t| t.split_whitespace()).map(Field::plain));
        // The output of `printf` is what arrives.
        let arriving: Vec<Field> =
            texts.iter().flat_map(|t| t.split_whitespace()).map(Field::plain).collect();
        if !arriving.is_empty() && arriving.iter().map(|f| &f.text).ne(words[own..].iter().map(|f| &f.text)) {
            let mut given = words[..own].to_vec();
            given.extend(arriving);
            self.argv(&given, Vec::new(), Vec::new(), scope, here, depth + 1, &Input::default());
        }
        words
    }

    /// What a program does with texts that reach it: it runs them, asks a database, or reads the files that they list.
    fn follow_input_texts(
        &mut self,
        argv: &[Field],
        input: &Input,
        scope: &Scope,
        here: Option<usize>,
        depth: usize,
    ) {
        let name = name_of(argv);
        let mut heard = input.known_texts();
        heard.extend(argv.iter().skip(1).filter_map(|field| process_substitution(&field.text).flatten()));
        heard.extend(argv.iter().skip(1).flat_map(|field| self.texts_written_to(&field.text)));
        let computes = matches!(name, "awk" | "gawk" | "mawk" | "nawk")
            && argv
                .iter()
                .any(|f| ["system", "\"sh\"", "\"bash\"", "/sh\""].iter().any(|sign| f.text.contains(sign)));
        if computes && input.piped && heard.is_empty() {
            self.seen.undetermined = Some("awk runs what it reads");
        }
        for text in heard {
            if computes {
                self.script(&text, scope.clone(), here, depth + 1);
            }
            if DATABASES.contains(&name) {
                self.code("sql", &text, scope, here, depth + 1);
            }
            if matches!(name, "cpio" | "pax" | "tar" | "zip" | "rsync") {
                let files: Vec<Field> = text.split_whitespace().map(Field::plain).collect();
                self.mention_paths(&files, scope, false, false);
            }
            for script in input_commands(name, &text) {
                self.script(&script, scope.clone(), here, depth + 1);
            }
        }
    }

    /// The input of a shell or interpreter: from a pipe, from `<(…)`, or from a file written just before. `stdin` is the language
    /// that the program reads there.
    fn follow_program_input(
        &mut self,
        stdin: Option<&'static str>,
        argv: &[Field],
        input: &Input,
        scope: &Scope,
        here: Option<usize>,
        depth: usize,
    ) {
        let runs = stdin.or_else(|| script_language(name_of(argv)));
        let mut texts = if stdin.is_some() { input.known_texts() } else { Vec::new() };
        if stdin.is_some() && (input.piped || self.inner_pipe) && texts.is_empty() {
            self.seen.undetermined = Some("a program comes through a pipe");
        }
        if runs.is_some() {
            for field in argv.iter().skip(1) {
                match process_substitution(&field.text) {
                    Some(Some(text)) => texts.push(text),
                    Some(None) => self.seen.undetermined = Some("a program comes out of a substitution"),
                    None => texts.extend(self.texts_written_to(&field.text)),
                }
            }
        }
        for text in texts {
            match runs {
                Some("shell") | None => self.script(&text, scope.clone(), here, depth + 1),
                Some(language) => self.code(language, &text, scope, here, depth + 1),
            }
        }
    }

    /// Programs after reserved words, and after words that may be empty.
    fn hidden_programs(
        &mut self,
        argv: &[Field],
        scope: &Scope,
        parent: Option<usize>,
        depth: usize,
        input: &Input,
    ) {
        const RESERVED: &[&str] =
            &["{", "}", "!", "if", "then", "else", "elif", "while", "until", "do", "begin", "(", ")"];
        let Some(first) = argv.first() else { return };
        // `"$root/bin/tool"` is that tool; and a function runs its arguments, which are analysed there.
        let tail = first.text.rsplit('/').next().unwrap_or_default();
        let named = first.text.contains('/') && !tail.contains(['$', '`', ')', '}']) && !tail.is_empty();
        let passed = !self.functions.is_empty() && matches!(first.text.as_str(), "$@" | "$*" | "$1");
        self.runs_arguments |= passed;
        if first.dynamic && !named && !passed {
            self.seen.undetermined = Some("the name of a program is computed");
        }
        if depth >= MAX_SCRIPTS {
            return;
        }
        let also = |walk: &mut Self, words: Vec<Field>| {
            walk.argv(&words, Vec::new(), Vec::new(), scope, parent, depth + 1, input);
        };
        if self.runs_arguments && self.functions.contains(&first.text) && argv.len() > 1 {
            also(self, argv.get(1..).unwrap_or_default().to_vec());
        }
        if let (true, Some(at)) = (first.text == "set", argv.iter().position(|f| f.text == "--")) {
            also(self, argv.get(at + 1..).unwrap_or_default().to_vec());
        }
        let brace = argv.iter().skip(1).take(8).position(|f| f.text == "{").map(|at| at + 1);
        if let Some(rest) = brace.and_then(|at| argv.get(at + 1..)) {
            also(self, rest.to_vec());
        }
        if RESERVED.contains(&first.text.as_str()) && brace.is_none() {
            let rest = argv.get(1..).unwrap_or_default();
            also(self, rest.to_vec());
        }
        if first.text.is_empty() && argv.len() > 1 {
            // `'' rm x` starts nothing, but some agents read it without the quotes, and so do their rules.
            also(self, argv.get(1..).unwrap_or_default().to_vec());
        }
        if let Some(rest) = first.text.strip_prefix('=').filter(|rest| !rest.is_empty()) {
            // zsh looks `=name` up.
            let mut words = argv.to_vec();
            words[0] = Field::plain(rest);
            also(self, words);
        }
        if first.dynamic {
            let mut words = argv.to_vec();
            words[0] = Field::plain(first.bare.clone());
            if first.bare.is_empty() {
                words.remove(0);
            }
            also(self, words);
        }
    }

    /// The folder that an option sets for this command's files.
    fn directory_option(&self, argv: &[Field], scope: &Scope) -> Option<Scope> {
        let name = basename(&argv.first()?.text);
        if !matches!(
            name,
            "env" | "genv" | "git" | "make" | "gmake" | "tar" | "sudo" | "ninja" | "npm" | "pnpm" | "just"
        ) {
            return None;
        }
        let value = argv.iter().enumerate().skip(1).find_map(|(at, field)| {
            let text = field.text.as_str();
            match text {
                "-C" | "--chdir" | "--directory" | "-D" | "--prefix" => {
                    argv.get(at + 1).map(|f| f.text.as_str())
                }
                _ => ["--chdir=", "--directory=", "--prefix=", "-C"]
                    .iter()
                    .find_map(|option| text.strip_prefix(option)),
            }
        })?;
        let dir = absolute_path(value, scope.dir.as_ref()?, self.home?);
        Some(Scope { dir: Some(dir), ..scope.clone() })
    }
}

/// The program's name without its folder.
fn name_of(argv: &[Field]) -> &str {
    argv.first().map_or("", |first| basename(&first.text))
}

/// What xargs replaces by its input: the value of `-I`.
fn xargs_placeholder(argv: &[Field]) -> String {
    let at = argv.iter().position(|f| f.text.starts_with("-I"));
    let value = at.and_then(|at| match argv.get(at).map(|f| f.text.as_str()) {
        Some("-I") => argv.get(at + 1).map(|f| f.text.clone()),
        Some(text) => text.strip_prefix("-I").map(str::to_owned),
        None => None,
    });
    value.filter(|value| !value.is_empty()).unwrap_or_else(|| "{}".to_owned())
}

/// The language of a program file's interpreter.
fn script_language(name: &str) -> Option<&'static str> {
    match name {
        "bash" | "sh" | "zsh" | "dash" | "ksh" | "fish" | "source" | "." | "ash" | "mksh" => Some("shell"),
        "python" | "python3" => Some("python"),
        "node" | "bun" | "deno" => Some("javascript"),
        "perl" => Some("perl"),
        "ruby" => Some("ruby"),
        "php" => Some("php"),
        _ => None,
    }
}

/// `git -C x --no-pager push` is `git push`.
fn strip_git_options(words: &[String]) -> Option<String> {
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

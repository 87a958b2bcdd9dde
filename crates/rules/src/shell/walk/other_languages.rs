//! Text in other languages than the shell's: PowerShell, and programs for an interpreter.

use super::scope::Scope;
use super::{Input, MAX_SCRIPTS, Walk};
use crate::script;
use crate::shell::expand::Field;

impl Walk<'_> {
    pub(super) fn powershell(&mut self, text: &str, scope: &Scope, parent: Option<usize>, depth: usize) {
        self.seen.chains.push(text.trim().to_owned());
        // `[IO.File]::ReadAllText("x")` and its like.
        self.code("csharp", text, scope, parent, depth);
        if ["& (", "&(", "& $", "&$", "iex $", "Expression $"].iter().any(|start| text.contains(start)) {
            self.seen.undetermined = Some("the name of a program is computed");
        }
        for (at, _) in text.match_indices("\"$(").take(8) {
            let inner = text.get(at + 3..).and_then(|rest| rest.split_once(')')).map(|(inner, _)| inner);
            if let Some(inner) = inner.filter(|_| depth < MAX_SCRIPTS) {
                self.powershell(inner, scope, parent, depth + 4);
            }
        }
        for words in crate::powershell::commands(text) {
            self.unknown_read |= words.iter().skip(1).any(|word| word.starts_with('$'));
            if let [dot, rest @ ..] = words.as_slice()
                && dot == "."
            {
                let argv: Vec<Field> = rest.iter().map(Field::plain).collect();
                self.argv(&argv, Vec::new(), Vec::new(), scope, parent, depth + 1, &Input::default());
            }
            let argv: Vec<Field> = words.iter().map(Field::plain).collect();
            let mut forms = Vec::new();
            for alias in crate::powershell::aliases(&words) {
                forms.push(alias.join(" "));
            }
            self.argv(&argv, forms, Vec::new(), scope, parent, depth + 1, &Input::default());
        }
    }

    pub(super) fn code(
        &mut self,
        language: &str,
        code: &str,
        scope: &Scope,
        parent: Option<usize>,
        depth: usize,
    ) {
        if depth > MAX_SCRIPTS {
            return self.too_deep();
        }
        for found in script::scan(language, code) {
            match found {
                script::Action::Shell(text) => {
                    // A text that only may be a command proves nothing if it isn't one.
                    let before = (self.seen.ambiguous, self.seen.undetermined);
                    self.script(&text, scope.clone(), parent, depth + 1);
                    (self.seen.ambiguous, self.seen.undetermined) = before;
                }
                script::Action::Unsure(why) => self.seen.undetermined = Some(why),
                script::Action::Code(language, code) => self.code(&language, &code, scope, parent, depth + 1),
                script::Action::MaybeRun(text) => self.seen.maybe_runs.push(text),
                script::Action::MaybeRead(text) => self.seen.maybe_reads.push(text),
                script::Action::Argv(words) => {
                    let argv: Vec<Field> = words.iter().map(Field::plain).collect();
                    self.argv(&argv, Vec::new(), Vec::new(), scope, parent, depth + 1, &Input::default());
                }
                script::Action::Read(path) => self.mention_paths(&[Field::plain(path)], scope, false, false),
                script::Action::Write(path) => self.mention_paths(&[Field::plain(path)], scope, true, false),
                script::Action::Host(host) => self.seen.hosts.push(host),
            }
        }
    }
}

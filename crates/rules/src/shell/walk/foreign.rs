//! Texts in other languages than the shell's: PowerShell, and programs for an interpreter.

use super::scope::Scope;
use super::{Input, MAX_SCRIPTS, Walk};
use crate::script;
use crate::shell::expand::Field;

impl Walk<'_> {
    pub(super) fn powershell(&mut self, text: &str, scope: &Scope, parent: Option<usize>, depth: usize) {
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
}

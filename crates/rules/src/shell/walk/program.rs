//! One program with its arguments: its spellings, what it touches, and what it runs in turn.

use super::scope::Scope;
use super::{Input, MAX_PARTS, MAX_SCRIPTS, Part, Walk};
use crate::shell::expand::Field;
use crate::shell::files::touched;
use crate::shell::wrap::{Inner, Weight, basename, unwrap};

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

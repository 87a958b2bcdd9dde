//! A shell script's steps: subshells, loops, simple commands, and what a pipe passes on.

use super::known_input::{echo_output, expand_known, process_substitution};
use super::scope::{Scope, is_harmless_variable, variable_scripts};
use super::{Input, MAX_PARTS, MAX_SCRIPTS, Walk, join};
use crate::shell::expand::{Field, fields};
use crate::shell::wrap::basename;
use ::shell::grammar::{RedirKind, Script, Simple, Step, parse};

impl Walk<'_> {
    pub(super) fn script(&mut self, text: &str, mut scope: Scope, parent: Option<usize>, depth: usize) {
        // A text may be tried in many places; the total is bounded.
        let left = self.spend(text.len() + scope.vars.size());
        if depth > MAX_SCRIPTS || self.seen.parts.len() > MAX_PARTS || !left {
            return self.too_deep();
        }
        let script: Script = parse(text);
        if script.too_deep {
            self.too_deep();
        }
        self.seen.ambiguous |= script.odd;
        self.inner_pipe |= script.inner_pipe;
        self.functions.extend(script.functions);
        self.seen.chains.extend(script.chains);
        let mut outer: Vec<Scope> = Vec::new();
        let mut before = Input::default();
        for step in &script.steps {
            match step {
                Step::Enter if !self.spend(scope.vars.size()) => return self.too_deep(),
                Step::Enter => outer.push(scope.clone()),
                Step::Leave => {
                    if let Some(back) = outer.pop() {
                        scope = back;
                    }
                }
                // Over the script's arguments.
                Step::Loop { name, words } if words.is_empty() => scope.vars.forget(name),
                Step::Loop { name, words } => {
                    let values: Vec<Field> =
                        words.iter().flat_map(|w| fields(w, &scope.vars, &mut self.budget)).collect();
                    // One variable covers all of them: `for f in .env x; do cat $f` names both files.
                    let joined: Vec<&str> =
                        values.iter().filter(|f| !f.dynamic).map(|f| f.text.as_str()).collect();
                    scope.vars.set_list(name, &joined.join(" "));
                }
                Step::Run(simple) => {
                    let before_it = std::mem::take(&mut before);
                    let input =
                        if simple.piped { Input { piped: true, ..before_it } } else { Input::default() };
                    before = self.simple(simple, &script.bodies, &mut scope, parent, depth, input);
                    if self.seen.parts.len() > MAX_PARTS || self.work == 0 {
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
        let mut outs = Vec::new();
        let argv: Vec<Field> = simple
            .words
            .iter()
            .flat_map(|w| fields(w, &scope.vars, &mut self.budget))
            .flat_map(expand_known)
            .collect();
        for slot in &simple.heredocs {
            input.texts.extend(bodies.get(*slot).cloned());
        }
        for redir in &simple.redirs {
            let target = fields(&redir.word, &scope.vars, &mut self.budget);
            if let (RedirKind::In, Some(text)) =
                (redir.kind, target.first().and_then(|f| process_substitution(&f.text)))
            {
                input.piped = true;
                input.texts.extend(text);
                continue;
            }
            if redir.kind == RedirKind::In
                && let Some(file) = target.first()
            {
                input.texts.extend(self.texts_written_to(&file.text));
            }
            match redir.kind {
                RedirKind::HereString => input.texts.extend(target.into_iter().map(|f| f.text)),
                RedirKind::In => self.mention_paths(&target, scope, false, true),
                RedirKind::Out => {
                    self.mention_paths(&target, scope, true, true);
                    outs.extend(target);
                }
                RedirKind::Both => {
                    self.mention_paths(&target, scope, false, true);
                    self.mention_paths(&target, scope, true, true);
                }
            }
        }
        if self.budget == 0 && had > 0 {
            self.too_deep();
        }
        if !outs.is_empty() {
            let mut texts = input.known_texts();
            texts.extend(echo_output(&argv));
            self.record_write(&outs, &texts);
        }
        let mut assigned = String::new();
        let mut all_harmless = true;
        for (name, value) in &simple.assigns {
            let value = fields(value, &scope.vars, &mut self.budget);
            all_harmless &= is_harmless_variable(name);
            let text = value.iter().map(|f| f.text.as_str()).collect::<Vec<_>>().join(" ");
            assigned.push_str(&format!("{name}={text} "));
            if matches!(name.as_str(), "BASH_ENV" | "ENV") {
                let given =
                    process_substitution(&text).flatten().into_iter().chain(self.texts_written_to(&text));
                for text in given.collect::<Vec<_>>() {
                    self.script(&text, scope.clone(), parent, depth + 1);
                }
            }
            // Arithmetic and `${x@P}` expand a value again.
            if (text.contains("$(") || text.contains('`')) && !value.iter().any(|f| f.dynamic) {
                self.script(&format!(": {text}"), scope.clone(), parent, depth + 1);
            }
            for run in variable_scripts(name, &text) {
                self.script(&run, scope.clone(), parent, depth + 1);
            }
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
        // Some agents know fewer reserved words than a shell, and match the words against a pattern.
        own.extend(simple.raw_with_keywords.clone());
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
        self.apply_builtin(&argv, scope);
        // `cat` and `tee` pass on their input.
        match argv.as_slice() {
            [only] if basename(&only.text) == "cat" => input,
            [first, rest @ ..] if basename(&first.text) == "tee" => {
                self.record_write(rest, &input.known_texts());
                input
            }
            _ => Input { words: argv, texts: Vec::new(), piped: false },
        }
    }
}

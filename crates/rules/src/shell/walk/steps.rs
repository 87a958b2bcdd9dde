//! The steps of a shell script: subshells, loops, simple commands, and what a pipe hands on.

use super::scope::{Scope, harmless};
use super::{Input, MAX_PARTS, MAX_SCRIPTS, Walk, join};
use crate::shell::expand::{Field, fields};
use crate::shell::parse::{RedirKind, Script, Simple, Step, parse};
use crate::shell::wrap::basename;

impl Walk<'_> {
    pub(super) fn script(&mut self, text: &str, mut scope: Scope, parent: Option<usize>, depth: usize) {
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
}

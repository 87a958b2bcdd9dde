//! Calls, with and without parentheses: what their callee runs, reads and writes.

use super::token::Token;
use super::{Found, Frame, Item, MAX_DEPTH, Scan, names};

impl Scan {
    /// A string or list right behind the name of a function: a call without parentheses.
    pub(super) fn bare_call(&mut self) {
        if let Some(Token::Name(name)) = &self.last
            && (names::runs(name) || names::reads(name) || names::writes(name))
            && !self.vars.contains_key(name)
            && self.stack.len() < MAX_DEPTH
        {
            self.stack.push(Frame { callee: name.clone(), open: ' ', items: Vec::new(), bare: true });
        }
    }

    pub(super) fn close_bare(&mut self) {
        while self.stack.last().is_some_and(|f| f.bare) {
            self.close();
        }
    }

    pub(super) fn close(&mut self) {
        let Some(frame) = self.stack.pop() else { return };
        let flat: Vec<String> = flatten(&frame.items, true);
        if names::runs(&frame.callee) {
            self.run(&frame);
        } else if [".arg", ".args", ".Add", ".AddRange", ".WithArguments"]
            .iter()
            .any(|m| frame.callee.ends_with(m))
            && !self.chain.is_empty()
        {
            self.chain.extend(flat.iter().cloned());
        }
        if names::reads(&frame.callee) {
            self.touch(&flat);
        }
        if names::writes(&frame.callee) {
            self.found.extend(flat.iter().cloned().map(Found::Write));
        }
        let joined = (names::joins(&frame.callee) && flat.len() > 1).then(|| flat.join("/"));
        let callee = frame.callee.rsplit(['.', ':']).next().unwrap_or("");
        self.path = match callee {
            "home" | "homedir" => Some("~".to_owned()),
            "Path" | "PurePath" | "joinpath" => Some(flat.join("/")),
            "resolve" | "expanduser" => self.path.take(),
            _ => None,
        };
        self.item(match (joined, frame.open) {
            (Some(path), _) => Item::Text(path),
            (None, '{') => Item::Options(flat),
            (None, _) if frame.callee.is_empty() || flat.len() != 1 => Item::List(flat),
            (None, _) => Item::Text(flat.into_iter().next().unwrap_or_default()),
        });
    }

    fn touch(&mut self, flat: &[String]) {
        for text in flat {
            let path = text.trim_start_matches(['<', '>', '+']).trim();
            if path.ends_with('|') || text.trim_start().starts_with('|') {
                // Perl: open(F, "rm x |").
                self.found.push(Found::Shell(path.trim_matches('|').trim().to_owned()));
            }
            self.found.push(Found::Read(path.to_owned()));
        }
        let pipes = flat.iter().position(|t| t == "-|" || t == "|-");
        if let Some(rest) = pipes.and_then(|at| flat.get(at + 1..)) {
            self.found.push(Found::Argv(rest.to_vec()));
            self.found.extend(rest.first().cloned().map(Found::Shell));
        }
        let writing = flat.iter().skip(1).any(|m| {
            m.len() <= 3 && m.contains(['w', 'a', '+', '>', 'x']) && m.chars().all(|c| "wabrtx+>".contains(c))
        });
        if writing {
            self.found.extend(flat.first().cloned().map(Found::Write));
        }
    }

    fn run(&mut self, frame: &Frame) {
        let with_options =
            frame.callee.contains("Command") || frame.callee.contains("Process") || frame.open == '{';
        let mut argv = Vec::new();
        let mut first_text = None;
        for item in &frame.items {
            match item {
                Item::Text(text) => {
                    if argv.is_empty() {
                        first_text = Some(text.clone());
                    }
                    argv.push(text.clone());
                }
                Item::List(list) => argv.extend(list.iter().cloned()),
                Item::Options(list) if with_options => argv.extend(list.iter().cloned()),
                Item::Options(_) | Item::Other => {}
            }
        }
        if let Some(text) = first_text {
            self.found.push(Found::Shell(text));
        }
        let one_text =
            argv.len() == 1 && matches!(self.found.last(), Some(Found::Shell(text)) if *text == argv[0]);
        // `execvp("rm", ["rm", "-rf"])` names the program twice.
        if argv.len() > 1 && argv[0] == argv[1] {
            self.found.push(Found::Argv(argv[1..].to_vec()));
        }
        if frame.callee.ends_with("Command::new")
            || frame.callee.ends_with("Info")
            || frame.callee.ends_with("Wrap")
        {
            self.end_chain();
            self.chain.clone_from(&argv);
        }
        if !argv.is_empty() && !one_text {
            self.found.push(Found::Argv(argv));
        }
    }

    pub(super) fn end_chain(&mut self) {
        if self.chain.len() > 1 {
            let argv = std::mem::take(&mut self.chain);
            self.found.push(Found::Argv(argv));
        }
        self.chain.clear();
    }
}

fn flatten(items: &[Item], options: bool) -> Vec<String> {
    let mut flat = Vec::new();
    for item in items {
        match item {
            Item::Text(text) => flat.push(text.clone()),
            Item::List(list) => flat.extend(list.iter().cloned()),
            Item::Options(list) if options => flat.extend(list.iter().cloned()),
            Item::Options(_) | Item::Other => {}
        }
    }
    flat
}

//! Calls, with and without parentheses: what the callee runs, reads and writes.

use super::tokens::Token;
use super::{Action, Frame, Item, MAX_DEPTH, Scan, file_functions, functions, process_functions};

impl Scan {
    /// A string or list right after a function's name: a call without parentheses.
    pub(super) fn bare_call(&mut self) {
        if let Some(Token::Name(name)) = &self.last
            && (process_functions::runs(name, self.members)
                || file_functions::reads(name)
                || file_functions::writes(name)
                || functions::evaluates(name))
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
        if process_functions::runs(&frame.callee, self.members) {
            self.run(&frame);
        } else if [".arg", ".args", ".Add", ".AddRange", ".WithArguments"]
            .iter()
            .any(|m| frame.callee.ends_with(m))
            && !self.chain.is_empty()
        {
            self.chain.extend(flat.iter().cloned());
        }
        if functions::evaluates(&frame.callee) {
            let text = flat.join(" ");
            if !text.is_empty() {
                self.found.push(Action::Code(self.language.clone(), text));
            } else if matches!(frame.items.first(), Some(Item::Other)) {
                self.found.push(Action::Unsure("the name of a program is put together at run time"));
            }
        }
        if file_functions::reads(&frame.callee) && matches!(frame.items.first(), Some(Item::Other)) {
            self.loose_reads = true;
            // `getcwd() + "/.env"`
            let below = flat.iter().filter_map(|text| text.strip_prefix('/'));
            self.found.extend(below.map(|text| Action::Read(text.to_owned())));
        }
        let single = frame.callee.rsplit(['.', ':']).next().is_some_and(|name| {
            matches!(name, "system" | "popen" | "execSync" | "getoutput" | "shell_exec" | "passthru")
        });
        let computed = matches!(
            frame.items.as_slice(),
            [Item::Other | Item::List(_), ..] | [Item::Text(_), Item::List(_), ..]
        );
        if single && computed {
            self.found.push(Action::Unsure("the name of a program is computed"));
        }
        if process_functions::only_runs(&frame.callee) && matches!(frame.items.first(), Some(Item::Other)) {
            self.found.push(Action::Unsure("the name of a program is computed"));
        }
        if file_functions::makes_path(&frame.callee) {
            self.made = flat.clone();
        }
        if file_functions::reads(&frame.callee) || frame.callee == functions::COMPUTED {
            self.touch(&flat);
        }
        if file_functions::writes(&frame.callee) {
            self.found.extend(flat.iter().cloned().map(Action::Write));
        }
        let joined = (file_functions::joins(&frame.callee) && flat.len() > 1).then(|| flat.join("/"));
        let callee = frame.callee.rsplit(['.', ':']).next().unwrap_or("");
        self.path = match callee {
            "home" | "homedir" => Some("~".to_owned()),
            "cwd" => Some(".".to_owned()),
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
                self.found.push(Action::Shell(path.trim_matches('|').trim().to_owned()));
            }
            self.found.push(Action::Read(path.to_owned()));
        }
        let pipes = flat.iter().position(|t| t == "-|" || t == "|-");
        if let Some(rest) = pipes.and_then(|at| flat.get(at + 1..)) {
            self.found.push(Action::Argv(rest.to_vec()));
            self.found.extend(rest.first().cloned().map(Action::Shell));
        }
        let writing = flat.iter().skip(1).any(|m| {
            m.len() <= 3 && m.contains(['w', 'a', '+', '>', 'x']) && m.chars().all(|c| "wabrtx+>".contains(c))
        });
        if writing {
            self.found.extend(flat.first().cloned().map(Action::Write));
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
        let shell = |text: &String| matches!(text.as_str(), "sh" | "bash" | "zsh" | "dash" | "cmd");
        if let Some(program) = argv.first() {
            // A shell that gets its commands from its input.
            self.loose_runs |= shell(program) && !argv.iter().any(|text| text == "-c" || text == "/c");
            self.loose_runs |= program.contains('%');
            if program.is_empty() || ["{", "${", "#{"].iter().any(|start| program.starts_with(start)) {
                self.found.push(Action::Unsure("the name of a program is computed"));
            }
        }
        if let Some(text) = first_text {
            self.found.push(Action::Shell(text));
        }
        let one_text =
            argv.len() == 1 && matches!(self.found.last(), Some(Action::Shell(text)) if *text == argv[0]);
        // `execvp("rm", ["rm", "-rf"])` names the program twice.
        if argv.len() > 1 && argv[0] == argv[1] {
            self.found.push(Action::Argv(argv[1..].to_vec()));
        }
        if frame.callee.ends_with("Command::new")
            || frame.callee.ends_with("Info")
            || frame.callee.ends_with("Wrap")
        {
            self.end_chain();
            self.chain.clone_from(&argv);
        }
        if !argv.is_empty() && !one_text {
            self.found.push(Action::Argv(argv));
        }
    }

    pub(super) fn end_chain(&mut self) {
        if self.chain.len() > 1 {
            let argv = std::mem::take(&mut self.chain);
            self.found.push(Action::Argv(argv));
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

//! A command line as a list of pipelines of words, good enough to recognise patterns. It is not a security
//! boundary (that is `rules`): what it cannot read it reports as nothing, and nothing is routed.

/// One stage of a pipeline.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stage {
    /// Program and arguments, quotes removed.
    pub words: Vec<String>,
    /// Where stdout goes, when it is redirected to a file.
    pub stdout_to: Option<String>,
}

impl Stage {
    /// The program's name without its folder, assignments before it skipped.
    pub fn program(&self) -> &str {
        let word = self.words.iter().find(|word| !is_assignment(word)).map_or("", String::as_str);
        word.rsplit(['/', '\\']).next().unwrap_or(word).trim_end_matches(".exe")
    }

    /// The arguments after the program.
    pub fn arguments(&self) -> &[String] {
        let skip = self.words.iter().take_while(|word| is_assignment(word)).count() + 1;
        self.words.get(skip..).unwrap_or(&[])
    }
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
            && !name.as_bytes()[0].is_ascii_digit()
    })
}

/// Splits at `;`, `&&`, `||`, `&` and newlines into pipelines, and those at `|` into stages. A here-document
/// ends the reading, because its body is data.
pub fn pipelines(command: &str) -> Vec<Vec<Stage>> {
    let mut reader = Reader::default();
    let mut chars = command.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\'' => {
                reader.in_word = true;
                reader.word.extend(chars.by_ref().take_while(|&c| c != '\''));
            }
            '"' => {
                reader.in_word = true;
                while let Some(c) = chars.next() {
                    match c {
                        '"' => break,
                        '\\' => reader.word.extend(chars.next()),
                        c => reader.word.push(c),
                    }
                }
            }
            '\\' => {
                reader.in_word = true;
                reader.word.extend(chars.next().filter(|&c| c != '\n'));
            }
            '#' if !reader.in_word => while chars.next_if(|&c| c != '\n').is_some() {},
            '|' => {
                if chars.next_if_eq(&'|').is_some() {
                    reader.end_pipeline();
                } else {
                    chars.next_if_eq(&'&');
                    reader.end_stage();
                }
            }
            '&' if chars.peek() == Some(&'>') => {
                chars.next();
                chars.next_if_eq(&'>');
                reader.end_word();
                reader.redirect = Some(true);
            }
            ';' | '&' | '\n' => {
                chars.next_if_eq(&'&');
                reader.end_pipeline();
            }
            '<' if chars.peek() == Some(&'<') => break,
            '<' => {
                reader.end_word();
                reader.redirect = Some(false);
            }
            '>' => {
                chars.next_if(|&c| c == '>' || c == '|');
                let fd = std::mem::take(&mut reader.word);
                let to_descriptor = chars.next_if_eq(&'&').is_some();
                let is_fd = !fd.is_empty() && fd.bytes().all(|b| b.is_ascii_digit());
                if !is_fd && reader.in_word {
                    reader.word = fd.clone();
                    reader.end_word();
                }
                reader.in_word = false;
                reader.redirect = Some(!to_descriptor && (fd.is_empty() || !is_fd || fd == "1"));
            }
            c if c.is_whitespace() => reader.end_word(),
            c => {
                reader.in_word = true;
                reader.word.push(c);
            }
        }
    }
    reader.end_pipeline();
    reader.done
}

#[derive(Default)]
struct Reader {
    word: String,
    in_word: bool,
    /// The next word is a redirection's target; `true` when it takes stdout.
    redirect: Option<bool>,
    stage: Stage,
    pipeline: Vec<Stage>,
    done: Vec<Vec<Stage>>,
}

impl Reader {
    fn end_word(&mut self) {
        if !std::mem::take(&mut self.in_word) {
            return;
        }
        let word = std::mem::take(&mut self.word);
        match self.redirect.take() {
            Some(true) => self.stage.stdout_to = Some(word),
            Some(false) => {}
            None => self.stage.words.push(word),
        }
    }

    fn end_stage(&mut self) {
        self.end_word();
        self.redirect = None;
        let stage = std::mem::take(&mut self.stage);
        if !stage.words.is_empty() {
            self.pipeline.push(stage);
        }
    }

    fn end_pipeline(&mut self) {
        self.end_stage();
        let pipeline = std::mem::take(&mut self.pipeline);
        if !pipeline.is_empty() {
            self.done.push(pipeline);
        }
    }
}

/// Whether the last stage bounds what reaches the conversation.
pub(super) fn is_bounded(pipeline: &[Stage]) -> bool {
    let Some(last) = pipeline.last() else { return true };
    if last.stdout_to.is_some() {
        return true;
    }
    // PowerShell does not care about case.
    let program = last.program().to_ascii_lowercase();
    pipeline.len() > 1
        && matches!(
            program.as_str(),
            "head"
                | "tail"
                | "wc"
                | "grep"
                | "egrep"
                | "fgrep"
                | "rg"
                | "jq"
                | "yq"
                | "awk"
                | "cut"
                | "sed"
                | "uniq"
                | "md5sum"
                | "sha256sum"
                | "sha1sum"
                | "shasum"
                | "tar"
                | "gunzip"
                | "unzip"
                | "sh"
                | "bash"
                | "zsh"
                | "python"
                | "python3"
                | "node"
                | "tee"
                | "xmllint"
                | "pup"
                | "htmlq"
                | "column"
                | "less"
                | "dd"
                | "gpg"
                | "iex"
                | "invoke-expression"
                | "out-file"
                | "out-null"
                | "set-content"
                | "select-object"
                | "select-string"
                | "sls"
                | "measure-object"
        )
}

//! Splits PowerShell into commands of words: pipelines, statements, blocks and sub-expressions. Coarser than the shell's
//! grammar: every bracket starts a new command, so more is found than runs.

/// The commands in `text`, each as words without quotes.
pub(crate) fn commands(text: &str) -> Vec<Vec<String>> {
    let mut done = Vec::new();
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut has_word = false;
    let mut chars = text.chars().peekable();
    let end_word = |word: &mut String, has: &mut bool, words: &mut Vec<String>| {
        if std::mem::take(has) {
            words.push(std::mem::take(word));
        }
    };
    while let Some(c) = chars.next() {
        match c {
            '`' => {
                if let Some(next) = chars.next().filter(|c| *c != '\n') {
                    word.push(next);
                    has_word = true;
                }
            }
            '\'' => {
                has_word = true;
                while let Some(c) = chars.next() {
                    if c == '\'' {
                        if chars.peek() != Some(&'\'') {
                            break;
                        }
                        chars.next();
                    }
                    word.push(c);
                }
            }
            '"' => {
                has_word = true;
                while let Some(c) = chars.next() {
                    match c {
                        '"' => break,
                        '`' => word.extend(chars.next()),
                        _ => word.push(c),
                    }
                }
            }
            '#' if !has_word => {
                while chars.peek().is_some_and(|c| *c != '\n') {
                    chars.next();
                }
            }
            '|' | ';' | '\n' | '(' | ')' | '{' | '}' | '&' => {
                end_word(&mut word, &mut has_word, &mut words);
                if !words.is_empty() {
                    done.push(std::mem::take(&mut words));
                }
            }
            c if c.is_whitespace() || c == ',' => end_word(&mut word, &mut has_word, &mut words),
            c => {
                word.push(c);
                has_word = true;
            }
        }
    }
    end_word(&mut word, &mut has_word, &mut words);
    if !words.is_empty() {
        done.push(words);
    }
    for words in &mut done {
        // `$x = Get-Content y` and `. script` run what follows.
        if words.len() > 2 && words[0].starts_with('$') && words[1] == "=" {
            words.drain(..2);
        }
    }
    done
}

/// Aliases of each other, the cmdlet first.
const ALIASES: &[&[&str]] = &[
    &["remove-item", "rm", "del", "ri", "erase", "rd", "rmdir"],
    &["get-childitem", "gci", "ls", "dir"],
    &["get-content", "gc", "cat", "type"],
    &["set-content", "sc"],
    &["copy-item", "cp", "copy", "cpi"],
    &["move-item", "mv", "move", "mi"],
    &["rename-item", "ren", "rni"],
    &["invoke-webrequest", "iwr", "curl", "wget"],
    &["invoke-restmethod", "irm"],
    &["invoke-expression", "iex"],
    &["start-process", "start", "saps"],
    &["stop-process", "kill", "spps"],
    &["set-location", "cd", "chdir", "sl"],
    &["select-string", "sls"],
    &["write-output", "echo", "write"],
    &["get-process", "ps", "gps"],
];

/// The command under each of its other names; the cmdlet also in its usual spelling.
pub(crate) fn aliases(words: &[String]) -> Vec<Vec<String>> {
    let Some(first) = words.first() else { return Vec::new() };
    let lower = first.to_lowercase();
    let Some(group) = ALIASES.iter().find(|g| g.contains(&lower.as_str())) else { return Vec::new() };
    let mut all = Vec::new();
    for name in *group {
        let usual: String = name
            .split('-')
            .map(|part| {
                let mut chars = part.chars();
                chars.next().map_or(String::new(), |c| c.to_uppercase().chain(chars).collect())
            })
            .collect::<Vec<_>>()
            .join("-");
        for spelling in [(*name).to_owned(), usual] {
            if spelling != *first {
                let mut other = words.to_vec();
                other[0] = spelling;
                all.push(other);
            }
        }
    }
    all
}

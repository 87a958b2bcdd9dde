//! Codex's command rules: `prefix_rule(...)` calls in `*.rules` files. Codex evaluates Starlark; this parser reads
//! literal calls only. A call that forbids or asks but can't be parsed marks its file as broken; one that allows is
//! skipped. Read-only.

use std::path::{Path, PathBuf};

use home::{Env, Os};
use rules::{BrokenLayer, Effect, Rule, RuleSet, Syntax, Target};
use serde_json::Value;

use super::sandbox_settings;
use crate::config::{self, at};

/// A rule with alternatives expands to as many prefixes; no one writes more than this.
const MAX_ALTERNATIVES: usize = 512;

/// The rules of the user, the administrator and the project.
pub(super) fn rules(env: &Env, config_dir: &Path, root: &Path, project: &Path) -> RuleSet {
    let mut set = RuleSet { case_insensitive: env.os() == Os::Windows, ..RuleSet::default() };
    let ignored = sandbox_settings::ignores_rules(&sandbox_settings::process(env));
    for file in rule_files(&root.join("etc/codex/rules")) {
        read_file(&file, true, &mut set);
    }
    for file in rule_files(&config_dir.join("rules")) {
        read_file(&file, !ignored, &mut set);
    }
    // Codex applies a project's rules once the user trusts the project. Plimsoll applies what they forbid in any case,
    // and ignores what an untrusted project's rules allow.
    for folder in project_folders(project) {
        let trusted = !ignored && is_trusted(config_dir, &folder);
        for file in rule_files(&folder.join(".codex").join("rules")) {
            read_file(&file, trusted, &mut set);
        }
    }
    sandbox_settings::add(env, config_dir, root, project, &mut set);
    set
}

/// The folders whose `.codex` Codex reads.
pub(super) fn project_folders(project: &Path) -> Vec<PathBuf> {
    let mut folders = vec![project.to_owned()];
    // When it is started below a repository's root, Codex also reads the folders in between.
    if let Some(top) = home::git_root(project) {
        let above = project.ancestors().skip(1).take_while(|folder| folder.starts_with(&top));
        folders.extend(above.map(Path::to_owned));
    }
    folders
}

fn is_trusted(config_dir: &Path, project: &Path) -> bool {
    let config = config::read_or_nothing(&config_dir.join("config.toml"), config::Syntax::Toml);
    let key = project.to_string_lossy();
    at(&config, &["projects", &key, "trust_level"]).and_then(Value::as_str) == Some("trusted")
}

fn rule_files(dir: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = std::fs::read_dir(dir)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "rules"))
        .collect();
    files.sort();
    files
}

fn read_file(file: &Path, allow_counts: bool, set: &mut RuleSet) {
    let broken = |reason: String| BrokenLayer { path: file.to_path_buf(), reason };
    let text = match home::read_regular(file, config::MAX_BYTES) {
        Ok(bytes) => match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(_) => return set.broken.push(broken("it isn't UTF-8".to_owned())),
        },
        Err(error) => return set.broken.push(broken(error.to_string())),
    };
    for call in calls(&text) {
        match call.rule() {
            Ok(prefixes) => set.rules.extend(
                prefixes.into_iter().filter(|(effect, _)| allow_counts || *effect != Effect::Allow).map(
                    |(effect, pattern)| Rule {
                        effect,
                        target: Target::Shell,
                        pattern: Some(pattern),
                        syntax: Syntax::Prefix,
                        text: call.text.split_whitespace().collect::<Vec<_>>().join(" "),
                        source: file.display().to_string(),
                        base: PathBuf::from("/"),
                    },
                ),
            ),
            Err(reason) if call.text.contains("forbidden") || call.text.contains("prompt") => {
                set.broken.push(broken(reason));
            }
            Err(reason) => log::info!("{}: rule passed over: {reason}", file.display()),
        }
    }
}

/// One `prefix_rule(...)` call as written.
struct Call<'a> {
    text: &'a str,
    tokens: Result<Vec<Token>, String>,
}

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Text(String),
    Name(String),
    Sign(char),
}

/// A literal of the rule language.
#[derive(Debug, Clone, PartialEq)]
enum Literal {
    Text(String),
    List(Vec<Literal>),
}

/// Every call in a file, without those in comments and strings.
fn calls(text: &str) -> Vec<Call<'_>> {
    const NAME: &str = "prefix_rule";
    let mut calls = Vec::new();
    let mut at = 0;
    while let Some(found) = text[at..].find(NAME) {
        let start = at + found;
        at = start + NAME.len();
        let line = text[..start].rsplit('\n').next().unwrap_or_default();
        if line.contains('#') || text[..start].ends_with(|c: char| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let rest = text[at..].trim_start();
        if !rest.starts_with('(') {
            continue;
        }
        let open = text.len() - rest.len();
        let (tokens, end) = tokens(text, open + 1);
        calls.push(Call { text: &text[start..end], tokens });
        at = end;
    }
    calls
}

/// The tokens from `from` to the call's closing parenthesis, and its position.
fn tokens(text: &str, from: usize) -> (Result<Vec<Token>, String>, usize) {
    let mut tokens = Vec::new();
    let mut depth = 1;
    let mut chars = text[from..].char_indices().peekable();
    while let Some((offset, c)) = chars.next() {
        match c {
            '#' => while chars.next_if(|(_, c)| *c != '\n').is_some() {},
            '"' | '\'' => {
                let mut word = String::new();
                let mut closed = false;
                while let Some((_, inner)) = chars.next() {
                    match inner {
                        '\\' => match chars.next() {
                            Some((_, 'n')) => word.push('\n'),
                            Some((_, 't')) => word.push('\t'),
                            Some((_, other)) => word.push(other),
                            None => break,
                        },
                        _ if inner == c => {
                            closed = true;
                            break;
                        }
                        _ => word.push(inner),
                    }
                }
                if !closed {
                    return (Err("a string isn't closed".to_owned()), text.len());
                }
                tokens.push(Token::Text(word));
            }
            '(' | '[' | '{' => {
                depth += 1;
                tokens.push(Token::Sign(c));
            }
            ')' | ']' | '}' => {
                depth -= 1;
                if depth == 0 {
                    return (Ok(tokens), from + offset + c.len_utf8());
                }
                tokens.push(Token::Sign(c));
            }
            _ if c.is_whitespace() => {}
            _ if c.is_alphanumeric() || c == '_' => {
                let mut name = String::from(c);
                while let Some((_, c)) = chars.next_if(|(_, c)| c.is_alphanumeric() || *c == '_' || *c == '.')
                {
                    name.push(c);
                }
                tokens.push(Token::Name(name));
            }
            _ => tokens.push(Token::Sign(c)),
        }
    }
    (Err("a call isn't closed".to_owned()), text.len())
}

impl Call<'_> {
    /// The rule's prefixes, with its effect.
    fn rule(&self) -> Result<Vec<(Effect, String)>, String> {
        let tokens = self.tokens.as_ref().map_err(Clone::clone)?;
        let mut pattern = None;
        let mut effect = Effect::Allow;
        let mut rest = tokens.as_slice();
        while let [Token::Name(name), Token::Sign('='), value @ ..] = rest {
            let (literal, after) = literal(value)?;
            match (name.as_str(), literal) {
                ("pattern", Literal::List(words)) => pattern = Some(words),
                ("decision", Literal::Text(word)) => {
                    effect = match word.as_str() {
                        "forbidden" => Effect::Deny,
                        "prompt" => Effect::Ask,
                        "allow" => Effect::Allow,
                        other => return Err(format!("the decision {other:?} isn't known")),
                    }
                }
                ("pattern" | "decision", _) => return Err(format!("{name} has a value of the wrong type")),
                _ => {}
            }
            rest = match after {
                [Token::Sign(','), rest @ ..] => rest,
                other => other,
            };
        }
        if !rest.is_empty() {
            return Err("a rule isn't a plain call".to_owned());
        }
        let words = pattern.ok_or("a rule has no pattern")?;
        prefixes(&words).map(|prefixes| prefixes.into_iter().map(|prefix| (effect, prefix)).collect())
    }
}

/// A string, adjacent strings, or a list.
fn literal(tokens: &[Token]) -> Result<(Literal, &[Token]), String> {
    match tokens {
        [Token::Text(text), rest @ ..] => Ok((Literal::Text(text.clone()), rest)),
        [Token::Sign('['), rest @ ..] => {
            let mut items = Vec::new();
            let mut rest = rest;
            loop {
                match rest {
                    [Token::Sign(']'), after @ ..] => return Ok((Literal::List(items), after)),
                    [Token::Sign(','), after @ ..] => rest = after,
                    _ => {
                        let (item, after) = literal(rest)?;
                        items.push(item);
                        rest = after;
                    }
                }
            }
        }
        _ => Err("a value is neither a string nor a list of strings".to_owned()),
    }
}

/// Every sequence of words that a pattern with alternatives expands to.
fn prefixes(words: &[Literal]) -> Result<Vec<String>, String> {
    if words.is_empty() {
        return Err("a pattern is empty".to_owned());
    }
    let mut prefixes = vec![String::new()];
    for word in words {
        let alternatives: Vec<&str> = match word {
            Literal::Text(text) => vec![text],
            Literal::List(list) => list
                .iter()
                .map(|item| match item {
                    Literal::Text(text) => Ok(text.as_str()),
                    Literal::List(_) => Err("alternatives are a list".to_owned()),
                })
                .collect::<Result<_, _>>()?,
        };
        prefixes = prefixes
            .iter()
            .flat_map(|prefix| {
                alternatives.iter().map(move |word| {
                    if prefix.is_empty() { (*word).to_owned() } else { format!("{prefix} {word}") }
                })
            })
            .take(MAX_ALTERNATIVES + 1)
            .collect();
        if prefixes.len() > MAX_ALTERNATIVES {
            return Err(format!("a pattern has more than {MAX_ALTERNATIVES} alternatives"));
        }
    }
    Ok(prefixes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(text: &str) -> Vec<Result<Vec<(Effect, String)>, String>> {
        calls(text).iter().map(Call::rule).collect()
    }

    #[test]
    fn literal_calls_become_prefixes() {
        let rules = parse(
            r#"
            # prefix_rule(pattern = ["commented"], decision = "forbidden")
            prefix_rule(
                pattern = ["git", ["push", 'fetch'], "origin"],  # alternatives (in a comment)
                decision = "prompt",
                justification = "ask about prefix_rule( \" first",
                match = [["git", "push", "origin"], "git fetch origin"],
            )
            prefix_rule(pattern=["rm"], decision="forbidden")
            prefix_rule(pattern=["ls"])
            host_executable(name = "git", paths = ["/usr/bin/git"])
            "#,
        );
        assert_eq!(
            rules,
            [
                Ok(vec![
                    (Effect::Ask, "git push origin".to_owned()),
                    (Effect::Ask, "git fetch origin".to_owned())
                ]),
                Ok(vec![(Effect::Deny, "rm".to_owned())]),
                Ok(vec![(Effect::Allow, "ls".to_owned())]),
            ]
        );
    }

    #[test]
    fn an_unreadable_rule_counts_as_broken_only_if_it_forbids() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("default.rules");
        let mut set = RuleSet::default();
        std::fs::write(&file, "prefix_rule(pattern = WORDS + [\"x\"], decision = \"allow\")").unwrap();
        read_file(&file, true, &mut set);
        assert!(set.broken.is_empty() && set.rules.is_empty());
        std::fs::write(&file, "prefix_rule(pattern = WORDS, decision = \"forbidden\")").unwrap();
        read_file(&file, true, &mut set);
        assert_eq!(set.broken.len(), 1);
    }

    #[test]
    fn an_untrusted_project_forbids_but_does_not_allow() {
        let dir = tempfile::tempdir().unwrap();
        let project = dir.path().join("p");
        let rules_dir = project.join(".codex/rules");
        std::fs::create_dir_all(&rules_dir).unwrap();
        std::fs::write(
            rules_dir.join("a.rules"),
            "prefix_rule(pattern=[\"a\"])\nprefix_rule(pattern=[\"b\"], decision=\"forbidden\")",
        )
        .unwrap();
        let env = Env::for_test(dir.path());
        let codex = dir.path().join(".codex");
        let effects = || -> Vec<Effect> {
            rules(&env, &codex, dir.path(), &project).rules.iter().map(|rule| rule.effect).collect()
        };
        assert_eq!(effects(), [Effect::Deny]);
        std::fs::create_dir_all(&codex).unwrap();
        let config = format!("[projects.{:?}]\ntrust_level = \"trusted\"\n", project.to_string_lossy());
        std::fs::write(codex.join("config.toml"), config).unwrap();
        assert_eq!(effects(), [Effect::Allow, Effect::Deny]);
    }

    proptest! {
        #[test]
        fn any_text_is_accepted(text in r#"(prefix_rule|\(|\)|\[|\]|"|'|\\|,|=|pattern|decision|#|\n|é|x| ){0,40}"#) {
            let _ = parse(&text);
        }
    }
}

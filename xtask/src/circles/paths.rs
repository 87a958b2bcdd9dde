//! The paths that a file of Rust names, read from its tokens: `use` lines with their trees, and every path in the code that
//! begins with `crate`, `super`, `self` or a child module.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, TokenTree};

use super::File;

/// Goes over the tokens of a file and notes every path that points to a file of the crate.
pub(super) fn walk(tokens: &[TokenTree], file: &mut File, modules: &BTreeSet<Vec<String>>) {
    let mut at = 0;
    while at < tokens.len() {
        match &tokens[at] {
            // `mod tests { … }`: what tests use isn't a dependency.
            TokenTree::Ident(word) if word == "mod" => {
                let inline = matches!(tokens.get(at + 2), Some(TokenTree::Group(_)));
                at += if inline { 3 } else { 2 };
                continue;
            }
            TokenTree::Ident(word) if word == "use" => {
                let end = tokens[at..]
                    .iter()
                    .position(|token| is_sign(token, ';'))
                    .map_or(tokens.len(), |n| at + n);
                let mut brought = Vec::new();
                tree(&tokens[at + 1..end], &[], &mut brought);
                for (path, name) in brought {
                    if let Some(path) = absolute(&path, &file.module, modules) {
                        file.handed_on.insert(name, path.clone());
                        file.named.push(path);
                    }
                }
                at = end;
            }
            TokenTree::Ident(_) if starts_path(tokens, at) => {
                let (path, next) = path_at(tokens, at);
                if path.len() > 1
                    && let Some(path) = absolute(&path, &file.module, modules)
                {
                    file.named.push(path);
                }
                at = next;
                continue;
            }
            TokenTree::Group(group) => {
                walk(&group.stream().into_iter().collect::<Vec<_>>(), file, modules);
            }
            _ => {}
        }
        at += 1;
    }
}

/// Whether the word at `at` is the first of a path: nothing of a path precedes it.
fn starts_path(tokens: &[TokenTree], at: usize) -> bool {
    at == 0
        || !(is_sign(&tokens[at - 1], ':') && at > 1 && is_sign(&tokens[at - 2], ':')
            || is_sign(&tokens[at - 1], '.'))
}

fn is_sign(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}

/// The words of the path at `at`, and where it ends.
fn path_at(tokens: &[TokenTree], mut at: usize) -> (Vec<String>, usize) {
    let mut path = Vec::new();
    while let Some(TokenTree::Ident(word)) = tokens.get(at) {
        path.push(word.to_string());
        at += 1;
        let goes_on = tokens.len() > at + 2 && is_sign(&tokens[at], ':') && is_sign(&tokens[at + 1], ':');
        if !goes_on || !matches!(tokens[at + 2], TokenTree::Ident(_)) {
            break;
        }
        at += 2;
    }
    (path, at)
}

/// The paths of a `use` line, each with the name that it gets.
fn tree(tokens: &[TokenTree], before: &[String], out: &mut Vec<(Vec<String>, String)>) {
    let mut path = before.to_vec();
    let mut name = None;
    let mut at = 0;
    let end = |path: &mut Vec<String>, name: &mut Option<String>, out: &mut Vec<(Vec<String>, String)>| {
        let last = name.take().or_else(|| path.last().cloned());
        if path.len() > before.len()
            && let Some(last) = last
        {
            if path.last().is_some_and(|last| last == "self") {
                path.pop();
            }
            out.push((path.clone(), last));
        }
        path.truncate(before.len());
    };
    while at < tokens.len() {
        match &tokens[at] {
            TokenTree::Ident(word) if word == "as" => {
                name = tokens.get(at + 1).map(ToString::to_string);
                at += 1;
            }
            TokenTree::Ident(word) => path.push(word.to_string()),
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                tree(&group.stream().into_iter().collect::<Vec<_>>(), &path, out);
                path.truncate(before.len());
            }
            token if is_sign(token, ',') => end(&mut path, &mut name, out),
            _ => {}
        }
        at += 1;
    }
    end(&mut path, &mut name, out);
}

/// `path` from the crate's root on; nothing for what is outside the crate.
fn absolute(path: &[String], module: &[String], modules: &BTreeSet<Vec<String>>) -> Option<Vec<String>> {
    let first = path.first()?;
    let mut whole: Vec<String> = match first.as_str() {
        "crate" => Vec::new(),
        "self" => module.to_vec(),
        "super" => module[..module.len().checked_sub(1)?].to_vec(),
        child => {
            let mut below = module.to_vec();
            below.push(child.to_owned());
            return modules.contains(&below).then(|| {
                below.extend_from_slice(&path[1..]);
                below
            });
        }
    };
    for part in &path[1..] {
        if part == "super" {
            whole.pop()?;
        } else {
            whole.push(part.clone());
        }
    }
    Some(whole)
}

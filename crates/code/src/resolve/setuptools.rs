//! Reads which packages the two files of setuptools name: lists of strings in `setup.py`, wherever they are written down, and indented
//! lines in `setup.cfg`. Runs no code: what a program puts together isn't known. Pure.

use super::needs::{add, add_quoted, required};

/// What names packages, in both files.
const LISTS: &[&str] = &["install_requires", "tests_require"];
/// What has a list of packages for each extra.
const EXTRAS: &str = "extras_require";

/// `install_requires=['one>=1']`, `install_requires=needed` with `needed = ['one>=1']`, and `extras_require={'all': ['two']}`.
pub(super) fn of_setup_py(text: &str, out: &mut Vec<String>) {
    for key in LISTS {
        for value in values(text, key) {
            add_list(text, value, out);
        }
    }
    for value in values(text, EXTRAS) {
        let Some(table) = value.strip_prefix('{') else { continue };
        let mut rest = &table[..end_of(table, '}')];
        while let Some(list) = rest.get(end_of(rest, '[') + 1..) {
            add_quoted(list, out);
            rest = list.get(end_of(list, ']')..).unwrap_or_default();
        }
    }
}

/// The indented lines below a key, and what is behind it.
pub(super) fn of_setup_cfg(text: &str, out: &mut Vec<String>) {
    let (mut header, mut listed) = ("", false);
    for line in text.lines().filter(|line| !line.trim_start().starts_with(['#', ';'])) {
        if let Some(rest) = line.strip_prefix('[') {
            (header, listed) = (rest.split(']').next().unwrap_or(rest).trim(), false);
        } else if line.starts_with([' ', '\t']) {
            if listed {
                add(required(line.trim()), out);
            }
        } else if let Some((key, value)) = line.split_once('=') {
            listed = match header {
                "options" => LISTS.contains(&key.trim()),
                _ => header == "options.extras_require",
            };
            if listed {
                // Another file may have the list.
                let value = value.trim();
                if !value.starts_with("file:") {
                    add(required(value), out);
                }
            }
        }
    }
}

/// The texts behind a key of a call or of a table: `key=…`, `'key': …`.
fn values<'t>(text: &'t str, key: &'t str) -> impl Iterator<Item = &'t str> {
    text.split(key).skip(1).filter_map(|rest| {
        let rest = rest.trim_start_matches(['"', '\'']).trim_start();
        Some(rest.strip_prefix(['=', ':'])?.trim_start())
    })
}

/// Adds what a list names. A variable stands for the list that it's set to first.
fn add_list(text: &str, value: &str, out: &mut Vec<String>) {
    if let Some(list) = value.strip_prefix('[') {
        add_quoted(list, out);
    } else if let Some(list) = value.strip_prefix('(') {
        add_quoted(&list[..end_of(list, ')')], out);
    } else {
        let end = value.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(value.len());
        let name = &value[..end];
        if name.is_empty() {
            return;
        }
        let lines = text.match_indices(name).filter(|(at, _)| is_line_start(text, *at));
        let set = lines.filter_map(|(at, _)| text[at + name.len()..].trim_start().strip_prefix('='));
        if let Some(list) = set.map(str::trim_start).find_map(|list| list.strip_prefix('[')) {
            add_quoted(list, out);
        }
    }
}

fn is_line_start(text: &str, at: usize) -> bool {
    text[..at].rsplit('\n').next().is_some_and(|before| before.trim().is_empty())
}

/// Where this bracket closes; those in quotes and comments don't.
fn end_of(text: &str, bracket: char) -> usize {
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match quote {
            Some(open) if open == c => quote = None,
            Some(_) => {}
            None if matches!(c, '"' | '\'') => quote = Some(c),
            None if c == '#' => quote = Some('\n'),
            None if c == bracket => return at,
            None => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_of_setuptools_are_found_where_they_are_written() {
        for (text, expected) in [
            (
                "setup(\n    install_requires=[\n        'one>=1',\n        \"two[all]>=2\",\n    ],\n)\n",
                "one two",
            ),
            ("setup(install_requires=('one>=1; python_version<\"3\"', 'two'), license='MIT')\n", "one two"),
            (
                "requires = [\n    'one>=1',  # it's (old)\n]\n\nsetup(\n    install_requires=requires,\n    license='MIT',\n    zip_safe=False,\n)\n",
                "one",
            ),
            (
                "install_requires = ['one']\nsetup(install_requires=install_requires, tests_require=['two'])\n",
                "one two",
            ),
            ("kwargs = {'install_requires': ['one']}\n", "one"),
            ("setup(install_requires=read('requirements.txt'), name='shop')\n", ""),
            ("setup(install_requires=open('x').read().splitlines(),\n    name='shop',\n)\n", ""),
            (
                "setup(extras_require={\n    'all': ['one', 'two[x]>=2'],  # }\n    'socks:sys_platform == \"win32\"': ['three'],\n}, classifiers=['no'])\n",
                "one two three",
            ),
            ("install_requires", ""),
            ("install_requires=", ""),
            ("install_requires=['one", ""),
        ] {
            let mut out = Vec::new();
            of_setup_py(text, &mut out);
            assert_eq!(out.join(" "), expected, "{text}");
        }
        for (text, expected) in [
            (
                "[options]\ninstall_requires =\n    one>=1\n    # old\n    two[all]; python_version < '3'\n[x]\ny = 1\n",
                "one two",
            ),
            ("[options]\npackages = find:\ninstall_requires = one>=1\npython_requires = >=3.8\n", "one"),
            (
                "[options.extras_require]\ndev =\n    one\n    two\ntest = three\n\n[options.package_data]\na =\n    *.txt\n",
                "one two three",
            ),
            ("[options]\ninstall_requires = file: requirements.txt\n", ""),
            ("[metadata]\nname = shop\ninstall_requires = no\n", ""),
        ] {
            let mut out = Vec::new();
            of_setup_cfg(text, &mut out);
            assert_eq!(out.join(" "), expected, "{text}");
        }
    }
}

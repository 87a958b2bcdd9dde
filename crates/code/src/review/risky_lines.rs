//! Finds new lines of a diff that are risky whoever uses them: a text that runs as code or as a command, a check of certificates
//! that is switched off, data whose reading can run code, a query put together from values, a secret. The rules are a
//! table (`line_rules`); they find a word where it's code, not in a comment or a text. Pure.

use std::collections::HashSet;

use tree_sitter::{Node, Tree};

use super::line_rules::{RULES, Rule};
use super::{FileChange, Level, Risk};
use crate::language::{self, Language, SCRIPT};
use crate::parse::MAX_STEPS;
use crate::{component_script, second_parse};

/// The lines that are named of each rule in a file.
const MAX_NAMED: usize = 3;
/// Longer lines aren't written by hand.
const MAX_LINE: usize = 1_000;
/// A key that is behind its mark has at least as many characters on a line.
const MIN_KEY: usize = 24;
/// What may come between the mark and the key.
const KEY_HEADERS: &[&str] = &["Proc-Type: ", "Version: ", "Comment: "];

const SECRET: &str = "this looks like a secret";

/// What is risky about the new lines of a file, given its text now and before. Lines that were there before don't count, nor do
/// those that the diff removes from another own file (`removed_lines`), as where a file is renamed and changed.
pub fn risky_lines(
    file: &FileChange,
    before: Option<&str>,
    now: &str,
    removed: &HashSet<String>,
) -> Vec<Risk> {
    let known: HashSet<&str> = before.unwrap_or_default().lines().map(str::trim).collect();
    let mut ranges = file.now.clone();
    ranges.sort_unstable();
    let (mut ranges, mut until) = (ranges.into_iter().peekable(), 0_u32);
    let mut lines: Vec<(u32, usize, &str)> = Vec::new();
    let mut at = 0;
    for (number, line) in (1..).zip(now.split_inclusive('\n')) {
        while let Some((_, last)) = ranges.next_if(|(first, _)| *first <= number) {
            until = until.max(last);
        }
        let bare = line.trim();
        if number <= until && !known.contains(bare) && !removed.contains(bare) {
            lines.push((number, at, line.trim_end()));
        }
        at += line.len();
    }
    let mut out: Vec<(u32, Risk)> = Vec::new();
    let mut add = |level, what: &str, found: &[u32]| {
        if let Some(first) = found.first() {
            let what = format!("{}: {what}", line_numbers(found));
            out.push((*first, Risk { level, what, file: file.path.clone() }));
        }
    };
    let secret = lines.iter().filter(|(_, start, line)| has_secret(line, &now[start + line.len()..]));
    add(Level::High, SECRET, &secret.map(|(number, ..)| *number).collect::<Vec<u32>>());
    lines.retain(|(_, _, line)| line.len() <= MAX_LINE);
    let Some(language) = language::of(&file.path, now.lines().next().unwrap_or("")) else {
        return in_order(out);
    };
    let is_named = |rule: &&Rule| {
        rule.languages.contains(&language.name) && lines.iter().any(|(_, _, line)| line.contains(rule.word))
    };
    let rules: Vec<&Rule> = RULES.iter().filter(is_named).collect();
    // Most files have none of the words, and needn't be parsed.
    let Some(code) = rules.first().and_then(|_| Code::of(language, now)) else { return in_order(out) };
    for rule in rules {
        let found = lines.iter().filter(|(_, start, line)| code.has(rule, *start, line));
        let found: Vec<u32> = found.map(|(number, ..)| *number).collect();
        add(rule.level, &format!("{} (`{}`)", rule.what, rule.word), &found);
    }
    in_order(out)
}

/// What was found, by its first line.
fn in_order(mut found: Vec<(u32, Risk)>) -> Vec<Risk> {
    found.sort_by_key(|(first, _)| *first);
    found.into_iter().map(|(_, risk)| risk).collect()
}

/// `line 3`, `lines 3, 4, 9 and 2 more`
fn line_numbers(lines: &[u32]) -> String {
    let first: Vec<String> = lines.iter().take(MAX_NAMED).map(u32::to_string).collect();
    let more = lines.len().saturating_sub(MAX_NAMED);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!("{} {}{more}", if lines.len() == 1 { "line" } else { "lines" }, first.join(", "))
}

/// Whether a line has a secret, given what is behind it. What begins a private key is one where a key follows, which may be on the same
/// line: as long as it is in the file that a service's account comes in.
fn has_secret(line: &str, behind: &str) -> bool {
    if let Some((before, after)) = line.split_once("PRIVATE KEY")
        && before.contains("-----BEGIN ")
        && let Some(after) = after.strip_prefix(" BLOCK").unwrap_or(after).strip_prefix("-----")
    {
        return is_key(after) || is_key(behind.trim_start().lines().next().unwrap_or_default());
    }
    line.len() <= MAX_LINE
        && matches!(text::redact(line), std::borrow::Cow::Owned(without) if without != line)
}

/// Whether a text begins with a part of an encoded key, which may be in quotes, or with a header of one.
fn is_key(text: &str) -> bool {
    let text = text.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    KEY_HEADERS.iter().any(|header| text.starts_with(header))
        || text.bytes().take_while(is_part).take(MIN_KEY).count() == MIN_KEY
}

/// A text as its grammar reads it.
struct Code {
    language: &'static str,
    tree: Tree,
}

impl Code {
    fn of(language: &'static Language, text: &str) -> Option<Code> {
        let script = component_script::of(language.name, text);
        let source = script.as_deref().unwrap_or(text);
        let tree = second_parse::parse(language.grammar()?, language.name, source, MAX_STEPS).ok()?;
        Some(Code { language: language.name, tree })
    }

    /// Whether a line has what a rule is about, in its code.
    fn has(&self, rule: &Rule, start: usize, line: &str) -> bool {
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        line.match_indices(rule.word).any(|(at, word)| {
            let (before, behind) = (&line[..at], &line[at + word.len()..]);
            !before.ends_with(is_word)
                && !behind.starts_with(is_word)
                && (rule.applies)(before, behind)
                && self.is_used(start + at, word.len(), before)
        })
    }

    /// Whether a word is one of the code, as a whole, and not what is defined there. A command may be behind its path.
    fn is_used(&self, at: usize, length: usize, before: &str) -> bool {
        let node = self.tree.root_node().descendant_for_byte_range(at, at + length);
        node.is_some_and(|node| {
            let other = ["comment", "str", "heredoc", "nowdoc", "regex", "text", "content"];
            let is_path = self.language == "shell" && before.ends_with('/');
            let is_whole = node.end_byte() == at + length && (node.start_byte() == at || is_path);
            let is_text = other.iter().any(|part| node.kind().contains(part));
            let is_named = !is_text || SCRIPT.contains(&self.language) && is_key_in_quotes(node);
            node.child_count() == 0 && is_named && is_whole && !is_bound(node)
        })
    }
}

/// Whether a name is that of a function, a parameter or a variable of its own: `eval(node) {` in a class, `verify = False`.
fn is_bound(node: Node<'_>) -> bool {
    let Some(parent) = node.parent() else { return false };
    let kind = parent.kind();
    let defines = ["definition", "declaration", "signature"].iter().any(|end| kind.ends_with(end));
    let field = match kind {
        "assignment" => "left",
        "default_parameter" | "typed_default_parameter" => "name",
        _ if defines && (kind.contains("method") || kind.contains("function")) => "name",
        _ => return false,
    };
    parent.child_by_field_name(field) == Some(node)
}

/// Whether the text of a string is the name of a member: `{ "a": 1 }`, `b["a"] = 1`.
fn is_key_in_quotes(text: Node<'_>) -> bool {
    let Some(string) = text.parent().filter(|of| of.kind() == "string") else { return false };
    let Some(holder) = string.parent() else { return false };
    ["key", "index"].iter().any(|field| holder.child_by_field_name(field) == Some(string))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found_in(path: &str, before: Option<&str>, now: &str) -> Vec<String> {
        let lines = u32::try_from(now.lines().count()).unwrap();
        let file = FileChange { path: path.into(), now: vec![(1, lines)], ..FileChange::default() };
        let found = risky_lines(&file, before, now, &HashSet::new()).into_iter();
        found.map(|one| format!("{:?} {}", one.level, one.what)).collect()
    }

    #[test]
    fn a_risky_line_is_told_and_its_harmless_kin_is_not() {
        for (path, risky, harmless) in [
            (
                "a.py",
                "x = eval(y)\n",
                "x = model.eval()\ny = eval('1')\n# eval(z)\nz = \"eval(y)\"\ndef eval(x): pass\n",
            ),
            ("a.py", "run(c, shell=True)\n", "run(c, shell=False)\nshell = Trueish\nshell = True\n"),
            (
                "a.py",
                "os.system(\"rm \" + x)\n",
                "os.system(\"ls\")\nsystem(x)\nos.system(\"ls\")  # a + b\nos.system(\n  \"ls\"\n)\n",
            ),
            ("a.py", "get(u, verify=False)\n", "get(u, verify=path)\nverify = False\n"),
            ("a.py", "s.verify = False\n", "def get(u, verify=False, check: bool = False): pass\n"),
            ("a.py", "pickle.loads(x)\n", "json.loads(x)\n"),
            ("a.py", "yaml.load(x)\n", "yaml.load(x, Loader=SafeLoader)\n"),
            (
                "a.py",
                "db.execute(f\"SELECT a FROM b WHERE c = {d}\")\n",
                "db.execute(\"SELECT a FROM b WHERE c = ?\", d)\n",
            ),
            ("a.py", "db.execute(\"SELECT a FROM b WHERE c = \" + d)\n", "db.execute(\"SELECT a\", b + c)\n"),
            (
                "a.py",
                "db.execute('SELECT a FROM b WHERE c = {}'.format(d))\n",
                "db.execute('SELECT a ' 'FROM b')\ndb.execute('SELECT a', ['b' + c])\ndb.execute(f'SELECT a')\n",
            ),
            ("a.ts", "eval(x);\n", "ast.eval(x);\n// eval(x)\nconst a = 'eval(x)';\npage.$eval(s, f);\n"),
            ("a.ts", "eval(y);\n", "class A { eval(x) { f(); } }\ninterface B { eval(x: T): void }\n"),
            ("a.ts", "exec(`rm ${x}`);\n", "regex.exec(`a${x}`);\nexec('ls');\nexec('ls', ['a' + b]);\n"),
            ("a.ts", "eval('1' + x);\n", "eval('1 + 1');\n"),
            ("a.ts", "db.query('select ' + a);\n", "db.query('select 1', ['a' + b]);\n"),
            ("a.ts", "e.innerHTML = `<b>${x}</b>`;\n", "e.innerHTML = `<b></b>`;\n"),
            ("a.ts", "e.innerHTML = unescape(x);\n", "e.innerHTML = escapeHtml(x);\n"),
            ("a.ts", "e.innerHTML = '<b>' + x + '</b>';\n", "e.innerHTML = '<b>' + '</b>'; // a + b\n"),
            ("a.ts", "e.outerHTML += x;\n", "e.outerHTML += `<b></b>`\nconst a = e.outerHTML;\n"),
            (
                "a.ts",
                "e.insertAdjacentHTML('beforeend', x);\n",
                "e.insertAdjacentHTML('beforeend', '<b></b>');\ne.insertAdjacentHTML(x, sanitize(y));\n",
            ),
            ("a.ts", "child_process.exec('rm ' + x);\n", "child_process.exec('ls ' + '-l');\n"),
            (
                "a.ts",
                "const o = { \"rejectUnauthorized\": false };\n",
                "const o = [\"rejectUnauthorized\", false];\nf(\"rejectUnauthorized: false\");\n",
            ),
            (
                "a.ts",
                "process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';\n",
                "process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '1';\n",
            ),
            (
                "a.ts",
                "const o = { rejectUnauthorized: false };\n",
                "const o = { rejectUnauthorized: true };\n",
            ),
            (
                "a.ts",
                "e.innerHTML = x;\n",
                "e.innerHTML = '';\ne.innerHTML == x;\ne.innerHTML = sanitize(x);\n",
            ),
            (
                "a.go",
                "package a\nvar c = tls.Config{InsecureSkipVerify: true}\n",
                "package a\nvar c = tls.Config{InsecureSkipVerify: own}\n",
            ),
            (
                "a.go",
                "package a\nvar c = exec.Command(\"sh\", \"-c\", x)\n",
                "package a\nvar c = exec.Command(\"ls\", x)\n",
            ),
            (
                "a.rs",
                "fn a() { b().danger_accept_invalid_certs(true); }\n",
                "fn a() { b().danger_accept_invalid_certs(own); }\n",
            ),
            ("a.php", "<?php\nshell_exec(\"ls $x\");\n", "<?php\nshell_exec('ls');\n$db->exec(\"a $x\");\n"),
            (
                "a.php",
                "<?php\nexec('ls ' . $x);\nexec(\"ls '$x'\");\n",
                "<?php\nexec('ls', $lines);\nexec(\"ls\", $lines, $code);\nexec('echo $HOME');\n",
            ),
            (
                "a.php",
                "<?php\ncurl_setopt($c, CURLOPT_SSL_VERIFYPEER, false);\n",
                "<?php\ncurl_setopt($c, CURLOPT_SSL_VERIFYPEER, true);\n",
            ),
            (
                "a.php",
                "<?php\n$db->query(\"SELECT a FROM b WHERE c = '$x'\");\n",
                "<?php\n$db->query('SELECT a FROM b');\n$db->query(\"SELECT a\", $x);\n",
            ),
            (
                "A.java",
                "class A { Object a = b.executeQuery(\"SELECT a FROM b WHERE c = \" + d); }\n",
                "class A {\n  Object a = b.executeQuery(\"SELECT a \" + \"FROM b\");\n  Object c = b.executeQuery(\"SELECT a \" +\n    \"FROM b\");\n}\n",
            ),
            (
                "a.go",
                "package a\nvar b = db.QueryRowContext(c, fmt.Sprintf(\"SELECT a FROM b WHERE c = %s\", d))\n",
                "package a\nvar b = db.QueryRowContext(c, \"SELECT a FROM b WHERE c = $1\", d)\n",
            ),
            (
                "a.go",
                "package a\nvar c = exec.CommandContext(b, \"/bin/sh\", \"-c\", x)\n",
                "package a\nvar c = exec.CommandContext(b, \"ls\", \"-c\", x)\n",
            ),
            ("a.rb", "system(\"rm #{x}\")\n", "system(\"ls\", x)\n"),
            ("a.sh", "curl -k https://a.b\n", "curl https://a.b | tail -k\nmy-curl -k a\ncurl -o k a\n"),
            ("a.sh", "/usr/bin/curl -sk https://a.b\n", "curl -fsSL --keepalive-time 2 a\n"),
            ("a.sh", "eval \"$x\"\n", "eval \"$(ssh-agent)\"\nmongosh --eval \"$x\"\n"),
            (
                "A.java",
                "class A { Object a = new ObjectInputStream(b); }\n",
                "class A { ObjectInputStream a; }\n",
            ),
            (
                "a.yml",
                "key: |\n  -----BEGIN RSA PRIVATE KEY-----\n  FakeFakeFakeFakeFakeFakeFakeFake\n",
                "mark: -----BEGIN RSA PRIVATE KEY-----\nname: none\n",
            ),
        ] {
            assert_eq!(found_in(path, None, risky).len(), 1, "{path}: {risky}");
            assert_eq!(found_in(path, None, harmless), [""; 0], "{path}: {harmless}");
        }
    }

    #[test]
    fn a_private_key_is_a_secret_in_each_form() {
        let key = "Fake".repeat(400);
        for text in [
            format!("{{\"private_key\": \"-----BEGIN PRIVATE KEY-----\\n{key}\\n\"}}\n"),
            format!("-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n{key}\n"),
            format!("-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n{key}\n"),
        ] {
            assert_eq!(found_in("a.txt", None, &text), ["High line 1: this looks like a secret"], "{text}");
        }
        let code = "a = b;".repeat(400) + "c = '-----BEGIN RSA PRIVATE KEY-----\\n' + d;\n";
        assert_eq!(found_in("a.txt", None, &code), [""; 0]);
    }

    #[test]
    fn a_check_is_one_of_certificates_where_a_server_is_asked() {
        for (line, what) in [
            (
                "requests.get(u, verify=False)",
                "High line 1: a check of certificates is switched off (`verify`)",
            ),
            ("jwt.decode(t, k, verify=False)", "High line 1: a check is switched off (`verify`)"),
        ] {
            assert_eq!(found_in("a.py", None, line), [what]);
        }
    }

    #[test]
    fn only_new_lines_count_and_many_are_told_as_one() {
        let text = "eval(a)\neval(b)\neval(c)\neval(d)\neval(e)\n";
        let all = ["Medium lines 1, 2, 3 and 2 more: a text is run as code (`eval`)"];
        assert_eq!(found_in("a.py", None, text), all);
        assert_eq!(
            found_in("a.py", Some("  eval(a)\neval(b)\neval(c)\neval(d)\n"), text),
            ["Medium line 5: a text is run as code (`eval`)"]
        );
        let found = found_in("a.py", None, "get(u, verify=False)\neval(a)\n");
        assert!(
            found[0].starts_with("High line 1: ") && found[1].starts_with("Medium line 2: "),
            "{found:?}"
        );
        let file = FileChange { path: "a.py".into(), now: vec![(2, 2)], ..FileChange::default() };
        let none = HashSet::new();
        assert_eq!(risky_lines(&file, None, text, &none)[0].what, "line 2: a text is run as code (`eval`)");
        let moved = HashSet::from(["eval(b)".to_owned()]);
        assert!(risky_lines(&file, None, text, &moved).is_empty());
        assert!(found_in("a.unknown", None, text).is_empty());
    }

    /// As where each second line of a large file changed.
    #[test]
    fn many_ranges_take_no_longer_than_few() {
        let now: Vec<(u32, u32)> = (1..=100_000).map(|n| (2 * n, 2 * n)).collect();
        let file = FileChange { path: "a.txt".into(), now, ..FileChange::default() };
        let key = "-----BEGIN RSA PRIVATE KEY-----\nFakeFakeFakeFakeFakeFakeFakeFake\n";
        let text = "one\n".repeat(199_999) + key;
        let found = risky_lines(&file, Some("one\n"), &text, &HashSet::new());
        assert_eq!(found[0].what, "line 200000: this looks like a secret");
    }
}

//! Reads what is around a word on its line, as far as the rules of risky lines ask for it: a call's first argument, the value of a
//! key, the options of a command. Pure.

/// Options of curl without a value that may be written with others: `-sk`.
const CURL_FLAGS: &str = "0123456789#aBfgGiIjJlLnNOpqRsSvV";
/// What makes a value harmless in markup, in a function's name.
const CLEANING: &[&str] = &["saniti", "purify", "escape"];

/// Whether a name behind this text is a member of something, or what is defined there.
pub(super) fn is_member(before: &str) -> bool {
    [".", "->", "::", "def ", "function ", "fun "].iter().any(|mark| before.ends_with(mark))
}

/// The first argument of the call whose bracket opens behind a name, as far as it's on the line.
fn first_argument(behind: &str) -> &str {
    behind.trim_start().strip_prefix('(').map_or("", expression)
}

/// The arguments of such a call behind the first one.
fn other_arguments(behind: &str) -> &str {
    let Some(inner) = behind.trim_start().strip_prefix('(') else { return "" };
    let rest = inner.trim_start().strip_prefix(expression(inner)).unwrap_or_default();
    rest.trim_start().strip_prefix(',').unwrap_or_default()
}

/// The expression that a text begins with, up to a comma, a semicolon, a comment or a bracket that it doesn't open.
fn expression(text: &str) -> &str {
    let (mut depth, mut quote, mut escaped) = (0usize, None, false);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(mark), c) if c == mark => quote = None,
            (Some(_), _) => {}
            (None, c) if is_quote(c) => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}' | ',' | ';') if depth == 0 => return text[..at].trim(),
            (None, ')' | ']' | '}') => depth -= 1,
            (None, '/') if text[at..].starts_with("//") => return text[..at].trim(),
            _ => {}
        }
    }
    text.trim()
}

/// Whether an expression has more in it than texts: a name or a number, or a value inside a text. What comes on the next line isn't
/// known.
fn has_values(expression: &str) -> bool {
    let mut rest = expression;
    loop {
        rest = rest.trim_start_matches(|c: char| !is_word(c) && !is_quote(c));
        let (word, behind) = rest.split_at(rest.find(|c: char| !is_word(c)).unwrap_or(rest.len()));
        let Some(mark) = behind.chars().next().filter(|c| is_quote(*c)) else { return !word.is_empty() };
        if !is_prefix(word) {
            return true;
        }
        let (text, after) = split_text(behind, mark);
        let is_filled = match mark {
            '`' => text.contains("${"),
            _ => word.contains(['f', 'F']) && text.replace("{{", "").contains('{'),
        };
        if is_filled {
            return true;
        }
        rest = after;
    }
}

/// Whether an expression begins with a text, which may have a prefix of Python: `f"…"`.
fn begins_with_text(expression: &str) -> bool {
    expression.find(is_quote).is_some_and(|at| is_prefix(&expression[..at]))
}

/// What is in the quotes that a text begins with, and what is behind them.
fn split_text(text: &str, mark: char) -> (&str, &str) {
    for long in ["\"\"\"", "'''"] {
        if let Some(inner) = text.strip_prefix(long) {
            return inner.split_once(long).unwrap_or((inner, ""));
        }
    }
    let inner = &text[mark.len_utf8()..];
    let mut escaped = false;
    let end = inner.find(|c: char| {
        let closes = c == mark && !escaped;
        escaped = c == '\\' && !escaped;
        closes
    });
    end.map_or((inner, ""), |end| (&inner[..end], &inner[end + mark.len_utf8()..]))
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\'' | '`')
}

/// Whether a word may be what Python writes in front of a text.
fn is_prefix(word: &str) -> bool {
    word.len() <= 2 && word.bytes().all(|byte| b"bfruBFRU".contains(&byte))
}

/// Whether a call's first argument is something else than plain texts.
pub(super) fn takes_value(behind: &str) -> bool {
    has_values(first_argument(behind))
}

/// Whether a call's first argument is a text with values in it or joined to it. One that is only cut in parts isn't:
/// `"select a " + "from b"`.
pub(super) fn is_put_together(behind: &str) -> bool {
    let first = first_argument(behind);
    begins_with_text(first) && has_values(first)
}

/// Whether a function of PHP is given a variable as it is: `exec("ls '$dir'")`, and not `exec('ls', $lines)`.
pub(super) fn of_variables(before: &str, behind: &str) -> bool {
    !is_member(before) && has_variable(behind) && !first_argument(behind).contains("escapeshell")
}

/// Whether the first argument of a call of PHP has a variable in it. In single quotes that is text.
pub(super) fn has_variable(behind: &str) -> bool {
    let first = first_argument(behind);
    if first.starts_with('"') {
        return first.contains('$');
    }
    first.split('\'').step_by(2).any(|part| part.contains('$'))
}

/// Whether a key or variable gets one of these values: `=True`, `: false`, `"] = 0`.
pub(super) fn is_set(behind: &str, values: &[&str]) -> bool {
    let behind = behind.trim_start_matches(['"', '\'', ']', ' ']);
    let value = behind.strip_prefix(['=', ':']).map(str::trim_start);
    let is = |value: &str, one: &str| {
        let rest = value.strip_prefix(one);
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.'))
    };
    value.is_some_and(|value| values.iter().any(|one| is(value, one)))
}

/// Whether what is called asks a server for something, judging by its name or what it's a method of.
pub(super) fn asks_server(before: &str) -> bool {
    ["requests.", "httpx.", "ession", "lient"].iter().any(|name| before.contains(name))
}

/// Whether a command of the shell has one of these options.
pub(super) fn has_option(behind: &str, options: &[&str]) -> bool {
    words_of_command(behind).any(|word| options.contains(&word))
}

/// Whether curl is told to check no certificates: `-k`, also among others as in `-sk`, or `--insecure`.
pub(super) fn is_insecure(behind: &str) -> bool {
    let has_flag = |word: &str| {
        let before = word.strip_prefix('-').and_then(|flags| flags.split_once('k')).map(|(before, _)| before);
        before.is_some_and(|before| before.chars().all(|c| CURL_FLAGS.contains(c)))
    };
    words_of_command(behind).any(|word| word == "--insecure" || has_flag(word))
}

/// The words of a command of the shell, up to the next one.
fn words_of_command(behind: &str) -> impl Iterator<Item = &str> {
    behind.split(['|', ';', '&']).next().unwrap_or_default().split_whitespace()
}

/// Whether an option of libcurl is switched off: `, false`, ` => 0`, `, 0L`.
pub(super) fn is_option_off(behind: &str) -> bool {
    let value = behind.trim_start_matches([',', '=', '>', ' ', ']']);
    let word: String = value.chars().take_while(|c| c.is_alphanumeric()).collect();
    matches!(word.to_ascii_lowercase().as_str(), "false" | "0" | "0l")
}

pub(super) fn is_query(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    ["select ", "insert into ", "update ", "delete from "].iter().any(|verb| text.contains(verb))
}

/// Whether an element's markup is set to something else than plain texts.
pub(super) fn is_set_to_markup(before: &str, behind: &str) -> bool {
    let value = behind.trim_start().strip_prefix("+=").or_else(|| behind.trim_start().strip_prefix('='));
    let value = value.filter(|value| !value.starts_with('=')).map_or("", expression);
    is_member(before) && has_values(value) && !is_cleaned(value)
}

/// Whether a call's second argument is markup that is something else than plain texts.
pub(super) fn inserts_markup(before: &str, behind: &str) -> bool {
    let markup = expression(other_arguments(behind));
    is_member(before) && has_values(markup) && !is_cleaned(markup)
}

/// Whether a command of Go is given to a shell.
pub(super) fn starts_shell(behind: &str) -> bool {
    let shells = ["\"sh\", \"-c\"", "\"bash\", \"-c\"", "/sh\", \"-c\"", "/bash\", \"-c\""];
    shells.iter().any(|shell| behind.contains(shell))
}

/// Whether a value is made harmless before it becomes markup, judging by the names.
pub(super) fn is_cleaned(value: &str) -> bool {
    let value = value.to_ascii_lowercase().replace("unescape", "");
    CLEANING.iter().any(|word| value.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_argument_ends_where_it_does() {
        for (behind, first) in [
            ("(a, b)", "a"),
            ("(f(a, b), c)", "f(a, b)"),
            ("(\"a, \\\"b\", c)", "\"a, \\\"b\""),
            ("(`a ${b(\"c\", d)}`, e)", "`a ${b(\"c\", d)}`"),
            ("([a, b])", "[a, b]"),
            ("(", ""),
            (" = a", ""),
            ("(a", "a"),
            ("(ä, ö)", "ä"),
            ("(a]", "a"),
        ] {
            assert_eq!(first_argument(behind), first, "{behind}");
        }
    }

    #[test]
    fn a_plain_text_is_told_from_one_with_values() {
        for (argument, expected) in [
            ("\"a\"", false),
            ("'a + b'", false),
            ("r'a'", false),
            ("`a`", false),
            ("\"\"\"a\"\"\"", false),
            ("\"\"\"a's \"b\" c\"\"\"", false),
            ("\"a \\\" b\"", false),
            ("\"a\" + \"b\"", false),
            ("\"a\" 'b'", false),
            ("\"a\" +", false),
            ("\"a", false),
            ("\"\"\"a", false),
            ("f\"a {{b}}\"", false),
            ("", false),
            ("\"a\" + b", true),
            ("\"a\" % b", true),
            ("'a'.format(b)", true),
            ("`a ${b}`", true),
            ("f\"{a}\"", true),
            ("rf'''{a}'''", true),
            ("sql`a`", true),
            ("buffer", true),
            ("b", true),
            ("ä", true),
            ("\"ä\" + ö", true),
        ] {
            assert_eq!(has_values(argument), expected, "{argument}");
        }
    }

    #[test]
    fn an_expression_ends_where_it_does() {
        for (text, expected) in [
            (" a + \"; b\"; c", "a + \"; b\""),
            ("'' // a", "''"),
            ("'//a' + b", "'//a' + b"),
            ("f(a, b;) c", "f(a, b;) c"),
            ("ä, ö", "ä"),
            (")", ""),
        ] {
            assert_eq!(expression(text), expected, "{text}");
        }
        assert_eq!(other_arguments("( 'a', b, c)"), " b, c)");
        assert_eq!([other_arguments("(a)"), other_arguments(" = a"), other_arguments("(a")], [""; 3]);
    }
}

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
    let Some(inner) = behind.trim_start().strip_prefix('(') else { return "" };
    let (mut depth, mut quote, mut escaped) = (0usize, None, false);
    for (at, c) in inner.char_indices() {
        match (quote, c) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(mark), c) if c == mark => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}' | ',') if depth == 0 => return inner[..at].trim(),
            (None, ')' | ']' | '}') => depth -= 1,
            _ => {}
        }
    }
    inner.trim()
}

/// Whether an argument is one text without values in it. One that doesn't end on its line may be.
fn is_plain_text(argument: &str) -> bool {
    let text = argument.trim_start_matches(['r', 'b', 'u', 'R', 'B', 'U']);
    let Some(mark) = text.chars().next().filter(|c| matches!(c, '"' | '\'' | '`')) else { return false };
    if text.starts_with("\"\"\"") || text.starts_with("'''") {
        return true;
    }
    let inner = &text[1..];
    let mut escaped = false;
    let end = inner.find(|c: char| {
        let closes = c == mark && !escaped;
        escaped = c == '\\' && !escaped;
        closes
    });
    end.is_none_or(|end| end + 1 == inner.len()) && !(mark == '`' && text.contains("${"))
}

/// Whether a call's first argument is something else than a plain text. What is on the next line isn't known.
pub(super) fn takes_value(behind: &str) -> bool {
    let first = first_argument(behind);
    !first.is_empty() && !is_plain_text(first)
}

/// Whether a call's first argument is a text with values in it.
pub(super) fn is_put_together(behind: &str) -> bool {
    let first = first_argument(behind);
    first.starts_with(['"', '\'', '`'])
        && !is_plain_text(first)
        && ["${", "\" +", "' +", "` +"].iter().any(|mark| first.contains(mark))
}

/// Whether a call's first argument is a text of Python with values in it.
pub(super) fn is_formatted(behind: &str) -> bool {
    ["(f\"", "(f'"].iter().any(|begin| behind.starts_with(begin)) && behind.contains('{')
}

/// Whether a function of PHP is given a variable as it is: `exec("ls '$dir'")`, and not `exec('ls', $lines)`.
pub(super) fn of_variables(before: &str, behind: &str) -> bool {
    let first = first_argument(behind);
    // In single quotes a variable is text.
    let has_variable = if first.starts_with('"') {
        first.contains('$')
    } else {
        first.split('\'').step_by(2).any(|part| part.contains('$'))
    };
    !is_member(before) && has_variable && !first.contains("escapeshell")
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

/// Whether an element's markup is set to something else than a plain text.
pub(super) fn is_set_to_markup(before: &str, behind: &str) -> bool {
    let value = behind.trim_start().strip_prefix("+=").or_else(|| behind.trim_start().strip_prefix('='));
    let is_value = |value: &str| {
        !value.starts_with(['=', '"', '\'']) && (!value.starts_with('`') || value.contains("${"))
    };
    is_member(before) && value.is_some_and(|value| is_value(value.trim_start()) && !is_cleaned(value))
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
            ("\"a\"", true),
            ("'a + b'", true),
            ("r'a'", true),
            ("`a`", true),
            ("\"\"\"a\"\"\"", true),
            ("\"a \\\" b\"", true),
            ("\"a", true),
            ("\"a\" + b", false),
            ("'a'.format(b)", false),
            ("`a ${b}`", false),
            ("f\"{a}\"", false),
            ("buffer", false),
            ("ä", false),
            ("", false),
        ] {
            assert_eq!(is_plain_text(argument), expected, "{argument}");
        }
    }
}

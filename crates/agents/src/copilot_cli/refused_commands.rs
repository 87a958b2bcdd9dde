//! Commands that Copilot CLI's shell tool refuses whatever its rules are, measured on 1.0.102: expansions that can hide a
//! program, and compound commands that it can't split. `execute` refuses them too.

/// Why `command` is refused, as the end of a sentence; `None` if it would run.
pub(super) fn reason(command: &str) -> Option<&'static str> {
    if expands_in_disguise(command) {
        return Some(
            "it contains an expansion that can hide a program (`${!name}`, `${name@P}`, a command within `${…}`); write the \
             value out",
        );
    }
    if timed_block(command) {
        return Some("it contains a block behind `time` or `coproc`; write the commands without it");
    }
    None
}

/// `${!name}`, `${name@P}`, `${name:-$(command)}`.
fn expands_in_disguise(command: &str) -> bool {
    command.match_indices("${").any(|(at, _)| {
        let inside = &command[at + 2..];
        let inside = &inside[..end_of_expansion(inside)];
        let transformed = inside.rsplit_once('@').is_some_and(|(name, operator)| {
            !name.is_empty() && operator.len() == 1 && operator.bytes().all(|b| b.is_ascii_alphabetic())
        });
        inside.starts_with('!') || transformed || inside.contains("$(") || inside.contains('`')
    })
}

/// The end of the expansion whose inside is `text`.
fn end_of_expansion(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => return at,
            '}' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

/// `time { …; }`, `coproc ( … )`.
fn timed_block(command: &str) -> bool {
    let words: Vec<&str> = command.split_whitespace().collect();
    words.windows(2).any(|pair| {
        matches!(pair, [word, next] if matches!(word.rsplit([';', '|', '&', '(', '{']).next(), Some("time" | "coproc"))
            && next.starts_with(['{', '(']))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_hide_a_program_is_found_and_plain_expansions_are_not() {
        for command in [
            "${x:-$(npm a)}",
            "echo ${x@P}",
            "${!name}",
            "a \"${x:=`b`}\"",
            "time { npm a;}",
            "ls; time ( a )",
            "coproc { a; }",
        ] {
            assert!(reason(command).is_some(), "{command}");
        }
        for command in [
            "echo $(date)",
            "echo ${x:-y}",
            "echo ${a[@]}",
            "time cargo test",
            "echo a@b {c}",
            "for f in *; do echo ${f%.*}; done",
            "${",
        ] {
            assert_eq!(reason(command), None, "{command}");
        }
    }
}

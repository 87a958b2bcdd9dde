//! Which commands of a line printed the text. Owns what pipes and files take away, and which programs
//! print nothing; does not know filters.

use shell::base;
use shell::line::{Line, Simple};

use crate::command::unwrapped;

/// Programs that print nothing worth a thought; they may be beside the one command that is filtered.
const SILENT: &[&str] = &[
    "cd", "export", "set", "source", ".", "true", "false", "mkdir", "touch", "rm", "cp", "mv", "sleep",
    "pushd", "popd", "umask", "ulimit", "unset", "alias", "chmod", "chown", "ln", "kill", "test", "[", ":",
    "wait", "exit", "return",
];
/// Stages after a pipe that only take a part of the lines or copy them.
const PARTS: &[&str] = &["head", "tail", "cat", "tee"];
/// Stages after a pipe whose output has a form of its own, whatever they read.
const JSON_PRINTERS: &[&str] = &["jq", "yq", "json.tool"];

/// The commands of a line whose output a filter may be for.
pub(crate) fn subjects(line: &Line) -> Vec<&Simple> {
    let mut found = Vec::new();
    for (at, simple) in line.commands.iter().enumerate() {
        let argv = simple.argv();
        let Some(program) = argv.first() else { continue };
        let read_from_pipe = simple.piped_in && !prints_json(&argv);
        if simple.to_file || read_from_pipe || SILENT.contains(&base(program)) {
            continue;
        }
        if simple.piped_out {
            let stages = line.commands.iter().skip(at + 1).take_while(|later| later.piped_in);
            let only_parts = stages
                .into_iter()
                .all(|stage| stage.argv().first().is_some_and(|p| PARTS.contains(&base(p))));
            if !only_parts {
                continue;
            }
        }
        found.push(simple);
    }
    found
}

/// Whether these words start a program that prints JSON again, laid out for people.
fn prints_json(argv: &[String]) -> bool {
    unwrapped(argv).first().is_some_and(|program| JSON_PRINTERS.contains(&base(program)))
}

#[cfg(test)]
mod tests {
    use super::subjects;

    /// The programs of `line` whose output is shortened.
    fn programs(line: &str) -> Vec<String> {
        let line = shell::line::parse(line);
        subjects(&line).into_iter().filter_map(|simple| simple.argv().first().cloned()).collect()
    }

    #[test]
    fn a_pipe_hides_its_first_program_unless_the_others_only_take_lines() {
        assert_eq!(programs("cd shop && go test ./... 2>&1 | tail -40"), ["go"]);
        assert_eq!(programs("go test ./... | grep FAIL"), [""; 0]);
        assert_eq!(programs("go test ./... > test.log"), [""; 0]);
    }

    #[test]
    fn what_prints_json_again_has_its_own_form_behind_a_pipe() {
        assert_eq!(programs("curl -s localhost:8080/orders | jq ."), ["jq"]);
        assert_eq!(programs("curl -s localhost:8080/orders | jq .items | head -n 100"), ["jq"]);
        assert_eq!(programs("curl -s localhost:8080/orders | python3 -m json.tool"), ["python3"]);
        assert_eq!(programs("curl -s localhost:8080/orders | jq -r '.[].id' | sort"), [""; 0]);
        assert_eq!(programs("curl -s localhost:8080/orders | jq . > orders.json"), [""; 0]);
        assert_eq!(programs("curl -s localhost:8080/orders | python3 tidy.py"), [""; 0]);
    }
}

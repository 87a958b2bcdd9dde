//! Commands that run inside a container: `docker exec -it web pytest`, `kubectl exec web -- pytest`. Owns the options of
//! `exec` that take a value.

/// Those of docker and of compose.
const WITH_VALUE: &[&str] =
    &["-e", "--env", "--env-file", "-u", "--user", "-w", "--workdir", "--detach-keys", "--index"];

/// The command that `program` starts in a container with the arguments `rest`; `takes_value` is about the options before `exec`.
pub(crate) fn inside<'a>(
    program: &str,
    rest: &'a [String],
    takes_value: impl Fn(&str) -> bool,
) -> Option<&'a [String]> {
    if matches!(program, "kubectl" | "oc" | "k") {
        let exec = rest.iter().position(|word| word == "exec")?;
        let dashes = rest.iter().position(|word| word == "--")?;
        return rest.get(dashes + 1..).filter(|_| exec < dashes);
    }
    let mut words = behind_options(rest, &takes_value);
    if let Some((first, after)) = words.split_first()
        && first == "compose"
    {
        words = behind_options(after, &takes_value);
    }
    let (_, after) = words.split_first().filter(|(first, _)| *first == "exec")?;
    // The container's name comes first.
    behind_options(after, |option| WITH_VALUE.contains(&option)).get(1..)
}

/// `words` without the options that they begin with, and their values.
fn behind_options(words: &[String], takes_value: impl Fn(&str) -> bool) -> &[String] {
    let mut at = 0;
    while let Some(option) = words.get(at).filter(|word| word.starts_with('-')) {
        at += if takes_value(option) { 2 } else { 1 };
    }
    words.get(at..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::inside;

    #[test]
    fn the_command_in_a_container_is_found() {
        for (line, inner) in [
            ("docker exec -it -e A=1 web pytest -q", Some("pytest -q")),
            ("podman exec --user 7 web cat /etc/hosts", Some("cat /etc/hosts")),
            ("docker compose exec -T web npm test", Some("npm test")),
            ("docker-compose exec web make", Some("make")),
            ("docker --context far exec web make", Some("make")),
            ("docker compose -f dev.yaml -p shop exec -T web npm test", Some("npm test")),
            ("docker-compose -f dev.yaml exec -u root web make", Some("make")),
            ("docker compose -f exec up", None),
            ("docker compose -f", None),
            ("kubectl -n shop exec web-1 -c app -- pytest -q", Some("pytest -q")),
            ("kubectl exec web-1", None),
            ("kubectl get pods -- exec", None),
            ("docker compose up", None),
            ("docker run web pytest", None),
        ] {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            let takes_value = |option: &str| ["--context", "-f", "-p"].contains(&option);
            let found = inside(&words[0], &words[1..], takes_value).map(|words| words.join(" "));
            assert_eq!(found.as_deref(), inner, "{line}");
        }
    }
}

//! Commands that run inside a container: `docker exec -it web pytest`, `kubectl exec web -- pytest`. Owns the options in
//! front of them that take a value.

/// Those of `exec`, of docker itself and of compose.
const WITH_VALUE: &[&str] =
    &["-e", "--env", "--env-file", "-u", "--user", "-w", "--workdir", "--detach-keys", "--index"];

/// The command that `program` starts in a container with the arguments `rest`.
pub(crate) fn inside<'a>(program: &str, rest: &'a [String]) -> Option<&'a [String]> {
    let word = |at: usize| rest.get(at).map(String::as_str);
    let mut at = match (program, word(0)) {
        ("kubectl" | "oc" | "k", _) => {
            let exec = rest.iter().position(|word| word == "exec")?;
            let dashes = rest.iter().position(|word| word == "--")?;
            return rest.get(dashes + 1..).filter(|_| exec < dashes);
        }
        (_, Some("exec")) => 1,
        (_, Some("compose")) if word(1) == Some("exec") => 2,
        _ => return None,
    };
    while let Some(option) = word(at).filter(|word| word.starts_with('-')) {
        at += if WITH_VALUE.contains(&option) { 2 } else { 1 };
    }
    // The container's name comes first.
    rest.get(at + 1..)
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
            ("kubectl -n shop exec web-1 -c app -- pytest -q", Some("pytest -q")),
            ("kubectl exec web-1", None),
            ("kubectl get pods -- exec", None),
            ("docker compose up", None),
            ("docker run web pytest", None),
        ] {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            let found = inside(&words[0], &words[1..]).map(|words| words.join(" "));
            assert_eq!(found.as_deref(), inner, "{line}");
        }
    }
}

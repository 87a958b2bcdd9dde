//! The key of a memory's project: the git remote without credentials, in a form that all clones and worktrees share,
//! or the folder's name without a remote.

use home::Project;

/// Hosts whose repository paths ignore case.
const ANY_CASE: &[&str] = &["github.com", "gitlab.com", "bitbucket.org", "codeberg.org"];

/// The project's key. Contains no credentials and no path of this computer.
pub fn project_key(project: &Project) -> String {
    project
        .remote
        .as_deref()
        .and_then(normalised_remote)
        .unwrap_or_else(|| format!("local/{}-{}", project.name, project.id))
}

/// A remote as `host/path`: the same for `https`, `ssh` and `git@host:path`, with or without `.git`. `None` for a
/// remote that is a local folder, which means nothing on another computer.
pub fn normalised_remote(remote: &str) -> Option<String> {
    let remote = remote.trim();
    let (scheme, rest) = match remote.split_once("://") {
        Some((scheme, rest)) => (scheme.to_ascii_lowercase(), rest),
        None => {
            // `user@host:path`; a single letter before the colon is a Windows drive.
            let (host, path) = remote.split_once(':')?;
            if host.len() < 2 || host.contains(['/', '\\']) || path.starts_with('\\') {
                return None;
            }
            return joined(host, path);
        }
    };
    if scheme == "file" {
        return None;
    }
    let (authority, path) = rest.split_once('/')?;
    // An ssh port only tells how to connect; an http port means another server.
    let plain_port = if scheme == "http" { ":80" } else { ":443" };
    let authority = match scheme.as_str() {
        "http" | "https" => authority.strip_suffix(plain_port).unwrap_or(authority),
        _ => {
            let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
            host.rsplit_once(':')
                .filter(|(_, port)| port.bytes().all(|b| b.is_ascii_digit()))
                .map_or(host, |(host, _)| host)
        }
    };
    joined(authority, path)
}

fn joined(authority: &str, path: &str) -> Option<String> {
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host).to_ascii_lowercase();
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let path = path.trim_matches('/');
    let path = path.strip_suffix(".git").unwrap_or(path).trim_end_matches('/');
    if host.is_empty() || path.is_empty() {
        return None;
    }
    let path = if ANY_CASE.contains(&host.as_str()) { path.to_ascii_lowercase() } else { path.to_owned() };
    Some(format!("{host}/{path}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_by_any_way_are_one_project_and_carry_no_credentials() {
        for remote in [
            "https://github.com/Acme/Shop.git",
            "https://ana:ghp_0123456789@github.com/acme/shop",
            "https://token@github.com:443/acme/shop.git/",
            "git@github.com:acme/shop.git",
            "ssh://git@GitHub.com/acme/shop.git",
            "ssh://git@github.com:22/acme/shop",
            "git://github.com/acme/shop.git?ref=main",
        ] {
            assert_eq!(normalised_remote(remote).as_deref(), Some("github.com/acme/shop"), "{remote}");
        }
        for (remote, expected) in [
            ("https://git.example.org:8443/Team/App.git", Some("git.example.org:8443/Team/App")),
            ("git@git.example.org:Team/App", Some("git.example.org/Team/App")),
            ("/srv/git/app.git", None),
            ("../app", None),
            ("file:///srv/git/app.git", None),
            ("C:\\repos\\app", None),
            ("", None),
            ("https://", None),
            ("https://user:secret@/", None),
        ] {
            assert_eq!(normalised_remote(remote).as_deref(), expected, "{remote}");
        }
    }
}

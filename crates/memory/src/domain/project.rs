//! The key of a memory's project: the git remote without credentials, in a form that all clones and worktrees share,
//! or the folder's name without a remote.

use home::Project;

/// Hosts whose repository paths ignore case.
const ANY_CASE: &[&str] = &["github.com", "gitlab.com", "bitbucket.org", "codeberg.org"];
/// Other names of hosts: the same repositories by another port.
const SAME_HOST: &[(&str, &str)] = &[
    ("ssh.github.com", "github.com"),
    ("www.github.com", "github.com"),
    ("altssh.gitlab.com", "gitlab.com"),
    ("altssh.bitbucket.org", "bitbucket.org"),
];
const AZURE: &str = "dev.azure.com";
/// The hosts that Azure DevOps has for ssh; paths there begin with the protocol's version.
const AZURE_SSH: &[&str] = &["ssh.dev.azure.com", "vs-ssh.visualstudio.com"];
/// The end of Azure's older hosts, after the organisation.
const AZURE_BEFORE: &str = ".visualstudio.com";

/// The project's key. Contains no credentials and no path of this computer.
pub fn project_key(project: &Project) -> String {
    let of = |remote: &Option<String>| remote.as_deref().and_then(normalised_remote);
    // A mirror in a local folder, by `insteadOf`, is still that repository.
    of(&project.remote).or_else(|| of(&project.written_remote)).unwrap_or_else(|| local_key(project))
}

/// The keys that earlier versions of Plimsoll gave this project. What they captured is the project's as well.
pub fn former_keys(project: &Project) -> Vec<String> {
    let now = project_key(project);
    let mut keys = Vec::new();
    let written = project.written_remote.as_ref().or(project.remote.as_ref());
    let former = written.and_then(|written| host_and_path(written)).map(|(host, path)| joined(&host, &path));
    keys.push(former.unwrap_or_else(|| folder_key(project)));
    for remote in [&project.remote, &project.written_remote].into_iter().flatten() {
        keys.extend(redacted_keys(remote));
    }
    keys.retain(|key| *key != now);
    keys
}

/// The project that a file names, as its key. What isn't a remote is taken as it is, but for a name and a password.
pub fn named_project(named: &str) -> String {
    // A key with a port looks like the short form of an ssh address.
    let is_key = normalised_remote(&format!("https://{named}")).as_deref() == Some(named);
    if is_key {
        return named.to_owned();
    }
    normalised_remote(named)
        .or_else(|| redacted_keys(named).pop())
        .or_else(|| redacted_key(named))
        .unwrap_or_else(|| named.to_owned())
}

/// What replaces a key that an earlier version made of a mistyped address, with a name and a password before its last `@`.
/// `None` for every other key. Nobody else may have such an address, so what replaces it is of this computer; two such
/// keys remain two projects.
pub fn redacted_key(key: &str) -> Option<String> {
    let rest = match key.rsplit_once('@') {
        Some((_, rest)) => rest,
        None if has_password(key) => "",
        None => return None,
    };
    // Without a host before it, it may be the end of a password.
    let name: String = rest
        .rsplit_once(['/', ':'])
        .map_or("", |(_, name)| name)
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
        .take(40)
        .collect();
    let name = if name.is_empty() { "project" } else { name.as_str() };
    let hash = blake3::hash(key.as_bytes()).to_hex();
    Some(format!("local/{name}-{}", &hash[..16]))
}

/// What replaces the keys that earlier versions made of a mistyped remote; none for any other remote.
fn redacted_keys(remote: &str) -> Vec<String> {
    let Some((host, path)) = typed_parts(remote).and_then(|(host, path)| trimmed(host, path)) else {
        return Vec::new();
    };
    let mut keys: Vec<String> = [Some(joined(&host, &path)), usual_key(&host, &path)]
        .into_iter()
        .flatten()
        .filter_map(|key| redacted_key(&key))
        .collect();
    keys.dedup();
    keys
}

/// Whether the host ends with what can't be a port: it's a name and the beginning of a password with a `/` in it.
fn has_password(key: &str) -> bool {
    let host = key.split('/').next().unwrap_or_default();
    // An address of version 6 has more colons.
    host.matches(':').count() == 1
        && host.split_once(':').is_some_and(|(_, port)| !port.bytes().all(|b| b.is_ascii_digit()))
}

/// The key without a remote. A linked work tree is its repository's: its own folder is gone once its branch is merged.
fn local_key(project: &Project) -> String {
    let main = home::main_checkout(&project.root).and_then(|main| Project::at(&main).ok());
    folder_key(main.as_ref().unwrap_or(project))
}

fn folder_key(project: &Project) -> String {
    format!("local/{}-{}", project.name, project.id)
}

/// A remote as `host/path`: the same for `https`, `ssh` and `git@host:path`, with or without `.git`. `None` for a
/// remote that is a local folder, which means nothing on another computer.
pub fn normalised_remote(remote: &str) -> Option<String> {
    let (host, path) = host_and_path(remote)?;
    usual_key(&host, &path)
}

fn usual_key(host: &str, path: &str) -> Option<String> {
    let host = host.trim_end_matches('.');
    let host = SAME_HOST.iter().find(|(other, _)| *other == host).map_or(host, |(_, usual)| *usual);
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    match azure_parts(host, &parts) {
        Some([organisation, project, repository]) => {
            // Names there ignore case, too.
            Some(format!("{AZURE}/{organisation}/{project}/_git/{repository}").to_ascii_lowercase())
        }
        None if host.is_empty() || parts.is_empty() => None,
        None => Some(joined(host, &parts.join("/"))),
    }
}

/// The host in small letters, with the port of another server, and the path.
fn host_and_path(remote: &str) -> Option<(String, String)> {
    let (host, path) = typed_parts(remote)?;
    // A name and a password in the wrong place of a mistyped address: the token of `me:token@host:path`, or a `/` in it.
    if path.contains('@') {
        return None;
    }
    trimmed(host, path).filter(|(host, _)| !has_password(host))
}

/// The host, perhaps with a user, and the path as they are written.
fn typed_parts(remote: &str) -> Option<(&str, &str)> {
    let remote = remote.trim();
    let (scheme, rest) = match remote.split_once("://") {
        Some((scheme, rest)) => (scheme.to_ascii_lowercase(), rest),
        None => return scp_parts(remote),
    };
    if scheme == "file" {
        return None;
    }
    let (authority, path) = rest.split_once('/')?;
    // An ssh port only tells how to connect; an http port means another server.
    let plain_port = if scheme == "http" { ":80" } else { ":443" };
    let authority = match scheme.as_str() {
        "http" | "https" => authority.strip_suffix(plain_port).unwrap_or(authority),
        _ => without_port(without_user(authority)),
    };
    Some((authority, path))
}

/// `user@host:path`, or with a port `[user@host:port]:path`. A single letter before the colon is a Windows drive, and two
/// colons name a program.
fn scp_parts(remote: &str) -> Option<(&str, &str)> {
    let (host, path) = match remote.find('[') {
        Some(open) if remote[..open].is_empty() || remote[..open].ends_with('@') => {
            let (inner, path) = remote[open + 1..].split_once("]:")?;
            // Two colons are in an address of version 6, and one is before a port.
            (if inner.matches(':').count() == 1 { without_port(inner) } else { inner }, path)
        }
        _ => remote.split_once(':')?,
    };
    let is_host = host.len() > 1 && !host.contains(['/', '\\']) && !path.starts_with(['\\', ':']);
    is_host.then_some((host, path))
}

fn without_user(authority: &str) -> &str {
    authority.rsplit_once('@').map_or(authority, |(_, host)| host)
}

fn without_port(host: &str) -> &str {
    host.rsplit_once(':')
        .filter(|(_, port)| port.bytes().all(|b| b.is_ascii_digit()))
        .map_or(host, |(host, _)| host)
}

fn trimmed(authority: &str, path: &str) -> Option<(String, String)> {
    let host = without_user(authority).to_ascii_lowercase();
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let path = path.trim_matches('/');
    let path = without_ending(path).trim_end_matches('/');
    if host.is_empty() || path.is_empty() {
        return None;
    }
    Some((host, path.to_owned()))
}

fn without_ending(path: &str) -> &str {
    let at = path.len().saturating_sub(4);
    match path.get(at..) {
        Some(ending) if ending.eq_ignore_ascii_case(".git") => &path[..at],
        _ => path,
    }
}

/// Organisation, project and repository of a repository at Azure DevOps, by any of its addresses.
fn azure_parts<'a>(host: &'a str, parts: &[&'a str]) -> Option<[&'a str; 3]> {
    if AZURE_SSH.contains(&host) {
        return match *parts {
            [version, organisation, project, repository] if version.starts_with(['v', 'V']) => {
                Some([organisation, project, repository])
            }
            _ => None,
        };
    }
    let (organisation, parts) = if host == AZURE {
        let (organisation, parts) = parts.split_first()?;
        (*organisation, parts)
    } else {
        let organisation = host.strip_suffix(AZURE_BEFORE)?;
        let rest = match parts.split_first() {
            Some((collection, rest)) if collection.eq_ignore_ascii_case("DefaultCollection") => rest,
            _ => parts,
        };
        (organisation, rest)
    };
    match *parts {
        [project, git, repository] if git.eq_ignore_ascii_case("_git") => {
            Some([organisation, project, repository])
        }
        // The repository that a project begins with has its name.
        [git, repository] if git.eq_ignore_ascii_case("_git") => Some([organisation, repository, repository]),
        _ => None,
    }
}

fn joined(host: &str, path: &str) -> String {
    let path = if ANY_CASE.contains(&host) { path.to_ascii_lowercase() } else { path.to_owned() };
    format!("{host}/{path}")
}

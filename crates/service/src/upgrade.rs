//! Upgrades the sidecar. Contacts nothing unless the settings name a release manifest and its signing key.
//! `docs/release-manifest.md` describes the format.
//!
//! Signature, size and hash are checked before a byte is installed; older versions are refused; versions are
//! installed side by side, so that running servers keep theirs.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::sync::Once;
use std::time::Duration;

use contract::{EntriesReport, Error, ErrorCode, Reply, Sentence, UpgradeReport};
use minisign_verify::{PublicKey, Signature};
use reqwest::redirect::{Attempt, Policy};
use reqwest::{Client, Response};
use semver::Version;
use serde::Deserialize;
use serde_json::json;
use url::Url;

use crate::{Service, failure};

/// Messages about releases.
pub mod messages {
    contract::sentences! { "upgrade";
        would_ask(manifest) = "this would ask {manifest} for a newer version and install it; call again with confirm true";
        no_release_server(current, settings) = "This is version {current}. No release server is set, so none is asked: set manifest_url and public_key under [upgrade] in {settings}.";
        network_off() = "the network is switched off; `plimsoll settings set network.enabled true` switches it on";
        bad_key(reason) = "public_key under [upgrade] isn't a minisign key ({reason})";
        bad_version(version, reason) = "the release names the version {version} ({reason})";
        newest(current) = "Version {current} is the newest.";
        newer_than_offered(current, offered) = "Version {current} is newer than the {offered} that is offered; nothing was changed.";
        nothing_for(offered, system) = "release {offered} has nothing for {system}; nothing was changed";
        available(offered, current) = "Version {offered} is available; this is {current}. `plimsoll upgrade` installs it.";
        installed(offered, current) = "Version {offered} is installed; agents use it from their next start. {current} stays beside it.";
        no_address(text, reason) = "{text} isn't an address ({reason})";
        no_address_in_release(text, reason) = "{text} in the release isn't an address ({reason})";
        must_be_https(url) = "{url} must begin with https://";
        not_signed(url, reason) = "{url} isn't signed with the key in the settings ({reason}); nothing was changed";
        no_manifest(url, reason) = "{url} isn't a release manifest ({reason})";
        other_format(url, format) = "{url} has format {format}, this version knows 1; install the new version by hand once";
        too_much(url, bytes) = "the release says that {url} has {bytes} bytes, which is too much";
        other_size(url, bytes, expected) = "{url} has {bytes} bytes, the release says {expected}; nothing was changed";
        other_hash(url) = "{url} isn't the file from the release (its hash differs); nothing was changed";
        not_fetched(url, reason) = "{url} couldn't be fetched: {reason}; try again later";
        answered(url, status) = "{url} answered {status}";
        not_asked(reason) = "The release server couldn't be asked: {reason}";
        not_installed(reason) = "The update couldn't be installed: {reason}";
        entries_written(agents) = "The entries of {agents} were brought up to date; new sessions use them.";
        entries_outdated(agents) = "The entries of {agents} are from an earlier version: call again with confirm true, or run `plimsoll upgrade --entries`.";
        entries_failed(agents) = "Not every agent's entries could be brought up to date. {agents}";
        too_long(url, most) = "{url} is longer than {most} bytes; nothing was changed";
    }
}

/// Size limit of the manifest and of its signature, in bytes.
const MAX_MANIFEST: u64 = 256 * 1024;

/// Size limit of a program, in bytes.
const MAX_PROGRAM: u64 = 512 * 1024 * 1024;

/// How long a server may stay silent.
const READ_TIMEOUT: Duration = Duration::from_secs(30);

/// How long the installed version may take to check every agent's files.
const ENTRIES_TIMEOUT: Duration = Duration::from_secs(60);

/// How many redirects are followed.
const MAX_REDIRECTS: usize = 5;

/// The release manifest; see `docs/release-manifest.md`.
#[derive(Debug, Deserialize)]
struct Manifest {
    /// 1.
    format: u32,
    version: String,
    /// By `<arch>-<os>`, as in `x86_64-linux`.
    artifacts: BTreeMap<String, Artifact>,
}

#[derive(Debug, Deserialize)]
struct Artifact {
    /// Absolute, or relative to the manifest.
    url: String,
    size: u64,
    /// In hexadecimal.
    blake3: String,
}

/// This platform's name in a manifest.
pub fn platform() -> String {
    format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS)
}

/// For an agent: upgrades if `confirm` is set; otherwise describes what it would do, without contacting anything.
///
/// # Errors
/// Without `confirm` if a server is configured; and see [`upgrade`].
pub async fn run(service: &Service, confirm: bool) -> Result<Reply, Error> {
    let manifest = &service.settings().upgrade.manifest_url;
    if !manifest.is_empty() && !confirm {
        return Err(Error::new(ErrorCode::ConfirmationNeeded, messages::would_ask(manifest)));
    }
    let mut report = upgrade(service, false, false).await?;
    report.entries = entries(service, confirm).await.or(report.entries);
    let mut text = report.text.text().to_owned();
    if let Some(printed) = report.entries.as_ref().and_then(about_entries) {
        text.push(' ');
        text.push_str(printed.text());
    }
    Ok(Reply::plain(text).with_data(json!(report)))
}

/// The message about connected agents' entries; `None` if all are up to date.
fn about_entries(entries: &EntriesReport) -> Option<Sentence> {
    let failed: Vec<String> = entries
        .agents
        .iter()
        .filter_map(|agent| Some(format!("{}: {}", agent.name, agent.error.as_ref()?)))
        .collect();
    let names: Vec<&str> = entries
        .agents
        .iter()
        .filter(|agent| agent.error.is_none())
        .map(|agent| agent.name.as_str())
        .collect();
    match (failed.is_empty(), names.is_empty(), entries.written) {
        (false, ..) => Some(messages::entries_failed(failed.join("; "))),
        (true, true, _) => None,
        (true, false, true) => Some(messages::entries_written(names.join(", "))),
        (true, false, false) => Some(messages::entries_outdated(names.join(", "))),
    }
}

/// Asks the configured server and installs a newer version; with `look_only` it only reports. `force` installs the
/// server's version even if it is the same or older.
///
/// # Errors
/// If the server can't be reached, or its answer is invalid in any respect; the installed version then stays.
pub async fn upgrade(service: &Service, look_only: bool, force: bool) -> Result<UpgradeReport, Error> {
    let settings = service.settings();
    let current = env!("CARGO_PKG_VERSION");
    let mut report = UpgradeReport {
        current: current.to_owned(),
        offered: None,
        outcome: "not_configured".to_owned(),
        text: messages::no_release_server(
            current,
            crate::setup::tilde_path(&service.home().settings_path(), service.env()),
        ),
        entries: None,
    };
    if settings.upgrade.manifest_url.is_empty() {
        return Ok(report);
    }
    if !settings.network.enabled {
        return Err(upgrade_error(messages::network_off()));
    }
    let key = PublicKey::from_base64(settings.upgrade.public_key.trim())
        .map_err(|error| upgrade_error(messages::bad_key(library_error(&error))))?;
    let source = address(&settings.upgrade.manifest_url)?;
    let client = client(&source)?;
    let manifest = read_manifest(&client, &source, &key).await?;
    let offered = Version::parse(&manifest.version).map_err(|error| {
        upgrade_error(messages::bad_version(format!("{:?}", manifest.version), library_error(&error)))
    })?;
    let installed = Version::parse(current).map_err(|error| upgrade_error(library_error(&error)))?;
    report.offered = Some(offered.to_string());
    if offered <= installed && !force {
        report.outcome = "up_to_date".to_owned();
        report.text = if offered == installed {
            messages::newest(current)
        } else {
            messages::newer_than_offered(current, offered.to_string())
        };
        return Ok(report);
    }
    let artifact = manifest
        .artifacts
        .get(&platform())
        .ok_or_else(|| upgrade_error(messages::nothing_for(offered.to_string(), platform())))?;
    if look_only {
        report.outcome = "available".to_owned();
        report.text = messages::available(offered.to_string(), current);
        return Ok(report);
    }
    let program = download(&client, &source, artifact).await?;
    install(service, program, &offered)?;
    report.outcome = "installed".to_owned();
    report.text = messages::installed(offered.to_string(), current);
    report.entries = entries(service, false).await;
    Ok(report)
}

/// Asks the installed version which entries of connected agents it would change, or lets it change them. `None`
/// without an answer: nothing is installed, or a version that doesn't know the question.
pub async fn entries(service: &Service, write: bool) -> Option<EntriesReport> {
    let launcher = service.home().launcher();
    if !launcher.exists() {
        return None;
    }
    let mut command = tokio::process::Command::new(&launcher);
    command
        .args(["upgrade", "--entries", "--json", if write { "--yes" } else { "--dry-run" }])
        .env_clear()
        .envs(service.env().vars())
        .current_dir(service.env().home_dir())
        .stdin(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .kill_on_drop(true);
    let asked = tokio::time::timeout(ENTRIES_TIMEOUT, command.output()).await;
    let output = asked
        .map_err(|_| "no answer in time".to_owned())
        .and_then(|ran| ran.map_err(|error| error.to_string()));
    let read =
        output.and_then(|output| serde_json::from_slice(&output.stdout).map_err(|error| error.to_string()));
    read.inspect_err(|reason| log::info!("{} was not asked about entries: {reason}", launcher.display())).ok()
}

fn upgrade_error(message: Sentence) -> Error {
    Error::new(ErrorCode::Network, message)
}

/// A library's error in its own words.
fn library_error(error: &impl std::fmt::Display) -> Sentence {
    error.to_string().into()
}

/// An acceptable address: https, or this computer.
pub(crate) fn address(text: &str) -> Result<Url, Error> {
    let url = Url::parse(text)
        .map_err(|error| upgrade_error(messages::no_address(format!("{text:?}"), library_error(&error))))?;
    if allowed(&url) { Ok(url) } else { Err(upgrade_error(messages::must_be_https(url.as_str()))) }
}

fn allowed(url: &Url) -> bool {
    url.scheme() == "https" || (url.scheme() == "http" && is_loopback(url))
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(url::Host::Ipv4(ip)) => ip.is_loopback(),
        Some(url::Host::Ipv6(ip)) => ip.is_loopback(),
        _ => false,
    }
}

fn client(source: &Url) -> Result<Client, Error> {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Another provider may be installed already, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
    let follow = |attempt: Attempt<'_>| {
        if attempt.previous().len() > MAX_REDIRECTS {
            attempt.error("too many redirects")
        } else if allowed(attempt.url()) {
            attempt.follow()
        } else {
            attempt.error("a redirect away from https")
        }
    };
    let mut builder = Client::builder()
        .user_agent(concat!("plimsoll/", env!("CARGO_PKG_VERSION")))
        .redirect(Policy::custom(follow))
        .connect_timeout(READ_TIMEOUT)
        .read_timeout(READ_TIMEOUT)
        .referer(false);
    if is_loopback(source) {
        builder = builder.no_proxy();
    }
    if source.scheme() == "http" {
        builder = builder.tls_certs_only(std::iter::empty());
    }
    builder.build().map_err(|error| upgrade_error(root_cause(&error).into()))
}

async fn read_manifest(client: &Client, source: &Url, key: &PublicKey) -> Result<Manifest, Error> {
    let bytes = get(client, source, MAX_MANIFEST).await?;
    let mut beside = source.clone();
    beside.set_path(&format!("{}.minisig", source.path()));
    let signature = get(client, &beside, MAX_MANIFEST).await?;
    let signature = String::from_utf8_lossy(&signature);
    let forged = |error: minisign_verify::Error| {
        upgrade_error(messages::not_signed(source.as_str(), library_error(&error)))
    };
    let signature = Signature::decode(&signature).map_err(forged)?;
    key.verify(&bytes, &signature, false).map_err(forged)?;
    let manifest: Manifest = serde_json::from_slice(&bytes)
        .map_err(|error| upgrade_error(messages::no_manifest(source.as_str(), library_error(&error))))?;
    if manifest.format != 1 {
        return Err(upgrade_error(messages::other_format(source.as_str(), manifest.format)));
    }
    Ok(manifest)
}

async fn download(client: &Client, source: &Url, artifact: &Artifact) -> Result<Vec<u8>, Error> {
    let url = source.join(&artifact.url).map_err(|error| {
        upgrade_error(messages::no_address_in_release(format!("{:?}", artifact.url), library_error(&error)))
    })?;
    let url = address(url.as_str())?;
    if artifact.size > MAX_PROGRAM {
        return Err(upgrade_error(messages::too_much(url.as_str(), artifact.size)));
    }
    let bytes = get(client, &url, artifact.size).await?;
    if bytes.len() as u64 != artifact.size {
        return Err(upgrade_error(messages::other_size(url.as_str(), bytes.len(), artifact.size)));
    }
    if !blake3::hash(&bytes).to_hex().as_str().eq_ignore_ascii_case(&artifact.blake3) {
        return Err(upgrade_error(messages::other_hash(url.as_str())));
    }
    Ok(bytes)
}

async fn get(client: &Client, url: &Url, most: u64) -> Result<Vec<u8>, Error> {
    let failed = |error: &reqwest::Error| {
        upgrade_error(messages::not_fetched(url.as_str(), Sentence::from(root_cause(error))))
    };
    let mut response: Response = client.get(url.clone()).send().await.map_err(|error| failed(&error))?;
    if !response.status().is_success() {
        return Err(upgrade_error(messages::answered(url.as_str(), response.status().to_string())));
    }
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| failed(&error))? {
        if (bytes.len() + chunk.len()) as u64 > most {
            return Err(upgrade_error(messages::too_long(url.as_str(), most)));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

/// The innermost cause, which is the informative one.
fn root_cause(error: &dyn std::error::Error) -> String {
    let mut reason = error;
    while let Some(source) = reason.source() {
        reason = source;
    }
    reason.to_string()
}

fn install(service: &Service, program: Vec<u8>, version: &Version) -> Result<(), Error> {
    let home = service.home();
    home.ensure().map_err(|error| failure::from_storage(&error))?;
    let mut file = tempfile::Builder::new()
        .prefix(".plimsoll-")
        .tempfile_in(home.root())
        .map_err(|error| failure::from_storage(&error))?;
    file.write_all(&program).and_then(|()| file.flush()).map_err(|error| failure::from_storage(&error))?;
    home::launcher::install(home, file.path(), &version.to_string())
        .map_err(|error| failure::from_storage(&error))?;
    Ok(())
}

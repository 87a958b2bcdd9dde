//! Bringing the sidecar up to date. Nothing is contacted unless the person has set a release manifest and
//! the key it must be signed with. The format is described in `docs/release-manifest.md`.
//!
//! Signature, size and hash are checked before a byte is put in place; an older version is refused; versions
//! stand side by side, so that running servers keep theirs.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::sync::Once;
use std::time::Duration;

use contract::{Error, ErrorCode, Reply, UpgradeReport};
use minisign_verify::{PublicKey, Signature};
use reqwest::redirect::{Attempt, Policy};
use reqwest::{Client, Response};
use semver::Version;
use serde::Deserialize;
use serde_json::json;
use url::Url;

use crate::{Service, failure};

/// The manifest and its signature may be this long, in bytes.
const MAX_MANIFEST: u64 = 256 * 1024;

/// A program may be this long, in bytes.
const MAX_PROGRAM: u64 = 512 * 1024 * 1024;

/// How long a server may say nothing.
const SILENCE: Duration = Duration::from_secs(30);

/// Redirects that are followed.
const MAX_REDIRECTS: usize = 5;

/// What a release server says; see `docs/release-manifest.md`.
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

/// The name of this system in a manifest.
pub fn platform() -> String {
    format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS)
}

/// For an agent: upgrades when `confirm` is set; otherwise says what it would do and asks nobody.
///
/// # Errors
/// Without `confirm` when a server is set; and see [`upgrade`].
pub async fn run(service: &Service, confirm: bool) -> Result<Reply, Error> {
    let manifest = &service.settings().upgrade.manifest_url;
    if !manifest.is_empty() && !confirm {
        return Err(Error::new(
            ErrorCode::ConfirmationNeeded,
            format!(
                "this would ask {manifest} for a newer version and install it; call again with confirm true"
            ),
        ));
    }
    let report = upgrade(service, false, false).await?;
    Ok(Reply::plain(report.text.clone()).with_data(json!(report)))
}

/// Asks the configured server and installs what is newer; with `look_only` it is only said. `force` installs
/// the server's version although it is the same or older.
///
/// # Errors
/// When the server cannot be reached, or anything about its answer is not as it must be; the installed
/// version then stays.
pub async fn upgrade(service: &Service, look_only: bool, force: bool) -> Result<UpgradeReport, Error> {
    let settings = service.settings();
    let current = env!("CARGO_PKG_VERSION");
    let mut report = UpgradeReport {
        current: current.to_owned(),
        offered: None,
        outcome: "not_configured".to_owned(),
        text: format!(
            "This is version {current}. No release server is set, so none is asked: set manifest_url and public_key under [upgrade] in {}.",
            service.home().settings_path().display()
        ),
    };
    if settings.upgrade.manifest_url.is_empty() {
        return Ok(report);
    }
    if !settings.network.enabled {
        return Err(wrong("the network is switched off in the settings ([network] enabled)"));
    }
    let key = PublicKey::from_base64(settings.upgrade.public_key.trim())
        .map_err(|error| wrong(format!("public_key under [upgrade] is no minisign key ({error})")))?;
    let source = address(&settings.upgrade.manifest_url)?;
    let client = client(&source)?;
    let manifest = read_manifest(&client, &source, &key).await?;
    let offered = Version::parse(&manifest.version)
        .map_err(|error| wrong(format!("the release names the version {:?} ({error})", manifest.version)))?;
    let installed = Version::parse(current).map_err(|error| wrong(error.to_string()))?;
    report.offered = Some(offered.to_string());
    if offered <= installed && !force {
        report.outcome = "up_to_date".to_owned();
        report.text = if offered == installed {
            format!("Version {current} is the newest.")
        } else {
            format!("Version {current} is newer than the {offered} that is offered; nothing was changed.")
        };
        return Ok(report);
    }
    let artifact = manifest.artifacts.get(&platform()).ok_or_else(|| {
        wrong(format!("release {offered} has nothing for {}; nothing was changed", platform()))
    })?;
    if look_only {
        report.outcome = "available".to_owned();
        report.text =
            format!("Version {offered} is there; this is {current}. `plimsoll upgrade` installs it.");
        return Ok(report);
    }
    let program = download(&client, &source, artifact).await?;
    install(service, program, &offered)?;
    report.outcome = "installed".to_owned();
    report.text = format!(
        "Version {offered} is installed; agents use it from their next start. {current} stays beside it."
    );
    Ok(report)
}

fn wrong(message: impl Into<String>) -> Error {
    Error::new(ErrorCode::Network, message)
}

/// An address that may be asked: https, or this computer itself.
fn address(text: &str) -> Result<Url, Error> {
    let url = Url::parse(text).map_err(|error| wrong(format!("{text:?} is no address ({error})")))?;
    if allowed(&url) { Ok(url) } else { Err(wrong(format!("{url} must begin with https://"))) }
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
        // Somebody else may have set one; theirs is as good.
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
        .connect_timeout(SILENCE)
        .read_timeout(SILENCE)
        .referer(false);
    if is_loopback(source) {
        builder = builder.no_proxy();
    }
    if source.scheme() == "http" {
        builder = builder.tls_certs_only(std::iter::empty());
    }
    builder.build().map_err(|error| wrong(because(&error)))
}

async fn read_manifest(client: &Client, source: &Url, key: &PublicKey) -> Result<Manifest, Error> {
    let bytes = get(client, source, MAX_MANIFEST).await?;
    let mut beside = source.clone();
    beside.set_path(&format!("{}.minisig", source.path()));
    let signature = get(client, &beside, MAX_MANIFEST).await?;
    let signature = String::from_utf8_lossy(&signature);
    let forged = |error: minisign_verify::Error| {
        wrong(format!("{source} is not signed with the key in the settings ({error}); nothing was changed"))
    };
    let signature = Signature::decode(&signature).map_err(forged)?;
    key.verify(&bytes, &signature, false).map_err(forged)?;
    let manifest: Manifest = serde_json::from_slice(&bytes)
        .map_err(|error| wrong(format!("{source} is no release manifest ({error})")))?;
    if manifest.format != 1 {
        return Err(wrong(format!(
            "{source} has format {}, this version knows 1; install the new version by hand once",
            manifest.format
        )));
    }
    Ok(manifest)
}

async fn download(client: &Client, source: &Url, artifact: &Artifact) -> Result<Vec<u8>, Error> {
    let url = source
        .join(&artifact.url)
        .map_err(|error| wrong(format!("{:?} in the release is no address ({error})", artifact.url)))?;
    let url = address(url.as_str())?;
    if artifact.size > MAX_PROGRAM {
        return Err(wrong(format!(
            "the release says that {url} has {} bytes, which is too much",
            artifact.size
        )));
    }
    let bytes = get(client, &url, artifact.size).await?;
    if bytes.len() as u64 != artifact.size {
        return Err(wrong(format!(
            "{url} has {} bytes, the release says {}; nothing was changed",
            bytes.len(),
            artifact.size
        )));
    }
    if !blake3::hash(&bytes).to_hex().as_str().eq_ignore_ascii_case(&artifact.blake3) {
        return Err(wrong(format!("{url} is not what the release says (another hash); nothing was changed")));
    }
    Ok(bytes)
}

async fn get(client: &Client, url: &Url, most: u64) -> Result<Vec<u8>, Error> {
    let failed = |error: &reqwest::Error| {
        wrong(format!("{url} could not be fetched: {}; try again later", because(error)))
    };
    let mut response: Response = client.get(url.clone()).send().await.map_err(|error| failed(&error))?;
    if !response.status().is_success() {
        return Err(wrong(format!("{url} answered {}", response.status())));
    }
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| failed(&error))? {
        if (bytes.len() + chunk.len()) as u64 > most {
            return Err(wrong(format!("{url} is longer than {most} bytes; nothing was changed")));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

/// The innermost reason, which is the one that says something.
fn because(error: &dyn std::error::Error) -> String {
    let mut reason = error;
    while let Some(source) = reason.source() {
        reason = source;
    }
    reason.to_string()
}

fn install(service: &Service, program: Vec<u8>, version: &Version) -> Result<(), Error> {
    let home = service.home();
    home.ensure().map_err(|error| failure::of_storage(&error))?;
    let mut file = tempfile::Builder::new()
        .prefix(".plimsoll-")
        .tempfile_in(home.root())
        .map_err(|error| failure::of_storage(&error))?;
    file.write_all(&program).and_then(|()| file.flush()).map_err(|error| failure::of_storage(&error))?;
    home::launcher::install(home, file.path(), &version.to_string())
        .map_err(|error| failure::of_storage(&error))?;
    Ok(())
}

//! Upgrades from a release server on loopback, signed with a key made here, and everything that such a server can get
//! wrong.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

use home::{Clock, Env};
use minisign::KeyPair;
use plimsoll_service::Service;
use plimsoll_service::upgrade::{platform, upgrade};
use serde_json::{Value, json};

/// The served files by path.
type Files = Arc<Mutex<HashMap<String, Vec<u8>>>>;

struct Release {
    files: Files,
    address: String,
    keys: KeyPair,
    home: tempfile::TempDir,
}

const PROGRAM: &[u8] = b"#!/bin/sh\necho a newer plimsoll\n";

impl Release {
    fn new() -> Self {
        let files = Files::default();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let served = Arc::clone(&files);
        std::thread::spawn(move || serve(&listener, &served));
        let keys = KeyPair::generate_unencrypted_keypair().unwrap();
        let home = tempfile::tempdir().unwrap();
        let release = Self { files, address, keys, home };
        release.settings(&release.keys.pk.to_base64(), &format!("{}/r/manifest.json", release.address));
        release
    }

    fn settings(&self, key: &str, url: &str) {
        let folder = self.home.path().join(".plimsoll");
        std::fs::create_dir_all(&folder).unwrap();
        let text = format!("[upgrade]\nmanifest_url = \"{url}\"\npublic_key = \"{key}\"\n");
        std::fs::write(folder.join("settings.toml"), text).unwrap();
    }

    fn put(&self, path: &str, bytes: impl Into<Vec<u8>>) {
        self.files.lock().unwrap().insert(path.to_owned(), bytes.into());
    }

    fn sign(&self, bytes: &[u8]) -> String {
        minisign::sign(Some(&self.keys.pk), &self.keys.sk, bytes, None, None).unwrap().into_string()
    }

    fn publish(&self, manifest: &Value) {
        let bytes = serde_json::to_vec(manifest).unwrap();
        self.put("/r/manifest.json.minisig", self.sign(&bytes));
        self.put("/r/manifest.json", bytes);
        self.put("/r/program", PROGRAM);
    }

    fn manifest(version: &str) -> Value {
        json!({"format": 1, "version": version, "later": true, "artifacts": {platform(): {
            "url": "program", "size": PROGRAM.len(), "blake3": blake3::hash(PROGRAM).to_hex().to_string()}}})
    }

    fn upgrade(&self, look_only: bool, force: bool) -> Result<contract::UpgradeReport, String> {
        let service = Service::new(Env::for_test(self.home.path()), Clock::fixed(1)).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(upgrade(&service, look_only, force)).map_err(|error| error.message.to_string())
    }

    /// The bytes of the launcher's target.
    fn installed(&self) -> Option<Vec<u8>> {
        std::fs::read(home::Home::at(self.home.path().join(".plimsoll")).launcher()).ok()
    }

    #[track_caller]
    fn refuses(&self, words: &str) {
        let error = self.upgrade(false, false).unwrap_err();
        assert!(error.contains(words), "{error}");
        assert_eq!(self.installed(), None, "something was installed although: {error}");
    }
}

fn serve(listener: &TcpListener, files: &Files) {
    for stream in listener.incoming() {
        let mut stream = stream.unwrap();
        let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
        let first = lines.next().unwrap().unwrap();
        for line in lines {
            if line.unwrap().is_empty() {
                break;
            }
        }
        let path = first.split(' ').nth(1).unwrap().to_owned();
        let body = files.lock().unwrap().get(&path).cloned();
        let (head, body) = match body {
            Some(to) if to.starts_with(b"=> ") => {
                let to = String::from_utf8_lossy(&to[3..]).into_owned();
                (format!("302 Found\r\nlocation: {to}"), Vec::new())
            }
            Some(body) => ("200 OK".to_owned(), body),
            None => ("404 Not Found".to_owned(), Vec::new()),
        };
        let head = format!("HTTP/1.1 {head}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
        let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
    }
}

#[test]
fn a_newer_version_is_installed_beside_the_old_one() {
    let release = Release::new();
    let home = home::Home::at(release.home.path().join(".plimsoll"));
    let old = release.home.path().join("old");
    std::fs::write(&old, b"the old one").unwrap();
    let before = home::launcher::install(&home, &old, env!("CARGO_PKG_VERSION")).unwrap();
    release.publish(&Release::manifest("99.1.0"));
    let report = release.upgrade(true, false).unwrap();
    assert_eq!((report.outcome.as_str(), report.offered.as_deref()), ("available", Some("99.1.0")));
    assert_eq!(release.installed().unwrap(), b"the old one", "looking installs nothing");
    assert_eq!(release.upgrade(false, false).unwrap().outcome, "installed");
    assert_eq!(release.installed().unwrap(), PROGRAM);
    assert_eq!(std::fs::read(before.binary).unwrap(), b"the old one");
    let left: Vec<_> =
        std::fs::read_dir(home.root()).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().starts_with(".plimsoll-")), "{left:?}");
}

#[test]
fn an_older_or_equal_version_is_only_installed_by_force() {
    let release = Release::new();
    for version in ["0.0.1", env!("CARGO_PKG_VERSION")] {
        release.publish(&Release::manifest(version));
        assert_eq!(release.upgrade(false, false).unwrap().outcome, "up_to_date");
        assert_eq!(release.installed(), None);
    }
    release.publish(&Release::manifest("0.0.1"));
    assert_eq!(release.upgrade(false, true).unwrap().outcome, "installed");
    assert_eq!(release.installed().unwrap(), PROGRAM);
}

#[test]
fn a_wrong_signature_is_refused() {
    let release = Release::new();
    release.publish(&Release::manifest("99.1.0"));
    // A different key.
    let other = KeyPair::generate_unencrypted_keypair().unwrap();
    release.settings(&other.pk.to_base64(), &format!("{}/r/manifest.json", release.address));
    release.refuses("isn't signed with the key");
    // The right key, a different manifest.
    release.settings(&release.keys.pk.to_base64(), &format!("{}/r/manifest.json", release.address));
    release.put("/r/manifest.json", serde_json::to_vec(&Release::manifest("99.2.0")).unwrap());
    release.refuses("isn't signed with the key");
    release.put("/r/manifest.json.minisig", "no signature");
    release.refuses("isn't signed with the key");
    release.files.lock().unwrap().remove("/r/manifest.json.minisig");
    release.refuses("404");
}

#[test]
fn a_program_that_is_not_what_was_signed_is_refused() {
    let release = Release::new();
    release.publish(&Release::manifest("99.1.0"));
    let mut other = PROGRAM.to_vec();
    other[0] = b'?';
    release.put("/r/program", other);
    release.refuses("its hash differs");
    release.put("/r/program", &PROGRAM[..PROGRAM.len() - 1]);
    release.refuses("bytes, the release says");
    release.put("/r/program", [PROGRAM, b"x"].concat());
    release.refuses("is longer than");
    release.files.lock().unwrap().remove("/r/program");
    release.refuses("404");
}

#[test]
fn an_unusable_release_is_refused() {
    let release = Release::new();
    release.publish(&json!({"format": 1, "version": "99.1.0", "artifacts": {}}));
    release.refuses("has nothing for");
    release.publish(&json!({"format": 2, "version": "99.1.0", "artifacts": {}}));
    release.refuses("format 2");
    release.publish(&json!({"format": 1, "version": "../../x", "artifacts": {}}));
    release.refuses("names the version");
    release.publish(&json!([]));
    release.refuses("isn't a release manifest");
    release.put("/r/manifest.json", vec![b' '; 300 * 1024]);
    release.refuses("is longer than");
}

#[test]
fn only_https_and_loopback_are_asked() {
    let release = Release::new();
    let key = release.keys.pk.to_base64();
    release.settings(&key, "http://example.org/manifest.json");
    release.refuses("must begin with https://");
    release.settings(&key, "file:///etc/passwd");
    release.refuses("must begin with https://");
    release.settings(&key, "not an address");
    release.refuses("isn't an address");
    release.settings("no key", &format!("{}/r/manifest.json", release.address));
    release.refuses("isn't a minisign key");
    // A redirect within loopback is fine, one to an open network isn't.
    release.settings(&key, &format!("{}/moved.json", release.address));
    release.publish(&Release::manifest("99.1.0"));
    release.put("/moved.json", "=> http://example.org/manifest.json");
    release.refuses("away from https");
    release.put("/moved.json", "=> /r/manifest.json");
    release.put("/moved.json.minisig", "=> /r/manifest.json.minisig");
    release.put("/program", PROGRAM);
    assert_eq!(release.upgrade(false, false).unwrap().outcome, "installed");
}

#[test]
fn nothing_is_asked_when_nothing_is_set_or_the_network_is_off() {
    let release = Release::new();
    release.publish(&Release::manifest("99.1.0"));
    let file = release.home.path().join(".plimsoll/settings.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, format!("{text}\n[network]\nenabled = false\n")).unwrap();
    release.refuses("the network is switched off");
    std::fs::remove_file(&file).unwrap();
    assert_eq!(release.upgrade(false, false).unwrap().outcome, "not_configured");
}

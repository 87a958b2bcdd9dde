//! Language servers: asked only where the user has switched that on and no rule forbids it, one for all sessions, and never
//! in the way.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::client::{Client, Place, until};
use crate::codebase::{asked, place};

/// A fake language server, in the first folder of the search path.
struct Installed {
    place: Place,
    bin: PathBuf,
}

impl Installed {
    fn new() -> Self {
        use std::os::unix::fs::PermissionsExt as _;
        let place = place();
        place.write("work/ship/py/use.py", "def run(tool):\n    return tool.resize_image(1)\n");
        let program =
            place.write("bin/pyright-langserver", include_str!("../../../codebase/src/servers/fake.py"));
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("a program");
        place.write("bin/uses.json", r#"[["py/use.py", 1, 16], ["py/secret.py", 0, 0]]"#);
        place.write("work/ship/py/secret.py", "resize_image\n");
        let bin = program.parent().expect("a folder").to_owned();
        Self { place, bin }
    }

    fn session(&self) -> Client {
        let mut command = self.place.command(&["--agent", "claude-code"]);
        let path = std::env::var_os("PATH").unwrap_or_default();
        let all = std::iter::once(self.bin.clone()).chain(std::env::split_paths(&path));
        command.env("PATH", std::env::join_paths(all).expect("a search path"));
        let mut client = Client::start(command);
        client.handshake("2025-06-18");
        client
    }

    fn set(&self, on: bool) {
        let settings = format!("[codebase]\nenabled = true\nlanguage_servers = {on}\n");
        self.place.write("home/.plimsoll/settings.toml", &settings);
    }

    fn rules(&self, rules: &str) {
        self.place.write("home/.claude/settings.json", &format!(r#"{{"permissions": {rules}}}"#));
    }

    fn starts(&self) -> usize {
        std::fs::read(self.bin.join("started")).map_or(0, |text| text.len())
    }
}

fn uses(client: &mut Client) -> Value {
    asked(client, "codebase", &json!({"action": "references", "symbol": "resize_image"}))
}

/// How sure it is that a file uses it, and who says so.
fn sure(answer: &Value, file: &str) -> (String, String) {
    let usages = answer["usages"].as_array().expect("usages");
    let one = usages.iter().find(|one| one["file"] == file);
    let text = |key: &str| one.and_then(|one| one[key].as_str()).unwrap_or_default().to_owned();
    (text("confidence"), text("source"))
}

#[test]
fn nothing_is_asked_until_the_user_says_so_and_no_rule_forbids_it() {
    let installed = Installed::new();
    let answer = uses(&mut installed.session());
    assert_ne!(sure(&answer, "py/use.py").0, "resolved", "{answer}");
    assert!(answer.get("servers").is_none(), "{answer}");
    installed.set(false);
    uses(&mut installed.session());
    installed.set(true);
    for kind in ["deny", "ask"] {
        installed.rules(&format!(r#"{{"{kind}": ["Bash(pyright-langserver:*)"]}}"#));
        let answer = uses(&mut installed.session());
        assert_eq!(answer["servers"][0]["status"], "refused", "{kind}: {answer}");
        assert_ne!(sure(&answer, "py/use.py").0, "resolved", "{answer}");
    }
    assert_eq!(installed.starts(), 0, "it was started without leave");
}

#[test]
fn a_language_server_is_named_as_the_source_and_shared_by_all_sessions() {
    let installed = Installed::new();
    installed.set(true);
    installed.rules(r#"{"deny": ["Read(./py/secret.py)"]}"#);
    let (mut one, mut other) = (installed.session(), installed.session());
    for client in [&mut one, &mut other] {
        let answer = until("an answer of the server", || {
            Some(uses(client)).filter(|answer| answer["servers"][0]["status"] == "answered")
        });
        assert_eq!(
            sure(&answer, "py/use.py"),
            ("resolved".to_owned(), "pyright-langserver".to_owned()),
            "{answer}"
        );
        assert!(!answer.to_string().contains("secret.py"), "what may not be read is not named: {answer}");
    }
    assert_eq!(installed.starts(), 1, "one for all sessions");
    // Once the setting is off, the process that has the server releases its lock.
    installed.set(false);
    let locks = installed.place.data().join("locks");
    let lock = std::fs::read_dir(&locks).expect("locks").flatten().map(|entry| entry.path());
    let lock = lock.into_iter().find(|path| path.to_string_lossy().contains("server-pyright-langserver"));
    let lock = lock.expect("a lock");
    until("the end of the keeper", || {
        std::fs::File::open(&lock).ok().filter(|file| file.try_lock().is_ok()).map(drop)
    });
}

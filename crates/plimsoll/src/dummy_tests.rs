//! A system is one module and one line: a dummy system is added to the list, and everything that loops over the list
//! has it. Switched off, nothing has.

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use commands::{RequestedScreen, Router};
use contract::desktop::PickWhat;
use contract::{Manage, ManageAction, PurgeScope};
use home::{Clock, Env};
use serde_json::{Value, json};
use service::desktop::Desktop;
use service::setup::Computer;
use service::{Call, Service};
use sessions::{LedgerFilter, Page, Sessions};
use system::System;

use crate::cli::{help, verbs};
use crate::mcp::server::Server;

/// The module.
mod dummy {
    use std::process::ExitCode;

    use contract::desktop::Nothing;
    use contract::{Check, Health, Reply};
    use system::{
        Argument, ArgumentKind, Arguments, CallContext, Command, CommandHandler, Database, DefaultValue,
        EventHandlers, Group, ModelContext, ParsedCall, Purge, PurgedData, Removed, ReplyFuture, Screen,
        Setting, Switch, System, TerminalEquivalent, Tool, ValueKind, Verb, Worker,
    };

    pub(super) static SYSTEM: System = System {
        switch: Some(Switch { key: "dummy.enabled", default: true }),
        tools: &[Tool {
            name: "repeat",
            definition: r#"{"name": "repeat", "title": "Repeat", "description": "Says it again.",
                "inputSchema": {"type": "object", "properties": {"words": {"type": "string"}}, "required": ["words"]},
                "annotations": {"readOnlyHint": true, "destructiveHint": false, "openWorldHint": false}}"#,
            needs: &[],
            read: repeat,
            has_legacy_name: false,
            writes_ledger: false,
        }],
        commands: &[Command::new::<Ask>(
            "dummy_ask",
            TerminalEquivalent::CommandLine("plimsoll dummy {words}"),
        )],
        verbs: &[Verb {
            name: "dummy",
            about: "Say it again",
            group: Group::Use,
            arguments: &[
                Argument { name: "words", about: "What", kind: ArgumentKind::Places },
                Argument { name: "--loud", about: "In capitals", kind: ArgumentKind::Nothing },
            ],
            run: |_, typed| {
                let words: Vec<&str> = typed.texts("words").collect();
                let text = words.join(" ");
                let text = if typed.has("--loud") { text.to_uppercase() } else { text };
                Ok(Box::pin(async move { Ok(Reply::plain(text)) }))
            },
        }],
        settings: &[
            Setting::own("dummy.enabled", ValueKind::Switch, DefaultValue::Switch(true)),
            Setting::own("dummy.times", ValueKind::Number(1, 9, "times"), DefaultValue::Number(2)),
        ],
        event_handlers: Some(EventHandlers {
            context: |at| {
                (at.event.prompt.is_some()).then(|| ModelContext {
                    text: "The dummy was here.".into(),
                    reason: "dummy",
                    ledger_name: "dummy",
                })
            },
            after_answer: |_, _, _| {},
            note: |_, _| None,
        }),
        check: |_| vec![Check { health: Health::Ok, name: "dummy".into(), detail: "as ever".into() }],
        files: &["dummy.db", "dummy.old"],
        elsewhere: |_| vec!["a key of the dummy's".into()],
        leave: |_| vec!["a dummy stays elsewhere".into()],
        databases: |home| {
            vec![Database { name: "dummy database".into(), path: home.root().join("dummy.db"), newest: 1 }]
        },
        retain: |home, _, _| {
            let expired = std::fs::remove_file(home.root().join("dummy.old")).is_ok();
            vec![Removed { what: "things", number: u64::from(expired) }]
        },
        purge: Some(Purge { preview: |_, _| Ok(things()), delete: |_, _| Ok(things()) }),
        screens: &[Screen::record("dummy")],
        worker: Some(Worker {
            word: "dummy-worker",
            run: |words| ExitCode::from(u8::from(words.is_empty())),
        }),
        ..System::with_id("dummy")
    };

    fn things() -> Vec<PurgedData> {
        vec![PurgedData { what: "things", one: "dummy thing", number: 3, bytes: None }]
    }

    fn repeat(arguments: &mut Arguments) -> Result<ParsedCall, contract::Error> {
        let words = arguments.required("words")?;
        Ok(Box::new(|_| Box::pin(async move { Ok(Reply::plain(words)) })))
    }

    struct Ask;

    impl CommandHandler for Ask {
        type Args = Nothing;
        type Reply = Nothing;
        fn handle(_: CallContext, _: Nothing) -> ReplyFuture<Nothing> {
            Box::pin(async { Ok(Nothing {}) })
        }
    }
}

/// The line.
static SYSTEMS: LazyLock<&'static [&'static System]> =
    LazyLock::new(|| Vec::leak([service::SYSTEMS, &[&dummy::SYSTEM]].concat()));

/// A window that doesn't exist.
struct NoDesk;

impl commands::Host for NoDesk {
    fn kind(&self) -> &'static str {
        "browser"
    }
    fn pick(&self, _: &PickWhat) -> Option<PathBuf> {
        None
    }
    fn open_folder(&self, _: &Path) -> Result<(), String> {
        Ok(())
    }
    fn open_address(&self, _: &str) -> Result<(), String> {
        Ok(())
    }
    fn autostart(&self) -> Option<bool> {
        None
    }
    fn set_autostart(&self, _: bool) -> Result<(), String> {
        Ok(())
    }
    fn tray(&self) -> bool {
        false
    }
    fn packaged(&self) -> bool {
        false
    }
    fn sidecar(&self) -> Option<PathBuf> {
        None
    }
    fn wanted_screen(&self) -> Option<RequestedScreen> {
        None
    }
    fn crash(&self) -> Option<PathBuf> {
        None
    }
    fn locale(&self) -> String {
        "en".into()
    }
    fn log(&self, _: &str) {}
    fn quit(&self) {}
}

struct World {
    _dir: tempfile::TempDir,
    service: Arc<Service>,
    router: Arc<Router>,
    runtime: tokio::runtime::Runtime,
}

impl World {
    fn new(settings: &str) -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        let user = std::fs::canonicalize(dir.path()).expect("a real path");
        let shop = user.join("shop");
        std::fs::create_dir_all(shop.join(".git")).expect("a project");
        let env = Env::for_test(&user).with_cwd(&shop);
        let service = Service::new(env, Clock::fixed(5)).expect("a service").with_systems(*SYSTEMS);
        service.set_project(&[shop]);
        service.home().ensure().expect("a home");
        std::fs::write(service.home().settings_path(), settings).expect("settings");
        let service = Arc::new(service);
        let router = Router::new(Arc::clone(&service), Arc::new(NoDesk));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        Self { service, router, runtime, _dir: dir }
    }

    fn listed(&self) -> Vec<String> {
        let server = Server::new(Arc::clone(&self.service), None);
        server.tools().iter().map(|tool| tool.name.to_string()).collect()
    }

    fn help(&self) -> String {
        let systems: Vec<&'static System> = self.service.systems_on().collect();
        help::grouped_help(&systems).render_help().to_string()
    }

    fn checks(&self) -> Vec<String> {
        let computer = Computer::new(&self.service, false);
        let checks = self.runtime.block_on(service::doctor::checks(&self.service, &computer));
        checks.expect("checks").into_iter().map(|check| check.name.to_string()).collect()
    }

    fn screens(&self) -> Vec<Value> {
        let host = self.runtime.block_on(self.router.call("host", Value::Null)).expect("the host");
        host["screens"].as_array().expect("a list").clone()
    }

    /// What an uninstall would remove.
    fn uninstalled(&self, keep_data: bool) -> Vec<PathBuf> {
        let computer = Computer::new(&self.service, false);
        let plan = service::uninstall::plan(&self.service, &computer, keep_data).expect("a plan");
        plan.report(&self.service).removed
    }

    /// A hook's answer to a prompt, as Claude Code gets it.
    fn prompted(&self) -> String {
        let agent = agents::by_id("claude-code").expect("known");
        let (home, env, clock) = (self.service.home(), self.service.env(), Clock::fixed(5));
        let context = hooks::Context { home, env, clock, agent, systems: *SYSTEMS };
        let payload = json!({"session_id": "s", "hook_event_name": "UserPromptSubmit", "cwd": env.cwd(), "prompt": "hello"});
        let result = hooks::handle(payload.to_string().as_bytes(), None, &context);
        hooks::record(home, *SYSTEMS, clock, &result, 7).expect("recorded");
        result.output.stdout
    }
}

#[test]
fn a_system_is_one_module_and_one_line() {
    let world = World::new("");
    // The server.
    let names = world.listed();
    assert_eq!(names.iter().filter(|name| *name == "repeat").count(), 1, "{names:?}");
    let arguments = |words: Value| json!({ "words": words }).as_object().expect("an object").clone();
    let (tool, job) = system::find_tool(*SYSTEMS, "repeat", arguments(json!("again"))).expect("understood");
    let call = Call { session: "s".into(), ..Call::from_user() };
    let printed = world.runtime.block_on(Arc::clone(&world.service).run_tool(call, tool, job)).expect("done");
    assert_eq!(printed.text, "again");
    let refused = system::find_tool(*SYSTEMS, "repeat", arguments(Value::Null)).err().expect("refused");
    assert_eq!(refused.to_string(), "error invalid_argument: repeat: words is missing");

    // The hook, and its overhead.
    assert!(world.prompted().contains("The dummy was here."));
    let record = Sessions::open(world.service.home(), &system::guests(*SYSTEMS)).expect("a record");
    let booked = record.calls(&LedgerFilter::default(), Page::default()).expect("calls").items;
    let mut booked: Vec<(String, u64)> =
        booked.into_iter().map(|call| (call.row.tool, call.row.overhead_bytes)).collect();
    booked.sort();
    assert_eq!(booked, [("dummy".to_owned(), 19), ("repeat".to_owned(), 5)]);

    // The command line.
    assert!(
        world
            .help()
            .lines()
            .any(|line| line.trim_start().starts_with("dummy ") && line.contains("Say it again"))
    );
    let typed = verbs::parser(*SYSTEMS).try_get_matches_from(["plimsoll", "dummy", "a", "b", "--loud"]);
    let typed = typed.expect("understood");
    assert_eq!(verbs::typed_verb(*SYSTEMS, &typed).expect("a verb").0.name, "dummy");

    // A process of its own.
    assert!(
        system::find_worker(*SYSTEMS, "dummy-worker").is_some_and(|worker| worker.word == "dummy-worker")
    );
    assert!(
        system::find_worker(*SYSTEMS, "dummy").is_none() && system::find_worker(*SYSTEMS, "hook").is_none()
    );

    // The settings.
    let desktop = Desktop::new(Arc::clone(&world.service));
    let times = |desktop: &Desktop| {
        let view = desktop.settings().settings.into_iter().find(|setting| setting.key == "dummy.times");
        view.map(|setting| (setting.value, setting.default)).expect("a setting")
    };
    assert_eq!(times(&desktop), (json!(2), json!(2)));
    desktop.set_setting("dummy.times", &json!("7")).expect("set");
    assert_eq!(times(&desktop), (json!(7), json!(2)));
    assert!(desktop.set_setting("dummy.times", &json!(70)).is_err());

    // Doctor, which looks into databases that there are; retention and purge.
    let has_database = || world.checks().iter().any(|check| check.starts_with("dummy database"));
    assert!(world.checks().contains(&"dummy".to_owned()) && !has_database());
    std::fs::write(world.service.home().root().join("dummy.db"), "").expect("an empty database");
    assert!(has_database(), "{:?}", world.checks());
    let expired = world.service.home().root().join("dummy.old");
    std::fs::write(&expired, "").expect("written");
    world.runtime.block_on(world.service.run_daily_retention());
    assert!(!expired.exists());
    let purge = |confirm| {
        let (action, scope) = (ManageAction::Purge, Some(PurgeScope::Project));
        let request = Manage { action, scope, confirm, now: false, days: None };
        let done = world.runtime.block_on(world.service.manage(&Call::from_user(), request));
        done.map_or_else(|error| error.to_string(), |reply| reply.text)
    };
    for printed in [purge(false), purge(true)] {
        assert!(printed.contains("3 dummy things"), "{printed}");
    }

    // Uninstalling, which would take its files along.
    let (database, foreign) = (world.service.home().root().join("dummy.db"), "dummies.txt");
    std::fs::write(world.service.home().root().join(foreign), "").expect("written");
    assert!(world.uninstalled(false).contains(&database) && !world.uninstalled(true).contains(&database));
    assert!(!world.uninstalled(false).iter().any(|path| path.ends_with(foreign)));

    // The window.
    assert_eq!(world.screens().last(), Some(&json!("dummy")));
    assert_eq!(
        world.runtime.block_on(world.router.call("dummy_ask", Value::Null)).expect("answered"),
        json!({})
    );
}

#[test]
fn a_system_that_is_off_appears_nowhere() {
    let world = World::new("[dummy]\nenabled = false\n");
    assert!(!world.listed().contains(&"repeat".to_owned()));
    assert!(!world.help().contains("Say it again"));
    assert!(!world.checks().contains(&"dummy".to_owned()));
    assert!(!world.screens().contains(&json!("dummy")));
    assert!(world.runtime.block_on(world.router.call("dummy_ask", Value::Null)).is_err());
    assert!(!world.prompted().contains("The dummy was here."));
    // But it can be switched on, its data can be purged, and an uninstall removes its files.
    let database = world.service.home().root().join("dummy.db");
    std::fs::write(&database, "").expect("written");
    assert!(world.uninstalled(false).contains(&database));
    let desktop = Desktop::new(Arc::clone(&world.service));
    assert!(desktop.settings().settings.iter().any(|setting| setting.key == "dummy.enabled"));
}

#[test]
fn an_uninstall_has_every_system_leave_unless_the_data_stays() {
    for keep_data in [true, false] {
        let world = World::new("[dummy]\nenabled = false\n");
        let computer = Computer::new(&world.service, false);
        let plan = service::uninstall::plan(&world.service, &computer, keep_data).expect("a plan");
        let before = plan.report(&world.service).removed_elsewhere;
        assert_eq!(before.len(), usize::from(!keep_data), "{before:?}");
        let done = service::uninstall::uninstall(&world.service, plan, Path::new("plimsoll")).expect("done");
        let stays = done.kept.iter().any(|line| line.to_string() == "a dummy stays elsewhere");
        assert_eq!(stays, !keep_data, "{:?}", done.kept);
        assert!(done.removed_elsewhere.is_empty(), "what is still there isn't removed: {done:?}");
    }
}

/// Files that may name a system, and why.
const MAY_NAME: [(&str, &str); 4] = [
    ("service/src/lib.rs", "the list"),
    (
        "service/src/desktop/history.rs",
        "what a session taught is a table of the record, which the session's screen shows",
    ),
    ("service/src/session_search.rs", "the same table, searched"),
    ("../src-tauri/src/tray/mod.rs", "the tray's line about memory opens memory's screen"),
];

/// Code that loops over the systems names none of them: a fourth one would be forgotten there.
#[test]
fn no_system_is_named_outside_the_list() {
    let crates = Path::new(&std::env::var("CARGO_MANIFEST_DIR").expect("run by cargo")).join("..");
    let ids: Vec<&str> =
        service::SYSTEMS.iter().map(|system| system.id).filter(|id| *id != "context").collect();
    assert_eq!(ids, ["memory", "codebase"]);
    let mut open: Vec<PathBuf> = ["commands", "hooks", "plimsoll", "service", "webhost", "../src-tauri"]
        .map(|name| crates.join(name).join("src"))
        .to_vec();
    let mut found = std::collections::BTreeSet::new();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let place = path.strip_prefix(&crates).expect("below").to_string_lossy().replace('\\', "/");
            if path.is_dir() {
                open.push(path);
            } else if place.ends_with(".rs") && !place.ends_with("tests.rs") {
                let text = std::fs::read_to_string(&path).expect("a source");
                // Tests are at the end of a file.
                let mut code = text
                    .lines()
                    .take_while(|line| !line.starts_with("#[cfg(test)]"))
                    .filter(|line| !line.trim_start().starts_with("//"));
                let is_named = |line: &str| {
                    ids.iter().any(|id| {
                        let forms =
                            [format!("\"{id}\""), format!(" {id}::"), format!("({id}::"), format!("&{id}::")];
                        forms.iter().any(|form| line.contains(form.as_str()))
                    })
                };
                if code.any(is_named) {
                    found.insert(place);
                }
            }
        }
    }
    let expected = std::collections::BTreeSet::from(MAY_NAME.map(|(place, _)| place.to_owned()));
    assert_eq!(found, expected, "only these may: {MAY_NAME:?}");
}

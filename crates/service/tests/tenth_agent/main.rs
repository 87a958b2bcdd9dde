//! An agent is one folder and one line: a made-up tenth agent is added to the list, and everything that loops over
//! the list knows it. A test binary of its own, because the list is global to the process.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod heron;

use std::path::PathBuf;

use agents::{Agent, Parts, Scope};
use home::{Clock, Env};
use plimsoll_service::setup::{self, Computer, Request};
use plimsoll_service::{SYSTEMS, Service};
use rules::Effect;
use serde_json::{Value, json};

/// The line.
fn ten() -> &'static [&'static dyn Agent] {
    Vec::leak([agents::AGENTS, &[&heron::Heron as &dyn Agent]].concat())
}

const NOW: i64 = 1_772_304_300_000;

struct World {
    _dir: tempfile::TempDir,
    user: PathBuf,
    service: Service,
}

impl World {
    fn new() -> Self {
        agents::override_for_test(ten());
        let dir = tempfile::tempdir().unwrap();
        let user = std::fs::canonicalize(dir.path()).unwrap();
        std::fs::create_dir_all(user.join("shop/.git")).unwrap();
        std::fs::create_dir_all(user.join(".heron")).unwrap();
        std::fs::write(user.join(".heron/config.json"), CONFIG).unwrap();
        let env = Env::for_test(&user).with_cwd(user.join("shop"));
        let service = Service::new(env, Clock::fixed(NOW)).unwrap();
        service.set_project(&[user.join("shop")]);
        service.home().ensure().unwrap();
        Self { _dir: dir, user, service }
    }

    fn computer(&self) -> Computer {
        Computer::new(&self.service, false)
    }

    fn state(&self) -> Value {
        let computer = self.computer();
        let surveyed = setup::survey(&self.service, &computer);
        let rows: Vec<Value> =
            surveyed.into_iter().map(|one| serde_json::to_value(one.report).unwrap()).collect();
        rows.into_iter().find(|row| row["id"] == "heron").unwrap()
    }

    fn config(&self) -> String {
        std::fs::read_to_string(self.user.join(".heron/config.json")).unwrap()
    }

    /// The hook's answer to a payload.
    fn answered(&self, payload: &Value) -> String {
        let agent = agents::by_id("heron").unwrap();
        let (home, env, clock) = (self.service.home(), self.service.env(), Clock::fixed(5));
        let context = hooks::Context { home, env, clock, agent, systems: SYSTEMS };
        hooks::handle(payload.to_string().as_bytes(), None, &context).output.stdout
    }
}

/// The user's own settings.
const CONFIG: &str = "{\n  \"colour\": \"grey\",\n  \"never\": [\"rm -rf\"]\n}\n";

#[test]
fn an_agent_is_one_folder_and_one_line() {
    let world = World::new();
    // By its ID, its name and its client; and in the list of agents.
    assert_eq!(agents::all().len(), agents::AGENTS.len() + 1);
    assert!(matches!(agents::by_name("Heron"), agents::NameMatch::One(one) if one.id() == "heron"));
    assert_eq!(agents::by_client_name("heron-mcp 2").map(Agent::id), Some("heron"));
    assert_eq!(setup::agent_ids(&["heron".to_owned()]).unwrap(), ["heron"]);

    // Detected.
    let found = world.state();
    assert_eq!((&found["name"], &found["state"]), (&json!("Heron"), &json!("not_connected")), "{found}");

    // Planning writes nothing.
    let request = Request { agents: vec!["heron".into()], scope: Scope::User, parts: Parts::default() };
    let computer = world.computer();
    let plan = setup::plan_connect(&world.service, &computer, &request).unwrap();
    let shown = serde_json::to_string(&plan.report()).unwrap();
    for word in ["heron", ".heron/config.json", "\\\"plimsoll\\\"", "birds"] {
        assert!(shown.contains(word), "{word}: {shown}");
    }
    assert_eq!(world.config(), CONFIG);

    // Connected.
    let sidecar = std::env::current_exe().unwrap();
    let applied = setup::apply(&world.service, &plan, &sidecar, |_| ()).unwrap();
    assert!(!serde_json::to_string(&applied).unwrap().contains("\"error\":{"), "{applied:?}");
    assert_eq!(world.state()["state"], json!("connected"), "{}", world.state());
    let written: Value = serde_json::from_str(&world.config()).unwrap();
    assert_eq!(written["colour"], "grey");
    assert_eq!(written["servers"]["plimsoll"]["args"], json!(["mcp", "--agent", "heron"]));
    assert!(written["birds"][0]["run"].as_str().unwrap().ends_with("hook heron"), "{written}");

    // Its hook answers in its own format, and its permission rules are read.
    let env = world.service.env();
    let rules = agents::rules_from(agents::by_id("heron").unwrap(), env, &world.user.join("shop"));
    assert_eq!(rules.rules.iter().filter(|rule| rule.effect == Effect::Deny).count(), 1);
    let call = |command: &str| json!({"heron": 1, "about": "before", "at": world.user.join("shop"), "command": command});
    let denied = world.answered(&call("bash -c 'rm -rf /'"));
    assert!(denied.starts_with("{\"no\":") && denied.contains("rm -rf"), "{denied}");
    assert_eq!(world.answered(&call("true")), "");
    assert!(!world.answered(&heron::Heron.session_start("s", &world.user).payload).is_empty());

    // Its session records are read.
    let nest = world.user.join(".heron/nest");
    std::fs::create_dir_all(&nest).unwrap();
    let line = json!({"at": NOW - 1, "command": "ls", "printed": "reed\nwater\n"});
    std::fs::write(nest.join("h-1.jsonl"), format!("{line}\n{{\"song\": 1}}\n")).unwrap();
    let found = world.service.discover(1);
    let [row] = found.agents.as_slice() else { panic!("{:?}", found.agents) };
    assert_eq!((row.agent, row.sources, row.outputs.calls, row.outputs.raw_bytes), ("heron", 1, 1, 11));

    // Disconnected: the user's file is as before.
    let computer = world.computer();
    let plan = setup::plan_disconnect(&world.service, &computer, &["heron".into()], &Scope::User).unwrap();
    setup::apply(&world.service, &plan, &sidecar, |_| ()).unwrap();
    assert_eq!(world.config(), CONFIG);
    assert_eq!(world.state()["state"], json!("not_connected"));
}

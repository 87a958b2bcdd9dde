//! The tools' effects and replies.

use std::time::Duration;

use serde_json::json;

use crate::client::{Place, is_running, outcome, until};

#[test]
fn small_output_comes_back_as_it_is() {
    let place = Place::new();
    let mut client = place.session();
    assert_eq!(client.printed(json!({"language": "shell", "code": "echo hello"})), "hello");
    assert_eq!(client.printed(json!({"language": "sh", "code": "true"})), "(no output)");
    let both = client.bad("execute", json!({"language": "shell", "code": "echo out; echo err >&2; exit 3"}));
    assert_eq!(both, "error failed: exit code 3\nout\n--- stderr\nerr");
    // Like grep without hits: a normal answer.
    let soft = client.good("execute", json!({"language": "shell", "code": "echo 0; exit 1"}));
    assert_eq!(soft, "0\nexit code 1");
    let file = place.write("work/ship/a.log", "404\n200\n404\n");
    let code = "import os\nprint(FILE_CONTENT.count('404'))";
    let counted = client.good("execute_file", json!({"path": file, "language": "python", "code": code}));
    assert_eq!(counted, "2\nexit code 0");
    let relative = client.printed(json!({"path": "a.log", "language": "python", "code": code}));
    assert_eq!(relative, "2");
}

#[test]
fn binary_output_is_described_and_never_searched() {
    let place = Place::new();
    let mut client = place.session();
    let code = "head -c 300000 /dev/zero | tr '\\0' '\\377'; head -c 2000 /dev/zero";
    let reply = client.good("execute", json!({"language": "shell", "code": code}));
    assert!(reply.contains("binary data") && reply.contains("not stored"), "{reply}");
    assert!(reply.ends_with("exit code 0") && !reply.contains('\u{fffd}'), "{reply}");
    let found = client.good("search", json!({"queries": ["anything"]}));
    assert!(!found.contains('\u{fffd}'), "{found}");
}

#[test]
fn one_error_among_a_hundred_thousand_lines_is_in_the_reply() {
    let place = Place::new();
    let mut client = place.session();
    let code = "awk 'BEGIN { for (i = 1; i <= 100000; i++) { print \"INFO request \" i \" served\"; if (i == 61234) print \"ERROR disk full at src/store.rs:12\" } }'";
    for intent in [json!(null), json!("slow requests"), json!("colours of the rainbow")] {
        let reply = client.good("execute", json!({"language": "shell", "code": code, "intent": intent}));
        assert!(reply.contains("ERROR disk full at src/store.rs:12"), "{intent}: {reply}");
        assert!(reply.contains("request 61234") && reply.contains("request 100000"), "{intent}: {reply}");
        assert!(reply.contains("All 100001 lines"), "{intent}: {reply}");
        assert!(reply.len() <= 8_000, "{intent}: {} bytes", reply.len());
        let address =
            reply.split('"').find(|part| part.starts_with("output:")).expect("an address").to_owned();
        let found = client.good("search", json!({"queries": ["request 4711"], "source": address}));
        assert!(found.contains("INFO request 4711 served"), "{found}");
    }
    let stats = client.good("stats", json!({}));
    assert!(stats.contains("Kept out of the conversation, counted:"), "{stats}");
}

#[test]
fn a_secret_is_not_stored() {
    let place = Place::new();
    let mut client = place.session();
    let token = format!("ghp_{}", "a1B2c3D4e5".repeat(4).chars().take(36).collect::<String>());
    let code = format!("seq 1 2000; echo deploy token {token}");
    client.good("execute", json!({"language": "shell", "code": code}));
    let found = client.good("search", json!({"queries": ["deploy token"]}));
    assert!(found.contains("deploy token") && !found.contains(&token), "{found}");
}

#[test]
fn a_time_limit_ends_everything_and_keeps_what_was_printed() {
    let place = Place::new();
    let mut client = place.session();
    let code = "echo started $$; sleep 600 & echo child $!; wait";
    let reply = client.bad("execute", json!({"language": "shell", "code": code, "timeout_ms": "400"}));
    assert!(reply.starts_with("error timeout: ended after 400 ms"), "{reply}");
    assert!(reply.contains("started"), "{reply}");
    for line in reply.lines().filter(|line| line.starts_with("started ") || line.starts_with("child ")) {
        let pid = line.rsplit(' ').next().and_then(|pid| pid.parse().ok()).expect("a process id");
        until("the process is gone", || (!is_running(pid)).then_some(()));
    }
}

#[test]
fn cancelling_a_call_ends_its_child() {
    let place = Place::new();
    let mut client = place.session();
    let file = place.project().join("pid");
    let code = format!("echo $$ > '{}'; sleep 600", file.display());
    let id = client
        .ask("tools/call", json!({"name": "execute", "arguments": {"language": "shell", "code": code}}));
    let pid = until("the child runs", || std::fs::read_to_string(&file).ok()?.trim().parse::<u32>().ok());
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}));
    until("the child is gone", || (!is_running(pid)).then_some(()));
    // And the server continues; a second, late cancellation is harmless.
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}));
    assert_eq!(client.printed(json!({"language": "shell", "code": "echo on"})), "on");
}

#[test]
fn long_work_reports_progress_to_who_asked_for_it() {
    let place = Place::new();
    let mut client = place.session();
    let commands = json!(["echo a", "echo b"]);
    let answer = client.request(
        "tools/call",
        json!({"name": "batch", "arguments": {"commands": commands}, "_meta": {"progressToken": "p1"}}),
    );
    assert!(!outcome(&answer).1);
    let steps: Vec<f64> = client
        .heard
        .iter()
        .filter(|message| message["params"]["progressToken"] == "p1")
        .filter_map(|message| message["params"]["progress"].as_f64())
        .collect();
    assert_eq!(steps, [1.0, 2.0]);
    client.heard.clear();
    client.good("batch", json!({"commands": commands}));
    assert_eq!(client.heard, Vec::<serde_json::Value>::new());
}

#[test]
fn calls_run_concurrently() {
    let place = Place::new();
    let mut client = place.session();
    let gate = place.project().join("gate");
    let code = format!("while [ ! -e '{}' ]; do sleep 0.02; done; echo through", gate.display());
    let slow = client
        .ask("tools/call", json!({"name": "execute", "arguments": {"language": "shell", "code": code}}));
    assert_eq!(client.request("ping", json!({}))["result"], json!({}));
    assert_eq!(client.printed(json!({"language": "shell", "code": "echo quick"})), "quick");
    std::fs::write(gate, "").expect("the gate opens");
    assert_eq!(outcome(&client.answer(slow)).0, "through\nexit code 0");
}

#[test]
fn a_background_task_can_be_listed_read_and_stopped() {
    let place = Place::new();
    let mut client = place.session();
    let code = "echo pid $$; for i in 1 2 3; do echo line $i; done; sleep 600";
    let started = client.good("execute", json!({"language": "shell", "code": code, "background": "true"}));
    let id = started.split_whitespace().nth(2).expect("an id").trim_end_matches('.').to_owned();
    let output = until("it prints", || {
        let output = client.good("task", json!({"action": "output", "id": id}));
        output.contains("line 3").then_some(output)
    });
    let pid: u32 =
        output.lines().find_map(|line| line.strip_prefix("pid ")?.parse().ok()).expect("the task's process");
    assert!(client.good("task", json!({"action": "list"})).contains(&format!("{id} running")));
    let read = client.request("resources/read", json!({"uri": format!("plimsoll://task/{id}")}));
    assert!(read["result"]["contents"][0]["text"].as_str().expect("text").contains("line 2"));
    let stopped = client.good("task", json!({"action": "stop", "id": format!("plimsoll://task/{id}")}));
    assert!(stopped.contains("stopped"), "{stopped}");
    until("its process is gone", || (!is_running(pid)).then_some(()));
    assert!(client.bad("task", json!({"action": "output", "id": "tNone"})).starts_with("error not_found"));
}

#[test]
fn a_batch_shows_each_failure_and_answers_from_its_outputs() {
    let place = Place::new();
    let mut client = place.session();
    client.good("index", json!({"content": "needle in another source", "source": "other"}));
    let reply = client.good(
        "batch",
        json!({
            "commands": [
                {"label": "build", "command": "seq 1 500; echo 'error[E0425]: cannot find value `hull`'; echo '  --> src/keel.rs:7:3'; exit 2"},
                {"label": "log", "command": "for i in $(seq 1 300); do echo \"commit $i\"; done; echo 'commit fix the needle valve'"},
                "echo small",
            ],
            "queries": ["needle", "zebra quagga"],
            "concurrency": 3,
        }),
    );
    let at = |part: &str| reply.find(part).unwrap_or_else(|| panic!("{part:?} in {reply}"));
    assert!(at("## build (exit code 2, 502 lines") < at("## log (exit code 0, 301 lines"), "{reply}");
    assert!(at("## log") < at("## echo small (exit code 0, 1 line"), "{reply}");
    at("cannot find value `hull`");
    at("src/keel.rs:7:3");
    at("fix the needle valve");
    at("Nothing found for \"zebra quagga\"");
    assert!(!reply.contains("needle in another source"), "{reply}");
    assert!(reply.len() < 13_000, "{}", reply.len());
}

#[test]
fn what_is_indexed_is_found_exactly() {
    let place = Place::new();
    let mut client = place.session();
    let content = "# React\n\n## useEffect\n\nRuns after render.\n\n### Cleanup\n\nReturn a function:\n\n```js\nuseEffect(() => {\n  const id = setInterval(tick, 1000);\n  return () => clearInterval(id);\n}, []);\n```\n";
    let indexed = client.good("index", json!({"content": content, "source": "React docs"}));
    let again =
        client.good("index", json!({"content": format!("{content}\nMore.\n"), "source": "React docs"}));
    let found = client.good("search", json!({"queries": ["useEffect cleanup function"]}));
    insta::with_settings!({omit_expression => true}, {
        insta::assert_snapshot!(format!("{indexed}\n{again}\n\n{found}"));
    });
    place.write("work/ship/docs/a.md", "# Anchor\n\nThe anchor winch needs grease.\n");
    place.write("work/ship/docs/b.txt", "Ballast is checked in port.\n");
    place.write("work/ship/docs/c.bin", "\0\0\0");
    place.write("work/ship/docs/.gitignore", "skip.md\n");
    place.write("work/ship/docs/skip.md", "ignored anchor\n");
    let folder = client.good("index", json!({"path": "docs"}));
    assert!(folder.contains(": 2 files (2 new"), "{folder}");
    assert!(folder.contains("1 ignored") && folder.contains("1 binary"), "{folder}");
    let found = client.good("search", json!({"queries": ["winch grease", "ballast"], "limit": 1}));
    assert!(found.contains("winch needs grease") && found.contains("checked in port"), "{found}");
    // A changed file is read again when it is searched.
    place.write("work/ship/docs/b.txt", "Ballast is checked at sea, every watch.\n");
    let found = client.good("search", json!({"queries": ["ballast"], "limit": 1}));
    assert!(found.contains("every watch"), "{found}");
}

#[test]
fn search_without_anything_stored_says_so() {
    let place = Place::new();
    let mut client = place.session();
    let empty = client.good("search", json!({"queries": ["anything"]}));
    assert!(empty.starts_with("Nothing is stored") && empty.contains("in: [\"all\"]"), "{empty}");
    let sessions = client.good("search", json!({"queries": ["anything"], "in": "sessions"}));
    assert!(sessions.contains("Nothing"), "{sessions}");
    let memory = client.good("search", json!({"queries": ["anything"], "in": ["memory"]}));
    assert!(memory.contains("Nothing found"), "{memory}");
    let later = client.bad("search", json!({"queries": ["anything"], "in": ["code"]}));
    assert!(later.starts_with("error not_available"), "{later}");
    client.good("index", json!({"content": "a hull", "source": "a"}));
    let unknown = client.bad("search", json!({"queries": ["hull"], "source": "zzz"}));
    assert_eq!(unknown, "error not_found: no source is called \"zzz\"; the newest are \"a\"");
}

/// One reply over everything, best first, and each hit names its origin.
#[test]
fn a_search_over_everything_is_one_ranked_reply() {
    let place = Place::new();
    let mut client = place.session();
    client.good(
        "index",
        json!({"content": "# Deck\n\nThe winch stands on the fore deck.\n", "source": "deck"}),
    );
    client.good(
        "memory",
        json!({"action": "capture", "namespace": "decisions", "content": "Winch grease comes from the north depot"}),
    );
    for sources in [json!("all"), json!(["knowledge", "memory", "sessions"])] {
        let found = client.good("search", json!({"queries": ["winch grease depot"], "in": sources}));
        let (memory, knowledge) = (found.find("[memory: decisions, "), found.find("[knowledge: deck"));
        assert!(memory.is_some() && memory < knowledge, "{found}");
        assert!(found.contains("plimsoll://memory/project/decisions/"), "{found}");
    }
    let alone = client.good("search", json!({"queries": ["winch", "walrus"], "in": ["memory"], "limit": 1}));
    assert!(alone.contains("north depot") && !alone.contains("fore deck"), "{alone}");
    assert!(alone.contains("Nothing found for \"walrus\""), "{alone}");
    place.write("home/.plimsoll/settings.toml", "[memory]\nenabled = false\n");
    let mut client = place.session();
    let off = client.bad("search", json!({"queries": ["winch"], "in": ["memory"]}));
    assert!(off.contains("memory is switched off"), "{off}");
    assert!(client.good("search", json!({"queries": ["winch"], "in": ["all"]})).contains("fore deck"));
}

#[test]
fn purging_needs_consent_and_goes_to_the_trash() {
    let place = Place::new();
    let mut client = place.session();
    client.good("index", json!({"content": "the barnacle report", "source": "report"}));
    client.good("index", json!({"content": "the rudder report", "source": "other"}));
    let asked = client.bad("manage", json!({"action": "purge", "scope": "source:report"}));
    assert!(asked.starts_with("error confirmation_needed") && asked.contains("1 source"), "{asked}");
    let done = client.good("ctx_purge", json!({"scope": "source:report", "confirm": "true"}));
    assert!(done.starts_with("Moved 1 source"), "{done}");
    assert!(!client.good("search", json!({"queries": ["report"]})).contains("barnacle"));
    let everything = client.bad("purge", json!({"scope": "everything", "confirm": true}));
    assert!(everything.starts_with("error denied"), "{everything}");
    client.good("purge", json!({"confirm": true}));
    assert!(client.good("search", json!({"queries": ["rudder"]})).starts_with("Nothing found"));
}

#[test]
fn arguments_that_make_no_sense_are_named() {
    let place = Place::new();
    let mut client = place.session();
    let unknown = client.bad("execute", json!({"language": "shell", "code": "ls", "shell": true}));
    assert!(unknown.contains("unknown argument shell; allowed: language, code,"), "{unknown}");
    assert!(client.bad("execute", json!({"language": "cobol", "code": "x"})).contains("unknown language"));
    assert!(client.bad("index", json!({"path": "no/such/file"})).starts_with("error not_found"));
    let folder = client.bad("execute", json!({"language": "shell", "code": "ls", "cwd": "no/such/folder"}));
    assert!(folder.starts_with("error invalid_argument"), "{folder}");
}

#[test]
fn the_users_own_rules_apply_inside() {
    let place = Place::new();
    place.write(
        "work/ship/.claude/settings.json",
        r#"{"permissions": {"deny": ["Bash(rm:*)", "Read(./secret/**)", "WebFetch(domain:a.example)"], "ask": ["Bash(git push:*)"]}}"#,
    );
    let secret = place.write("work/ship/secret/key.txt", "key");
    let kept = place.write("work/ship/keep.txt", "keep");
    let mut client = place.session();
    let run = |code: &str| json!({"language": "shell", "code": code});
    for code in
        ["rm keep.txt", "echo a && bash -c 'rm keep.txt'", "env X=1 rm keep.txt", "ls; xargs rm < keep.txt"]
    {
        let refused = client.bad("execute", run(code));
        assert!(refused.starts_with("error denied") && refused.contains("Bash(rm:*)"), "{code}: {refused}");
        assert!(refused.contains("settings.json"), "{code}: {refused}");
    }
    assert!(kept.exists());
    let asked = client.bad("execute", run("git push origin main"));
    assert!(asked.starts_with("error ask") && asked.contains("Bash(git push:*)"), "{asked}");
    let shelled =
        client.bad("execute", json!({"language": "python", "code": "import os\nos.system('rm keep.txt')"}));
    assert!(shelled.starts_with("error denied"), "{shelled}");
    let batch = client.bad("batch", json!({"commands": ["echo a > made.txt", "rm keep.txt"]}));
    assert!(batch.starts_with("error denied"), "{batch}");
    assert!(!place.project().join("made.txt").exists(), "no command of a refused batch may run");
    for arguments in [
        json!({"path": secret, "language": "python", "code": "print(FILE_CONTENT)"}),
        json!({"path": "secret/key.txt", "language": "python", "code": "print(FILE_CONTENT)"}),
    ] {
        assert!(client.bad("execute_file", arguments).starts_with("error denied"));
    }
    assert!(client.bad("index", json!({"path": "secret/key.txt"})).starts_with("error denied"));
    let folder = client.good("index", json!({"path": "."}));
    assert!(folder.contains("kept back by permission rules"), "{folder}");
    let fetched = client.bad("fetch_and_index", json!({"url": "https://a.example/page"}));
    assert!(fetched.contains("WebFetch(domain:a.example)"), "{fetched}");
    // A settings file that doesn't parse forbids everything that it might forbid.
    place.write("work/ship/.claude/settings.json", "{ not json");
    let broken = client.bad("execute", run("echo hello"));
    assert!(broken.starts_with("error denied") && broken.contains("settings.json"), "{broken}");
}

#[test]
fn a_page_on_this_computer_is_fetched_and_indexed() {
    use std::io::{Read, Write};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}/docs", listener.local_addr().expect("an address"));
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let mut request = [0; 4096];
            let _ = stream.read(&mut request);
            let body = "<html><head><title>Winch</title></head><body><main><h1>Winch</h1><p>Grease the winch weekly, says the manual of the ship.</p></main></body></html>";
            let _ = write!(
                stream,
                "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                body.len()
            );
        }
    });
    let place = Place::new();
    let mut client = place.session();
    let fetched = client.good("fetch_and_index", json!({"url": address}));
    assert!(fetched.contains("chunk") && fetched.contains("Grease the winch"), "{fetched}");
    assert!(client.good("search", json!({"queries": ["grease weekly"]})).contains("manual of the ship"));
    let again = client.good("index", json!({"urls": [address]}));
    assert!(again.contains("force fetches it again"), "{again}");
}

#[test]
fn doctor_checks_what_matters() {
    let place = Place::new();
    let mut client = place.session();
    let report = client.good("doctor", json!({}));
    for line in ["[OK] storage", "[OK] full-text search", "[OK] project", "[OK] shell"] {
        assert!(report.contains(line), "{line} in {report}");
    }
}

#[test]
fn a_child_does_not_read_the_protocols_input() {
    let place = Place::new();
    let mut client = place.session();
    let id = client.ask(
        "tools/call",
        json!({"name": "execute", "arguments": {"language": "shell", "code": "cat; echo end"}}),
    );
    let ping = client.ask("ping", json!({}));
    let mut seen = [false, false];
    while seen != [true, true] {
        let message = client.receive_within(Duration::from_secs(60)).expect("both are answered");
        if message["id"] == id {
            assert_eq!(outcome(&message).0, "end\nexit code 0");
            seen[0] = true;
        } else if message["id"] == ping {
            seen[1] = true;
        }
    }
}

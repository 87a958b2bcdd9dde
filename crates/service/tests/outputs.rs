//! What the tools count, store and find again of real programs' outputs.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::path::Path;
use std::sync::Arc;

use contract::{Batch, Command, Execute, Reply, Search};
use home::{Clock, Env};
use plimsoll_service::{Call, Service};
use sessions::{LedgerFilter, Page, Sessions};

const NOW: i64 = 1_772_304_300_000;

fn service(dir: &Path) -> Arc<Service> {
    let env =
        Env::for_test(dir).with("PATH", std::env::var_os("PATH").unwrap()).with_cwd(dir.join("project"));
    std::fs::create_dir_all(dir.join("project/.git")).unwrap();
    let service = Service::new(env, Clock::fixed(NOW)).unwrap();
    service.set_project(&[dir.join("project")]);
    Arc::new(service)
}

fn call() -> Call {
    Call { agent: agents::by_id("claude-code"), session: "s".into(), ..Call::from_user() }
}

fn block_on<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

async fn execute(service: &Service, code: &str, intent: Option<&str>) -> Reply {
    let request = Execute { intent: intent.map(str::to_owned), ..shell(code) };
    service.execute(&call(), request).await.unwrap()
}

fn shell(code: &str) -> Execute {
    Execute { language: "shell".into(), code: code.into(), ..Execute::default() }
}

fn batch(commands: &[(&str, &str)]) -> Batch {
    let commands = commands
        .iter()
        .map(|(label, command)| Command { label: (*label).into(), command: (*command).into() })
        .collect();
    Batch { commands, concurrency: 1, ..Batch::default() }
}

/// The same in lines of 4,000 bytes, which takes a tenth of the time.
fn prints_wide(megabytes: u32) -> String {
    format!(
        "awk 'BEGIN {{ s = sprintf(\"%800s\", \"\"); gsub(/ /, \"word \", s); for (n = 0; n < {}; n++) print n, s; print \"the zebrafish at the end\" }}'",
        megabytes * 1024 * 1024 / 4_000
    )
}

/// Prints at least `megabytes` in numbered lines, with a different word in the last one.
fn prints(megabytes: u32) -> String {
    format!(
        "awk 'BEGIN {{ for (n = 0; n < {}; n++) printf \"%09d plain words of a long long line here\\n\", n; print \"the zebrafish at the end\" }}'",
        megabytes * 1024 * 1024 / 45
    )
}

#[test]
fn only_what_the_agent_would_have_shown_counts_as_kept_out() {
    let dir = tempfile::tempdir().unwrap();
    let service = service(dir.path());
    block_on(async {
        execute(&service, &prints(3), None).await;
        let two = batch(&[("good", &prints(1)), ("bad", &format!("{}; exit 3", prints(1)))]);
        service.batch(&call(), two).await.unwrap();
    });
    let sessions = Sessions::open(service.home(), &[&memory::GUEST]).unwrap();
    let calls = sessions.calls(&LedgerFilter::default(), Page { offset: 0, limit: 9 }).unwrap().items;
    let of = |tool: &str| calls.iter().find(|call| call.row.tool == tool).unwrap().row.raw_bytes;
    assert_eq!((of("execute"), of("batch")), (2_204, 12_204));
}

#[test]
fn every_part_of_a_long_output_is_found_by_its_label_its_number_and_the_intent() {
    let dir = tempfile::tempdir().unwrap();
    let service = service(dir.path());
    block_on(async {
        let reply = execute(&service, &prints(9), Some("zebrafish")).await;
        assert!(reply.text.contains("the zebrafish at the end"), "{}", reply.text);
        let label = reply.text.split("source \"").nth(1).unwrap().split('"').next().unwrap();
        let address = reply.text.split("read ").nth(1).unwrap().lines().next().unwrap().trim_end_matches('.');
        let text = service.read_resource(&call(), address).await.unwrap();
        assert!(text.contains("the zebrafish at the end"), "{}", &text[text.len() - 300..]);
        for source in [label, address] {
            let request = Search { source: Some(source.into()), ..Search::of(vec!["zebrafish".into()]) };
            let found = service.search(&call(), request).await.unwrap().text;
            assert!(found.contains("the zebrafish at the end"), "{source}: {found}");
        }
    });
}

#[test]
fn how_a_program_ended_is_stated_once_where_it_matters() {
    let dir = tempfile::tempdir().unwrap();
    let service = service(dir.path());
    block_on(async {
        for (code, first, last) in [
            ("echo some; false", "some", "exit code 1"),
            ("echo no; exit 3", "error failed: exit code 3", "no"),
        ] {
            let text = execute(&service, code, None).await.text;
            let lines: Vec<&str> = text.lines().collect();
            assert_eq!((lines[0], lines[lines.len() - 1]), (first, last), "{code}: {text}");
            assert_eq!(text.matches("exit code").count(), 1, "{code}: {text}");
        }
        let long = "seq 1 9000";
        for (code, first) in [("echo hi", "hi"), ("true", "(no output)"), (long, "1")] {
            let text = execute(&service, code, None).await.text;
            let lines: Vec<&str> = text.lines().collect();
            assert_eq!((lines[0], lines[lines.len() - 1]), (first, "exit code 0"), "{code}: {text}");
            assert_eq!(text.matches("exit code").count(), 1, "{code}: {text}");
        }
        // The heading of a command in a batch names it already.
        let text = service
            .batch(&call(), batch(&[("good", "echo hi"), ("odd", "echo some; false")]))
            .await
            .unwrap()
            .text;
        assert!(text.contains("## good (exit code 0,") && text.contains("## odd (exit code 1,"), "{text}");
        assert_eq!(text.matches("exit code").count(), 2, "{text}");
    });
}

#[test]
fn outputs_of_any_length_are_stored_in_parts_and_searched_to_their_end() {
    let dir = tempfile::tempdir().unwrap();
    let service = service(dir.path());
    block_on(async {
        let one = execute(&service, &prints_wide(34), Some("zebrafish")).await.text;
        assert!(one.contains("the zebrafish at the end") && !one.contains("Only its first"), "{one}");
        let many = Batch {
            queries: vec!["zebrafish".into()],
            ..batch(&[("huge", &prints_wide(34)), ("large", &prints_wide(1))])
        };
        let many = service.batch(&call(), many).await.unwrap().text;
        let answers = many.split("# zebrafish").nth(1).unwrap_or_default();
        assert_eq!(answers.matches("the zebrafish at the end").count(), 2, "{many}");
        for reply in [&one, &many] {
            let label = reply.split("source \"").nth(1).unwrap().split('"').next().unwrap();
            let request = Search { source: Some(label.into()), ..Search::of(vec!["zebrafish".into()]) };
            let found = service.search(&call(), request).await.unwrap().text;
            assert!(found.contains("the zebrafish at the end"), "{label}: {found}");
        }
    });
    let kept = std::fs::read_dir(service.home().cache_dir().join("outputs")).unwrap().count();
    assert_eq!(kept, 0, "what is stored as a whole needs no file");
}

#[test]
fn a_batch_keeps_and_names_what_it_does_not_store() {
    let dir = tempfile::tempdir().unwrap();
    let service = service(dir.path());
    let reply = block_on(async {
        // If a program is killed, only the beginning of its output is stored: nobody waits for what a runaway printed.
        let huge = format!("{}; sleep 600", prints_wide(34));
        let stopped = Batch { timeout_ms: Some(20_000), ..batch(&[("huge", &huge), ("large", &prints(1))]) };
        service.batch(&call(), stopped).await.unwrap()
    });
    let wording = "huge: Only its first 4.19 MB can be searched; the whole is in ";
    let path = reply.text.split(wording).nth(1).unwrap().trim_end().trim_end_matches('.');
    assert!(std::fs::metadata(path).unwrap().len() > 32 * 1024 * 1024);
    let kept = std::fs::read_dir(service.home().cache_dir().join("outputs")).unwrap().count();
    assert_eq!(kept, 1, "what is stored as a whole needs no file");
}

#[test]
fn a_search_sees_all_of_a_kept_output() {
    let dir = tempfile::tempdir().unwrap();
    let service = service(dir.path());
    service.home().ensure().unwrap();
    let tasks = sandbox::task::Tasks::new(service.home().tasks_dir());
    let keep = |text: &[u8]| {
        let (label, cwd, session, exit) = ("make", dir.path(), None, None);
        let kept = sandbox::task::KeptOutput { label, cwd, session, exit, text, now_ms: NOW };
        format!("plimsoll://task/{}", tasks.keep(&kept).unwrap())
    };
    let line = b"plain words of a long line\n";
    let mut large = line.repeat(33 * 1024 * 1024 / line.len());
    large.extend_from_slice(b"the zebrafish at the end\n");
    for (source, word, last) in
        [(keep(line), "plain", "plain words"), (keep(&large), "zebrafish", "the zebrafish at the end")]
    {
        let request = Search { source: Some(source.clone()), ..Search::of(vec![word.into()]) };
        let found = block_on(service.search(&call(), request)).unwrap().text;
        assert!(found.contains(last) && !found.contains("Only its first"), "{source}: {found}");
    }
}

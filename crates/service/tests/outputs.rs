//! What becomes of the outputs of programs that really run: what is counted, what is stored, what is found again.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::path::Path;
use std::sync::Arc;

use contract::{Batch, Command, Execute, Reply};
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
    Call { agent: agents::by_id("claude-code"), session: "s".into(), ..Call::of_person() }
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

/// Prints at least `megabytes` in lines with a number and a word, the last of them with another.
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
    let sessions = Sessions::open(service.home()).unwrap();
    let calls = sessions.calls(&LedgerFilter::default(), Page { offset: 0, limit: 9 }).unwrap().items;
    let of = |tool: &str| calls.iter().find(|call| call.row.tool == tool).unwrap().row.raw_bytes;
    assert_eq!((of("execute"), of("batch")), (2_000, 12_000));
}

//! The law of stored text: no tool stores the beginning of a secret, whatever its form.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[path = "../../text/tests/support/shapes.rs"]
mod shapes;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use contract::{Batch, Command, Execute, Index, Input, Task, TaskAction};
use home::{Clock, Env};
use plimsoll_service::{Call, Service};
use shapes::{Case, Dice, shapes};

const SHAPES: &str = include_str!("../../text/tests/fixtures/redact/shapes.txt");

fn service(dir: &Path) -> Arc<Service> {
    let env =
        Env::for_test(dir).with("PATH", std::env::var_os("PATH").unwrap()).with_cwd(dir.join("project"));
    std::fs::create_dir_all(dir.join("project/.git")).unwrap();
    let service = Service::new(env, Clock::fixed(1_772_304_300_000)).unwrap();
    service.set_project(&[dir.join("project")]);
    Arc::new(service)
}

fn indexed(content: &str) -> Index {
    Index::of(Input::Content(content.into()))
}

fn files(dir: &Path, out: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, out);
        } else {
            let bytes = std::fs::read(&path).unwrap_or_default();
            out.push((path.display().to_string(), String::from_utf8_lossy(&bytes).into_owned()));
        }
    }
}

fn leaks(cases: &[(String, Case)], root: &Path, way: &str) -> Vec<String> {
    let mut all = Vec::new();
    files(root, &mut all);
    let mut found = Vec::new();
    for (line, case) in cases {
        for (path, text) in &all {
            if let Some(secret) = case.left_in(text) {
                let at = text.find(secret).unwrap_or_default();
                let from = text.floor_char_boundary(at.saturating_sub(100));
                let to = text.ceil_char_boundary((at + 40).min(text.len()));
                found.push(format!("{way}: {line}\n    {path}: {:?}", &text[from..to]));
                break;
            }
        }
    }
    found
}

const REDACT: sandbox::Redact =
    sandbox::Redact { after: text::redact_after, undecided: text::undecided, open_table: text::open_table };

/// An output arrives in whatever pieces the computer's load splits it into.
#[test]
fn no_beginning_of_a_secret_goes_out_however_the_output_is_cut() {
    let filler = "a line of what a tool prints, with nothing in it\n".repeat(3);
    let mut found = Vec::new();
    for seed in 0..2 {
        let mut dice = Dice::new(seed);
        let cases: Vec<(String, Case)> =
            shapes(SHAPES).into_iter().map(|shape| (shape.line.clone(), shape.throw(&mut dice))).collect();
        let whole: String = cases.iter().map(|(_, case)| format!("{}\n\n---\n{filler}", case.text)).collect();
        for most in [60, 700, 9_000] {
            let mut redactor = sandbox::StreamRedactor::new(REDACT);
            let mut out = Vec::new();
            let mut rest = whole.as_bytes();
            while !rest.is_empty() {
                let (piece, after) = rest.split_at(rest.len().min(1 + dice.next() % most));
                out.extend(redactor.push(piece));
                rest = after;
            }
            out.extend(redactor.finish());
            let out = String::from_utf8_lossy(&out);
            let left = cases.iter().filter_map(|(line, case)| Some((line, case.left_in(&out)?)));
            found.extend(
                left.map(|(line, secret)| format!("pieces to {most}, seed {seed}: {line}: {secret}")),
            );
        }
    }
    assert!(found.is_empty(), "{} left:\n{}", found.len(), found.join("\n"));
}

/// A column is told by its name, which may be many rows above.
#[test]
fn a_column_is_hidden_however_far_below_its_name() {
    for (rows, words, piece) in [(2_400, 1, 500), (2_400, 1, 30_000), (6, 3_000, 4_000), (6, 3_000, 100_000)]
    {
        let row = |nth: usize| format!("{nth},user{nth},k3yW9zQ{nth}x!,{}\n", "word ".repeat(words));
        let text: String = (0..rows).map(row).collect();
        let text = format!("id,name,password,note\n{text}\nand on\n");
        let mut redactor = sandbox::StreamRedactor::new(REDACT);
        let mut out = Vec::new();
        for piece in text.as_bytes().chunks(piece) {
            out.extend(redactor.push(piece));
        }
        out.extend(redactor.finish());
        let out = String::from_utf8(out).unwrap();
        assert!(!out.contains("k3yW9zQ"), "{rows} {piece}: {:?}", out.find("k3yW9zQ"));
        assert!(out.matches("[redacted:").count() >= rows && out.contains("user5"), "{rows} {piece}");
        assert!(out.ends_with("\nand on\n"), "{rows} {piece}");
    }
}

#[test]
fn no_beginning_of_a_secret_is_stored() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let mut found = Vec::new();
    for way in ["index", "label", "execute", "batch", "task", "slow task"] {
        let dir = tempfile::tempdir().unwrap();
        let service = service(dir.path());
        let call = Call { agent: agents::by_id("claude-code"), session: "s".into(), ..Call::from_user() };
        let mut dice = Dice::new(way.len() as u64);
        let cases: Vec<(String, Case)> =
            shapes(SHAPES).into_iter().map(|shape| (shape.line.clone(), shape.throw(&mut dice))).collect();
        let filler = "a line of what a tool prints, with nothing in it\n";
        let whole: String = cases.iter().map(|(_, case)| format!("{}\n\n---\n{filler}", case.text)).collect();
        let printed = dir.path().join("printed.txt");
        std::fs::write(&printed, format!("{}{whole}{}", filler.repeat(150), filler.repeat(50))).unwrap();
        let cat = format!("cat '{}'", printed.display());
        runtime.block_on(async {
            match way {
                "index" => {
                    service.index(&call, indexed(&whole)).await.unwrap();
                }
                "label" => {
                    for (_, case) in &cases {
                        let request = indexed(&case.text);
                        service.index(&call, request).await.unwrap();
                    }
                }
                "execute" => {
                    let request =
                        Execute { language: "shell".into(), code: cat.clone(), ..Execute::default() };
                    service.execute(&call, request).await.unwrap();
                }
                "batch" => {
                    let commands = vec![Command { label: "printed".into(), command: cat.clone() }];
                    service
                        .batch(&call, Batch { commands, concurrency: 1, ..Batch::default() })
                        .await
                        .unwrap();
                }
                _ => {
                    // Slowly: each line reaches the disk on its own.
                    let slow = format!(
                        "while IFS= read -r line; do printf '%s\\n' \"$line\"; done < '{}'",
                        printed.display()
                    );
                    let code = if way == "task" { cat.clone() } else { slow };
                    let request =
                        Execute { language: "shell".into(), code, background: true, ..Execute::default() };
                    service.execute(&call, request).await.unwrap();
                    let started = Instant::now();
                    loop {
                        let reply = service
                            .task(&call, Task { action: TaskAction::List, id: None, tail: None })
                            .await
                            .unwrap();
                        if !reply.text.contains("running") {
                            break;
                        }
                        assert!(started.elapsed() < Duration::from_secs(120), "{}", reply.text);
                        tokio::time::sleep(Duration::from_millis(20)).await;
                    }
                }
            }
        });
        let mut all = Vec::new();
        files(service.home().root(), &mut all);
        assert!(all.iter().any(|(_, text)| text.contains("[redacted:")), "{way}: nothing was stored");
        found.extend(leaks(&cases, service.home().root(), way));
    }
    assert!(found.is_empty(), "{} left:\n{}", found.len(), found.join("\n"));
}

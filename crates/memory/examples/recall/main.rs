//! Figures of recall, measured inside this crate: `recall [PATH]` prints one JSON object.
//!
//! With the path of LoCoMo (a folder of conversations, or its one file) it tells how often the evidence for a question
//! is found, beside a plain full-text table in the same run. The data may not be redistributed, so it is never in the
//! repository. Without it, only the speed is measured.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a program for developers")]

mod basic_memory;
mod conversation;
mod locomo;
mod peer;
mod session;
mod speed;
mod synthetic;
mod vectors;

use serde_json::{Value, json};

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    // For tuning, which looks at nothing else.
    let quality = arguments.iter().position(|one| one == "--quality").map(|at| arguments.remove(at));
    // The script of the reference memory server and basic-memory's program, to be asked the same.
    let mut path_after = |name: &str| {
        arguments.iter().position(|one| one == name).map(|at| {
            arguments.remove(at);
            std::path::PathBuf::from(arguments.remove(at))
        })
    };
    let peers =
        locomo::Peers { reference: path_after("--reference"), basic_memory: path_after("--basic-memory") };
    // A model's folder, for recall by meaning beside that by words.
    let embedder = arguments.iter().position(|one| one == "--vectors").map(|at| {
        arguments.remove(at);
        plimsoll_memory::embedding::Embedder::in_folder(std::path::Path::new(&arguments.remove(at)))
    });
    // The speed alone, among this many memories.
    let rows = arguments.iter().position(|one| one == "--rows").map(|at| {
        arguments.remove(at);
        arguments.remove(at).parse::<u64>().unwrap()
    });
    if let Some(rows) = rows {
        println!(
            "{}",
            json!({"speed": speed::measure(rows, embedder.as_ref()), "no_locomo": "only the speed was asked for"})
        );
        return;
    }
    let path = arguments.into_iter().next();
    let mut report = if quality.is_some() {
        json!({})
    } else {
        json!({"speed": speed::measure(speed::USUAL, embedder.as_ref())})
    };
    report["made_up"] = synthetic::measure(embedder.as_ref());
    match path.as_deref().map(|path| locomo::measure(path, &peers, embedder.as_ref())) {
        Some(Ok(found)) => report["locomo"] = found,
        Some(Err(reason)) => report["no_locomo"] = Value::from(reason),
        None => report["no_locomo"] = Value::from("no path was given (--data PATH)"),
    }
    println!("{report}");
}

//! Commands that tend to print a lot, and commands known to be small.

use super::pipeline::{Stage, is_bounded, pipelines};

/// Whether some part of the command tends to print far more than is needed.
pub fn is_noisy(command: &str) -> bool {
    pipelines(command)
        .iter()
        .filter(|pipeline| !is_bounded(pipeline))
        .filter_map(|pipeline| pipeline.first())
        .any(noisy)
}

fn noisy(stage: &Stage) -> bool {
    let arguments: Vec<&str> =
        stage.arguments().iter().map(String::as_str).filter(|word| !word.starts_with('-')).collect();
    let first = arguments.first().copied().unwrap_or_default();
    let runs = |names: &[&str]| names.contains(&first);
    match stage.program() {
        "cargo" => runs(&["test", "build", "check", "clippy", "nextest", "bench", "doc", "t", "b"]),
        "npm" | "pnpm" | "yarn" | "bun" => {
            runs(&["test", "t", "run", "install", "ci", "i", "audit", "build", "lint"])
        }
        "go" => runs(&["test", "build", "vet"]),
        "docker" | "podman" | "kubectl" => runs(&["logs", "build", "describe", "compose"]),
        "git" => first == "log" && !stage.arguments().iter().any(|word| is_count(word)),
        "gradle" | "gradlew" | "mvn" | "mvnw" | "sbt" | "make" | "ninja" | "cmake" | "pytest" | "tox"
        | "vitest" | "jest" | "tsc" | "eslint" | "rspec" | "phpunit" | "dotnet" | "journalctl" | "dmesg"
        | "terraform" => true,
        "python" | "python3" => {
            stage.arguments().windows(2).any(|pair| pair[0] == "-m" && pair[1] == "pytest")
        }
        "npx" => runs(&["vitest", "jest", "tsc", "eslint", "playwright", "mocha"]),
        _ => false,
    }
}

fn is_count(word: &str) -> bool {
    word == "-n"
        || word.starts_with("--max-count")
        || (word.len() > 1 && word.starts_with('-') && word[1..].bytes().all(|b| b.is_ascii_digit()))
        || (word.starts_with("-n") && word[2..].bytes().all(|b| b.is_ascii_digit()))
}

/// Whether the whole command is one of the small ones that deserve not a single word.
pub fn is_small(command: &str) -> bool {
    let pipelines = pipelines(command);
    let [pipeline] = pipelines.as_slice() else { return false };
    let [stage] = pipeline.as_slice() else { return false };
    let first =
        stage.arguments().iter().map(String::as_str).find(|word| !word.starts_with('-')).unwrap_or_default();
    if stage.arguments().iter().any(|word| word == "--version") {
        return true;
    }
    match stage.program() {
        "pwd" | "mkdir" | "cp" | "mv" | "rm" | "touch" | "cd" | "which" | "whoami" | "date" | "echo"
        | "true" | "hostname" | "uname" | "id" | "ln" | "chmod" | "basename" | "dirname" | "test" | "[" => {
            true
        }
        "ls" => !stage
            .arguments()
            .iter()
            .any(|word| word.starts_with('-') && !word.starts_with("--") && word.contains('R')),
        "git" => {
            matches!(
                first,
                "status"
                    | "branch"
                    | "add"
                    | "commit"
                    | "checkout"
                    | "switch"
                    | "stash"
                    | "remote"
                    | "rev-parse"
                    | "push"
                    | "pull"
                    | "fetch"
                    | "tag"
            ) || (first == "log" && stage.arguments().iter().any(|word| is_count(word)))
        }
        _ => false,
    }
}

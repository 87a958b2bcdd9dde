//! The developer's commands. `cargo xtask run` starts the main job, `cargo xtask test` runs everything;
//! both do all of their set-up themselves. Build output goes to a cache folder outside the clone.

mod bench;
mod check;
mod circles;
mod crates_picture;
mod cross;
mod documents;
mod file_lengths;
mod icons;
mod licences;
mod manifest;
mod package;
mod place;
mod plugins;
mod run;
mod screens;
mod skips;
mod stage;
mod steps;
mod system;
mod test;
mod tools;
mod types;
mod ui;
mod words;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask <command> [--yes]

  run             set up, build, and start the main job (`plimsoll setup`)
  test            set up, and run every check and test
  check           format, lints, dependencies; no tests
  circles         which files of a crate need each other in a circle
  words           check every text and comment against docs/style.md
  bench [name]    measure, with ratios to a baseline of the same run
  cross           build for Windows (and run under wine) and macOS
  types           write the TypeScript side of the contract and the sentences in en.json (--check only compares)
  plugins         write the agents' plugins (--check only compares)
  picture         draw which crate uses which (--check only compares)
  icons           draw every icon from the drawings in icons/ (--check only compares)
  licences        print the licence texts of everything that is built in (--target T, --check)
  stage           build the sidecar for the desktop's bundler (--target T, --profile P, --page)
  package [kind]  make and try the packages: deb, rpm, windows (all of them)
  manifest DIR    write the update manifest of the programs in a folder
  screenshots     take pictures of every screen (`readme`: those that the README shows)
  fuzz [seconds]  run every fuzz target for that long (300)

  --yes           install missing system packages without asking
";

fn main() -> ExitCode {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let yes = words.iter().any(|word| word == "--yes" || word == "-y") || std::env::var_os("CI").is_some();
    words.retain(|word| word != "--yes" && word != "-y");
    let (command, rest) = match words.split_first() {
        Some((command, rest)) => (command.as_str(), rest),
        None => ("help", &[] as &[String]),
    };
    // Asked after a command, too: nothing may start that takes minutes.
    let command = if rest.iter().any(|word| word == "--help" || word == "-h") { "help" } else { command };
    let result = place::Place::find().and_then(|place| {
        match command {
            "run" => return run::run(&place, yes, rest),
            "test" => test::test(&place, yes, rest),
            "check" => check::check(&place, yes),
            "circles" => circles::list(&place),
            "words" => words::check(&place),
            "bench" => bench::bench(&place, yes, rest),
            "cross" => cross::cross(&place, yes, rest),
            "types" => types::types(&place, rest),
            "plugins" => plugins::plugins(&place, rest),
            "picture" => crates_picture::picture(&place, rest),
            "icons" => icons::icons(&place, rest),
            "licences" => licences::licences(&place, rest),
            "stage" => stage::stage(&place, yes, rest),
            "package" => package::package(&place, yes, rest),
            "manifest" => manifest::manifest(rest),
            "screenshots" => screens::screenshots(&place, yes, rest),
            "fuzz" => test::fuzz(&place, rest),
            "help" | "--help" | "-h" => {
                steps::say(HELP);
                Ok(())
            }
            other => anyhow::bail!("there is no command `{other}`\n\n{HELP}"),
        }
        .map(|()| ExitCode::SUCCESS)
    });
    match result {
        Ok(code) => code,
        Err(error) => {
            steps::say(&format!("\nxtask: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

//! Writes the plugins into a folder: `cargo xtask plugins` runs it.

use std::process::ExitCode;

use plimsoll_agents as agents;

fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1).map(std::path::PathBuf::from) else {
        eprintln!("give the folder to write the plugins into");
        return ExitCode::FAILURE;
    };
    for file in agents::plugin_files(env!("CARGO_PKG_VERSION")) {
        let path = folder.join(&file.path);
        let written = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        if let Err(error) = written.and_then(|()| std::fs::write(&path, &file.text)) {
            eprintln!("{}: {error}", path.display());
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

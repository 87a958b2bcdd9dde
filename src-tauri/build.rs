//! Generates the permission of the one command, and ensures that the page's folder exists: Tauri needs it at compile
//! time, although a build that only checks types hasn't built the page.

use std::path::Path;

fn main() {
    if let Err(error) = prepare() {
        println!("cargo::error={error}");
    }
}

fn prepare() -> Result<(), String> {
    let page = Path::new("../ui/dist");
    if !page.join("index.html").exists() {
        std::fs::create_dir_all(page).map_err(|error| format!("{}: {error}", page.display()))?;
        std::fs::write(page.join("index.html"), PLACEHOLDER).map_err(|error| error.to_string())?;
    }
    println!("cargo::rerun-if-changed=../ui/dist");
    let commands = tauri_build::AppManifest::new().commands(&["call"]);
    tauri_build::try_build(tauri_build::Attributes::new().app_manifest(commands))
        .map_err(|error| format!("{error:#}"))
}

const PLACEHOLDER: &str = "<!doctype html>\n<meta charset=\"utf-8\">\n<title>Plimsoll</title>\n\
    <p>The page was not built: run <code>cargo xtask run</code>, or <code>npm run build</code> in ui/.</p>\n";

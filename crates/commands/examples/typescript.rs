//! Writes the TypeScript side of the contract into the folder that is named, and the sentences that crates declare into
//! the English catalogue, if one is named. `cargo xtask types` runs it.

#[path = "../tests/declared/mod.rs"]
mod declared;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args_os().nth(1).ok_or("name the folder to write to")?;
    std::fs::create_dir_all(&folder)?;
    plimsoll_commands::typescript::write(std::path::Path::new(&folder), service::SYSTEMS)?;
    if let Some(catalogue) = std::env::args_os().nth(2) {
        let old = std::fs::read_to_string(&catalogue)?;
        std::fs::write(&catalogue, declared::with_declared(&old)?)?;
    }
    Ok(())
}

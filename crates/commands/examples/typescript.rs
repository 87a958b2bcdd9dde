//! Writes the TypeScript side of the contract into the folder that is named. `cargo xtask types` runs it.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args_os().nth(1).ok_or("name the folder to write to")?;
    std::fs::create_dir_all(&folder)?;
    plimsoll_commands::typescript::write(std::path::Path::new(&folder), service::SYSTEMS)?;
    Ok(())
}

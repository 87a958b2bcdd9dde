//! How large what people download may be. A file over its limit fails the step that made it, so that growth is a
//! decision and not a surprise.

use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::steps::say;

/// The measured files, and their limits in bytes.
#[derive(Clone, Copy)]
pub(crate) struct Limit {
    what: &'static str,
    bytes: u64,
}

/// What the grammars of the codebase have in the sidecar: tables, of which a package carries a fifteenth.
const GRAMMARS: u64 = 33_000_000;
const GRAMMARS_PACKED: u64 = 2_000_000;

/// The sidecar as it ships. The goal is 20 MB without the grammars: lower this with each cut.
pub(crate) const SIDECAR: Limit = Limit { what: "the sidecar", bytes: 26_500_000 + GRAMMARS };

/// The package with both programs, their documents and icons. Packed, the sidecar has 11 MB and the desktop 10. The goal
/// is 14 MB without the grammars.
pub(crate) const DEB: Limit = Limit { what: "the deb", bytes: 20_500_000 + GRAMMARS_PACKED };

impl Limit {
    /// # Errors
    /// When the file is larger.
    pub(crate) fn check_size(self, path: &Path) -> Result<()> {
        let length = std::fs::metadata(path).with_context(|| format!("measuring {}", path.display()))?.len();
        let Self { what, bytes } = self;
        ensure!(
            length <= bytes,
            "{what} has {} MB and may have {}: `cargo bloat --profile dist --package plimsoll --crates` says what it is made of",
            megabytes(length),
            megabytes(bytes)
        );
        say(&format!("   {what} has {} of at most {} MB", megabytes(length), megabytes(bytes)));
        Ok(())
    }
}

/// With two decimals, so that a limit and what is just above it do not look equal.
fn megabytes(bytes: u64) -> String {
    format!("{}.{:02}", bytes / 1_000_000, bytes % 1_000_000 / 10_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_over_its_size_limit_is_refused_with_both_numbers() {
        let dir = std::env::temp_dir().join(format!("plimsoll-sizes-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let file = dir.join("program");
        let limit = Limit { what: "the program", bytes: 1_500_000 };
        let of = |length: u64| {
            std::fs::File::create(&file).unwrap().set_len(length).unwrap();
            limit.check_size(&file)
        };
        assert!(of(1_500_000).is_ok());
        let printed = of(1_510_000).unwrap_err().to_string();
        assert!(printed.starts_with("the program has 1.51 MB and may have 1.50"), "{printed}");
        std::fs::remove_file(&file).unwrap();
        assert!(limit.check_size(&file).unwrap_err().to_string().contains("measuring"));
        std::fs::remove_dir_all(&dir).unwrap();
    }
}

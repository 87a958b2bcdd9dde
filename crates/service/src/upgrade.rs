//! Bringing the sidecar up to date. Nothing is contacted unless the person has set a release manifest.

use contract::{Error, ErrorCode, Reply};

use crate::Service;

/// Upgrades when `confirm` is set; otherwise says what it would do.
///
/// # Errors
/// When no manifest is set, or without `confirm`.
pub async fn run(service: &Service, confirm: bool) -> Result<Reply, Error> {
    let upgrade = &service.settings().upgrade;
    if upgrade.manifest_url.is_empty() {
        return Ok(Reply::plain(format!(
            "This is version {}. No release server is set, so none is asked: set manifest_url and public_key under [upgrade] in {}.",
            env!("CARGO_PKG_VERSION"),
            service.home().settings_path().display()
        )));
    }
    if !confirm {
        return Err(Error::new(
            ErrorCode::ConfirmationNeeded,
            format!("this would ask {} for a newer version and install it; call again with confirm true", upgrade.manifest_url),
        ));
    }
    Err(Error::new(ErrorCode::NotAvailable, "run `plimsoll upgrade` in a terminal"))
}

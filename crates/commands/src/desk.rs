//! What only the desktop can do, through [`crate::Host`].

use std::sync::Arc;

use contract::desktop::{Autostart, HostView, Nothing, PickWhat, Picked, Place, Screen, Target, Toggle};
use contract::{Error, ErrorCode};

use crate::{Router, said};

pub(crate) async fn host(router: &Arc<Router>, _: Nothing) -> Result<HostView, Error> {
    router
        .blocking(|router| {
            let host = &router.host;
            Ok(HostView {
                kind: host.kind().to_owned(),
                system: std::env::consts::OS.to_owned(),
                tray: host.tray(),
                autostart: host.autostart(),
                locale: host.locale(),
                user_home: router.desktop().service().env().home_dir().to_owned(),
                packaged: host.packaged(),
                crash: host.crash(),
            })
        })
        .await
}

pub(crate) async fn wanted_screen(router: &Arc<Router>, _: Nothing) -> Result<Screen, Error> {
    let wanted = router.host.wanted_screen();
    Ok(Screen {
        from_link: wanted.as_ref().is_some_and(|wanted| wanted.from_link),
        path: wanted.map(|wanted| wanted.path),
    })
}

pub(crate) async fn pick(router: &Arc<Router>, what: PickWhat) -> Result<Picked, Error> {
    router
        .blocking(move |router| {
            let path = router.host.pick(&what);
            if matches!(what, PickWhat::Save { .. }) {
                router.name(path.clone());
            }
            Ok(Picked { path })
        })
        .await
}

pub(crate) async fn open(router: &Arc<Router>, target: Target) -> Result<Nothing, Error> {
    router
        .blocking(move |router| {
            let opened = match &target {
                Target::Folder { place } => {
                    let home = router.desktop().service().home();
                    let folder = match place {
                        Place::Logs => home.logs_dir(),
                        Place::Backups => home.backups_dir(),
                        Place::Home => home.root().to_owned(),
                    };
                    if !folder.is_dir() {
                        return Err(Error::new(ErrorCode::NotFound, said::nothing_written(&folder)));
                    }
                    router.host.open_folder(&folder)
                }
                Target::Address { url } if is_web(url) => router.host.open_address(url),
                Target::Address { url } => {
                    return Err(Error::invalid(said::no_web_address(format!("{url:?}"))));
                }
            };
            opened.map(|()| Nothing {}).map_err(|reason| Error::new(ErrorCode::Failed, reason))
        })
        .await
}

/// An address that a browser opens as a page, without room for anything else in it.
fn is_web(url: &str) -> bool {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/') && url.len() <= 4_096)
        && !url.chars().any(|c| c.is_control() || c.is_whitespace())
}

pub(crate) async fn autostart(router: &Arc<Router>, wanted: Toggle) -> Result<Autostart, Error> {
    router
        .blocking(move |router| {
            router.host.set_autostart(wanted.on).map_err(|reason| Error::new(ErrorCode::Failed, reason))?;
            Ok(Autostart { on: router.host.autostart() })
        })
        .await
}

pub(crate) async fn quit(router: &Arc<Router>, _: Nothing) -> Result<Nothing, Error> {
    router.host.quit();
    Ok(Nothing {})
}

#[cfg(test)]
mod tests {
    use super::is_web;

    #[test]
    fn only_plain_web_addresses_are_opened() {
        for good in ["https://example.org/a?b#c", "http://127.0.0.1:8080/"] {
            assert!(is_web(good), "{good}");
        }
        for bad in [
            "",
            "file:///etc/passwd",
            "javascript:alert(1)",
            "https://",
            "https:///x",
            "https://a b",
            "https://a\nb",
            "HTTPS:x",
        ] {
            assert!(!is_web(bad), "{bad}");
        }
    }
}

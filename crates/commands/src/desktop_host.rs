//! Commands that only the desktop can carry out, through [`crate::Host`].

use std::sync::Arc;

use contract::desktop::{
    Autostart, HostView, Nothing, PageFault, PickWhat, Picked, Place, SavePicture, Screen, Target, Toggle,
};
use contract::{Error, ErrorCode, LowerError as _, joined};

use crate::{Router, messages};

pub(crate) async fn host(router: &Arc<Router>, _: Nothing) -> Result<HostView, Error> {
    router
        .blocking(|router| {
            let host = &router.host;
            let screens = system::screens(router.desktop().service().systems_now());
            Ok(HostView {
                kind: host.kind().to_owned(),
                system: std::env::consts::OS.to_owned(),
                tray: host.tray(),
                autostart: host.autostart(),
                locale: host.locale(),
                user_home: home::as_text(router.desktop().service().env().home_dir()).into_owned(),
                packaged: host.packaged(),
                crash: host.crash().map(|file| home::as_text(&file).into_owned()),
                screens: screens.into_iter().map(|screen| screen.name.to_owned()).collect(),
            })
        })
        .await
}

pub(crate) async fn wanted_screen(router: &Arc<Router>, _: Nothing) -> Result<Screen, Error> {
    let request = router.host.wanted_screen();
    Ok(Screen {
        from_link: request.as_ref().is_some_and(|request| request.from_link),
        path: request.map(|request| request.path),
    })
}

pub(crate) async fn pick(router: &Arc<Router>, what: PickWhat) -> Result<Picked, Error> {
    router
        .blocking(move |router| {
            let path = router.host.pick(&what);
            if let Some(odd) = path.as_deref().filter(|path| path.to_str().is_none()) {
                return Err(Error::invalid(messages::not_utf8(odd)));
            }
            if matches!(what, PickWhat::Save { .. }) {
                router.allow_save(path.clone());
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
                        return Err(Error::new(ErrorCode::NotFound, messages::nothing_written(&folder)));
                    }
                    router.host.open_folder(&folder)
                }
                Target::Source { project, source } => {
                    let path = router.desktop().source_file(project, *source)?;
                    router.host.open_folder(openable(&path))
                }
                Target::Address { url } if is_web(url) => router.host.open_address(url),
                Target::Address { url } => {
                    return Err(Error::invalid(messages::no_web_address(format!("{url:?}"))));
                }
            };
            opened.map(|()| Nothing {}).map_err(|reason| Error::new(ErrorCode::Failed, reason))
        })
        .await
}

/// Whether this is a plain web address that a browser opens as a page.
fn is_web(url: &str) -> bool {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/') && url.len() <= 4_096)
        && !url.chars().any(|c| c.is_control() || c.is_whitespace())
}

pub(crate) async fn autostart(router: &Arc<Router>, request: Toggle) -> Result<Autostart, Error> {
    router
        .blocking(move |router| {
            router.host.set_autostart(request.on).map_err(|reason| Error::new(ErrorCode::Failed, reason))?;
            Ok(Autostart { on: router.host.autostart() })
        })
        .await
}

/// Size limit of a picture, in bytes.
const MAX_PICTURE: usize = 8_000_000;

pub(crate) async fn save_picture(router: &Arc<Router>, picture: SavePicture) -> Result<Nothing, Error> {
    router
        .blocking(move |router| {
            router.check_save_target(&picture.path)?;
            if picture.bytes.len() > MAX_PICTURE || !picture.bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
                return Err(Error::invalid(messages::no_picture()));
            }
            std::fs::write(&picture.path, &picture.bytes).map_err(|error| {
                Error::new(ErrorCode::Storage, joined::about(&picture.path, error.message()))
            })?;
            Ok(Nothing {})
        })
        .await
}

/// Extensions of files that the system would run rather than show.
const EXECUTABLE_EXTENSIONS: [&str; 22] = [
    "app", "appimage", "bat", "cmd", "com", "command", "cpl", "desktop", "exe", "hta", "jar", "js", "jse",
    "lnk", "msi", "ps1", "reg", "scr", "vbe", "vbs", "workflow", "wsf",
];

/// Extensions of scripts and of what else an installed program runs when it's opened.
const SCRIPT_EXTENSIONS: [&str; 27] = [
    "bash", "chm", "csh", "fish", "inf", "ksh", "lua", "msc", "php", "pif", "pl", "py", "pyc", "pyw", "pyz",
    "pyzw", "rb", "scf", "sh", "tcl", "terminal", "tool", "url", "vb", "ws", "wsh", "zsh",
];

/// Windows and macOS hand a script to its interpreter; a Linux desktop shows it as the text it is.
const SCRIPTS_RUN: bool = cfg!(any(windows, target_os = "macos"));

/// What to open for a file: the file, or its folder if opening would run it.
fn openable(path: &std::path::Path) -> &std::path::Path {
    openable_where(path, SCRIPTS_RUN)
}

fn openable_where(path: &std::path::Path, scripts_run: bool) -> &std::path::Path {
    // What a symlink points to decides as well: the system follows it, whatever it's called.
    let real = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let runs = would_run(path, scripts_run) || would_run(&real, scripts_run);
    path.parent().filter(|_| runs).unwrap_or(path)
}

/// Whether the system would run what is called so.
fn would_run(path: &std::path::Path, scripts_run: bool) -> bool {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    let is_one_of = |list: &[&str]| extension.as_deref().is_some_and(|extension| list.contains(&extension));
    let script = is_one_of(&SCRIPT_EXTENSIONS) || (extension.is_none() && may_be_run(path));
    is_one_of(&EXECUTABLE_EXTENSIONS) || (scripts_run && script)
}

/// Whether it's a file that its permissions allow to run; without an extension, macOS starts it in a terminal.
#[cfg(unix)]
fn may_be_run(path: &std::path::Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn may_be_run(_path: &std::path::Path) -> bool {
    false
}

pub(crate) async fn page_fault(router: &Arc<Router>, fault: PageFault) -> Result<Nothing, Error> {
    router
        .blocking(move |router| {
            router.host.log(&service::desktop::fault_line(&fault));
            Ok(Nothing {})
        })
        .await
}

pub(crate) async fn quit(router: &Arc<Router>, _: Nothing) -> Result<Nothing, Error> {
    router.host.quit();
    Ok(Nothing {})
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{is_web, openable, openable_where};

    #[test]
    fn a_file_that_would_run_is_shown_in_its_folder() {
        for (path, opened) in [
            ("/w/notes.md", "/w/notes.md"),
            ("/w/Makefile", "/w/Makefile"),
            ("/w/setup.EXE", "/w"),
            ("/w/tool.desktop", "/w"),
            ("/w/build.ps1", "/w"),
        ] {
            assert_eq!(openable(Path::new(path)), Path::new(opened), "{path}");
        }
    }

    #[test]
    fn a_script_is_shown_in_its_folder_where_the_system_would_run_it() {
        for script in ["/w/deploy.py", "/w/deploy.PYW", "/w/deploy.sh", "/w/deploy.rb", "/w/a.terminal"] {
            assert_eq!(openable_where(Path::new(script), true), Path::new("/w"), "{script}");
            assert_eq!(openable_where(Path::new(script), false), Path::new(script), "{script}");
        }
        for text in ["/w/notes.md", "/w/Makefile", "/w/main.rs", "/w/py"] {
            assert_eq!(openable_where(Path::new(text), true), Path::new(text), "{text}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_program_without_an_extension_is_shown_in_its_folder_too() {
        let folder = Path::new("/bin");
        let program = Path::new("/bin/sh");
        assert_eq!(openable_where(program, true), folder);
        assert_eq!(openable_where(program, false), program);
        assert_eq!(openable_where(folder, true), folder, "a folder isn't one");
    }

    #[cfg(unix)]
    #[test]
    fn a_symlink_is_shown_in_its_folder_where_it_points_to_what_would_run() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path();
        let link = |name: &str, to: &str| {
            std::fs::write(folder.join(to), "x").unwrap();
            std::os::unix::fs::symlink(folder.join(to), folder.join(name)).unwrap();
            folder.join(name)
        };
        let program = link("notes.md", "tool.desktop");
        std::os::unix::fs::symlink(&program, folder.join("more.md")).unwrap();
        for path in [program, folder.join("more.md")] {
            assert_eq!(openable_where(&path, false), folder, "{}", path.display());
            assert_eq!(openable_where(&path, true), folder, "{}", path.display());
        }
        let script = link("plan.md", "deploy.py");
        assert_eq!(openable_where(&script, true), folder);
        assert_eq!(openable_where(&script, false), script, "an editor opens it");
        let text = link("readme.md", "other.md");
        assert_eq!(openable_where(&text, true), text);
        std::os::unix::fs::symlink(folder.join("gone.exe"), folder.join("lost.md")).unwrap();
        assert_eq!(
            openable_where(&folder.join("lost.md"), true),
            folder.join("lost.md"),
            "there's nothing to run"
        );
    }

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

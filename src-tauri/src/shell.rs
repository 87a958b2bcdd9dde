//! Builds the program: plugins, the one command, the shared state, and what happens when windows close. The only file
//! that knows how the toolkit is built, so that upgrading it affects one file.

use std::sync::Arc;
#[cfg(target_os = "linux")]
use std::sync::atomic::AtomicI32;
use std::sync::atomic::{AtomicBool, Ordering};

use commands::Router;
use service::Service;
use tauri::webview::PermissionResponse;
use tauri::{App, AppHandle, Manager, RunEvent, Runtime, WindowEvent};
use tauri_plugin_deep_link::DeepLinkExt;
#[cfg(target_os = "linux")]
use tauri_plugin_dialog::{DialogExt, MessageDialogKind};
use tauri_plugin_log::{Target, TargetKind, fern};
use tauri_plugin_window_state::StateFlags;

use crate::host::Desktop;
use crate::shared::{ScreenRequest, Shell, wake_up};
use crate::{bridge, deep_link, logging, sidecar, texts, tray, windows};

/// The argument for starting at login, without a window.
pub(crate) const TRAY: &str = "--tray";

/// What this process does.
#[cfg(target_os = "linux")]
pub(crate) enum Role {
    /// It shows the tray.
    Tray(Tray),
    /// It is the window's own process, connected to the tray's.
    Window(std::os::unix::net::UnixStream),
}

/// What the tray's process has when the toolkit starts.
#[cfg(target_os = "linux")]
pub(crate) struct Tray {
    /// The claim to be the only instance, and what other starts ask; `None` if the system doesn't allow that.
    pub(crate) only: Option<(crate::instance::Claim, crate::instance::Requests)>,
    /// The window's process, which may have been started already, and its ends.
    pub(crate) apart: windows::apart::Apart,
    pub(crate) ends: std::sync::mpsc::Receiver<windows::apart::End>,
}

/// What this process does: it shows both the tray and the window. `silent` starts without a window.
#[cfg(not(target_os = "linux"))]
pub(crate) struct Role {
    pub(crate) silent: bool,
}

impl Role {
    /// Whether the window is in this process.
    fn has_window(&self) -> bool {
        #[cfg(target_os = "linux")]
        return matches!(self, Self::Window(_));
        #[cfg(not(target_os = "linux"))]
        true
    }
}

/// Runs until the user quits.
///
/// # Errors
/// If the toolkit can't start.
pub(crate) fn run(service: Arc<Service>, role: Role) -> tauri::Result<i32> {
    let context = tauri::generate_context!();
    let updates = context.config().plugins.0.contains_key("updater");
    let app = builder(tauri::Builder::default(), service, role, updates).build(context)?;
    Ok(app.run_return(on_event))
}

/// Builds the program for any runtime. `updates` is whether a release server is configured.
fn builder<R: Runtime>(
    empty: tauri::Builder<R>,
    service: Arc<Service>,
    role: Role,
    updates: bool,
) -> tauri::Builder<R> {
    // Only the Rust side uses the plugins; the page has none of their permissions.
    #[cfg(not(target_os = "linux"))]
    let empty = empty.plugin(tauri_plugin_single_instance::init(|app, arguments, _folder| {
        on_second_start(app, &arguments)
    }));
    let mut builder = empty
        .plugin(log(&service))
        .plugin(tauri_plugin_deep_link::init())
        .plugin(tauri_plugin_shell::init())
        .plugin(tauri_plugin_opener::init())
        .plugin(tauri_plugin_dialog::init())
        .plugin(tauri_plugin_notification::init())
        .plugin(tauri_plugin_autostart::Builder::new().arg(TRAY).app_name("Plimsoll").build());
    // When it ends it saves what it knew of a window, so a process without one would undo what was saved since.
    if role.has_window() {
        let kept = StateFlags::SIZE | StateFlags::POSITION | StateFlags::MAXIMIZED;
        builder = builder.plugin(tauri_plugin_window_state::Builder::new().with_state_flags(kept).build());
    }
    if updates {
        builder = builder.plugin(tauri_plugin_updater::Builder::new().build());
    }
    builder
        // The page needs no camera, location or notifications of its own.
        .on_permission_request(|_, _| PermissionResponse::Deny)
        .invoke_handler(tauri::generate_handler![bridge::call])
        .setup(move |app| {
            set_up(app, service, role);
            Ok(())
        })
        .on_window_event(|window, event| {
            if matches!(event, WindowEvent::Destroyed) {
                windows::here::closed(window.app_handle());
            }
        })
}

fn log<R: Runtime>(service: &Service) -> tauri::plugin::TauriPlugin<R> {
    let level = service.env().var("PLIMSOLL_LOG").and_then(|level| level.parse().ok());
    let home = service.home().clone();
    // Resolved for every line: the folder may appear or disappear while the program runs.
    let write = fern::Dispatch::new()
        .chain(fern::Output::call(move |record| logging::write(&home, &record.args().to_string())));
    tauri_plugin_log::Builder::new()
        .clear_targets()
        .target(Target::new(TargetKind::Dispatch(write)))
        .level(level.unwrap_or(log::LevelFilter::Warn))
        .level_for("plimsoll_desktop", level.unwrap_or(log::LevelFilter::Info))
        .build()
}

#[cfg(target_os = "linux")]
fn set_up<R: Runtime>(app: &mut App<R>, service: Arc<Service>, role: Role) {
    let (wake_up, woken) = wake_up();
    let handle = app.handle().clone();
    let (in_tray, screen_request) = (AtomicBool::new(false), ScreenRequest::default());
    let exit_code = AtomicI32::new(0);
    let Tray { only, apart, ends } = match role {
        Role::Tray(tray) => tray,
        Role::Window(tray) => {
            manage(app, Shell { service, screen_request, apart: None, exit_code, in_tray, wake_up });
            std::thread::spawn(move || windows::here::serve(&handle, &tray));
            return;
        }
    };
    manage(app, Shell { service, screen_request, apart: Some(apart), exit_code, in_tray, wake_up });
    let attended = handle.clone();
    std::thread::spawn(move || {
        for end in ends {
            on_window_end(&attended, end);
        }
    });
    follow_links(app);
    tray::start(&handle, woken);
    tauri::async_runtime::spawn(sidecar::update_launcher(handle));
    listen(app.handle(), only);
}

#[cfg(not(target_os = "linux"))]
fn set_up<R: Runtime>(app: &mut App<R>, service: Arc<Service>, role: Role) {
    #[cfg(target_os = "macos")]
    app.set_activation_policy(tauri::ActivationPolicy::Accessory);
    let (wake_up, woken) = wake_up();
    let in_tray = AtomicBool::new(false);
    manage(app, Shell { service, screen_request: ScreenRequest::default(), in_tray, wake_up });
    let followed = follow_links(app);
    let handle = app.handle().clone();
    if !role.silent && !followed {
        windows::open(&handle, None);
    }
    tray::start(&handle, woken);
    tauri::async_runtime::spawn(sidecar::update_launcher(handle));
}

/// Shares the state, and the router that serves the window and the tray.
fn manage<R: Runtime>(app: &App<R>, shell: Shell) {
    let service = Arc::clone(&shell.service);
    app.manage(shell);
    app.manage(Router::new(service, Arc::new(Desktop::new(app.handle().clone()))));
}

/// Follows the links that this start was given, and later ones. Returns whether there were any.
fn follow_links<R: Runtime>(app: &App<R>) -> bool {
    let handle = app.handle().clone();
    let links = app.deep_link().get_current().ok().flatten().unwrap_or_default();
    for link in &links {
        follow(&handle, link.as_str());
    }
    app.deep_link().on_open_url(move |event| {
        for url in event.urls() {
            follow(&handle, url.as_str());
        }
    });
    !links.is_empty()
}

/// Handles the end of the window's process.
#[cfg(target_os = "linux")]
fn on_window_end<R: Runtime>(app: &AppHandle<R>, end: windows::apart::End) {
    use windows::apart::End;

    if end == End::Quit {
        return app.exit(0);
    }
    let shell = app.state::<Shell>();
    let in_tray = || shell.in_tray.load(Ordering::Relaxed);
    if end == End::Failed {
        let texts = texts::texts(app);
        let message = texts.get("tray.page.ended");
        if in_tray() {
            texts::tell(app, "Plimsoll", message);
        } else {
            // A notification may go with the process that sent it, and this one ends.
            app.dialog().message(message).title("Plimsoll").kind(MessageDialogKind::Error).blocking_show();
        }
    }
    // Without a tray there would be no way back to the window, and nothing left to do. Another start may have asked for a
    // window since.
    if !in_tray() && !shell.apart.as_ref().is_some_and(windows::apart::Apart::running) {
        return app.exit(0);
    }
    // Actions in the window may affect the tray.
    shell.wake_up.now();
}

/// Starts handling other starts, including those since the claim.
#[cfg(target_os = "linux")]
fn listen<R: Runtime>(app: &AppHandle<R>, only: Option<(crate::instance::Claim, crate::instance::Requests)>) {
    let Some((claim, requests)) = only else { return };
    let handle = app.clone();
    std::thread::spawn(move || {
        for arguments in requests {
            handle.deep_link().handle_cli_arguments(arguments.iter());
            on_second_start(&handle, &arguments);
        }
    });
    // The toolkit releases it just before the program ends or restarts itself.
    app.resources_table().add(claim);
}

/// Handles a second start of the program.
fn on_second_start<R: Runtime>(app: &AppHandle<R>, arguments: &[String]) {
    if opens_window(arguments.get(1..).unwrap_or_default()) {
        windows::open(app, None);
    }
}

/// Whether a start with these arguments opens the window. At login it doesn't, nor with a link, which the deep-link plugin
/// passes on: only one without other arguments.
pub(crate) fn opens_window(arguments: &[String]) -> bool {
    let link = matches!(arguments, [only] if deep_link::is_link(only));
    !link && !arguments.iter().any(|word| word == TRAY)
}

fn follow<R: Runtime>(app: &AppHandle<R>, link: &str) {
    match deep_link::screen(link) {
        Ok(path) => windows::open(app, Some(commands::RequestedScreen { path, from_link: true })),
        Err(refused) => {
            log::warn!("a link was not followed: {refused}");
            let words = texts::texts(app);
            let told = words.fill("tray.link.refused", &[("reason", &refused.text(&words))]);
            texts::tell(app, "Plimsoll", &told);
        }
    }
}

fn on_event<R: Runtime>(app: &AppHandle<R>, event: RunEvent) {
    match event {
        // The window was closed; without a code nobody asked to quit.
        #[cfg(target_os = "linux")]
        RunEvent::ExitRequested { code: None, api, .. } => {
            api.prevent_exit();
            windows::here::end_when_idle(app);
        }
        // Without a tray there would be no way back to the window, and nothing left to do.
        #[cfg(not(target_os = "linux"))]
        RunEvent::ExitRequested { code: None, api, .. }
            if app.state::<Shell>().in_tray.load(Ordering::Relaxed) || windows::here::never_opened(app) =>
        {
            api.prevent_exit();
        }
        #[cfg(target_os = "macos")]
        RunEvent::Reopen { has_visible_windows: false, .. } => windows::open(app, None),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::opens_window;

    #[test]
    fn a_start_opens_the_window_unless_it_is_at_login_or_its_link_is_followed() {
        let opens = |arguments: &[&str]| {
            opens_window(&arguments.iter().map(|&word| word.to_owned()).collect::<Vec<String>>())
        };
        for arguments in [&["--tray"][..], &["plimsoll://settings"], &["PLIMSOLL://settings"], &["plimsoll:"]]
        {
            assert!(!opens(arguments), "{arguments:?}");
        }
        // The plugin follows none of these.
        for arguments in
            [&[][..], &["plimsoll://settings", "more"], &["plimsoll://[x"], &["https://plimsoll.dev"]]
        {
            assert!(opens(arguments), "{arguments:?}");
        }
    }
}

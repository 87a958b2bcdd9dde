//! Builds the program: plugins, the one command, the shared state, and what happens when windows close. The only file
//! that knows how the toolkit is built, so that upgrading it affects one file.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use commands::Router;
use service::Service;
use tauri::webview::PermissionResponse;
use tauri::{App, AppHandle, Manager, RunEvent, Runtime, WindowEvent};
use tauri_plugin_deep_link::DeepLinkExt;
use tauri_plugin_log::{Target, TargetKind, fern};
use tauri_plugin_window_state::StateFlags;

use crate::host::Desktop;
use crate::shared::{ScreenRequest, Shell, wake_up};
use crate::{bridge, deep_link, logging, sidecar, texts, tray, windows};

/// The argument for starting at login, without a window.
pub(crate) const TRAY: &str = "--tray";

/// The claim to be the only instance: taken before the toolkit starts, if the system allows that.
#[cfg(target_os = "linux")]
type Only = Option<(crate::instance::Claim, crate::instance::Requests)>;
#[cfg(not(target_os = "linux"))]
type Only = ();

/// Runs until the user quits. `silent` starts without a window.
///
/// # Errors
/// If the toolkit can't start.
pub(crate) fn run(service: Arc<Service>, silent: bool, only: Only) -> tauri::Result<i32> {
    let context = tauri::generate_context!();
    let updates = context.config().plugins.0.contains_key("updater");
    let app = builder(tauri::Builder::default(), service, silent, only, updates).build(context)?;
    Ok(app.run_return(on_event))
}

/// Builds the program for any runtime. `updates` is whether a release server is configured.
fn builder<R: Runtime>(
    empty: tauri::Builder<R>,
    service: Arc<Service>,
    silent: bool,
    only: Only,
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
        .plugin(tauri_plugin_autostart::Builder::new().arg(TRAY).app_name("Plimsoll").build())
        .plugin(
            tauri_plugin_window_state::Builder::new()
                .with_state_flags(StateFlags::SIZE | StateFlags::POSITION | StateFlags::MAXIMIZED)
                .build(),
        );
    if updates {
        builder = builder.plugin(tauri_plugin_updater::Builder::new().build());
    }
    builder
        // The page needs no camera, location or notifications of its own.
        .on_permission_request(|_, _| PermissionResponse::Deny)
        .invoke_handler(tauri::generate_handler![bridge::call])
        .setup(move |app| {
            set_up(app, service, silent);
            listen(app.handle(), only);
            Ok(())
        })
        .on_window_event(|window, event| {
            if matches!(event, WindowEvent::Destroyed) {
                windows::closed(window.app_handle());
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

fn set_up<R: Runtime>(app: &mut App<R>, service: Arc<Service>, silent: bool) {
    #[cfg(target_os = "macos")]
    app.set_activation_policy(tauri::ActivationPolicy::Accessory);
    let handle = app.handle().clone();
    let (wake_up, woken) = wake_up();
    app.manage(Shell {
        service: Arc::clone(&service),
        screen_request: ScreenRequest::default(),
        in_tray: AtomicBool::new(false),
        wake_up,
    });
    app.manage(Router::new(service, Arc::new(Desktop::new(handle.clone()))));

    let linked = handle.clone();
    app.deep_link().on_open_url(move |event| {
        for url in event.urls() {
            follow(&linked, url.as_str());
        }
    });
    let links = app.deep_link().get_current().ok().flatten().unwrap_or_default();
    for link in &links {
        follow(&handle, link.as_str());
    }
    if !silent && links.is_empty() {
        windows::open(&handle, None);
    }
    tray::start(&handle, woken);
    tauri::async_runtime::spawn(sidecar::update_launcher(handle));
}

/// Starts handling other starts, including those since the claim.
#[cfg(target_os = "linux")]
fn listen<R: Runtime>(app: &AppHandle<R>, only: Only) {
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

#[cfg(not(target_os = "linux"))]
fn listen<R: Runtime>(_app: &AppHandle<R>, (): Only) {}

/// Handles a second start of the program.
fn on_second_start<R: Runtime>(app: &AppHandle<R>, arguments: &[String]) {
    // The deep-link plugin passes links on.
    let rest = arguments.get(1..).unwrap_or_default();
    if !rest.iter().any(|word| word == TRAY || word.starts_with("plimsoll:")) {
        windows::open(app, None);
    }
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
        // The last window was closed; without a code nobody asked to quit. Without a tray there would be no way back
        // to the window, and nothing left to do.
        RunEvent::ExitRequested { code: None, api, .. }
            if app.state::<Shell>().in_tray.load(Ordering::Relaxed) || windows::never_opened(app) =>
        {
            api.prevent_exit();
        }
        #[cfg(target_os = "macos")]
        RunEvent::Reopen { has_visible_windows: false, .. } => windows::open(app, None),
        _ => {}
    }
}

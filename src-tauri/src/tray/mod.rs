//! The tray: an icon, a menu, and labels that change in place while it is open.
//!
//! The icon can't be created where the desktop has no place for it; the program then works without, and retries now
//! and then, because at login the panel may start later.

mod announce;
mod menu;
mod numbers;
mod state;
mod watch;

use commands::RequestedScreen;
use contract::Error;
use tauri::menu::{IsMenuItem, Menu, MenuItem, PredefinedMenuItem, Submenu};
use tauri::tray::{MouseButton, MouseButtonState, TrayIcon, TrayIconBuilder, TrayIconEvent};
use tauri::{AppHandle, Manager, Runtime};

use crate::shared::Shell;
use crate::texts::{tell, texts};
use crate::{updates, windows};
use menu::{Entry, Id, Line};
use numbers::Zone;
use state::State;
pub(crate) use watch::start;

/// One hour in milliseconds.
const HOUR_MS: i64 = 3_600_000;

/// A line of the toolkit's menu with its current label.
struct LabelledItem<R: Runtime> {
    line: Line,
    item: Item<R>,
}

enum Item<R: Runtime> {
    Line(MenuItem<R>),
    Group(Submenu<R>),
}

/// The menu, and the icon once there is a place for it.
struct Tray<R: Runtime> {
    app: AppHandle<R>,
    menu: Menu<R>,
    shown: Vec<LabelledItem<R>>,
    icon: Option<TrayIcon<R>>,
    state: State,
    /// Whether the missing place was reported.
    missing_told: bool,
}

impl<R: Runtime> Tray<R> {
    /// Builds the menu; nothing is shown yet.
    fn new(app: &AppHandle<R>, entries: &[Entry], state: State) -> tauri::Result<Self> {
        let menu = Menu::new(app)?;
        let mut shown = Vec::new();
        for entry in entries {
            match entry {
                Entry::Line(line) => {
                    let item = item(app, line)?;
                    menu.append(&item)?;
                    shown.push(LabelledItem { line: line.clone(), item: Item::Line(item) });
                }
                Entry::Group(line, inner) => {
                    let group = Submenu::with_id(app, line.id.name(), escaped(&line.label), line.enabled)?;
                    for line in inner {
                        let item = item(app, line)?;
                        group.append(&item as &dyn IsMenuItem<R>)?;
                        shown.push(LabelledItem { line: line.clone(), item: Item::Line(item) });
                    }
                    menu.append(&group)?;
                    shown.push(LabelledItem { line: line.clone(), item: Item::Group(group) });
                }
                Entry::Rule => menu.append(&PredefinedMenuItem::separator(app)?)?,
            }
        }
        Ok(Self { app: app.clone(), menu, shown, icon: None, state, missing_told: false })
    }

    /// Shows the icon if the desktop has a place for it.
    fn show(&mut self) {
        let mut icon = TrayIconBuilder::with_id("plimsoll");
        // macOS shows the title beside the icon.
        if !cfg!(target_os = "macos") {
            icon = icon.title("Plimsoll");
        }
        let built = icon
            .icon(self.state.picture())
            .icon_as_template(true)
            .tooltip(texts(&self.app).get("tray.tooltip"))
            .menu(&self.menu)
            .show_menu_on_left_click(false)
            .on_menu_event(|app, event| {
                if let Some(id) = Id::from_name(event.id().as_ref()) {
                    on_choice(app, id);
                }
            })
            .on_tray_icon_event(|icon, event| {
                if let TrayIconEvent::Click {
                    button: MouseButton::Left,
                    button_state: MouseButtonState::Up,
                    ..
                } = event
                {
                    windows::open(icon.app_handle(), None);
                }
            })
            .build(&self.app);
        match built {
            Ok(icon) => self.icon = Some(icon),
            // Retried again and again, but reported once.
            Err(error) if !self.missing_told => {
                log::info!("there is no tray here ({error}); the window works without");
                self.missing_told = true;
            }
            Err(_) => {}
        }
        windows::tray_shows(&self.app, self.icon.is_some());
    }

    /// Changes only what is different, so that an open menu stays open.
    fn update(&mut self, entries: &[Entry], state: State) -> tauri::Result<()> {
        for line in entries.iter().flat_map(Entry::lines) {
            let Some(shown) = self.shown.iter_mut().find(|shown| shown.line.id == line.id) else { continue };
            if shown.line.label != line.label {
                match &shown.item {
                    Item::Line(item) => item.set_text(escaped(&line.label))?,
                    Item::Group(group) => group.set_text(escaped(&line.label))?,
                }
            }
            if shown.line.enabled != line.enabled {
                match &shown.item {
                    Item::Line(item) => item.set_enabled(line.enabled)?,
                    Item::Group(group) => group.set_enabled(line.enabled)?,
                }
            }
            shown.line = line.clone();
        }
        if self.state != state {
            self.state = state;
            if let Some(icon) = &self.icon {
                icon.set_icon_with_as_template(Some(state.picture()), true)?;
            }
        }
        Ok(())
    }
}

fn item<R: Runtime>(app: &AppHandle<R>, line: &Line) -> tauri::Result<MenuItem<R>> {
    MenuItem::with_id(app, line.id.name(), escaped(&line.label), line.enabled, None::<&str>)
}

/// A label without keyboard mnemonics; a folder may be called `a&b`.
fn escaped(label: &str) -> String {
    label.replace('&', "&&")
}

/// Handles the choice of a line.
fn on_choice<R: Runtime>(app: &AppHandle<R>, id: Id) {
    let screen =
        |path: &str| windows::open(app, Some(RequestedScreen { path: path.to_owned(), from_link: false }));
    match id {
        Id::Home => screen("home"),
        Id::Agents => screen("agents"),
        Id::Memory => screen("memory"),
        Id::Open => windows::open(app, None),
        Id::Search => screen("knowledge?q="),
        Id::Doctor => screen("settings/doctor"),
        Id::Settings => screen("settings"),
        Id::PurgeEverything => screen("purge"),
        Id::Quit => app.exit(0),
        Id::Updates => {
            tauri::async_runtime::spawn(updates::look(app.clone()));
        }
        // These open their submenus.
        Id::Pause | Id::Purge => {}
        Id::PurgeProject | Id::PauseHour | Id::PauseTomorrow | Id::PauseProject | Id::Resume => {
            let app = app.clone();
            // These read and write files.
            tauri::async_runtime::spawn_blocking(move || {
                let done = if id == Id::PurgeProject { purge_project(&app) } else { pause(&app, id) };
                if let Err(error) = done {
                    let texts = texts(&app);
                    tell(&app, texts.get("tray.failed.title"), &texts.say(&error.message));
                }
            });
        }
    }
}

/// Opens the screen that asks; nothing is deleted here.
fn purge_project<R: Runtime>(app: &AppHandle<R>) -> Result<(), Error> {
    let Some(root) = watch::overview(app)?.project else { return Ok(()) };
    let service = &app.state::<Shell>().service;
    if let Some(project) = home::Project::find(&[root], service.env()) {
        // The window identifies projects by their folder names below `projects/`.
        let key = service.home().project(&project);
        let key = key.file_name().unwrap_or_default().to_string_lossy();
        let key: String = url::form_urlencoded::byte_serialize(key.as_bytes()).collect();
        windows::open(app, Some(RequestedScreen { path: format!("purge?project={key}"), from_link: false }));
    }
    Ok(())
}

fn pause<R: Runtime>(app: &AppHandle<R>, id: Id) -> Result<(), Error> {
    let shell = app.state::<Shell>();
    let now = shell.service.now_ms();
    match id {
        Id::PauseHour => shell.service.pause_until(now.saturating_add(HOUR_MS))?,
        Id::PauseTomorrow => shell.service.pause_until(Zone::system().tomorrow(now))?,
        Id::Resume => shell.service.pause_until(0)?,
        _ => {
            let overview = watch::overview(app)?;
            if let Some(project) = overview.project {
                let paused = overview.paused_projects.contains(&project);
                let until_ms = if paused { 0 } else { now.saturating_add(HOUR_MS) };
                shell.service.pause_project(&project, until_ms)?;
            }
        }
    }
    shell.wake_up.now();
    Ok(())
}

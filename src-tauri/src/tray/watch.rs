//! Notices changes and updates the labels. Checks a few files' times every two seconds. If only the record differs,
//! one query updates the label; if anything else does, or once a minute, everything is read. The cost is negligible,
//! and no database is kept open.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use commands::Router;
use contract::desktop::Overview;
use contract::{Error, ErrorCode};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tauri::{AppHandle, Manager, Runtime};

use super::Tray;
use super::announce;
use super::menu::{self, Entry};
use super::numbers::Zone;
use super::state::State;
use crate::shared::Shell;
use crate::texts::{locale, tell, texts};
use crate::windows;

/// How often to check for changes.
const CHECK_EVERY: Duration = Duration::from_secs(2);

/// How often everything is read although none of Plimsoll's files changed: agents' files do, and so does the day.
const READ_EVERY: Duration = Duration::from_secs(60);

/// How long after the start, and then how often, a place for the icon is searched again.
const ICON_RETRY: Duration = Duration::from_secs(10);

/// Starts watching, and shows the tray if there is one.
pub(crate) fn start<R: Runtime>(app: &AppHandle<R>, woken: Receiver<()>) {
    let app = app.clone();
    let watcher = std::thread::Builder::new().name("tray".into()).spawn(move || watch(&app, &woken));
    if let Err(error) = watcher {
        log::error!("the tray's watcher could not be started: {error}");
    }
}

fn watch<R: Runtime>(app: &AppHandle<R>, woken: &Receiver<()>) {
    // Before the figures are read, so that no change in between is missed.
    let mut stamps = pulses(app);
    let first = read_overview(app);
    let mut tray = match Tray::new(app, &entries(app, first.as_ref()), state(first.as_ref())) {
        Ok(tray) => tray,
        Err(error) => return log::error!("the tray's menu could not be made: {error}"),
    };
    tray.show();
    announce(app, first.as_ref());
    if first.as_ref().is_some_and(|overview| overview.agents.connected > 0) {
        ask_agents(app);
    }
    let mut last = first;
    let (mut looked, mut tried) = (Instant::now(), Instant::now());
    let mut worked = true;
    loop {
        let woken = match woken.recv_timeout(CHECK_EVERY) {
            Ok(()) => true,
            Err(RecvTimeoutError::Timeout) => false,
            Err(RecvTimeoutError::Disconnected) => return,
        };
        if tray.icon.is_none() && tried.elapsed() >= ICON_RETRY {
            tray.show();
            tried = Instant::now();
        }
        let newest = pulses(app);
        let changed = newest != stamps;
        if !changed && !woken && looked.elapsed() < READ_EVERY {
            if std::mem::take(&mut worked) {
                service::give_back_memory();
            }
            continue;
        }
        worked = true;
        // A call was written: only the label's number differs.
        let only_record = newest[1] == stamps[1] && !woken && looked.elapsed() < READ_EVERY;
        stamps = newest;
        if !only_record || !update_kept(app, last.as_mut()) {
            looked = Instant::now();
            last = read_overview(app);
        }
        let overview = &last;
        if let Err(error) = tray.update(&entries(app, overview.as_ref()), state(overview.as_ref())) {
            log::warn!("the tray could not be brought up to date: {error}");
        }
        announce(app, overview.as_ref());
        if changed {
            windows::changed(app);
        }
    }
}

/// Asks the agents' programs once, in the background: only they know about a missing approval. The answers are cached
/// for the next overview.
fn ask_agents<R: Runtime>(app: &AppHandle<R>) {
    let app = app.clone();
    std::thread::spawn(move || {
        let asked: Result<Value, Error> = call(&app, "agents", json!({"thorough": true}));
        match asked {
            Ok(_) => app.state::<Shell>().wake_up.now(),
            Err(error) => log::info!("the agents could not be asked: {}", error.message),
        }
    });
}

/// Notifies what begins to need attention, unless the user switched that off or hasn't set Plimsoll up.
fn announce<R: Runtime>(app: &AppHandle<R>, overview: Option<&Overview>) {
    let service = &app.state::<Shell>().service;
    let Some(overview) = overview.filter(|overview| !overview.first_run) else { return };
    let told = announce::read_notified(service.home());
    let wanted = home::Settings::load(service.home()).unwrap_or_default().desktop.notify;
    let (messages, now) = announce::new_notifications(overview, &told, wanted, &texts(app));
    if now != told {
        announce::save_notified(service.home(), &now);
    }
    for message in messages {
        tell(app, &message.title, &message.text);
    }
}

fn entries<R: Runtime>(app: &AppHandle<R>, overview: Option<&Overview>) -> Vec<Entry> {
    let now = app.state::<Shell>().service.now_ms();
    menu::entries(overview, &texts(app), &locale(app), now, &Zone::system())
}

fn state(overview: Option<&Overview>) -> State {
    overview.map_or(State::Normal, State::of)
}

fn read_overview<R: Runtime>(app: &AppHandle<R>) -> Option<Overview> {
    overview(app).map_err(|error| log::warn!("can't read how things are: {}", error.message)).ok()
}

/// The overview. Not on the main thread.
pub(super) fn overview<R: Runtime>(app: &AppHandle<R>) -> Result<Overview, Error> {
    let here = Zone::system().today(app.state::<Shell>().service.now_ms());
    call(app, "overview", serde_json::to_value(here).unwrap_or_default())
}

/// Numbers that change when something may have changed: in the record, and elsewhere.
fn pulses<R: Runtime>(app: &AppHandle<R>) -> [u32; 2] {
    app.state::<Arc<Router>>().desktop().pulses()
}

/// Updates today's figure and returns whether that worked: one read-only query.
fn update_kept<R: Runtime>(app: &AppHandle<R>, overview: Option<&mut Overview>) -> bool {
    let Some(overview) = overview.filter(|overview| overview.problems.is_empty()) else { return false };
    let router = app.state::<Arc<Router>>();
    let today = Zone::system().today(app.state::<Shell>().service.now_ms());
    match router.desktop().kept_since(today.since_ms) {
        Ok(sums) => {
            overview.today = sums;
            true
        }
        // Reading everything will report the problem.
        Err(_) => false,
    }
}

/// Calls one of the window's commands.
fn call<R: Runtime, T: DeserializeOwned>(app: &AppHandle<R>, name: &str, args: Value) -> Result<T, Error> {
    let router = Arc::clone(&app.state::<Arc<Router>>());
    let reply = tauri::async_runtime::block_on(router.call(name, args))?;
    serde_json::from_value(reply).map_err(|error| Error::new(ErrorCode::Internal, error.to_string()))
}

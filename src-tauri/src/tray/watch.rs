//! Notices that something changed and brings the labels up to date. Looks at a few files' times every other
//! second. Where only the record differs, one query brings the label up to date; where anything else does, or once a minute,
//! everything is read. Costs nothing to speak of, and keeps
//! no database open.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use commands::Router;
use contract::desktop::{Overview, Period};
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
use crate::windows;
use crate::words::{locale, tell, texts};

/// How often is looked whether anything changed.
const GLANCE: Duration = Duration::from_secs(2);

/// How often everything is read although no file of ours changed: agents' files do, and so does the day.
const LOOK: Duration = Duration::from_secs(60);

/// How long after the start, and then how often, a place for the icon is looked for again.
const RETRY: Duration = Duration::from_secs(10);

/// Starts watching, and shows the tray where there is one.
pub(crate) fn start<R: Runtime>(app: &AppHandle<R>, poked: Receiver<()>) {
    let app = app.clone();
    let watcher = std::thread::Builder::new().name("tray".into()).spawn(move || watch(&app, &poked));
    if let Err(error) = watcher {
        log::error!("the tray's watcher could not be started: {error}");
    }
}

fn watch<R: Runtime>(app: &AppHandle<R>, poked: &Receiver<()>) {
    // Before the figures are read, so that nothing is missed in between.
    let mut stamps = pulses(app);
    let first = look(app);
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
    loop {
        let woken = match poked.recv_timeout(GLANCE) {
            Ok(()) => true,
            Err(RecvTimeoutError::Timeout) => false,
            Err(RecvTimeoutError::Disconnected) => return,
        };
        if tray.icon.is_none() && tried.elapsed() >= RETRY {
            tray.show();
            tried = Instant::now();
        }
        let newest = pulses(app);
        let changed = newest != stamps;
        if !changed && !woken && looked.elapsed() < LOOK {
            continue;
        }
        // A call was written: the label says another number, and nothing else can differ.
        let only_record = newest[1] == stamps[1] && !woken && looked.elapsed() < LOOK;
        stamps = newest;
        if !only_record || !kept(app, last.as_mut()) {
            looked = Instant::now();
            last = look(app);
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

/// Asks the agents' programs once, in the background: only they know of an approval that is missing. What they say is
/// remembered, and the next look has it.
fn ask_agents<R: Runtime>(app: &AppHandle<R>) {
    let app = app.clone();
    std::thread::spawn(move || {
        let asked: Result<Value, Error> = ask(&app, "agents", json!({"thorough": true}));
        match asked {
            Ok(_) => app.state::<Shell>().poke.now(),
            Err(error) => log::info!("the agents could not be asked: {}", error.message),
        }
    });
}

/// Tells outside the window what begins to need somebody, unless they want none of it or have not begun with Plimsoll.
fn announce<R: Runtime>(app: &AppHandle<R>, overview: Option<&Overview>) {
    let service = &app.state::<Shell>().service;
    let Some(overview) = overview.filter(|overview| !overview.first_run) else { return };
    let told = announce::told(service.home());
    let wanted = home::Settings::load(service.home()).unwrap_or_default().desktop.notify;
    let (messages, now) = announce::news(overview, &told, wanted, &texts(app));
    if now != told {
        announce::remember(service.home(), &now);
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

fn look<R: Runtime>(app: &AppHandle<R>) -> Option<Overview> {
    overview(app).map_err(|error| log::warn!("can't read how things are: {}", error.message)).ok()
}

/// How things stand. Not on the main thread.
pub(super) fn overview<R: Runtime>(app: &AppHandle<R>) -> Result<Overview, Error> {
    let here = Period {
        since_ms: 0,
        utc_offset_min: Zone::system().offset_min(app.state::<Shell>().service.now_ms()),
    };
    ask(app, "overview", serde_json::to_value(here).unwrap_or_default())
}

/// Numbers that differ when something may have changed: in the record, and elsewhere.
fn pulses<R: Runtime>(app: &AppHandle<R>) -> [u32; 2] {
    app.state::<Arc<Router>>().desktop().pulses()
}

/// Brings the figure of today up to date, and says whether it could: one query, read-only.
fn kept<R: Runtime>(app: &AppHandle<R>, overview: Option<&mut Overview>) -> bool {
    let Some(overview) = overview.filter(|overview| overview.problems.is_empty()) else { return false };
    let router = app.state::<Arc<Router>>();
    let desktop = router.desktop();
    let today = desktop.today(Zone::system().offset_min(app.state::<Shell>().service.now_ms()));
    match desktop.kept_since(today.since_ms) {
        Ok(sums) => {
            overview.today = sums;
            true
        }
        // A look at everything says what is the matter.
        Err(_) => false,
    }
}

/// One of the commands that the window has too.
fn ask<R: Runtime, T: DeserializeOwned>(app: &AppHandle<R>, name: &str, args: Value) -> Result<T, Error> {
    let router = Arc::clone(&app.state::<Arc<Router>>());
    let reply = tauri::async_runtime::block_on(router.call(name, args))?;
    serde_json::from_value(reply).map_err(|error| Error::new(ErrorCode::Internal, error.to_string()))
}

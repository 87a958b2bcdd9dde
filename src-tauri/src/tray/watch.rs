//! Notices that something changed and brings the labels up to date. Looks at a few files' times every other
//! second; only when one differs, or once a minute, are the figures read. Costs nothing to speak of, and keeps
//! no database open.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use commands::Router;
use contract::desktop::{Overview, Period, Pulse};
use contract::{Error, ErrorCode};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tauri::{AppHandle, Manager, Runtime};

use super::announce;
use super::menu::{self, Entry};
use super::numbers::Zone;
use super::state::State;
use super::{Tray, locale, texts};
use crate::shell::Shell;
use crate::{updates, windows};

/// How often is looked whether anything changed.
const GLANCE: Duration = Duration::from_secs(2);

/// How often everything is read although no file of ours changed: agents' files do, and so does the day.
const LOOK: Duration = Duration::from_secs(60);

/// How long after the start, and then how often, a place for the icon is looked for again.
const RETRY: Duration = Duration::from_secs(10);

/// Wakes the watcher.
pub(crate) struct Poke(Sender<()>);

impl Poke {
    /// Look now.
    pub(crate) fn now(&self) {
        // Without a watcher there is nothing to bring up to date.
        let _ = self.0.send(());
    }
}

/// A way to wake the watcher, and its other end.
pub(crate) fn poke() -> (Poke, Receiver<()>) {
    let (sender, receiver) = channel();
    (Poke(sender), receiver)
}

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
    let mut stamp = pulse(app);
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
        let newest = pulse(app);
        let changed = newest != stamp;
        if !changed && !woken && looked.elapsed() < LOOK {
            continue;
        }
        (stamp, looked) = (newest, Instant::now());
        let overview = look(app);
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
        updates::tell(app, &message.title, &message.text);
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

/// A number that differs when something may have changed; `None` when it cannot be told.
fn pulse<R: Runtime>(app: &AppHandle<R>) -> Option<u32> {
    ask::<R, Pulse>(app, "pulse", json!({})).ok().map(|pulse| pulse.stamp)
}

/// One of the commands that the window has too.
fn ask<R: Runtime, T: DeserializeOwned>(app: &AppHandle<R>, name: &str, args: Value) -> Result<T, Error> {
    let router = Arc::clone(&app.state::<Arc<Router>>());
    let reply = tauri::async_runtime::block_on(router.call(name, args))?;
    serde_json::from_value(reply).map_err(|error| Error::new(ErrorCode::Internal, error.to_string()))
}

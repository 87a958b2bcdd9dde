//! The filters screen: the list with its switches, and what the filters would have kept out of past sessions.
//!
//! Owns how a scan of past sessions is cancelled. The service knows what a filter does and how it's switched.

use std::sync::atomic::Ordering;

use contract::desktop::{
    DiscoverQuery, DiscoverRow, DiscoverView, FilterLayer, FilterRow, FiltersView, SwitchFilter,
};
use contract::{Error, ErrorCode};
use filters::{GENERIC, Layer, check};
use home::Settings;

use super::Desktop;
use crate::age;
use crate::discover::{Discovered, discover};
use crate::messages;

impl Desktop {
    /// All filters, the generic one first.
    pub fn filters(&self) -> FiltersView {
        let (listed, broken) = self.service.filters();
        let settings = Settings::load(self.service.home()).unwrap_or_default();
        let generic = FilterRow {
            name: GENERIC.to_owned(),
            layer: FilterLayer::Builtin,
            commands: Vec::new(),
            on: !settings.filters.off.iter().any(|off| off == GENERIC),
            file: String::new(),
        };
        let rows = listed.into_iter().filter(|listed| listed.name != GENERIC).map(|listed| {
            let builtin = listed.layer == Layer::Builtin;
            FilterRow {
                layer: match listed.layer {
                    Layer::Builtin => FilterLayer::Builtin,
                    Layer::User => FilterLayer::User,
                    Layer::Project => FilterLayer::Project,
                },
                commands: listed.commands,
                on: !listed.off,
                // Built-in filters have no file to open.
                file: if builtin { String::new() } else { listed.file },
                name: listed.name,
            }
        });
        FiltersView { filters: std::iter::once(generic).chain(rows).collect(), broken }
    }

    /// Switches a filter off or on and returns the new list.
    ///
    /// # Errors
    /// If there is no such filter or the settings can't be written; nothing has changed then.
    pub fn switch_filter(&self, request: &SwitchFilter) -> Result<FiltersView, Error> {
        self.service.switch_filter(&request.name, request.on)?;
        Ok(self.filters())
    }

    /// Estimates what the filters would have kept out of recent sessions. Reads a lot, writes nothing and takes
    /// seconds. A second scan cancels the first.
    ///
    /// # Errors
    /// [`ErrorCode::Cancelled`] if [`Desktop::stop_discover`] or another scan cancelled it.
    pub fn discover(&self, query: DiscoverQuery) -> Result<DiscoverView, Error> {
        let mine = self.discovering.fetch_add(1, Ordering::SeqCst) + 1;
        let stopped = || self.discovering.load(Ordering::SeqCst) != mine;
        let service = &self.service;
        let since_ms = age::before(service.now_ms(), query.days);
        let set = service.filter_set();
        let found = discover(service.env(), service.home(), since_ms, &|command, exit, text| {
            // After a cancellation nothing more is filtered; the rest is skimmed.
            let shortened = if stopped() { None } else { filters::shorten(&set, command, exit, text) };
            shortened.map_or(text.len(), |done| done.with_address(Some(check::ADDRESS)).len())
        });
        if stopped() {
            return Err(Error::new(ErrorCode::Cancelled, messages::look_ended()));
        }
        Ok(discover_view(found))
    }

    /// Cancels a scan of past sessions.
    pub fn stop_discover(&self) {
        self.discovering.fetch_add(1, Ordering::SeqCst);
    }
}

fn discover_view(found: Discovered) -> DiscoverView {
    let Discovered { outputs, agents, families, problems, since_ms, .. } = found;
    DiscoverView {
        since_ms,
        transcripts: agents.iter().map(|agent| agent.sources).sum(),
        calls: outputs.calls,
        shortened: outputs.shortened,
        raw_bytes: outputs.raw_bytes,
        bytes_after: outputs.bytes_after,
        families: families
            .into_iter()
            .filter(|family| family.outputs.kept_out() > 0)
            .map(|family| DiscoverRow {
                calls: family.outputs.calls,
                raw_bytes: family.outputs.raw_bytes,
                bytes_after: family.outputs.bytes_after,
                family: family.family,
            })
            .collect(),
        problems,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use super::*;
    use crate::Service;

    fn desktop(dir: &Path) -> Desktop {
        let env = home::Env::for_test(dir).with_cwd(dir);
        Desktop::new(Arc::new(Service::new(env, home::Clock::fixed(1_800_000_000_000)).unwrap()))
    }

    fn on(view: &FiltersView, name: &str) -> Option<bool> {
        view.filters.iter().find(|row| row.name == name).map(|row| row.on)
    }

    #[test]
    fn a_filter_is_switched_off_and_on_and_the_rest_of_the_settings_stays() {
        let dir = tempfile::tempdir().unwrap();
        let desktop = desktop(dir.path());
        let view = desktop.filters();
        assert_eq!(view.filters[0].name, GENERIC);
        assert!(view.filters.len() > 20 && view.filters.iter().all(|row| row.on), "{}", view.filters.len());
        assert!(!dir.path().join(".plimsoll").exists(), "looking made a folder");
        let home = desktop.service.home();
        home.ensure().unwrap();
        std::fs::write(home.settings_path(), "# mine\n[hooks]\nrouting = false # no\n").unwrap();
        for name in [GENERIC, view.filters[1].name.as_str()] {
            let off = desktop.switch_filter(&SwitchFilter { name: name.into(), on: false }).unwrap();
            assert_eq!(on(&off, name), Some(false));
            assert_eq!(on(&desktop.filters(), name), Some(false), "what was switched is read again");
            let back = desktop.switch_filter(&SwitchFilter { name: name.into(), on: true }).unwrap();
            assert_eq!(on(&back, name), Some(true));
        }
        let text = std::fs::read_to_string(home.settings_path()).unwrap();
        assert!(text.starts_with("# mine\n[hooks]\nrouting = false # no\n"), "{text}");
        let before = std::fs::read(home.settings_path()).unwrap();
        let error = desktop.switch_filter(&SwitchFilter { name: "no-such".into(), on: false }).unwrap_err();
        assert_eq!(error.code, ErrorCode::NotFound);
        assert_eq!(std::fs::read(home.settings_path()).unwrap(), before);
    }

    #[test]
    fn a_users_filter_is_listed_with_its_file_and_a_broken_one_with_the_reason() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join(".plimsoll/filters");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("broken.toml"), "name = [").unwrap();
        let view = desktop(dir.path()).filters();
        assert!(view.broken.len() == 1 && view.broken[0].contains("broken.toml"), "{:?}", view.broken);
        assert!(
            view.broken[0].contains("line 1, column ") && !view.broken[0].contains('\n'),
            "{:?}",
            view.broken
        );
    }

    #[test]
    fn a_cancelled_estimate_says_so_and_gives_no_figure() {
        let fixtures = Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default())
            .join("../agents/tests/transcripts/fixtures/home");
        let desktop = desktop(&fixtures);
        let ended = std::thread::scope(|scope| {
            let look = scope.spawn(|| desktop.discover(DiscoverQuery { days: 36_500 }));
            // However late the scan begins, it is told to stop until it has.
            while !look.is_finished() {
                desktop.stop_discover();
            }
            look.join().unwrap()
        });
        assert_eq!(ended.unwrap_err().code, ErrorCode::Cancelled);
    }

    #[test]
    fn past_sessions_are_looked_through_and_nothing_is_written() {
        let dir = tempfile::tempdir().unwrap();
        let none = desktop(dir.path()).discover(DiscoverQuery { days: 30 }).unwrap();
        assert_eq!((none.transcripts, none.calls, none.raw_bytes), (0, 0, 0));
        assert!(!dir.path().join(".plimsoll").exists());
        let fixtures = Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default())
            .join("../agents/tests/transcripts/fixtures/home");
        let desktop = desktop(&fixtures);
        let found = desktop.discover(DiscoverQuery { days: 36_500 }).unwrap();
        assert!(found.transcripts > 0 && found.calls > 0, "{found:?}");
        assert!(found.bytes_after <= found.raw_bytes);
        assert!(!fixtures.join(".plimsoll").exists());
    }
}

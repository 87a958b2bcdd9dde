//! A system's screens in the window.

use crate::System;

/// What a screen shows, in the order of the navigation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shows {
    /// Where things are looked up.
    Reference,
    /// Records.
    Record,
}

/// A screen: a folder below `ui/src/features`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Screen {
    /// The folder's name.
    pub name: &'static str,
    /// What it shows.
    pub shows: Shows,
    /// Whether its words are loaded with it (`ui/src/i18n/*.later.json`) and not with the first screen.
    pub loads_words: bool,
}

impl Screen {
    /// A screen to look things up in.
    #[must_use]
    pub const fn reference(name: &'static str) -> Self {
        Self { name, shows: Shows::Reference, loads_words: false }
    }

    /// A screen with records.
    #[must_use]
    pub const fn record(name: &'static str) -> Self {
        Self { name, shows: Shows::Record, loads_words: false }
    }

    /// The same, with words that are loaded with it.
    #[must_use]
    pub const fn loading_words(self) -> Self {
        Self { loads_words: true, ..self }
    }
}

/// The screens of these systems in the order of the navigation: by what they show, then as the systems list them.
#[must_use]
pub fn screens<'a>(systems: impl IntoIterator<Item = &'a System>) -> Vec<Screen> {
    let mut all: Vec<Screen> = systems.into_iter().flat_map(|system| system.screens).copied().collect();
    all.sort_by_key(|screen| screen.shows);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    static FIRST: System =
        System { screens: &[Screen::record("log"), Screen::reference("books")], ..System::with_id("first") };
    static SECOND: System =
        System { screens: &[Screen::reference("maps").loading_words()], ..System::with_id("second") };

    #[test]
    fn screens_to_search_come_before_records() {
        let all = screens([&FIRST, &SECOND]);
        let names: Vec<&str> = all.iter().map(|screen| screen.name).collect();
        assert_eq!(names, ["books", "maps", "log"]);
        assert_eq!(all.iter().filter(|screen| screen.loads_words).count(), 1);
    }
}

//! An entry of the table: a technology, and how it's recognised.

/// A way of doing something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Way {
    /// Its category.
    pub category: &'static str,
    /// Its usual name.
    pub name: &'static str,
    /// The languages it belongs to; ways are compared within a category and a language.
    pub languages: &'static [&'static str],
    /// Prefixes of imports: one of these, alone or followed by `/`, `.`, `::` or `\`.
    pub imports: &'static [&'static str],
    /// Whether it replaces others in its category. A companion of them isn't their rival.
    pub is_rival: bool,
}

impl Way {
    /// Its unique key: category, language (the first of those it belongs to) and name.
    pub fn key(&self) -> Key {
        (self.category, self.languages.first().copied().unwrap_or_default(), self.name)
    }
}

/// Category, language and name.
pub type Key = (&'static str, &'static str, &'static str);

/// A technology that replaces others of its category.
pub(super) const fn way(
    category: &'static str,
    name: &'static str,
    languages: &'static [&'static str],
    imports: &'static [&'static str],
) -> Way {
    Way { category, name, languages, imports, is_rival: true }
}

/// A technology that is used together with others of its category: a facade, a helper, a second format.
pub(super) const fn beside(
    category: &'static str,
    name: &'static str,
    languages: &'static [&'static str],
    imports: &'static [&'static str],
) -> Way {
    Way { is_rival: false, ..way(category, name, languages, imports) }
}

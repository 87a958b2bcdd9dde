//! Finds the Ruby file that a constant is loaded from where a loader maps file names to constants, as Zeitwerk does:
//! `User` from `app/models/user.rb` of Rails and of its engines, `Shop::Cart` from `lib/shop/cart.rb` of a gem that
//! has the loader. Pure.

use std::collections::{HashMap, HashSet};

use crate::constants::{outwards, path_of};
use crate::schema::FileRow;

/// The library that a gem requires to have its own constants loaded.
pub(crate) const LOADER: &str = "zeitwerk";

/// A folder whose files are loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Home<'a> {
    /// Empty, or with a trailing slash.
    path: &'a str,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Kind {
    /// A Rails app; its constants are visible only to itself.
    App,
    Engine,
    Gem,
}

/// The files that a project's loaders know.
#[derive(Debug, Default)]
pub(crate) struct Autoload {
    /// By the constant that they're loaded for.
    files: HashMap<String, Vec<Loaded>>,
    /// Folders are namespaces without a file.
    folders: HashSet<String>,
}

#[derive(Debug)]
struct Loaded {
    file: usize,
    /// Where its home is.
    home: String,
    is_shared: bool,
}

impl Autoload {
    /// The loaders of a project with these `files`; `loading` are the numbers of those that require [`LOADER`].
    pub(crate) fn of(files: &[FileRow], loading: &HashSet<i64>) -> Autoload {
        let of_ruby = || files.iter().enumerate().filter(|(_, (_, path, _))| path.ends_with(".rb"));
        let homes: HashSet<Home<'_>> =
            of_ruby().filter_map(|(_, (id, path, _))| home(path, loading.contains(id))).collect();
        let mut out = Autoload::default();
        for (file, (_, path, _)) in of_ruby() {
            // The innermost: an app may be in the tests of a gem.
            let inner = homes.iter().filter_map(|home| Some((home, loaded_as(home, path)?)));
            let Some((home, name)) = inner.max_by_key(|(home, _)| (home.path.len(), *home)) else { continue };
            let key = key(name);
            out.folders.extend(key.match_indices('/').map(|(at, _)| key[..at].to_owned()));
            let loaded = Loaded { file, home: home.path.to_owned(), is_shared: home.kind != Kind::App };
            out.files.entry(key).or_default().push(loaded);
        }
        out
    }

    /// The file that defines a constant which the file at `from` names within the namespaces `space`. For a path it's
    /// the last part with its own file.
    pub(crate) fn file_of(&self, from: &str, space: &str, name: &str) -> Option<usize> {
        let (space, name) = name.strip_prefix("::").map_or((space, name), |name| ("", name));
        let parts: Vec<String> = name.split("::").map(key).collect();
        let first = parts.first()?;
        let is_there = |whole: &String| self.files.contains_key(whole) || self.folders.contains(whole);
        let mut around = outwards(space).map(|space| key(&path_of(space).replace("::", "/")));
        let mut whole = around.find(|around| is_there(&path_in(around, first)))?;
        let mut found = None;
        for part in &parts {
            whole = path_in(&whole, part);
            if !is_there(&whole) {
                break;
            }
            found = self.visible_file(from, &whole).or(found);
        }
        found
    }

    /// The one file of a key that the file at `from` sees: in its own home first.
    fn visible_file(&self, from: &str, key: &str) -> Option<usize> {
        let all = self.files.get(key)?;
        let near = || all.iter().filter(|one| from.starts_with(&one.home));
        let most = near().map(|one| one.home.len()).max();
        let seen: Vec<usize> = match most {
            Some(most) => near().filter(|one| one.home.len() == most).map(|one| one.file).collect(),
            None => all.iter().filter(|one| one.is_shared).map(|one| one.file).collect(),
        };
        if let [one] = seen.as_slice() { Some(*one) } else { None }
    }
}

/// Names are compared without case and underscores, which a project's inflection rules decide: `HTMLPage` is in
/// `html_page.rb` or in `htmlpage.rb`.
fn key(name: &str) -> String {
    name.replace('_', "").to_lowercase()
}

fn path_in(around: &str, part: &str) -> String {
    if around.is_empty() { part.to_owned() } else { format!("{around}/{part}") }
}

/// The home that a file defines.
fn home(path: &str, loads: bool) -> Option<Home<'_>> {
    let is_folder = |path: &&str| path.is_empty() || path.ends_with('/');
    if let Some(path) = path.strip_suffix("config/application.rb").filter(is_folder) {
        return Some(Home { path, kind: Kind::App });
    }
    let at = if path.starts_with("lib/") { 0 } else { path.rfind("/lib/")? + 1 };
    let (home, inside) = (&path[..at], &path[at + "lib/".len()..]);
    if inside.ends_with("/engine.rb") {
        return Some(Home { path: home, kind: Kind::Engine });
    }
    (loads && !inside.contains('/')).then_some(Home { path: home, kind: Kind::Gem })
}

/// The constant that a file is loaded as, if it's in a home.
fn loaded_as<'p>(home: &Home<'_>, path: &'p str) -> Option<&'p str> {
    let inside = path.strip_prefix(home.path)?.strip_suffix(".rb")?;
    if home.kind == Kind::Gem {
        return inside.strip_prefix("lib/");
    }
    let (_, name) = inside.strip_prefix("app/")?.split_once('/')?;
    Some(name.strip_prefix("concerns/").unwrap_or(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_give_their_constants() {
        let paths = [
            "config/application.rb",
            "app/models/user.rb",
            "app/models/concerns/tagged.rb",
            "app/models/admin/user.rb",
            "app/models/html_page.rb",
            "app/models/shop/cart/line.rb",
            "app/models/shop/cart.rb",
            "gems/pay/lib/pay.rb",
            "gems/pay/lib/pay/card_number.rb",
            "gems/pay/spec/dummy/config/application.rb",
            "gems/pay/spec/dummy/app/models/user.rb",
            "gems/pay/spec/card_spec.rb",
            "engines/blog/lib/blog/engine.rb",
            "engines/blog/app/models/blog/post.rb",
            "lib/tasks.rb",
            "script.rb",
        ];
        let files: Vec<FileRow> =
            paths.iter().zip(1..).map(|(path, id)| (id, (*path).to_owned(), "ruby".to_owned())).collect();
        let loading = files.iter().filter(|file| file.1.ends_with("pay/lib/pay.rb")).map(|file| file.0);
        let autoload = Autoload::of(&files, &loading.collect());
        for (from, space, name, expected) in [
            ("script.rb", "", "User", "app/models/user.rb"),
            ("script.rb", "", "Tagged", "app/models/concerns/tagged.rb"),
            ("app/controllers/a.rb", "Admin/Users", "User", "app/models/admin/user.rb"),
            ("app/controllers/a.rb", "Admin/Users", "::User", "app/models/user.rb"),
            // `class Admin::Users` alone opens one namespace.
            ("app/controllers/a.rb", "Admin::Users", "User", "app/models/user.rb"),
            // `class ::Pay` in `module Shop`.
            ("script.rb", "Shop/::Pay", "CardNumber", "gems/pay/lib/pay/card_number.rb"),
            ("script.rb", "Shop/::Pay", "Cart", "app/models/shop/cart.rb"),
            ("script.rb", "", "HTMLPage", "app/models/html_page.rb"),
            ("script.rb", "Shop", "Cart::Line", "app/models/shop/cart/line.rb"),
            ("script.rb", "", "Shop::Cart::LIMIT", "app/models/shop/cart.rb"),
            ("script.rb", "", "Shop", ""),
            ("script.rb", "", "Set", ""),
            ("script.rb", "", "Pay::CardNumber", "gems/pay/lib/pay/card_number.rb"),
            ("script.rb", "", "Blog::Post", "engines/blog/app/models/blog/post.rb"),
            ("gems/pay/spec/dummy/app/models/a.rb", "", "User", "gems/pay/spec/dummy/app/models/user.rb"),
            ("gems/pay/spec/card_spec.rb", "Pay", "CardNumber", "gems/pay/lib/pay/card_number.rb"),
            ("script.rb", "", "Tasks", ""),
        ] {
            let found = autoload.file_of(from, space, name).map_or("", |file| paths[file]);
            assert_eq!(found, expected, "{from}: {space} {name}");
        }
    }

    #[test]
    fn without_an_autoloader_no_constant_is_found() {
        let files: Vec<FileRow> = ["lib/user.rb", "app/models/user.rb", "user.rb"]
            .iter()
            .zip(1..)
            .map(|(path, id)| (id, (*path).to_owned(), "ruby".to_owned()))
            .collect();
        let autoload = Autoload::of(&files, &HashSet::new());
        assert_eq!(autoload.file_of("user.rb", "", "User"), None);
    }
}

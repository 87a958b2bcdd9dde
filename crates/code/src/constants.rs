//! Lists the constants that a file of Ruby names, each with the namespaces around it: where a loader finds them by
//! file name, nothing else shows that one file needs another. Pure; `autoload` says which files those are.

use std::collections::{HashMap, HashSet};

use tree_sitter::Node;

use crate::define::Symbol;
use crate::grammar::Kind;
use crate::parse::slice;

/// The maximum number of constants kept for one file.
const MAX_NAMES: usize = 2_000;

/// The constants that one file names, each with its first line.
#[derive(Debug, Default)]
pub(crate) struct Constants {
    lines: HashMap<String, u32>,
    /// The end of the path that was read last.
    read_to: usize,
    /// The starts of constants whose receiver isn't a constant.
    others: HashSet<usize>,
}

impl Constants {
    /// Takes a constant when the tree is walked from its root on: of `Shop::Cart` the whole path, which comes before its parts.
    pub(crate) fn read(&mut self, node: Node<'_>, text: &str) {
        let is_path = node.kind() == "scope_resolution";
        let is_part = node.start_byte() < self.read_to || self.others.remove(&node.start_byte());
        if !is_path && node.kind() != "constant" || is_part || self.lines.len() >= MAX_NAMES {
            return;
        }
        let name = slice(node, text);
        let is_constant = name.trim_start_matches(':').starts_with(|c: char| c.is_ascii_uppercase())
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b':'));
        if !is_constant {
            // In `self.class::LIMIT` it's unknown where `LIMIT` is defined.
            let last = node.child_by_field_name("name").filter(|_| is_path);
            self.others.extend(last.map(|last| last.start_byte()));
            return;
        }
        self.read_to = node.end_byte();
        if !is_defined(node) && !self.lines.contains_key(name) {
            let line = u32::try_from(node.start_position().row + 1).unwrap_or(u32::MAX);
            self.lines.insert(name.to_owned(), line);
        }
    }

    /// The constants in order, without those that the file itself defines: `::Shop::Cart` is known, `Shop/Cart/Line` is looked for in
    /// `Shop::Cart`, in `Shop` and at the top. In `class Shop::Cart` alone `Line` isn't looked for in `Shop`: `Shop::Cart/Line`.
    pub(crate) fn finish(self, own: &[Symbol]) -> Vec<(String, u32)> {
        let path = |symbol: &Symbol| symbol.path().replace('.', "::");
        let is_space = |symbol: &&Symbol| symbol.kind.is_type() || symbol.kind == Kind::Module;
        let spaces: Vec<(&Symbol, String)> =
            own.iter().filter(is_space).map(|symbol| (symbol, path(symbol))).collect();
        let is_known = |symbol: &&Symbol| is_space(symbol) || symbol.kind == Kind::Constant;
        // `class ::Top` in a module doesn't belong to that module.
        let from_top = |path: String| {
            let own = path.rsplit_once("::::").map_or(path.as_str(), |(_, top)| top);
            own.trim_start_matches("::").to_owned()
        };
        let known: HashSet<String> = own.iter().filter(is_known).map(path).map(from_top).collect();
        let mut out: Vec<(String, u32)> = Vec::new();
        for (name, line) in self.lines {
            // A class names its base on its first line; that name belongs to the scope around the class.
            let around = spaces.iter().filter(|(space, _)| space.line < line && line <= space.end_line);
            let mut around: Vec<_> = around.map(|(space, path)| (space.start_line, path.as_str())).collect();
            around.sort_by_key(|(start, path)| (*start, path.len()));
            let inner = nesting(around.into_iter().map(|(_, path)| path));
            out.extend(seen_from(&inner, &name, &known).map(|name| (name, line)));
        }
        out.sort();
        out.dedup_by(|b, a| a.0 == b.0);
        out
    }
}

/// The namespaces that are open at a place, from the paths of those around it, outermost first: `Shop/Cart` for a
/// class in a module, `Shop::Cart` where one line opens both and Ruby looks into the inner one alone. `class ::Top`
/// in a module also sees that module's constants: `Shop/::Top`.
fn nesting<'p>(paths: impl Iterator<Item = &'p str>) -> String {
    let (mut out, mut outer) = (String::new(), "");
    for path in paths {
        let own = path.strip_prefix(outer).and_then(|own| own.strip_prefix("::"));
        match own.filter(|_| !outer.is_empty()) {
            Some(own) => {
                out.push('/');
                out.push_str(own);
            }
            None => path.trim_start_matches("::").clone_into(&mut out),
        }
        outer = path;
    }
    out
}

/// The path of the innermost of the namespaces that are open: `Shop::Cart` of `Shop/Cart`, and `Top` of `Shop/::Top`.
pub(crate) fn path_of(space: &str) -> String {
    space.rsplit_once("/::").map_or(space, |(_, top)| top).replace('/', "::")
}

/// The namespaces that are open at a place of Ruby, innermost first, each with those around it; the last one is the top, which has no
/// name.
pub(crate) fn outwards(space: &str) -> impl Iterator<Item = &str> {
    let inner = Some(space).filter(|space| !space.is_empty());
    let all = std::iter::successors(inner, |space| space.rsplit_once('/').map(|(outer, _)| outer));
    all.chain(std::iter::once(""))
}

/// The stored form of a constant that is named in the namespace `inner`; `None` if the file defines it itself.
fn seen_from(inner: &str, name: &str, known: &HashSet<String>) -> Option<String> {
    if name.starts_with("::") {
        return Some(name.to_owned());
    }
    let (first, rest) = name.split_once("::").unwrap_or((name, ""));
    let within = |space: &str| match space {
        "" => first.to_owned(),
        space => format!("{}::{first}", path_of(space)),
    };
    match outwards(inner).map(within).find(|whole| known.contains(whole)) {
        // Its members may be in another file.
        Some(whole) => (!rest.is_empty()).then(|| format!("::{whole}::{rest}")),
        None if inner.is_empty() => Some(format!("::{name}")),
        None => Some(format!("{inner}/{name}")),
    }
}

/// Whether a constant is the name that its parent defines.
fn is_defined(name: Node<'_>) -> bool {
    let Some(parent) = name.parent() else { return false };
    let field = match parent.kind() {
        "class" | "module" => "name",
        "assignment" => "left",
        _ => return false,
    };
    parent.child_by_field_name(field).is_some_and(|own| own.id() == name.id())
}

#[cfg(test)]
mod tests {
    use crate::analyse::analyse;

    #[test]
    fn ruby_constants_are_qualified_by_their_modules() {
        for (text, expected) in [
            ("User.find(1)\n", "::User:1"),
            ("class Cart < Base\n  has_many Line\nend\n", "::Base:1 Cart/Line:2"),
            (
                "module Shop\n  class Cart < Base\n    LIMIT = Rate::MOST\n    def total\n      Line.new(Shop::Price, ::User, LIMIT)\n    end\n    class Line; end\n  end\nend\n",
                "::Shop::Price:5 ::User:5 Shop/Base:2 Shop/Cart/Rate::MOST:3",
            ),
            (
                "class Shop::Cart\n  def a = Cart::Line\n  def b = Pay\nend\n",
                "Shop::Cart/Cart::Line:2 Shop::Cart/Pay:3",
            ),
            ("class Cart\n  def a = Cart::Line\nend\n", "::Cart::Line:2"),
            (
                "module Shop\n  class Web::Cart\n    def a = Pay\n  end\n  class ::Top\n    def b = Rate\n  end\nend\n",
                "Shop/::Top/Rate:6 Shop/Web::Cart/Pay:3",
            ),
            (
                "module Shop\n  class ::Top\n    LIMIT = 1\n    def a = LIMIT\n    class Part\n      def b = Rate\n    end\n  end\nend\n",
                "Shop/::Top/Part/Rate:6",
            ),
            ("a.b::RATE\nself.class::LIMIT::MOST\nfoo(Bar)::BAZ\nMOST\n", "::Bar:3 ::MOST:4"),
            ("class ::Top\n  LIMIT = 1\n  def a = LIMIT\n  def b = Rate\nend\n", "Top/Rate:4"),
            ("require 'set'\nnames = Set.new\nself.class::LIMIT\n", "::Set:2"),
        ] {
            let found = analyse("app/a.rb", text.as_bytes()).outline.mentions;
            let told: Vec<String> = found.iter().map(|(name, line)| format!("{name}:{line}")).collect();
            assert_eq!(told.join(" "), expected, "{text}");
        }
    }
}

//! Trees of packages, indented by depth, that are too long for the room: all of them as deep as there is room for,
//! with counts of the levels below. Owns which are dropped first; a package's problems are shown at any depth.

use crate::Left;
use crate::guard::must_stay;

/// Package managers' words about packages with a problem.
const WRONG: [&str; 4] = [" extraneous", " invalid", "UNMET ", "missing:"];
/// Most of these are for other systems, and none is a problem.
const OPTIONAL: &str = "UNMET OPTIONAL ";

/// A line of a tree.
struct Node<'t> {
    line: &'t str,
    depth: usize,
    /// How many lines are below it.
    below: usize,
    /// It, or something below it, is always shown.
    stays: bool,
}

/// The tree `text` in at most about `room` bytes; `None` where it fits, or isn't a tree.
pub(crate) fn summary(text: &str, room: usize) -> Option<Left> {
    if text.len() <= room {
        return None;
    }
    let nodes = nodes(text)?;
    let deepest = nodes.iter().map(|node| node.depth).max()?;
    let level = (0..deepest).rev().find(|level| render(&nodes, |_, depth| depth <= *level).len() <= room)?;
    // The remaining room goes to whole subtrees, the small ones first, so that most are complete.
    let mut open = vec![false; nodes.len()];
    let mut left = room - render(&nodes, |_, depth| depth <= level).len();
    let mut parts: Vec<usize> =
        (0..nodes.len()).filter(|at| nodes[*at].depth == level && nodes[*at].below > 0).collect();
    parts.sort_by_key(|at| nodes[*at].below);
    for at in parts {
        let inside = &nodes[at + 1..=at + nodes[at].below];
        let cost: usize = inside.iter().map(|node| node.line.len() + 1).sum();
        if cost <= left {
            left -= cost;
            open[at..=at + nodes[at].below].fill(true);
        }
    }
    let out = render(&nodes, |at, depth| depth <= level || open[at]);
    let count = nodes.len() - out.lines().count();
    Some((out, vec![("packages further below", count)]))
}

/// The lines of `text` with their depths; `None` if indentation carries no meaning.
fn nodes(text: &str) -> Option<Vec<Node<'_>>> {
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let step = text.lines().map(indent).filter(|indent| *indent > 0).min()?;
    let mut nodes: Vec<Node<'_>> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| Node { line, depth: indent(line) / step, below: 0, stays: false })
        .collect();
    let mut above: Vec<usize> = Vec::new();
    for at in 0..nodes.len() {
        while above.last().is_some_and(|last| nodes[*last].depth >= nodes[at].depth) {
            above.pop();
        }
        let line = nodes[at].line;
        let is_wrong = !line.contains(OPTIONAL) && WRONG.iter().any(|word| line.contains(word));
        let stays = is_wrong || must_stay(line);
        nodes[at].stays = stays;
        for parent in &above {
            nodes[*parent].below += 1;
            nodes[*parent].stays |= stays;
        }
        above.push(at);
    }
    Some(nodes)
}

/// The tree with the lines that `shows` selects and those that stay, each with the number of missing lines below it.
fn render(nodes: &[Node<'_>], shows: impl Fn(usize, usize) -> bool) -> String {
    let visible = |at: usize| nodes[at].stays || shows(at, nodes[at].depth);
    let mut out = String::new();
    for (at, node) in nodes.iter().enumerate().filter(|(at, _)| visible(*at)) {
        out.push_str(node.line);
        // Missing lines below a shown line are counted there.
        let missing = (at + 1..=at + node.below).take_while(|below| !visible(*below)).count();
        if missing > 0 {
            out.push_str(&format!(" (+{missing})"));
        }
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::summary;

    fn tree() -> String {
        let mut text = String::from("shop@1.0.0 /home/ana/shop\n");
        for a in 0..20 {
            text.push_str(&format!("part{a}@1.0.0\n"));
            for b in 0..a {
                text.push_str(&format!(" inner{a}x{b}@2.0.0\n  deep{a}x{b}@3.0.0\n"));
            }
        }
        text + "odd@1.0.0\n one@1.0.0\n  two@1.0.0 extraneous\n"
    }

    #[test]
    fn a_tree_that_fits_stays() {
        assert_eq!(summary(&tree(), 90_000), None);
        assert_eq!(summary("a line\nanother\n".repeat(900).as_str(), 200), None);
    }

    #[test]
    fn top_level_packages_are_named_and_deeper_ones_counted() {
        let (out, left) = summary(&tree(), 1_500).unwrap();
        assert!(out.len() <= 1_500, "{}", out.len());
        assert!((0..20).all(|a| out.contains(&format!("part{a}@1.0.0"))), "{out}");
        assert!(
            out.contains("\npart19@1.0.0 (+38)\n")
                && out.contains("\npart1@1.0.0\n inner1x0@2.0.0\n  deep1x0"),
            "{out}"
        );
        assert!(out.ends_with("odd@1.0.0\n one@1.0.0\n  two@1.0.0 extraneous\n"), "{out}");
        let all = tree().lines().count();
        assert_eq!(left, [("packages further below", all - out.lines().count())]);
    }

    #[test]
    fn optional_packages_that_are_not_installed_give_way() {
        let optional: String =
            (0..60).map(|n| format!(" UNMET OPTIONAL DEPENDENCY @shop/system-{n}@1.0.0\n")).collect();
        let text =
            tree().replace("part3@1.0.0\n", &format!("part3@1.0.0\n{optional} UNMET DEPENDENCY tax@2\n"));
        let (out, _) = summary(&text, 1_500).unwrap();
        assert!(out.len() <= 1_500 && !out.contains("OPTIONAL"), "{out}");
        assert!((0..20).all(|a| out.contains(&format!("part{a}@1.0.0"))), "{out}");
        assert!(out.contains("\npart3@1.0.0 (+60)\n UNMET DEPENDENCY tax@2\n"), "{out}");
    }
}

//! Finds import cycles: the graph's strongly connected components (Tarjan's algorithm without recursion), and the shortest
//! cycle of each, which is where to cut.

use std::collections::VecDeque;

use super::Graph;

/// A part of the graph in which each file reaches each other.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Cycle {
    /// All files of the part, in order.
    pub files: Vec<String>,
    /// Its shortest cycle, beginning with its first file by name; the last imports the first.
    pub shortest: Vec<String>,
    /// `high` for two files that import one another, `medium` for three, else `low`.
    pub severity: &'static str,
}

/// All cycles, the shortest first.
pub fn find_cycles(graph: &Graph) -> Vec<Cycle> {
    find_cycles_through(graph, |_| true)
}

/// The same for the parts that contain a requested file; the cycle shown for each goes through such a file.
pub fn find_cycles_through(graph: &Graph, is_asked_for: impl Fn(&str) -> bool) -> Vec<Cycle> {
    let mut out: Vec<Cycle> = components(&graph.imports)
        .into_iter()
        .filter(|part| part.len() > 1)
        .filter_map(|mut part| {
            part.sort_unstable();
            let starts: Vec<usize> =
                part.iter().copied().filter(|i| is_asked_for(graph.paths[*i].as_str())).collect();
            if starts.is_empty() {
                return None;
            }
            let shortest = shortest(&graph.imports, &part, &starts);
            let names = |places: &[usize]| places.iter().map(|i| graph.paths[*i].clone()).collect::<Vec<_>>();
            let severity = match shortest.len() {
                2 => "high",
                3 => "medium",
                _ => "low",
            };
            Some(Cycle { files: names(&part), shortest: names(&shortest), severity })
        })
        .collect();
    out.sort_by(|a, b| (a.shortest.len(), &a.shortest).cmp(&(b.shortest.len(), &b.shortest)));
    out
}

/// The strongly connected parts.
fn components(imports: &[Vec<usize>]) -> Vec<Vec<usize>> {
    const NEW: usize = usize::MAX;
    let n = imports.len();
    let (mut index, mut low, mut on_stack) = (vec![NEW; n], vec![0; n], vec![false; n]);
    let mut stack = Vec::new();
    let mut out = Vec::new();
    let mut counter = 0;
    for root in 0..n {
        if index[root] != NEW {
            continue;
        }
        // A file and the next of its imports to look at.
        let mut work = vec![(root, 0)];
        while let Some((at, next)) = work.pop() {
            if next == 0 {
                index[at] = counter;
                low[at] = counter;
                counter += 1;
                stack.push(at);
                on_stack[at] = true;
            }
            let mut descend = None;
            for (i, to) in imports[at].iter().enumerate().skip(next) {
                if index[*to] == NEW {
                    descend = Some((i, *to));
                    break;
                }
                if on_stack[*to] {
                    low[at] = low[at].min(index[*to]);
                }
            }
            if let Some((i, to)) = descend {
                work.push((at, i + 1));
                work.push((to, 0));
                continue;
            }
            if low[at] == index[at] {
                let mut part = Vec::new();
                while let Some(top) = stack.pop() {
                    on_stack[top] = false;
                    part.push(top);
                    if top == at {
                        break;
                    }
                }
                out.push(part);
            }
            if let Some((parent, _)) = work.last() {
                low[*parent] = low[*parent].min(low[at]);
            }
        }
    }
    out
}

/// The number of files of a component from which the shortest cycle is searched.
const MAX_STARTS: usize = 400;

/// The shortest cycle within a part through one of these files; of equal ones the first by place.
fn shortest(imports: &[Vec<usize>], part: &[usize], starts: &[usize]) -> Vec<usize> {
    let inside: std::collections::HashSet<usize> = part.iter().copied().collect();
    let mut best: Vec<usize> = Vec::new();
    for start in starts.iter().copied().take(MAX_STARTS) {
        let mut from = std::collections::HashMap::new();
        let mut queue = VecDeque::from([start]);
        let mut last = None;
        'search: while let Some(at) = queue.pop_front() {
            for to in imports[at].iter().copied().filter(|to| inside.contains(to)) {
                if to == start {
                    last = Some(at);
                    break 'search;
                }
                if let std::collections::hash_map::Entry::Vacant(entry) = from.entry(to) {
                    entry.insert(at);
                    queue.push_back(to);
                }
            }
        }
        let Some(mut at) = last else { continue };
        let mut circle = vec![at];
        while at != start {
            let Some(before) = from.get(&at) else { break };
            at = *before;
            circle.push(at);
        }
        circle.reverse();
        if best.is_empty() || circle.len() < best.len() {
            best = circle;
        }
        if best.len() == 2 {
            break;
        }
    }
    // The same cycle from any starting point.
    let first = best.iter().enumerate().min_by_key(|(_, file)| **file).map_or(0, |(i, _)| i);
    best.rotate_left(first);
    best
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn graph(n: usize, edges: &[(usize, usize)]) -> Graph {
        let mut imports = vec![Vec::new(); n];
        for (a, b) in edges {
            if a != b && !imports[*a].contains(b) {
                imports[*a].push(*b);
            }
        }
        imports.iter_mut().for_each(|i| i.sort_unstable());
        Graph { paths: (0..n).map(|i| format!("f{i:02}")).collect(), imports }
    }

    /// Reachability by brute force.
    fn reach(graph: &Graph) -> Vec<Vec<bool>> {
        let n = graph.paths.len();
        let mut out = vec![vec![false; n]; n];
        for (a, list) in graph.imports.iter().enumerate() {
            list.iter().for_each(|b| out[a][*b] = true);
        }
        for k in 0..n {
            for i in 0..n {
                for j in 0..n {
                    out[i][j] |= out[i][k] && out[k][j];
                }
            }
        }
        out
    }

    proptest! {
        #[test]
        fn cycles_are_files_that_reach_themselves(edges in prop::collection::vec((0usize..12, 0usize..12), 0..40)) {
            let graph = graph(12, &edges);
            let reach = reach(&graph);
            let found = find_cycles(&graph);
            for (i, row) in reach.iter().enumerate() {
                let inside = found.iter().filter(|c| c.files.contains(&graph.paths[i])).count();
                prop_assert_eq!(inside, usize::from(row[i]));
            }
            for circle in &found {
                let place = |p: &String| graph.paths.iter().position(|q| q == p).unwrap();
                let n = circle.shortest.len();
                prop_assert!(n >= 2);
                for k in 0..n {
                    let (a, b) = (place(&circle.shortest[k]), place(&circle.shortest[(k + 1) % n]));
                    prop_assert!(graph.imports[a].contains(&b));
                }
                // None of its files has a shorter cycle.
                if n > 2 {
                    for a in &circle.files {
                        for b in &circle.files {
                            let (a, b) = (place(a), place(b));
                            prop_assert!(!(graph.imports[a].contains(&b) && graph.imports[b].contains(&a)));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_cycle_through_visited_files_is_found() {
        let graph = graph(4, &[(0, 1), (1, 2), (2, 0), (3, 2), (1, 3)]);
        let found = find_cycles(&graph);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].files.len(), 4);
        assert_eq!(found[0].shortest, ["f00", "f01", "f02"]);
        assert_eq!(found[0].severity, "medium");
    }

    #[test]
    fn the_shown_cycle_contains_the_requested_file() {
        // Two files import one another, and one of them is in a longer cycle with two others.
        let graph = graph(5, &[(0, 1), (1, 0), (1, 2), (2, 3), (3, 1)]);
        let through = |asked: &[&str]| -> Vec<Vec<String>> {
            let found = find_cycles_through(&graph, |path| asked.contains(&path));
            found.into_iter().map(|circle| circle.shortest).collect()
        };
        assert_eq!(through(&["f00", "f03"]), [["f00", "f01"]]);
        assert_eq!(through(&["f03"]), [["f01", "f02", "f03"]]);
        assert_eq!(through(&["f04"]), Vec::<Vec<String>>::new());
    }
}

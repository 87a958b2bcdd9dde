//! Where each crate's box and each line between two goes: a crate's row is above those of all that it uses, and within a
//! row crates are near what they use. Pure arithmetic; knows nothing of how it's drawn.

use std::collections::BTreeMap;

use super::Uses;

/// A box's height, in the picture's units.
pub(super) const HEIGHT: f64 = 34.0;
/// From the top of one row to the top of the next.
const ROW: f64 = 84.0;
/// Between two neighbours in a row.
const GAP: f64 = 18.0;
/// Around everything.
const MARGIN: f64 = 16.0;
/// The width that a line takes where it passes through a row.
const PASSING: f64 = 4.0;

/// A crate's box.
pub(super) struct CrateBox {
    pub(super) name: String,
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
}

/// The whole picture.
pub(super) struct Layout {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) boxes: Vec<CrateBox>,
    /// Each line as the points that it goes through, from the crate that uses to the one that's used.
    pub(super) lines: Vec<Vec<(f64, f64)>>,
}

/// A place in a row: a crate, or where a line from a higher row passes through.
struct Node {
    name: Option<String>,
    row: usize,
    width: f64,
    centre: f64,
    /// The nodes of the next row that it's joined to.
    below: Vec<usize>,
}

/// Places everything.
pub(super) fn place(uses: &Uses) -> Layout {
    let rows = rows(uses);
    let (mut nodes, chains) = nodes(uses, &rows);
    let count = rows.values().max().map_or(0, |top| top + 1);
    let mut order: Vec<Vec<usize>> =
        (0..count).map(|row| (0..nodes.len()).filter(|node| nodes[*node].row == row).collect()).collect();
    reduce_crossings(&mut nodes, &mut order);
    let left = nodes.iter().map(|node| node.centre - node.width / 2.0).fold(f64::INFINITY, f64::min);
    let right = nodes.iter().map(|node| node.centre + node.width / 2.0).fold(0.0, f64::max);
    let x = |node: &Node| node.centre - left + MARGIN;
    let y = |row: usize| MARGIN + ROW * as_f64(count - 1 - row);
    let boxes = nodes.iter().filter_map(|node| {
        let name = node.name.clone()?;
        Some(CrateBox { name, x: x(node) - node.width / 2.0, y: y(node.row), width: node.width })
    });
    let lines = chains.iter().map(|chain| {
        let last = chain.len() - 1;
        // A line goes straight through a row, so that it touches no box there.
        let points = |(index, node): (usize, &usize)| {
            let (x, top) = (x(&nodes[*node]), y(nodes[*node].row));
            let bottom = top + HEIGHT;
            match index {
                0 => vec![(x, bottom)],
                _ if index == last => vec![(x, top)],
                _ => vec![(x, top), (x, bottom)],
            }
        };
        chain.iter().enumerate().flat_map(points).collect()
    });
    Layout {
        width: right - left + 2.0 * MARGIN,
        height: 2.0 * MARGIN + ROW * as_f64(count.saturating_sub(1)) + HEIGHT,
        boxes: boxes.collect(),
        lines: lines.collect(),
    }
}

/// The row of each crate, 0 for one that uses none: one above the highest that it uses.
fn rows(uses: &Uses) -> BTreeMap<&str, usize> {
    fn row<'a>(name: &'a str, uses: &'a Uses, rows: &mut BTreeMap<&'a str, usize>) -> usize {
        if let Some(row) = rows.get(name) {
            return *row;
        }
        let below = uses.get(name).into_iter().flatten();
        let row = below.map(|used| row(used, uses, rows) + 1).max().unwrap_or(0);
        rows.insert(name, row);
        row
    }
    let mut rows = BTreeMap::new();
    for name in uses.keys() {
        row(name, uses, &mut rows);
    }
    rows
}

/// Every crate, and for each line one node in each row between its ends; with each line's nodes from top to bottom.
fn nodes(uses: &Uses, rows: &BTreeMap<&str, usize>) -> (Vec<Node>, Vec<Vec<usize>>) {
    let mut nodes = Vec::new();
    let mut by_name = BTreeMap::new();
    for name in uses.keys() {
        by_name.insert(name.as_str(), nodes.len());
        let width = 24.0 + 8.0 * as_f64(name.len());
        nodes.push(Node {
            name: Some(name.clone()),
            row: rows[name.as_str()],
            width,
            centre: 0.0,
            below: Vec::new(),
        });
    }
    let mut chains = Vec::new();
    for (name, used) in uses {
        for used in used {
            let mut chain = vec![by_name[name.as_str()]];
            for row in (rows[used.as_str()] + 1..rows[name.as_str()]).rev() {
                chain.push(nodes.len());
                nodes.push(Node { name: None, row, width: PASSING, centre: 0.0, below: Vec::new() });
            }
            chain.push(by_name[used.as_str()]);
            for pair in chain.windows(2) {
                nodes[pair[0]].below.push(pair[1]);
            }
            chains.push(chain);
        }
    }
    (nodes, chains)
}

/// Moves each node towards the middle of those it's joined to, row by row, down and up, until little crosses.
fn reduce_crossings(nodes: &mut [Node], order: &mut [Vec<usize>]) {
    let mut above = vec![Vec::new(); nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        for below in &node.below {
            above[*below].push(index);
        }
    }
    order.iter().for_each(|row| space_row(nodes, row));
    for sweep in 0..24 {
        let up = sweep % 2 == 0;
        let rows: Vec<usize> = if up { (0..order.len()).collect() } else { (0..order.len()).rev().collect() };
        for row in rows {
            let mean = |node: usize| {
                let joined = if up { &nodes[node].below } else { &above[node] };
                let sum: f64 = joined.iter().map(|other| nodes[*other].centre).sum();
                if joined.is_empty() { nodes[node].centre } else { sum / as_f64(joined.len()) }
            };
            let wanted: BTreeMap<usize, f64> = order[row].iter().map(|node| (*node, mean(*node))).collect();
            order[row].sort_by(|one, other| wanted[one].total_cmp(&wanted[other]));
            for node in &order[row] {
                nodes[*node].centre = wanted[node];
            }
            space_row(nodes, &order[row]);
        }
    }
}

/// Keeps a row's nodes apart, in their order, with as little moving as one pass from each side gives.
fn space_row(nodes: &mut [Node], row: &[usize]) {
    let apart =
        |nodes: &[Node], left: usize, right: usize| (nodes[left].width + nodes[right].width) / 2.0 + GAP;
    let wanted: Vec<f64> = row.iter().map(|node| nodes[*node].centre).collect();
    for pair in row.windows(2) {
        let least = nodes[pair[0]].centre + apart(nodes, pair[0], pair[1]);
        nodes[pair[1]].centre = nodes[pair[1]].centre.max(least);
    }
    // What was only pushed to the right moves back by the mean shift.
    let moved: f64 = row.iter().zip(&wanted).map(|(node, wanted)| nodes[*node].centre - wanted).sum();
    let back = if row.is_empty() { 0.0 } else { moved / as_f64(row.len()) };
    for node in row {
        nodes[*node].centre -= back;
    }
}

#[expect(clippy::cast_precision_loss, reason = "a few dozen boxes")]
fn as_f64(count: usize) -> f64 {
    count as f64
}

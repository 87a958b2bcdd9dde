//! A plan of Terraform or OpenTofu that doesn't fit: what happens to every resource stays, and the attributes of as many as
//! there is room for, of those that change first. `parts` knows the form of a resource.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use crate::Left;
use crate::counted::counted;
use crate::fit::shared;

mod parts;

use parts::{Part, Resource, headed, parts};

/// Fewer resources are left to the ceiling.
const FEW: usize = 6;
/// Room for the count of the addresses that aren't shown, in bytes.
const MORE: usize = 32;

/// Whether a line begins a resource.
pub(crate) fn begins(line: &str) -> bool {
    headed(line).is_some()
}

/// A plan of more than `room` bytes with every resource; `None` where it has few.
pub(crate) fn of_all_resources(text: &str, room: usize) -> Option<Left> {
    if text.len() <= room {
        return None;
    }
    let parts = parts(text);
    let resources: Vec<(usize, &Resource<'_>)> = parts
        .iter()
        .enumerate()
        .filter_map(|(at, part)| match part {
            Part::Resource(resource) => Some((at, resource)),
            Part::Line(_) => None,
        })
        .collect();
    if resources.len() < FEW {
        return None;
    }
    let mut open = vec![false; parts.len()];
    let (least, _) = written(&parts, &open);
    let Some(mut left) = room.checked_sub(least.len()) else {
        return Some(by_what_happens(&parts, room));
    };
    let often = frequencies(&resources);
    let rarest = |resource: &Resource<'_>| {
        resource.body.iter().filter_map(|line| often.get(&without_digits(line))).min().copied()
    };
    let mut order: Vec<(usize, Option<usize>, usize)> =
        resources.iter().map(|(at, resource)| (resource.rank(), rarest(resource), *at)).collect();
    order.sort_unstable();
    for (_, _, at) in order {
        let Some(Part::Resource(resource)) = parts.get(at) else { continue };
        let cost = bytes(resource.body.iter().copied()) - bytes(resource.stays()) + 1;
        if cost <= left {
            left -= cost;
            open[at] = true;
        }
    }
    let (out, hidden) = written(&parts, &open);
    Some((out, vec![("lines of resources", hidden)]))
}

/// The parts, with the attributes of those resources that are open, and how many lines that leaves out.
fn written(parts: &[Part<'_>], open: &[bool]) -> (String, usize) {
    let (mut out, mut hidden) = (String::new(), 0);
    let mut closed = false;
    for (part, open) in parts.iter().zip(open) {
        match part {
            // A resource without its attributes needs no blank line behind it.
            Part::Line("") if closed => closed = false,
            Part::Line(line) => {
                push(&mut out, line);
                closed = false;
            }
            Part::Resource(resource) => {
                resource.head.iter().for_each(|line| push(&mut out, line));
                if *open {
                    resource.body.iter().for_each(|line| push(&mut out, line));
                } else {
                    resource.stays().for_each(|line| push(&mut out, line));
                    hidden += resource.body.len() - resource.stays().count();
                }
                closed = !*open;
            }
        }
    }
    (out, hidden)
}

/// What happens to resources and their addresses, or a line of text and nothing.
type Block = (String, Vec<String>);

/// The addresses by what happens to them, or the first ones of each group, for more resources than there is room for lines. Those
/// between two lines of text stay between them: what has changed outside of Terraform is told apart from what it will change.
fn by_what_happens(parts: &[Part<'_>], room: usize) -> Left {
    let (mut blocks, mut hidden) = (Vec::<Block>::new(), 0);
    let mut section: Vec<&Resource<'_>> = Vec::new();
    for part in parts {
        match part {
            Part::Line("") => {}
            Part::Line(line) => {
                blocks.extend(groups(&section));
                section.clear();
                blocks.push(((*line).to_owned(), Vec::new()));
            }
            Part::Resource(resource) => {
                hidden += resource.head.len() - 1 + resource.body.len() - resource.stays().count();
                section.push(resource);
            }
        }
    }
    blocks.extend(groups(&section));
    let titles: usize = blocks.iter().map(|(title, _)| title.len() + 1).sum();
    let wanted: Vec<usize> =
        blocks.iter().map(|(_, rows)| rows.iter().map(String::len).sum::<usize>()).collect();
    let mut out = String::new();
    for ((title, rows), granted) in blocks.iter().zip(shared(&wanted, room.saturating_sub(titles))) {
        push(&mut out, title);
        push_rows(&mut out, rows, granted);
    }
    (out, vec![("lines of resources", hidden)])
}

/// The addresses of `resources` below what happens to them and how many there are.
fn groups(resources: &[&Resource<'_>]) -> Vec<Block> {
    let mut groups: BTreeMap<(usize, &str), Vec<String>> = BTreeMap::new();
    for resource in resources {
        // What goes is told before what is new.
        let rank = if resource.rank() == 2 { 4 } else { resource.rank() };
        // Each has moved to another address.
        let (happens, to) = match resource.happens.split_once(" to ") {
            Some((moved @ "has moved", to)) => (moved, format!(" to {to}")),
            _ => (resource.happens, String::new()),
        };
        let mut row = format!("    {}{to}\n", resource.address);
        resource.stays().for_each(|line| push(&mut row, line));
        groups.entry((rank, happens)).or_default().push(row);
    }
    let titled = |((_, happens), rows): ((usize, &str), Vec<String>)| {
        (format!("  # {happens} ({}):", rows.len()), rows)
    };
    groups.into_iter().map(titled).collect()
}

/// Writes as many of `rows` as fit in `room` bytes, and how many more there are.
fn push_rows(out: &mut String, rows: &[String], room: usize) {
    let all: usize = rows.iter().map(String::len).sum();
    let mut left = if all <= room { room } else { room.saturating_sub(MORE) };
    let fits = |row: &&String| {
        let rest = left.checked_sub(row.len());
        left = rest.unwrap_or(left);
        rest.is_some()
    };
    let shown = rows.iter().take_while(fits).count();
    rows[..shown].iter().for_each(|row| out.push_str(row));
    if shown < rows.len() {
        let _ = writeln!(out, "    … {}", counted(rows.len() - shown, "more resources"));
    }
}

/// How often each line of attributes is there, whatever its numbers.
fn frequencies(resources: &[(usize, &Resource<'_>)]) -> HashMap<String, usize> {
    let mut often: HashMap<String, usize> = HashMap::new();
    for line in resources.iter().flat_map(|(_, resource)| &resource.body) {
        *often.entry(without_digits(line)).or_default() += 1;
    }
    often
}

fn without_digits(line: &str) -> String {
    line.chars().filter(|c| !c.is_ascii_digit()).collect()
}

fn bytes<'l>(lines: impl Iterator<Item = &'l str>) -> usize {
    lines.map(|line| line.len() + 1).sum()
}

fn push(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::of_all_resources;

    fn resource(address: &str, happens: &str, sign: &str, size: &str) -> String {
        let attributes: String =
            (0..9).map(|n| format!("      {sign} attribute_{n} = \"a value of some length\"\n")).collect();
        format!(
            "  # {address} {happens}\n  {sign} resource \"shop_shard\" \"x\" {{\n      {sign} size = \"{size}\"\n{attributes}    }}\n\n"
        )
    }

    fn plan(count: usize) -> String {
        let mut text = String::from("data.shop.me: Read complete\n\n");
        for n in 0..count {
            let size = if n == 23 { "xlarge" } else { "small" };
            text.push_str(&resource(&format!("shop_shard.all[\"s-{n}\"]"), "will be created", "+", size));
        }
        text.push_str(&resource("module.old.shop_shard.main", "will be destroyed", "-", "huge"));
        text.push_str(&resource("shop_shard.cart", "will be updated in-place", "~", "changed"));
        text.push_str("  # shop_shard.stock must be replaced\n  # (tainted)\n-/+ resource \"shop_shard\" \"stock\" {\n      ~ id = \"9\"\n    }\n\n");
        text.push_str("Plan: 51 to add, 1 to change, 2 to destroy.\n");
        text
    }

    #[test]
    fn every_resource_stays_and_what_changes_keeps_its_attributes() {
        let text = plan(50);
        let room = 6_000;
        let (out, left_out) = of_all_resources(&text, room).unwrap();
        assert!(out.len() <= room && out.len() > room - 800, "{}", out.len());
        for n in 0..50 {
            assert!(out.contains(&format!("  # shop_shard.all[\"s-{n}\"] will be created\n")), "{n}: {out}");
        }
        assert!(out.contains("  # module.old.shop_shard.main will be destroyed\n"), "{out}");
        // Those that change, and the one that is unlike the others.
        for line in [
            "      ~ size = \"changed\"\n",
            "  # (tainted)\n-/+ resource",
            "      ~ id = \"9\"\n",
            "\"xlarge\"",
        ] {
            assert!(out.contains(line), "{line}: {out}");
        }
        assert!(
            !out.contains("\"huge\"") && out.ends_with("\nPlan: 51 to add, 1 to change, 2 to destroy.\n"),
            "{out}"
        );
        let [("lines of resources", hidden)] = left_out[..] else { panic!("{left_out:?}") };
        let shown = out.lines().filter(|line| !line.is_empty()).count();
        assert_eq!(shown + hidden, text.lines().filter(|line| !line.is_empty()).count());
    }

    #[test]
    fn addresses_are_grouped_where_their_lines_do_not_fit() {
        let (out, _) = of_all_resources(&plan(50), 2_200).unwrap();
        let groups: Vec<&str> = out.lines().filter(|line| line.starts_with("  # ")).collect();
        assert_eq!(
            groups,
            [
                "  # must be replaced (1):",
                "  # will be updated in-place (1):",
                "  # will be destroyed (1):",
                "  # will be created (50):"
            ]
        );
        assert!(out.contains("(50):\n    shop_shard.all[\"s-0\"]\n    shop_shard.all[\"s-1\"]\n"), "{out}");
        // Where not even these fit, each group begins, and the others are counted.
        for room in [700, 1_000, 1_500] {
            let (out, _) = of_all_resources(&plan(50), room).unwrap();
            assert!(out.len() <= room && out.len() > room - 80, "{room}: {out}");
            assert_eq!(out.lines().filter(|line| groups.contains(line)).count(), 4, "{room}: {out}");
            let shown = out.matches("    shop_shard.all[").count();
            assert!(out.contains(&format!("\n    … {} more resources\n", 50 - shown)), "{room}: {out}");
        }
    }

    #[test]
    fn what_changed_outside_is_not_below_what_will_change() {
        let mut text = "Note: Objects have changed outside of Terraform\n\n".to_owned();
        (0..20)
            .for_each(|n| text.push_str(&resource(&format!("shop_shard.a[{n}]"), "has changed", "~", "1")));
        text.push_str("Unless you have made equivalent changes to your configuration, or ignored the\n\n");
        (0..20).for_each(|n| {
            text.push_str(&resource(&format!("shop_shard.a[{n}]"), "will be updated in-place", "~", "1"));
        });
        text.push_str("Plan: 0 to add, 20 to change, 0 to destroy.\n");
        let (out, _) = of_all_resources(&text, 1_200).unwrap();
        let addresses: String = (0..20).map(|n| format!("    shop_shard.a[{n}]\n")).collect();
        assert_eq!(
            out,
            format!(
                "Note: Objects have changed outside of Terraform\n  # has changed (20):\n{addresses}Unless you have made equivalent changes to your configuration, or ignored the\n  # will be updated in-place (20):\n{addresses}Plan: 0 to add, 20 to change, 0 to destroy.\n"
            )
        );
    }

    #[test]
    fn moved_resources_are_one_group() {
        let moved = |n: usize| {
            resource(
                &format!("shop_shard.a[{n}]"),
                &format!("has moved to module.b.shop_shard.a[{n}]"),
                " ",
                "1",
            )
        };
        let text: String = (0..40).map(moved).collect();
        let (out, _) = of_all_resources(&text, 2_200).unwrap();
        assert!(
            out.starts_with("  # has moved (40):\n    shop_shard.a[0] to module.b.shop_shard.a[0]\n"),
            "{out}"
        );
        assert_eq!(out.lines().count(), 41, "{out}");
    }

    /// Without its bracket a resource would take the next ones and the totals with it.
    #[test]
    fn a_resource_that_is_not_closed_ends_before_what_cannot_belong_to_it() {
        let unclosed =
            |address: &str| resource(address, "will be destroyed", "-", "small").replace("    }\n", "");
        let cart = "  # shop_shard.cart";
        let text = plan(50)
            .replace(cart, &(unclosed("shop_shard.one") + cart))
            .replace("Plan:", &(unclosed("shop_shard.two") + "Plan:"));
        let (out, _) = of_all_resources(&text, 6_000).unwrap();
        for line in [
            "  # shop_shard.one will be destroyed\n",
            "  # shop_shard.cart will be updated in-place\n  ~ resource ",
            "  # shop_shard.two will be destroyed\n",
        ] {
            assert!(out.contains(line), "{line}: {out}");
        }
        assert!(out.ends_with("\nPlan: 51 to add, 1 to change, 2 to destroy.\n"), "{out}");
    }

    #[test]
    fn a_plan_that_fits_or_has_few_resources_stays() {
        assert_eq!(of_all_resources(&plan(50), 90_000), None);
        assert_eq!(of_all_resources(&plan(2), 500), None);
    }
}

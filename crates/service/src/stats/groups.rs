//! The parts of a total in a line: by agent, project, tool or filter. What isn't named is summed up, so that a line adds up.

use contract::{Amount, count, signed_bytes};
use sessions::{Group, Totals};

/// How many groups of each kind are named.
pub(super) const NAMED_GROUPS: usize = 6;

/// The first groups of a kind, and all others in one sum: the last ones are those that cost, and without them the line would
/// promise more than the total.
pub(super) fn in_words(what: &str, groups: &[Group], all: &Totals) -> Vec<String> {
    let (named, others): (Vec<&Group>, Vec<&Group>) =
        groups.iter().partition(|group| !group.name.is_empty() && (what != "tool" || group.totals.calls > 0));
    let (first, more) = named.split_at(named.len().min(NAMED_GROUPS));
    let mut parts: Vec<String> = first.iter().map(|group| group_text(group, what == "filter")).collect();
    if parts.is_empty() {
        return parts;
    }
    if what == "filter" {
        parts.extend((!more.is_empty()).then(|| format!("and {}", count(more.len() as u64, "more filter"))));
        return parts;
    }
    let net = first.iter().fold(0_i64, |net, group| net.saturating_add(group.totals.net_bytes));
    let calls = first.iter().fold(0_u64, |calls, group| calls.saturating_add(group.totals.calls));
    let rest = (all.net_bytes.saturating_sub(net), all.calls.saturating_sub(calls));
    let name = match (what, rest.1) {
        _ if rest == (0, 0) => return parts,
        ("tool", 0) => "the list of tools and hooks",
        ("tool", _) if !others.is_empty() => "others, with the list of tools and hooks",
        _ => "others",
    };
    let called = if rest.1 > 0 { format!(" ({})", count(rest.1, "call")) } else { String::new() };
    parts.push(format!("{name} {}{called}", signed_bytes(rest.0)));
    parts
}

fn group_text(group: &Group, before_and_after: bool) -> String {
    let totals = &group.totals;
    if before_and_after {
        let (before, after) = (Amount::bytes(totals.raw_bytes), Amount::bytes(totals.returned_bytes));
        format!("{} {before} → {after} ({})", group.name, count(totals.calls, "call"))
    } else {
        format!("{} {} ({})", group.name, signed_bytes(totals.net_bytes), count(totals.calls, "call"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(name: &str, calls: u64, net_bytes: i64) -> Group {
        Group { name: name.into(), totals: Totals { calls, net_bytes, ..Totals::default() } }
    }

    fn all(groups: &[Group]) -> Totals {
        Totals {
            calls: groups.iter().map(|group| group.totals.calls).sum(),
            net_bytes: groups.iter().map(|group| group.totals.net_bytes).sum(),
            ..Totals::default()
        }
    }

    /// How many parts there are, and the last one.
    fn last(what: &str, groups: &[Group]) -> (usize, String) {
        let parts = in_words(what, groups, &all(groups));
        (parts.len(), parts.last().cloned().unwrap_or_default())
    }

    #[test]
    fn a_line_adds_up_to_the_total_whatever_it_names() {
        let tools = ["execute", "batch", "Bash", "run", "index", "search", "memory", "manage"];
        let mut groups: Vec<Group> =
            tools.iter().zip(1..).map(|(name, at)| group(name, 2, 50_000 - at * 7_000)).collect();
        groups.push(group("hook", 0, -9_000));
        groups.push(group("tool list", 0, -30_000));
        // 1,000 and -6,000 of the two tools that aren't named, and the rest.
        assert_eq!(
            last("tool", &groups),
            (7, "others, with the list of tools and hooks -44 KB (4 calls)".to_owned())
        );
        let few = [group("Bash", 2, 9_000), group("tool list", 0, -4_300)];
        assert_eq!(last("tool", &few), (2, "the list of tools and hooks -4.3 KB".to_owned()));
        assert_eq!(last("tool", &few[..1]), (1, "Bash 9 KB (2 calls)".to_owned()));
        assert_eq!(last("agent", &groups[..8]), (7, "others -5 KB (4 calls)".to_owned()));
        // A row without a project isn't named, but counts.
        let nowhere = [group("/w/shop", 1, 500), group("", 3, -200)];
        assert_eq!(last("project", &nowhere), (2, "others -200 B (3 calls)".to_owned()));
        assert_eq!(last("filter", &groups[..8]), (7, "and 2 more filters".to_owned()));
        assert_eq!(in_words("tool", &few[1..], &all(&few[1..])), Vec::<String>::new());
    }
}

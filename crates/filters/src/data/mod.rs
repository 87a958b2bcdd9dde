//! Shapes of data: rows, searches, diffs, logs, texts. Each is shown in full where it is short, and otherwise by its totals,
//! its distribution, and samples of which the rare come first. No word selects anything here.

pub(crate) mod binary;
mod chosen_columns;
mod clock;
pub(crate) mod columns;
pub(crate) mod folders;
mod names;
pub(crate) mod outline;
pub(crate) mod patch;
pub(crate) mod paths;
pub(crate) mod picked;
pub(crate) mod rows;
pub(crate) mod search;
pub(crate) mod sections;
mod set_apart;
pub(crate) mod template;

/// The result of `shortened` that keeps to `room`: it is called with less room until it fits, and then with as much
/// as still fits, because the bytes that marks and counts take are only known after the layout.
pub(crate) fn within(room: usize, shortened: impl Fn(usize) -> String) -> String {
    let whole = shortened(room);
    if whole.len() <= room {
        return whole;
    }
    let (mut fits, mut too_much) = (0, room);
    let mut asked = room.saturating_sub((whole.len() - room) + room / 32);
    let mut best: Option<String> = None;
    let mut shortest = whole;
    for _ in 0..TRIES {
        let out = shortened(asked);
        if out.len() <= room {
            fits = asked;
            // Hardly anything is left of the room.
            let full = out.len() + room / 16 >= room;
            if best.as_ref().is_none_or(|best| out.len() >= best.len()) {
                best = Some(out);
            }
            if full {
                break;
            }
            asked = fits + (too_much - fits) / 2;
        } else {
            too_much = asked;
            asked = match best {
                Some(_) => fits + (too_much - fits) / 2,
                None => asked.saturating_sub((out.len() - room) + room / 32),
            };
            if out.len() < shortest.len() {
                shortest = out;
            }
        }
        if too_much - fits < 16 {
            break;
        }
    }
    best.unwrap_or(shortest)
}

/// How often a text is laid out to find a result that fits.
const TRIES: usize = 10;

#[cfg(test)]
mod tests {
    use super::within;

    #[test]
    fn the_budget_is_kept_and_used() {
        // Takes twice what it is asked for, and a little.
        let out = within(2_000, |room| "x".repeat(room * 2 + 100));
        assert!(out.len() <= 2_000 && out.len() > 1_800, "{}", out.len());
        // It can't be made to fit.
        assert_eq!(within(50, |_| "x".repeat(100)).len(), 100);
    }
}

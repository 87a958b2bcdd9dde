//! The tray's icon. Its states differ by shape: the load line is broken while paused, and there is a dot at the upper
//! right if attention is needed. The shapes come from `icons/tray/`; doesn't know why a state applies.

use contract::desktop::Overview;
use tauri::image::Image;
use tauri::include_image;

/// The state that the icon shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// At work.
    Normal,
    /// Hooks do nothing for now.
    Paused,
    /// An agent needs the user, or something doesn't work.
    NeedsYou,
}

/// The icon's colour: the accent in a tone that is readable on light and on dark panels, because neither Linux nor
/// Windows reveals the panel's colour. macOS colours the icon itself.
#[cfg(not(target_os = "macos"))]
const INK: [u8; 3] = [38, 153, 142];
#[cfg(target_os = "macos")]
const INK: [u8; 3] = [0, 0, 0];

impl State {
    /// A pause is the user's own choice and takes precedence.
    pub(crate) fn of(overview: &Overview) -> Self {
        let here =
            overview.project.as_ref().is_some_and(|project| overview.paused_projects.contains(project));
        if overview.hooks_off || overview.paused_until_ms.is_some() || here {
            Self::Paused
        } else if !overview.agents.needs_you.is_empty() || !overview.problems.is_empty() {
            Self::NeedsYou
        } else {
            Self::Normal
        }
    }

    /// The shape in the size that this system scales best.
    #[cfg(target_os = "macos")]
    fn shape(self) -> Image<'static> {
        match self {
            Self::Normal => include_image!("../icons/tray/normal-template@2x.png"),
            Self::Paused => include_image!("../icons/tray/paused-template@2x.png"),
            Self::NeedsYou => include_image!("../icons/tray/needs-you-template@2x.png"),
        }
    }

    #[cfg(windows)]
    fn shape(self) -> Image<'static> {
        match self {
            Self::Normal => include_image!("../icons/tray/normal-on-light-32.png"),
            Self::Paused => include_image!("../icons/tray/paused-on-light-32.png"),
            Self::NeedsYou => include_image!("../icons/tray/needs-you-on-light-32.png"),
        }
    }

    #[cfg(not(any(windows, target_os = "macos")))]
    fn shape(self) -> Image<'static> {
        match self {
            Self::Normal => include_image!("../icons/tray/normal-on-light-48.png"),
            Self::Paused => include_image!("../icons/tray/paused-on-light-48.png"),
            Self::NeedsYou => include_image!("../icons/tray/needs-you-on-light-48.png"),
        }
    }

    /// The icon in its colour.
    pub(crate) fn picture(self) -> Image<'static> {
        let shape = self.shape();
        let (width, height) = (shape.width(), shape.height());
        let [red, green, blue] = INK;
        let inked = shape.rgba().as_chunks::<4>().0.iter().flat_map(|pixel| [red, green, blue, pixel[3]]);
        Image::new_owned(inked.collect(), width, height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many coloured pixels there are between two points of the icon, in fractions of its width and height.
    fn ink(state: State, x: (f32, f32), y: (f32, f32)) -> usize {
        let picture = state.picture();
        let size = picture.width();
        #[expect(clippy::cast_precision_loss, reason = "icons are small")]
        let inside = |at: u32, range: (f32, f32)| {
            let part = (at as f32 + 0.5) / size as f32;
            part > range.0 && part < range.1
        };
        let pixels = picture.rgba().as_chunks::<4>().0;
        let at = |index: usize| u32::try_from(index).map(|index| (index % size, index / size));
        pixels
            .iter()
            .enumerate()
            .filter(|(index, pixel)| {
                at(*index).is_ok_and(|(column, row)| inside(column, x) && inside(row, y)) && pixel[3] > 127
            })
            .count()
    }

    #[test]
    fn the_states_differ_by_shape_and_not_by_colour() {
        let (middle, corner) = ((0.38, 0.62), (0.75, 1.0));
        let line = (0.45, 0.55);
        assert!(ink(State::Normal, middle, line) > 0, "the line crosses the ring");
        assert_eq!(ink(State::Paused, middle, line), 0, "the line is broken");
        assert!(ink(State::NeedsYou, middle, line) > 0);
        let dot = |state| ink(state, corner, (0.0, 0.25));
        assert!(dot(State::NeedsYou) > dot(State::Normal) + 10, "a dot stands at the upper right");
        assert_eq!(dot(State::Normal), dot(State::Paused));
        for state in [State::Normal, State::Paused, State::NeedsYou] {
            let picture = state.picture();
            assert!(picture.rgba().as_chunks::<4>().0.iter().all(|pixel| pixel[..3] == INK));
        }
    }
}

//! Makes a picture of the window light: at most 256 colours, which is all that flat surfaces and smoothed letters
//! need, written as an indexed PNG. Owns the choice of the colours; knows nothing of windows.

use std::collections::HashMap;
use std::path::Path;

use anyhow::{Context, Result};

type Colour = [u8; 3];

/// The colours of an indexed PNG.
const COLOURS: usize = 256;
/// The number of colours that fill most of the picture and stay exactly as they are.
const EXACT: usize = 64;

/// Rewrites the picture with a palette; gives its size in bytes.
pub(crate) fn reduce_to_palette(path: &Path) -> Result<u64> {
    let drawn = resvg::tiny_skia::Pixmap::load_png(path).with_context(|| path.display().to_string())?;
    let pixels: Vec<Colour> = drawn.pixels().iter().map(|one| [one.red(), one.green(), one.blue()]).collect();
    let palette = choose(&pixels);
    let mut nearest: HashMap<Colour, u8> = HashMap::new();
    let indexed: Vec<u8> = pixels
        .iter()
        .map(|pixel| *nearest.entry(*pixel).or_insert_with(|| closest(&palette, *pixel)))
        .collect();
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, drawn.width(), drawn.height());
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(palette.concat());
    encoder.set_compression(png::Compression::High);
    // Neighbouring numbers of a palette say nothing about each other.
    encoder.set_filter(png::Filter::NoFilter);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&indexed)?;
    writer.finish()?;
    std::fs::write(path, &bytes)?;
    Ok(bytes.len() as u64)
}

/// Median cut: the box of colours with the widest spread is cut in the middle of its pixels, until there are 256.
/// The colours that fill most of the picture stay exactly as they are.
fn choose(pixels: &[Colour]) -> Vec<Colour> {
    let mut counts: HashMap<Colour, u64> = HashMap::new();
    for pixel in pixels {
        *counts.entry(*pixel).or_default() += 1;
    }
    let mut all: Vec<(Colour, u64)> = counts.into_iter().collect();
    all.sort_by_key(|(colour, count)| (std::cmp::Reverse(*count), *colour));
    let exact = all.len().min(EXACT);
    let mut palette: Vec<Colour> = all[..exact].iter().map(|(colour, _)| *colour).collect();
    let mut boxes = vec![all.split_off(exact)];
    boxes.retain(|one| !one.is_empty());
    while boxes.len() + palette.len() < COLOURS {
        let widest =
            (0..boxes.len()).filter(|at| boxes[*at].len() > 1).max_by_key(|at| widest_channel(&boxes[*at]).1);
        let Some(at) = widest else { break };
        let mut low = boxes.swap_remove(at);
        let (channel, _) = widest_channel(&low);
        low.sort_by_key(|(colour, _)| colour[channel]);
        let half = low.iter().map(|(_, count)| count).sum::<u64>() / 2;
        let mut seen = 0;
        let cut = low.iter().position(|(_, count)| {
            seen += count;
            seen > half
        });
        let high = low.split_off(cut.unwrap_or(0).clamp(1, low.len() - 1));
        boxes.extend([low, high]);
    }
    palette.extend(boxes.iter().map(|one| mean(one)));
    palette
}

/// The channel in which the colours differ most, and by how much.
fn widest_channel(colours: &[(Colour, u64)]) -> (usize, u8) {
    let range = |channel: usize| {
        let values = colours.iter().map(|(colour, _)| colour[channel]);
        values.clone().max().unwrap_or(0) - values.min().unwrap_or(0)
    };
    (0..3).map(|channel| (channel, range(channel))).max_by_key(|(_, range)| *range).unwrap_or((0, 0))
}

fn mean(colours: &[(Colour, u64)]) -> Colour {
    let count = colours.iter().map(|(_, count)| count).sum::<u64>().max(1);
    [0, 1, 2].map(|channel| {
        let sum: u64 = colours.iter().map(|(colour, count)| u64::from(colour[channel]) * count).sum();
        u8::try_from(sum / count).unwrap_or(u8::MAX)
    })
}

fn closest(palette: &[Colour], to: Colour) -> u8 {
    let distance =
        |one: &Colour| -> u32 { (0..3).map(|at| u32::from(one[at].abs_diff(to[at])).pow(2)).sum() };
    let found = palette.iter().enumerate().min_by_key(|(_, one)| distance(one)).map_or(0, |(at, _)| at);
    u8::try_from(found).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colours_stay_exactly_and_many_become_256() {
        let few: Vec<Colour> = (0..60).map(|n| [n, 2 * n, 3 * n]).collect();
        let palette = choose(&few);
        assert!(few.iter().all(|one| palette.contains(one)));
        let many: Vec<Colour> =
            (0..40_000u32).map(|n| [(n % 251) as u8, (n % 241) as u8, (n % 239) as u8]).collect();
        let palette = choose(&many);
        assert_eq!(palette.len(), 256);
        let far = many.iter().map(|one| {
            let near = palette[usize::from(closest(&palette, *one))];
            (0..3).map(|at| near[at].abs_diff(one[at])).max().unwrap_or(0)
        });
        assert!(far.max().unwrap_or(0) < 80);
    }
}

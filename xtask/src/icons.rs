//! `cargo xtask icons [--check]`: makes every icon from the drawings in `icons/`.
//!
//! The drawings are `plimsoll.svg`, `plimsoll-small.svg` for sizes where the large one would blur,
//! `plimsoll-symbolic.svg`, and the tray's states in `tray/`. What is made from them is committed, so that building needs no
//! drawing; `--check` draws again in memory and names the files that differ. Who uses which file is listed in
//! `icons/README.md`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg;

use crate::place::Place;
use crate::steps::say;

/// Up to this many pixels the small drawing is used.
const SMALL: u32 = 24;

/// The tray's states, by the name of their drawing.
const STATES: [&str; 3] = ["normal", "paused", "needs-you"];

/// Colours of the tray's icons: the file's name part, and red, green, blue. macOS colours templates by itself;
/// elsewhere the icon has to suit its panel.
const TONES: [(&str, [u8; 3]); 2] = [("on-light", [0x1f, 0x2a, 0x30]), ("on-dark", [0xf4, 0xf7, 0xf7])];

/// macOS keeps room around the plate of an icon; from this size on Plimsoll's icons do too there.
const PLATE_ON_MACOS: (u32, f32) = (64, 824.0 / 960.0);

/// Files by their path inside `icons/`.
type Files = BTreeMap<PathBuf, Vec<u8>>;

/// Writes the icons, or with `--check` says which are not up to date.
pub(crate) fn icons(place: &Place, rest: &[String]) -> Result<()> {
    match rest {
        [] => {
            let dir = place.repo.join("icons");
            let files = draw(&dir)?;
            for stale in generated(&dir)?.into_iter().filter(|path| !files.contains_key(path)) {
                std::fs::remove_file(dir.join(stale))?;
            }
            for (path, bytes) in &files {
                let path = dir.join(path);
                std::fs::create_dir_all(path.parent().context("icons are in a folder")?)?;
                std::fs::write(&path, bytes).with_context(|| format!("writing {}", path.display()))?;
            }
            let size: usize = files.values().map(Vec::len).sum();
            say(&format!("{} icons, {} KB", files.len(), size / 1000));
            Ok(())
        }
        [word] if word == "--check" => check(place),
        _ => bail!("cargo xtask icons [--check]"),
    }
}

/// Fails with the names of the icons that differ from the drawings.
pub(crate) fn check(place: &Place) -> Result<()> {
    // Other processors round some pixels differently; the icons in the clone were drawn on this kind.
    if !cfg!(target_arch = "x86_64") {
        say("   icons are compared on x86-64 only");
        return Ok(());
    }
    let dir = place.repo.join("icons");
    let files = draw(&dir)?;
    let mut wrong: Vec<PathBuf> = files
        .iter()
        .filter(|(path, bytes)| std::fs::read(dir.join(path)).ok().as_ref() != Some(*bytes))
        .map(|(path, _)| path.clone())
        .collect();
    wrong.extend(generated(&dir)?.into_iter().filter(|path| !files.contains_key(path)));
    ensure!(
        wrong.is_empty(),
        "not what the drawings give (run `cargo xtask icons`): {}",
        wrong.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
    );
    Ok(())
}

/// The files in folders of generated files only, and the generated files beside the drawings.
fn generated(dir: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![dir.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).with_context(|| format!("reading {}", folder.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let inside = path.strip_prefix(dir)?.to_owned();
            let drawing = inside.extension().is_some_and(|end| end == "svg" || end == "md");
            if inside.starts_with("hicolor") || !drawing {
                found.push(inside);
            }
        }
    }
    Ok(found)
}

fn draw(dir: &Path) -> Result<Files> {
    let large = Drawing::read(&dir.join("plimsoll.svg"))?;
    let small = Drawing::read(&dir.join("plimsoll-small.svg"))?;
    let app = |size: u32| if size <= SMALL { &small } else { &large };
    let mut files = Files::new();

    // Tauri's names.
    for (name, size) in [
        ("32x32.png", 32),
        ("64x64.png", 64),
        ("128x128.png", 128),
        ("128x128@2x.png", 256),
        ("icon.png", 1024),
    ] {
        files.insert(name.into(), app(size).at(size)?.encode_png()?);
    }
    files.insert("icon.ico".into(), windows(&app)?);
    files.insert("icon.icns".into(), macos(&app)?);

    // The theme that every Linux desktop falls back on.
    for size in [16, 22, 24, 32, 48, 64, 128, 256, 512] {
        let path = format!("hicolor/{size}x{size}/apps/plimsoll.png");
        files.insert(path.into(), app(size).at(size)?.encode_png()?);
    }
    files.insert("hicolor/scalable/apps/plimsoll.svg".into(), large.source.clone());
    let symbolic = std::fs::read(dir.join("plimsoll-symbolic.svg"))?;
    files.insert("hicolor/symbolic/apps/plimsoll-symbolic.svg".into(), symbolic);

    for state in STATES {
        let drawing = Drawing::read(&dir.join(format!("tray/{state}.svg")))?;
        files.insert(
            format!("hicolor/symbolic/status/plimsoll-{state}-symbolic.svg").into(),
            drawing.source.clone(),
        );
        for (name, size) in [("", 18), ("@2x", 36), ("@3x", 54)] {
            let path = format!("tray/{state}-template{name}.png");
            files.insert(path.into(), drawing.at_pixel_grid(size)?.encode_png()?);
        }
        for (tone, colour) in TONES {
            for size in [16, 20, 22, 24, 32, 48] {
                let mut pixels = drawing.at_pixel_grid(size)?;
                tint(&mut pixels, colour);
                files.insert(format!("tray/{state}-{tone}-{size}.png").into(), pixels.encode_png()?);
            }
        }
    }
    Ok(files)
}

/// A drawing as text and as shapes.
struct Drawing {
    source: Vec<u8>,
    tree: usvg::Tree,
}

impl Drawing {
    fn read(path: &Path) -> Result<Self> {
        let source = std::fs::read(path).with_context(|| format!("reading {}", path.display()))?;
        let tree = usvg::Tree::from_data(&source, &usvg::Options::default())
            .with_context(|| format!("{} isn't a drawing", path.display()))?;
        Ok(Self { source, tree })
    }

    /// Fills a square of `size` pixels.
    fn at(&self, size: u32) -> Result<Pixmap> {
        self.scaled(size, 1.0)
    }

    /// Fills `part` of a square of `size` pixels, in its middle.
    #[expect(clippy::cast_precision_loss, reason = "sizes of icons are small")]
    fn scaled(&self, size: u32, part: f32) -> Result<Pixmap> {
        let mut pixels = Pixmap::new(size, size).context("an icon has pixels")?;
        let scale = size as f32 * part / self.tree.size().width();
        let margin = size as f32 * (1.0 - part) / 2.0;
        let place = Transform::from_scale(scale, scale).post_translate(margin, margin);
        resvg::render(&self.tree, place, &mut pixels.as_mut());
        Ok(pixels)
    }

    /// Like [`Self::at`], but where a few pixels of margin are enough to put the drawing's edges on whole pixels, they
    /// are spent: the tray's drawings have a grid of 16.
    #[expect(clippy::cast_precision_loss, reason = "sizes of icons are small")]
    fn at_pixel_grid(&self, size: u32) -> Result<Pixmap> {
        let grid = size / 16 * 16;
        if size - grid > 6 {
            return self.at(size);
        }
        self.scaled(size, grid as f32 / size as f32)
    }
}

/// Gives everything that is drawn one colour; how much covers a pixel stays.
fn tint(pixels: &mut Pixmap, colour: [u8; 3]) {
    for pixel in pixels.data_mut().chunks_exact_mut(4) {
        let cover = u16::from(pixel[3]);
        for (channel, wanted) in pixel.iter_mut().zip(colour) {
            // Kept multiplied by the cover, as everywhere in a pixmap; it is at most 255.
            *channel = u8::try_from((u16::from(wanted) * cover + 127) / 255).unwrap_or(u8::MAX);
        }
    }
}

/// The bytes of red, green, blue and alpha, not multiplied.
fn unmultiplied_bytes(pixels: &Pixmap) -> Vec<u8> {
    pixels
        .pixels()
        .iter()
        .flat_map(|pixel| {
            let colour = pixel.demultiply();
            [colour.red(), colour.green(), colour.blue(), colour.alpha()]
        })
        .collect()
}

/// The left side of the Windows installer's pages as it wants it. Made when it is packed, because it is large.
pub(crate) fn setup_side(place: &Place) -> Result<Vec<u8>> {
    bitmap(&Drawing::read(&place.repo.join("icons/setup-side.svg"))?)
}

/// A drawing without holes as a Windows bitmap, twice as large as it says, for screens with small pixels.
fn bitmap(drawing: &Drawing) -> Result<Vec<u8>> {
    let size = drawing.tree.size().to_int_size().scale_by(2.0).context("a bitmap has pixels")?;
    let (width, height) = (size.width(), size.height());
    let mut pixels = Pixmap::new(width, height).context("a bitmap has pixels")?;
    resvg::render(&drawing.tree, Transform::from_scale(2.0, 2.0), &mut pixels.as_mut());
    ensure!(width % 4 == 0, "rows of a bitmap are filled to four bytes");
    let image = width * height * 3;
    let mut bytes = Vec::from(*b"BM");
    for number in [54 + image, 0, 54, 40, width, height, 1 | 24 << 16, 0, image, 0, 0, 0, 0] {
        bytes.extend(number.to_le_bytes());
    }
    // From the lowest row up, and blue first.
    for row in unmultiplied_bytes(&pixels).chunks_exact(width as usize * 4).rev() {
        bytes.extend(row.chunks_exact(4).flat_map(|pixel| [pixel[2], pixel[1], pixel[0]]));
    }
    Ok(bytes)
}

fn windows<'a>(app: &impl Fn(u32) -> &'a Drawing) -> Result<Vec<u8>> {
    let mut folder = ico::IconDir::new(ico::ResourceType::Icon);
    // Tauri takes the first for its windows.
    for size in [32, 16, 20, 24, 40, 48, 64, 256] {
        let image = ico::IconImage::from_rgba_data(size, size, unmultiplied_bytes(&app(size).at(size)?));
        // Only the largest may be compressed: older readers can't read smaller compressed ones.
        folder.add_entry(if size == 256 {
            ico::IconDirEntry::encode_as_png(&image)?
        } else {
            ico::IconDirEntry::encode_as_bmp(&image)?
        });
    }
    let mut bytes = Vec::new();
    folder.write(&mut bytes)?;
    Ok(bytes)
}

fn macos<'a>(app: &impl Fn(u32) -> &'a Drawing) -> Result<Vec<u8>> {
    use icns::IconType as Type;
    let mut family = icns::IconFamily::new();
    for (kind, size) in [
        (Type::RGB24_16x16, 16),
        (Type::RGBA32_16x16_2x, 32),
        (Type::RGB24_32x32, 32),
        (Type::RGBA32_32x32_2x, 64),
        (Type::RGBA32_128x128, 128),
        (Type::RGBA32_128x128_2x, 256),
        (Type::RGBA32_256x256, 256),
        (Type::RGBA32_256x256_2x, 512),
        (Type::RGBA32_512x512, 512),
        (Type::RGBA32_512x512_2x, 1024),
    ] {
        let (from, part) = PLATE_ON_MACOS;
        let pixels = app(size).scaled(size, if size < from { 1.0 } else { part })?;
        let image = icns::Image::from_data(icns::PixelFormat::RGBA, size, size, unmultiplied_bytes(&pixels))?;
        family.add_icon_with_type(&image, kind)?;
    }
    let mut bytes = Vec::new();
    family.write(&mut bytes)?;
    Ok(bytes)
}

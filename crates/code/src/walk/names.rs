//! The names by which a walk leaves files and folders out, and hidden ones that it keeps. Pure.

use std::path::Path;

/// Folders of dependencies and build output, whether or not an ignore file names them.
pub(super) const NEVER: &[&str] = &[
    ".git",
    ".hg",
    ".svn",
    ".jj",
    "node_modules",
    "bower_components",
    "__pycache__",
    ".venv",
    ".tox",
    ".mypy_cache",
    ".pytest_cache",
    ".gradle",
    ".next",
    ".nuxt",
    ".svelte-kit",
    ".terraform",
    "DerivedData",
    ".idea",
    ".vs",
];
/// Hidden by custom, but part of the project all the same: the settings of its CI, its checkers and its
/// documentation. Nothing that may contain a secret is among them.
const SETTINGS: &[&str] = &[
    ".appveyor.yml",
    ".buildkite",
    ".ci",
    ".circleci",
    ".cirrus.yml",
    ".devcontainer",
    ".drone.yml",
    ".github",
    ".gitlab",
    ".gitlab-ci.yml",
    ".storybook",
    ".travis.yml",
    ".vitepress",
    ".vuepress",
];
/// The same, of which the ending varies.
const SETTINGS_BEGIN: &[&str] = &[
    ".babelrc.",
    ".eslintrc.",
    ".golangci.",
    ".goreleaser.",
    ".mocharc.",
    ".pre-commit-config.",
    ".prettierrc.",
    ".readthedocs.",
    ".rubocop",
    ".stylelintrc.",
    ".swiftlint.",
];
/// Extensions of files that are never code.
const DATA_ENDINGS: &[&str] = &[
    "7z",
    "a",
    "avi",
    "avif",
    "bin",
    "bmp",
    "bz2",
    "class",
    "csv",
    "dat",
    "db",
    "dll",
    "dylib",
    "eot",
    "exe",
    "flac",
    "gif",
    "gz",
    "heic",
    "icns",
    "ico",
    "ipynb",
    "jar",
    "jpeg",
    "jpg",
    "key",
    "lib",
    "log",
    "m4a",
    "map",
    "mkv",
    "mov",
    "mp3",
    "mp4",
    "npy",
    "o",
    "obj",
    "ogg",
    "onnx",
    "otf",
    "parquet",
    "pdb",
    "pdf",
    "pem",
    "png",
    "pyc",
    "rlib",
    "rmeta",
    "safetensors",
    "so",
    "sqlite",
    "svg",
    "tar",
    "tgz",
    "tif",
    "tiff",
    "ttf",
    "wasm",
    "wav",
    "webm",
    "webp",
    "whl",
    "woff",
    "woff2",
    "xz",
    "zip",
    "zst",
];

/// Whether a hidden file or folder is part of the project.
pub(super) fn is_setting(name: &str) -> bool {
    SETTINGS.contains(&name) || SETTINGS_BEGIN.iter().any(|begin| name.starts_with(begin))
}

/// Whether a folder is what a tool writes beside its settings: `.vitepress/cache` has copies of dependencies.
pub(super) fn is_written_beside_settings(path: &Path) -> bool {
    let named = |path: &Path, names: &[&str]| {
        path.file_name().and_then(|name| name.to_str()).is_some_and(|name| names.contains(&name))
    };
    named(path, &["cache", "dist", "temp"])
        && path.parent().is_some_and(|beside| named(beside, &[".vitepress", ".vuepress"]))
}

/// Whether a file isn't text, by its ending.
pub(super) fn has_data_ending(name: &str) -> bool {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    ending.is_some_and(|e| DATA_ENDINGS.binary_search(&e.as_str()).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extensions_are_sorted() {
        assert!(DATA_ENDINGS.is_sorted());
    }
}

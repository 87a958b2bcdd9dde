//! The inputs of a run's answers: the judge, the denied programs with their copies, and the network access.

use std::ffi::OsStr;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::resolved_path::FileIdentity;
use super::{Access, Confine, Judge, NetworkAccess};

/// A denied program's file, which identifies its copies and links.
#[derive(Debug, Clone)]
pub(super) struct ProgramFile {
    name: String,
    path: PathBuf,
    dev: u64,
    ino: u64,
    size: u64,
}

impl ProgramFile {
    /// These programs' files in the folders of `path`, except files that also have another name (`python` is a link to
    /// `python3.11`, `rm` one to busybox).
    pub(super) fn find(names: &[String], path: Option<&OsStr>) -> Vec<ProgramFile> {
        let mut found = Vec::new();
        for dir in path.map(std::env::split_paths).into_iter().flatten() {
            for name in names {
                let Ok(real) = std::fs::canonicalize(dir.join(name)) else { continue };
                let Ok(meta) = std::fs::metadata(&real) else { continue };
                if meta.is_file() && real.file_name() == Some(OsStr::new(name)) {
                    let (dev, ino, size) = (meta.dev(), meta.ino(), meta.size());
                    found.push(ProgramFile { name: name.clone(), path: real, dev, ino, size });
                }
            }
        }
        found
    }
}

/// The inputs of a run's answers.
pub(super) struct Rules {
    pub(super) judge: Arc<dyn Judge>,
    pub(super) reach: NetworkAccess,
    programs: Arc<[ProgramFile]>,
    /// The path of the runtime that starts the run, until it has started.
    first: Option<Vec<u8>>,
    begun: AtomicBool,
    own: Option<PathBuf>,
    /// Whether processes that can't be inspected may go on: they were another process's children.
    pub(super) lenient: bool,
    /// This process: a child with this parent is the run's first.
    us: u32,
}

impl Rules {
    pub(super) fn of(confine: &Confine, first: Option<Vec<u8>>, lenient: bool) -> Rules {
        Rules {
            judge: Arc::clone(&confine.judge),
            reach: confine.reach,
            programs: Arc::clone(&confine.programs),
            first,
            begun: AtomicBool::new(false),
            own: confine.own.clone(),
            lenient,
            us: std::process::id(),
        }
    }

    pub(super) fn match_file(&self, path: &Path, access: Access) -> Option<String> {
        if access == Access::Read && self.own.as_deref().is_some_and(|own| path.starts_with(own)) {
            return None;
        }
        self.judge.match_file(path, access)
    }

    /// The denied program that is this very file.
    pub(super) fn program_file(&self, found: &FileIdentity) -> Option<&str> {
        let same = |program: &&ProgramFile| (program.dev, program.ino) == (found.dev, found.ino);
        self.programs.iter().find(same).map(|program| program.name.as_str())
    }

    /// The denied program that this file is, or is a copy of.
    pub(super) fn same_program(&self, path: &Path, found: &FileIdentity) -> Option<&str> {
        let copy = |program: &&ProgramFile| program.size == found.size && same_content(&program.path, path);
        self.program_file(found)
            .or_else(|| self.programs.iter().find(copy).map(|program| program.name.as_str()))
    }

    /// Whether this is the start of the run's own runtime.
    pub(super) fn is_first(&self, pid: u32, path: &[u8]) -> bool {
        self.first.as_deref() == Some(path)
            && !self.begun.load(Ordering::Relaxed)
            && parent_of(pid) == Some(self.us)
            && !self.begun.swap(true, Ordering::Relaxed)
    }
}

fn parent_of(pid: u32) -> Option<u32> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("PPid:")).and_then(|id| id.trim().parse().ok())
}

fn same_content(one: &Path, other: &Path) -> bool {
    use std::io::Read;
    let (Ok(mut one), Ok(mut other)) = (std::fs::File::open(one), std::fs::File::open(other)) else {
        return false;
    };
    let (mut left, mut right) = (vec![0; 64 * 1024], vec![0; 64 * 1024]);
    loop {
        let Ok(length) = one.read(&mut left) else { return false };
        if length == 0 {
            return true;
        }
        let (Some(left), Some(right)) = (left.get(..length), right.get_mut(..length)) else { return false };
        if other.read_exact(right).is_err() || left != right {
            return false;
        }
    }
}

//! The knowledge screen: reading and adding sources, moving them to the trash, purging.

use std::path::PathBuf;
use std::sync::PoisonError;

use contract::desktop::{
    AddPath, AddUrl, Added, DeleteSource, Forgotten, Purge, PurgeWhat, ReadSource, Removed, Restore, Section,
    SourceText,
};
use contract::{Error, ErrorCode, Index, Input, WebPage};
use home::Settings;
use knowledge::{KnowledgeError, PurgeResult, PurgeScope, Store};
use system::DataScope;

use super::Desktop;
use super::markdown::is_markdown;
use super::sources::{row, title};
use crate::{Call, failure, messages, purge};

/// How many knowledge bases stay open: a search of all projects queries each at every key press.
const MAX_OPEN: usize = 16;
/// The word to type before purging every project.
const EVERYTHING: &str = "everything";

impl Desktop {
    /// Closes the knowledge bases kept open for the next query, because the screen is no longer in use.
    pub fn close_idle(&self) {
        self.stores.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    pub(super) fn with_store<T>(
        &self,
        key: &str,
        work: impl FnOnce(&Store) -> knowledge::Result<T>,
    ) -> Result<T, Error> {
        let path = self.knowledge_db_of(key)?;
        let mut open = self.stores.lock().unwrap_or_else(PoisonError::into_inner);
        let store = match open.iter().position(|(opened, _)| *opened == path) {
            Some(at) => open.remove(at).1,
            None => Store::open(&path).map_err(|error| failure::from_knowledge(&error))?,
        };
        match work(&store) {
            Ok(done) => {
                // Close the least recently used one.
                open.push((path, store));
                if open.len() > MAX_OPEN {
                    open.remove(0);
                }
                Ok(done)
            }
            Err(error) => {
                // Reopening a damaged file salvages it.
                if error.is_damage() {
                    home::mark_damaged(&path);
                }
                if !matches!(error, KnowledgeError::Db(_) | KnowledgeError::Sqlite { .. }) {
                    open.push((path, store));
                }
                Err(failure::from_knowledge(&error))
            }
        }
    }

    pub(super) fn with_store_mut<T>(
        &self,
        key: &str,
        work: impl FnOnce(&mut Store) -> knowledge::Result<T>,
    ) -> Result<T, Error> {
        let path = self.knowledge_db_of(key)?;
        self.stores.lock().unwrap_or_else(PoisonError::into_inner).retain(|(opened, _)| *opened != path);
        let mut store = Store::open(&path).map_err(|error| failure::from_knowledge(&error))?;
        work(&mut store).map_err(|error| {
            if error.is_damage() {
                home::mark_damaged(store.path());
            }
            failure::from_knowledge(&error)
        })
    }

    /// A piece of a source.
    ///
    /// # Errors
    /// If there is no such source, or the knowledge base can't be read.
    pub fn read_source(&self, query: &ReadSource) -> Result<SourceText, Error> {
        let limit = query.limit.clamp(1, 200);
        self.with_store(&query.project, |store| {
            let info = store.source_by_id(query.source)?;
            let offset = match query.around {
                // Include a little of what comes before it.
                Some(section) => store.position_of(section)?.saturating_sub(3),
                None => query.offset,
            };
            let (chunks, total) = store.chunks_of(info.id, offset, limit)?;
            let files = if info.kind == knowledge::SourceKind::Folder {
                store.folder_files(info.id, 0, 1_000)?
            } else {
                Vec::new()
            };
            let title = title(store, &info)?;
            Ok(SourceText {
                markdown: is_markdown(&info),
                source: row(&query.project, info, title),
                sections: chunks
                    .into_iter()
                    .map(|chunk| Section {
                        id: chunk.id,
                        title: chunk.title,
                        text: chunk.text,
                        code: chunk.code,
                        lines: chunk.lines,
                    })
                    .collect(),
                offset,
                total,
                files: files.into_iter().map(|file| row(&query.project, file, None)).collect(),
            })
        })
    }

    /// The file or folder behind a source.
    ///
    /// # Errors
    /// If it has none, or the file no longer exists.
    pub fn source_file(&self, project: &str, source: i64) -> Result<PathBuf, Error> {
        let info = self.with_store(project, |store| store.source_by_id(source))?;
        let here = matches!(info.kind, knowledge::SourceKind::File | knowledge::SourceKind::Folder);
        let path = info.origin.filter(|_| here).map(PathBuf::from);
        let path = path.ok_or_else(|| Error::new(ErrorCode::NotFound, messages::handed_over(&info.label)))?;
        if !path.exists() {
            return Err(Error::new(ErrorCode::NotFound, messages::source_file_gone(&path)));
        }
        Ok(path)
    }

    /// Adds a file or folder to a project.
    ///
    /// # Errors
    /// If it can't be read or stored.
    pub async fn add_path(&self, request: AddPath) -> Result<Added, Error> {
        self.add(&request.project, Input::Path(request.path), false).await
    }

    /// Fetches a page and adds it to a project.
    ///
    /// # Errors
    /// If the address is invalid, or the page can't be fetched or stored.
    pub async fn add_url(&self, request: AddUrl) -> Result<Added, Error> {
        self.add(&request.project, Input::Web(vec![WebPage { url: request.url, source: None }]), false).await
    }

    /// Reads a source's file, folder or page again.
    ///
    /// # Errors
    /// If the source has nothing to read again, or reading fails.
    pub async fn refresh_source(&self, request: DeleteSource) -> Result<Added, Error> {
        let info = self.with_store(&request.project, |store| store.source_by_id(request.source))?;
        let nothing = || Error::new(ErrorCode::NotFound, messages::handed_over(&info.label));
        let origin = info.origin.clone().ok_or_else(nothing)?;
        let input = match info.kind {
            knowledge::SourceKind::Url => {
                Input::Web(vec![WebPage { url: origin, source: Some(info.label.clone()) }])
            }
            knowledge::SourceKind::File | knowledge::SourceKind::Folder => Input::Path(PathBuf::from(origin)),
            knowledge::SourceKind::Text | knowledge::SourceKind::Output => return Err(nothing()),
        };
        self.add(&request.project, input, true).await
    }

    async fn add(&self, project: &str, input: Input, force: bool) -> Result<Added, Error> {
        let service = self.in_project(project)?;
        let reply = service.index(&Call::from_user(), Index { force, ..Index::of(input) }).await?;
        Ok(Added { text: reply.text, failed: reply.failed })
    }

    /// Moves a source to the trash.
    ///
    /// # Errors
    /// If there is no such source, or the trash can't be written.
    pub fn delete_source(&self, request: &DeleteSource) -> Result<Removed, Error> {
        let scope = PurgeScope::Source(request.source.to_string());
        let found = self.with_store(&request.project, |store| store.source_by_id(request.source));
        let label = found?.label;
        let (trash, now) = (self.service.home().trash_dir(), self.service.now_ms());
        let purged = self.with_store_mut(&request.project, |store| store.purge(&scope, Some(&trash), now))?;
        let mut removed = self.removed(&request.project, purged);
        if removed.labels.is_empty() {
            removed.labels.push(label);
        }
        Ok(removed)
    }

    /// What a purge would remove.
    ///
    /// # Errors
    /// If a knowledge base can't be read.
    pub fn purge_preview(&self, what: &PurgeWhat) -> Result<Removed, Error> {
        let mut all = Removed { kept_days: self.trash_days(), ..Removed::default() };
        for (key, scope) in self.scopes(what)? {
            match self.with_store(&key, |store| store.purge_preview(&scope)) {
                Ok(found) => add(&mut all, self.removed(&key, found)),
                Err(error) if error.code == ErrorCode::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        if let Some(memory) = self.memory(what) {
            let systems = self.service.systems();
            let gone = purge::preview(self.service.home(), systems, &memory)?;
            all.forgotten = gone.by_kind(&system::guests(systems));
        }
        Ok(all)
    }

    /// Purges.
    ///
    /// # Errors
    /// If everything is selected and the word wasn't typed, or a knowledge base can't be written; the others are purged all
    /// the same.
    pub fn purge(&self, request: &Purge) -> Result<Removed, Error> {
        if request.scope == PurgeWhat::Everything && request.typed.trim() != EVERYTHING {
            return Err(Error::new(ErrorCode::ConfirmationNeeded, messages::type_to_purge(EVERYTHING)));
        }
        let (trash, now_ms) = (self.service.home().trash_dir(), self.service.now_ms());
        let mut all = Removed { kept_days: self.trash_days(), ..Removed::default() };
        let mut failed = None;
        for (key, scope) in self.scopes(&request.scope)? {
            let trash = (!request.now).then_some(trash.as_path());
            match self.with_store_mut(&key, |store| store.purge(&scope, trash, now_ms)) {
                Ok(purged) => add(&mut all, self.removed(&key, purged)),
                Err(error) if error.code == ErrorCode::NotFound => {}
                // A knowledge base that can't be opened doesn't keep the others from being purged.
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        // Deleting everything includes the trash of earlier purges.
        if request.now && request.scope == PurgeWhat::Everything {
            failed = failed.or(super::empty_trash(self.service.home()).err());
        }
        if let Some(memory) = self.memory(&request.scope).filter(|_| request.forget) {
            let systems = self.service.systems();
            let gone = purge::forget(self.service.home(), systems, &memory)?;
            all.forgotten = gone.by_kind(&system::guests(systems));
        }
        failed.map_or(Ok(all), Err)
    }

    /// The same selection for session memory, as `plimsoll purge` understands it; `None` for a project with an
    /// unknown folder.
    fn memory(&self, what: &PurgeWhat) -> Option<DataScope> {
        match what {
            PurgeWhat::Project { project } => self.root_of(project, &mut None).map(DataScope::Project),
            PurgeWhat::Session { session, .. } => Some(DataScope::Session(session.clone())),
            PurgeWhat::Everything => Some(DataScope::All),
        }
    }

    fn scopes(&self, what: &PurgeWhat) -> Result<Vec<(String, PurgeScope)>, Error> {
        Ok(match what {
            PurgeWhat::Project { project } => {
                self.knowledge_db_of(project)?;
                vec![(project.clone(), PurgeScope::All)]
            }
            PurgeWhat::Session { project, session } => {
                vec![(project.clone(), PurgeScope::Session(session.clone()))]
            }
            PurgeWhat::Everything => {
                self.projects().into_iter().map(|project| (project.key, PurgeScope::All)).collect()
            }
        })
    }

    pub(super) fn trash_days(&self) -> u32 {
        Settings::load(self.service.home()).unwrap_or_default().retention.trash_days
    }

    pub(super) fn removed(&self, key: &str, purged: PurgeResult) -> Removed {
        let named = purged.trash.map(|trash| home::as_text(&trash).into_owned());
        let trash = named.map(|trash| Restore { project: key.to_owned(), trash });
        Removed {
            sources: purged.sources,
            chunks: purged.chunks,
            bytes: purged.bytes,
            labels: purged.labels.into_iter().take(20).collect(),
            trash: trash.into_iter().collect(),
            kept_days: self.trash_days(),
            forgotten: Forgotten::default(),
        }
    }
}

fn add(all: &mut Removed, one: Removed) {
    all.sources += one.sources;
    all.chunks += one.chunks;
    all.bytes += one.bytes;
    all.labels.extend(one.labels);
    all.labels.truncate(20);
    all.trash.extend(one.trash);
}

//! MCP resources: what can be read at `plimsoll://source/<id>`, `plimsoll://task/<id>` and the systems' own addresses.

use std::sync::Arc;

use contract::{Amount, Error, ErrorCode, count};
use system::{Addresses, CallContext};

use crate::output::HEAD_PERCENT;
use crate::{Call, Service};

/// Size limit of a read, in bytes.
const MAX_READ: usize = 1024 * 1024;

/// How many files of a folder are listed.
const MAX_FILES_LISTED: usize = 500;

/// One resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceItem {
    /// The address.
    pub uri: String,
    /// Its short name.
    pub name: String,
    /// A short description.
    pub description: Option<String>,
    /// Its size.
    pub bytes: Option<u64>,
}

impl ResourceItem {
    /// Roughly its size in a list, with keys and quotes.
    fn size_in_list(&self) -> usize {
        const FRAME: usize = 160;
        let escaped = |text: &str| text.len() + text.matches(['"', '\\', '\n']).count();
        FRAME + self.uri.len() + escaped(&self.name) + self.description.as_deref().map_or(0, escaped)
    }
}

/// One page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed<T> {
    /// The items on it.
    pub items: Vec<T>,
    /// Where the next page starts.
    pub next: Option<usize>,
}

impl Service {
    /// The project's resources, newest first: at most `limit`, and at most `most` bytes, so that a list for a model
    /// can show the page in full.
    ///
    /// # Errors
    /// If the knowledge base can't be read.
    pub async fn resources(
        &self,
        offset: usize,
        limit: usize,
        most: usize,
    ) -> Result<Listed<ResourceItem>, Error> {
        let found = self.with_existing_knowledge(move |store| store.sources(offset, limit)).await?;
        let (sources, total) = found.map_or((Vec::new(), 0), |found| (found.sources, found.total));
        // Tasks are few and fit on the first page.
        let tasks = if offset == 0 { self.listed_tasks() } else { Vec::new() };
        let tasks = tasks.into_iter().take(limit).map(|task| ResourceItem {
            uri: format!("plimsoll://task/{}", task.id),
            name: text::one_line(&task.label).into_owned(),
            description: Some("background task".into()),
            bytes: Some(task.output_bytes),
        });
        let sources = sources.into_iter().map(|source| ResourceItem {
            uri: format!("plimsoll://source/{}", source.id),
            name: text::one_line(&source.label).into_owned(),
            description: Some(format!("{}, {}", source.kind.as_str(), count(source.chunks, "chunk"))),
            bytes: Some(source.bytes),
        });
        let whole = self.systems_on().filter_map(|system| system.addresses);
        let whole = whole.filter(|open| offset == 0 && open.template.is_empty()).map(|open| ResourceItem {
            uri: open.prefix.to_owned(),
            name: open.name.to_owned(),
            description: Some(open.title.to_owned()),
            bytes: None,
        });
        let mut room = most;
        let mut fits = |item: &ResourceItem| {
            let taken = item.size_in_list();
            let fits = taken <= room;
            room = room.saturating_sub(taken);
            fits
        };
        let mut items: Vec<ResourceItem> = whole.chain(tasks).take_while(&mut fits).collect();
        let mut shown = offset;
        for source in sources {
            // An empty page would end the list.
            if !fits(&source) && shown > offset {
                break;
            }
            items.push(source);
            shown += 1;
        }
        let next = (shown > offset && (shown as u64) < total).then_some(shown);
        Ok(Listed { items, next })
    }

    /// The full text of one of this project's sources, by number or name, for a user.
    ///
    /// # Errors
    /// If there is no such source.
    pub async fn source_text(&self, name: &str) -> Result<String, Error> {
        let wanted = crate::search::source_name(name).to_owned();
        let found = self.stored_text(&Call::from_user(), wanted).await?;
        let nothing = || {
            Error::new(
                ErrorCode::NotFound,
                format!(
                    "there is no source {name}; nothing is stored in this project yet, and `plimsoll index PATH` stores something"
                ),
            )
        };
        found.ok_or_else(nothing)
    }

    /// Whether a source is called so or has this number. Looking marks nothing as used.
    ///
    /// # Errors
    /// If the knowledge base can't be read.
    pub async fn has_source(&self, name: &str) -> Result<bool, Error> {
        let wanted = crate::search::source_name(name).to_owned();
        let found = self.with_existing_knowledge(move |store| match store.source(&wanted) {
            Ok(_) => Ok(true),
            Err(knowledge::KnowledgeError::NoSource(_)) => Ok(false),
            Err(error) => Err(error),
        });
        Ok(found.await?.unwrap_or(false))
    }

    /// The current text of the source `name`, and for a folder a list of its files; `None` if nothing is stored.
    async fn stored_text(&self, call: &Call, name: String) -> Result<Option<String>, Error> {
        // A changed file is read again, as during a search, but never one that the user's rules forbid.
        let (rules, root, home) =
            (self.rules(call).await?, self.project().root, self.env().home_dir().to_owned());
        let now_ms = self.now_ms();
        self.with_existing_knowledge(move |store| {
            let denied = |path: &std::path::Path| rules.hides(path, &root, &home);
            let found = store.source_text_fresh(&name, &denied, now_ms)?;
            store.mark_used(&[found.info.id], now_ms);
            if found.info.kind == knowledge::SourceKind::Folder {
                return folder_list(store, &found.info);
            }
            Ok(found.text)
        })
        .await
    }

    /// The text at an address; of a very long one the middle is cut out.
    ///
    /// # Errors
    /// If there is nothing at that address.
    pub async fn read_resource(self: &Arc<Self>, call: &Call, uri: &str) -> Result<String, Error> {
        let nothing = || {
            Error::new(
                ErrorCode::NotFound,
                format!("nothing is at {uri}; addresses are {}", self.address_forms()),
            )
        };
        if let Some(id) = uri.strip_prefix("plimsoll://source/") {
            let found = self.stored_text(call, id.to_owned()).await?;
            return Ok(bounded(found.ok_or_else(nothing)?));
        }
        if let Some(id) = uri.strip_prefix("plimsoll://task/") {
            return self.task_text(id).await.map(bounded);
        }
        match self.system_of_address(uri) {
            Some(open) => self.open_address(call, open, uri).await.map(bounded),
            None => Err(nothing()),
        }
    }

    /// The system whose address this is.
    pub(crate) fn system_of_address(&self, address: &str) -> Option<Addresses> {
        self.systems_on().filter_map(|system| system.addresses).find(|open| open.has(address))
    }

    /// The text at a system's own address.
    pub(crate) async fn open_address(
        self: &Arc<Self>,
        call: &Call,
        open: Addresses,
        address: &str,
    ) -> Result<String, Error> {
        let (host, call): (Arc<dyn system::Host>, Call) = (Arc::clone(self) as _, call.clone());
        let address = address.to_owned();
        tokio::task::spawn_blocking(move || (open.read)(&CallContext { host, call }, &address))
            .await
            .map_err(|error| Error::new(ErrorCode::Internal, error.to_string()))?
    }

    fn address_forms(&self) -> String {
        let own = ["plimsoll://source/<id>".to_owned(), "plimsoll://task/<id>".to_owned()];
        let form =
            |open: Addresses| format!("{}{}", open.prefix, open.template.replace('{', "<").replace('}', ">"));
        let all: Vec<String> = own
            .into_iter()
            .chain(self.systems_on().filter_map(|system| system.addresses).map(form))
            .collect();
        all.join(", ")
    }
}

/// The files of an indexed folder with their addresses: a folder has no text of its own.
fn folder_list(store: &knowledge::Store, folder: &knowledge::SourceInfo) -> knowledge::Result<String> {
    let files = store.folder_files(folder.id, 0, MAX_FILES_LISTED)?;
    let mut text = format!("{}: {}\n", folder.label, count(folder.files, "file"));
    for file in &files {
        text.push_str(&format!("plimsoll://source/{} {}\n", file.id, file.label));
    }
    let more = folder.files.saturating_sub(files.len() as u64);
    if more > 0 {
        text.push_str(&format!("({more} more; search with this source finds what is in them)\n"));
    }
    Ok(text)
}

fn bounded(text: String) -> String {
    if text.len() <= MAX_READ {
        return text;
    }
    let size = Amount::bytes(text.len() as u64);
    format!("{}\n({size} in all; search finds the rest)", text::cut_middle(&text, MAX_READ, HEAD_PERCENT))
}

#[cfg(test)]
mod tests {
    use contract::{Index, Input};
    use home::{Clock, Env};

    use super::*;

    /// Reading is as current as searching, and a folder is a list of what is in it.
    #[test]
    fn a_file_is_read_as_it_is_now_and_a_folder_lists_its_files() {
        let dir = tempfile::tempdir().unwrap();
        let docs = dir.path().join("docs");
        std::fs::create_dir(&docs).unwrap();
        std::fs::write(docs.join("a.md"), "# Anchors\n\nThe old chain.\n").unwrap();
        let service =
            Arc::new(Service::new(Env::for_test(dir.path()), Clock::fixed(1_772_304_300_000)).unwrap());
        let (call, file) = (Call::from_user(), docs.join("a.md").display().to_string());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let indexed = service.index(&call, Index::of(Input::Path(docs.clone()))).await.unwrap();
            let folder = format!("plimsoll://source/{}", indexed.data["source_id"]);
            assert!(service.source_text(&file).await.unwrap().contains("old chain"));
            std::fs::write(docs.join("a.md"), "# Anchors\n\nThe new chain, forged again.\n").unwrap();
            assert!(service.source_text(&file).await.unwrap().contains("new chain"));
            let listed = service.read_resource(&call, &folder).await.unwrap();
            assert!(listed.starts_with(&format!("{}: 1 file\n", docs.display())), "{listed}");
            let address = listed.lines().nth(1).and_then(|line| line.split(' ').next()).unwrap();
            std::fs::write(docs.join("a.md"), "# Anchors\n\nNo chain at all, only rope.\n").unwrap();
            assert!(service.read_resource(&call, address).await.unwrap().contains("only rope"));
        });
    }
}

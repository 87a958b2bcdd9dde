//! Lists and searches the sources of one project or of all projects.
//!
//! Each project has its own database, and relevance scores of different databases aren't comparable. So a search of
//! all projects interleaves them: the best hit of each project, then the second best of each. Unreadable projects are
//! left out; the project list reports them.

use std::cmp::Reverse;
use std::time::Instant;

use contract::desktop::{
    EVERY_PROJECT, SearchHit, SearchPage, SearchQuery, SourceKind, SourceOrder, SourceRow, SourcesPage,
    SourcesQuery,
};
use contract::{Error, Kind};
use knowledge::{QueryReply, SearchRequest, Sort, SourceInfo, SourceQuery, SourceSort, Store};
use text::ChunkKind;

use super::markdown::is_markdown;
use super::{Desktop, highlights};

/// Size limit of a page of hits in bytes; a window has room.
const BUDGET: usize = 200_000;
/// At most this many hits of each project are compared in a search of all.
const MAX_HITS: usize = 1_000;
/// At most this many sources of each project are listed.
const MAX_SOURCES: usize = 20_000;

impl Desktop {
    /// A page of the sources of one project or of all.
    ///
    /// # Errors
    /// If the knowledge base can't be read.
    pub fn sources(&self, query: &SourcesQuery) -> Result<SourcesPage, Error> {
        let limit = query.limit.min(1_000);
        if query.project != EVERY_PROJECT {
            return self.project_sources(&query.project, query, query.offset, limit);
        }
        let mut total = 0;
        let mut blocks: Vec<Vec<SourceRow>> = Vec::new();
        let most = query.offset.saturating_add(limit).min(MAX_SOURCES);
        for page in self.every_project(|project| self.project_sources(project, query, 0, most))? {
            total += page.total;
            for row in page.rows {
                // The files of an expanded folder stay with it.
                match blocks.last_mut().filter(|_| row.folder.is_some()) {
                    Some(folder) => folder.push(row),
                    None => blocks.push(vec![row]),
                }
            }
        }
        let of = |block: &[SourceRow]| block.first().cloned();
        match query.order {
            SourceOrder::Newest => blocks.sort_by_key(|block| Reverse(of(block).map(|row| row.indexed_ms))),
            SourceOrder::Name => {
                blocks.sort_by_cached_key(|block| of(block).map(|row| row.label.to_ascii_lowercase()));
            }
            SourceOrder::Size => blocks.sort_by_key(|block| Reverse(of(block).map(|row| row.bytes))),
            SourceOrder::Used => {
                blocks.sort_by_key(|block| Reverse(of(block).map(|row| (row.used_ms, row.indexed_ms))));
            }
        }
        let rows = blocks.into_iter().flatten().skip(query.offset).take(limit).collect();
        Ok(SourcesPage { rows, total })
    }

    fn project_sources(
        &self,
        project: &str,
        query: &SourcesQuery,
        offset: usize,
        limit: usize,
    ) -> Result<SourcesPage, Error> {
        let unfolded = query.unfolded.iter().filter(|one| one.project == project).map(|one| one.source);
        let browse = SourceQuery {
            contains: query.contains.clone(),
            kind: query.kind.map(to_store_kind),
            sort: match query.order {
                SourceOrder::Newest => SourceSort::Newest,
                SourceOrder::Name => SourceSort::Label,
                SourceOrder::Size => SourceSort::Size,
                SourceOrder::Used => SourceSort::Used,
            },
            unfolded: unfolded.collect(),
            offset,
            limit,
        };
        self.with_store(project, |store| {
            let found = store.browse(&browse)?;
            let named = |info: SourceInfo| Ok((title(store, &info)?, info));
            let named: knowledge::Result<Vec<_>> = found.sources.into_iter().map(named).collect();
            let rows = named?.into_iter().map(|(title, info)| row(project, info, title)).collect();
            Ok(SourcesPage { rows, total: found.total })
        })
    }

    /// Searches one project or all of them as you type. Doesn't re-read changed files; agents' searches do.
    ///
    /// # Errors
    /// If the knowledge base can't be read.
    pub fn search(&self, query: &SearchQuery) -> Result<SearchPage, Error> {
        let started = Instant::now();
        let limit = query.limit.min(100);
        let mut page = if query.project == EVERY_PROJECT {
            let most = query.offset.saturating_add(limit).min(MAX_HITS);
            let answers = self.every_project(|project| {
                let (reply, chunks) = self.search_project(project, query, 0, most)?;
                Ok(ProjectHits { project: project.to_owned(), reply, chunks })
            })?;
            merge_hits(answers, query, limit)
        } else {
            let (reply, of_chunks) = self.search_project(&query.project, query, query.offset, limit)?;
            let words = reply.corrected.clone().unwrap_or_else(|| query.query.clone());
            SearchPage {
                hits: reply.hits.into_iter().map(|one| hit(&query.project, one, &words)).collect(),
                total: reply.total,
                of_chunks,
                corrected: reply.corrected,
                relaxed: reply.relaxed,
                elapsed_us: 0,
            }
        };
        page.elapsed_us = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
        Ok(page)
    }

    fn search_project(
        &self,
        project: &str,
        query: &SearchQuery,
        offset: usize,
        limit: usize,
    ) -> Result<(QueryReply, u64), Error> {
        let request = SearchRequest {
            queries: vec![query.query.clone()],
            source: query.source.clone(),
            kind: query.kind.map(|kind| match kind {
                Kind::Code => ChunkKind::Code,
                Kind::Prose => ChunkKind::Prose,
            }),
            limit,
            offset,
            sort: if query.newest { Sort::Time } else { Sort::Relevance },
            budget_bytes: BUDGET,
        };
        let (found, chunks) =
            self.with_store(project, |store| Ok((store.search(&request)?, store.stats()?.chunks)))?;
        Ok((found.per_query.into_iter().next().unwrap_or_default(), chunks))
    }

    /// Queries every project, most recently written first. Skips unreadable ones as long as one can be read.
    fn every_project<T>(&self, ask: impl Fn(&str) -> Result<T, Error>) -> Result<Vec<T>, Error> {
        let entries = std::fs::read_dir(self.service.home().projects_dir()).into_iter().flatten().flatten();
        let mut keys: Vec<_> = entries
            .filter_map(|entry| {
                let written = entry.path().join("knowledge.db").metadata().ok()?.modified().ok()?;
                Some((Reverse(written), entry.file_name().into_string().ok()?))
            })
            .collect();
        keys.sort();
        let (mut answers, mut last) = (Vec::new(), None);
        for (_, key) in keys {
            match ask(&key) {
                Ok(answer) => answers.push(answer),
                Err(error) => last = Some(error),
            }
        }
        last.filter(|_| answers.is_empty()).map_or(Ok(answers), Err)
    }
}

/// One project's result.
struct ProjectHits {
    project: String,
    reply: QueryReply,
    chunks: u64,
}

impl ProjectHits {
    /// How far the match is from the query; lower is better. As within a project, a match with every word as typed
    /// beats one with some words, which beats one with corrected spelling. Only the best class is shown.
    fn distance(&self) -> u8 {
        match (self.reply.hits.is_empty(), &self.reply.corrected) {
            (true, _) => 3,
            (_, Some(_)) => 2,
            (_, None) => u8::from(self.reply.relaxed),
        }
    }
}

fn merge_hits(answers: Vec<ProjectHits>, query: &SearchQuery, limit: usize) -> SearchPage {
    let of_chunks = answers.iter().map(|answer| answer.chunks).sum();
    let best = answers.iter().min_by_key(|answer| answer.distance());
    let (distance, corrected) =
        best.map_or((3, None), |best| (best.distance(), best.reply.corrected.clone()));
    let fit: Vec<ProjectHits> = answers
        .into_iter()
        .filter(|answer| answer.distance() == distance && answer.reply.corrected == corrected)
        .collect();
    let words = corrected.clone().unwrap_or_else(|| query.query.clone());
    let total = fit.iter().map(|answer| answer.reply.total).sum();
    let relaxed = fit.iter().any(|answer| answer.reply.relaxed);
    let mut hits: Vec<(usize, String, knowledge::Hit)> = fit
        .into_iter()
        .flat_map(|answer| {
            let project = answer.project;
            answer.reply.hits.into_iter().enumerate().map(move |(at, hit)| (at, project.clone(), hit))
        })
        .collect();
    if query.newest {
        hits.sort_by_key(|(_, _, hit)| Reverse(hit.indexed_ms));
    } else {
        // A stable sort: on a tie, the project that was stored in last comes first.
        hits.sort_by_key(|(at, ..)| *at);
    }
    let hits = hits.into_iter().skip(query.offset).take(limit);
    SearchPage {
        hits: hits.map(|(_, project, one)| hit(&project, one, &words)).collect(),
        total,
        of_chunks,
        corrected,
        relaxed,
        elapsed_us: 0,
    }
}

fn hit(project: &str, hit: knowledge::Hit, words: &str) -> SearchHit {
    SearchHit {
        project: project.to_owned(),
        marks: highlights::of(&hit.snippet, words),
        section: hit.chunk_id,
        source_id: hit.source_id,
        source: hit.source,
        kind: to_contract_kind(hit.source_kind),
        title: hit.title,
        snippet: hit.snippet,
        code: hit.code,
        lines: hit.lines,
        indexed_ms: hit.indexed_ms,
    }
}

/// A Markdown document's title: its first heading.
pub(super) fn title(store: &Store, info: &SourceInfo) -> knowledge::Result<Option<String>> {
    if is_markdown(info) { store.first_heading(info) } else { Ok(None) }
}

pub(super) fn row(project: &str, info: SourceInfo, title: Option<String>) -> SourceRow {
    SourceRow {
        project: project.to_owned(),
        id: info.id,
        label: info.label,
        title,
        folder: info.folder,
        kind: to_contract_kind(info.kind),
        origin: info.origin,
        agent: info.agent,
        session: info.session,
        files: info.files,
        chunks: info.chunks,
        code_chunks: info.code_chunks,
        bytes: info.bytes,
        indexed_ms: info.indexed_ms,
        used_ms: info.used_ms,
    }
}

fn to_contract_kind(kind: knowledge::SourceKind) -> SourceKind {
    match kind {
        knowledge::SourceKind::File => SourceKind::File,
        knowledge::SourceKind::Folder => SourceKind::Folder,
        knowledge::SourceKind::Url => SourceKind::Web,
        knowledge::SourceKind::Text => SourceKind::Text,
        knowledge::SourceKind::Output => SourceKind::Output,
    }
}

fn to_store_kind(kind: SourceKind) -> knowledge::SourceKind {
    match kind {
        SourceKind::File => knowledge::SourceKind::File,
        SourceKind::Folder => knowledge::SourceKind::Folder,
        SourceKind::Web => knowledge::SourceKind::Url,
        SourceKind::Text => knowledge::SourceKind::Text,
        SourceKind::Output => knowledge::SourceKind::Output,
    }
}

#[cfg(test)]
mod tests {
    use contract::desktop::DeleteSource;
    use home::{Clock, Env};
    use knowledge::NewSource;

    use super::*;
    use crate::Service;

    const SHOP: &str = "shop-0000000000000001";
    const API: &str = "api-0000000000000002";

    fn desktop(dir: &std::path::Path) -> Desktop {
        let service = Service::new(Env::for_test(dir), Clock::fixed(5)).unwrap();
        Desktop::new(std::sync::Arc::new(service))
    }

    fn store(desktop: &Desktop, key: &str) -> Store {
        Store::open(&desktop.service.home().projects_dir().join(key).join("knowledge.db")).unwrap()
    }

    fn note(desktop: &Desktop, key: &str, label: &str, content: &str, now_ms: i64) {
        let source = NewSource {
            label,
            kind: knowledge::SourceKind::Text,
            origin: None,
            session: None,
            agent: None,
            content,
            format: Some(text::Format::Markdown),
            now_ms,
        };
        store(desktop, key).index_text(source).unwrap();
    }

    fn every(query: &str) -> SearchQuery {
        SearchQuery { project: "*".into(), query: query.into(), limit: 10, ..SearchQuery::default() }
    }

    #[test]
    fn across_projects_each_projects_best_hit_comes_first() {
        let dir = tempfile::tempdir().unwrap();
        let desktop = desktop(dir.path());
        note(&desktop, SHOP, "tides", "# Tides\n\nSpring tides follow the full moon.", 10);
        note(&desktop, SHOP, "more", "# More\n\nOf tides, once more: a tide turns.", 11);
        note(&desktop, API, "moon", "# The moon\n\nSpring tides, and neap tides.", 12);
        let page = desktop.search(&every("tides")).unwrap();
        let projects: Vec<&str> = page.hits.iter().map(|hit| hit.project.as_str()).collect();
        assert_eq!((page.total, page.of_chunks, projects.len()), (3, 3, 3));
        assert_ne!(projects[0], projects[1], "the second project is not buried below the first");
        // A match with every word hides matches with some: the other project isn't shown.
        let both = desktop.search(&every("full moon")).unwrap();
        assert!(!both.relaxed && both.hits.iter().all(|hit| hit.source == "tides"), "{both:?}");
        let newest = desktop.search(&SearchQuery { newest: true, ..every("tides") }).unwrap();
        assert_eq!(newest.hits.iter().map(|hit| hit.indexed_ms).collect::<Vec<_>>(), [12, 11, 10]);
        let second = desktop.search(&SearchQuery { offset: 1, limit: 1, ..every("tides") }).unwrap();
        assert_eq!(second.hits, page.hits[1..2]);
        assert_eq!(desktop.search(&every("xylophone")).unwrap().hits, []);
    }

    #[test]
    fn the_sources_of_every_project_are_one_list() {
        let dir = tempfile::tempdir().unwrap();
        let desktop = desktop(dir.path());
        assert_eq!(
            desktop
                .sources(&SourcesQuery { project: "*".into(), limit: 9, ..Default::default() })
                .unwrap()
                .total,
            0
        );
        note(&desktop, SHOP, "b", "# Berth\n\nx", 10);
        note(&desktop, API, "a", "no heading at all", 11);
        let folder = dir.path().join("docs");
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join("log.md"), "# Log\n\ny").unwrap();
        let origin = knowledge::folder::Origin { now_ms: 12, ..Default::default() };
        let options = knowledge::folder::WalkOptions::default();
        knowledge::folder::index(&mut store(&desktop, API), &folder, &options, &origin, &mut |_| true)
            .unwrap();
        let ask = |unfolded: Vec<DeleteSource>, order| {
            let query = SourcesQuery { project: "*".into(), unfolded, order, limit: 9, ..Default::default() };
            desktop.sources(&query).unwrap().rows
        };
        let folded = ask(vec![], SourceOrder::Newest);
        let titles: Vec<_> = folded.iter().map(|row| row.title.as_deref()).collect();
        assert_eq!(titles, [None, None, Some("Berth")]);
        assert_eq!(folded[2].project, SHOP);
        let unfold = DeleteSource { project: API.into(), source: folded[0].id };
        for order in [SourceOrder::Newest, SourceOrder::Name, SourceOrder::Size, SourceOrder::Used] {
            let rows = ask(vec![unfold.clone()], order);
            let at = rows.iter().position(|row| row.id == unfold.source && row.project == API).unwrap();
            assert_eq!((rows.len(), rows[at + 1].folder), (4, Some(unfold.source)), "{order:?}");
            assert_eq!(rows[at + 1].title.as_deref(), Some("Log"));
        }
        // An unreadable project doesn't hide the others.
        let broken = desktop.service.home().projects_dir().join("broken-0000000000000003");
        std::fs::create_dir_all(&broken).unwrap();
        std::fs::write(broken.join("knowledge.db"), vec![7; 8_192]).unwrap();
        assert_eq!(ask(vec![], SourceOrder::Newest).len(), 3);
        assert_eq!(desktop.search(&every("heading")).unwrap().total, 1);
        desktop.close_idle();
        assert_eq!(ask(vec![], SourceOrder::Newest).len(), 3, "resting forgets nothing");
    }
}

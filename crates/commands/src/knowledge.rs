//! The knowledge screen.

use std::sync::Arc;

use contract::Error;
use contract::desktop::{
    AddPath, AddUrl, Added, DeleteSource, Nothing, ProjectView, Purge, PurgeWhat, ReadSource, Removed,
    Restore, SearchPage, SearchQuery, SourceText, SourcesPage, SourcesQuery, TrashRow,
};

use crate::Router;

pub(crate) async fn projects(router: &Arc<Router>, _: Nothing) -> Result<Vec<ProjectView>, Error> {
    router.blocking(|router| Ok(router.desktop().projects())).await
}

pub(crate) async fn sources(router: &Arc<Router>, query: SourcesQuery) -> Result<SourcesPage, Error> {
    router.blocking(move |router| router.desktop().sources(&query)).await
}

pub(crate) async fn search(router: &Arc<Router>, query: SearchQuery) -> Result<SearchPage, Error> {
    router.blocking(move |router| router.desktop().search(&query)).await
}

pub(crate) async fn read_source(router: &Arc<Router>, query: ReadSource) -> Result<SourceText, Error> {
    router.blocking(move |router| router.desktop().read_source(&query)).await
}

pub(crate) async fn add_path(router: &Arc<Router>, request: AddPath) -> Result<Added, Error> {
    router.desktop().add_path(request).await
}

pub(crate) async fn add_url(router: &Arc<Router>, request: AddUrl) -> Result<Added, Error> {
    router.desktop().add_url(request).await
}

pub(crate) async fn refresh_source(router: &Arc<Router>, request: DeleteSource) -> Result<Added, Error> {
    router.desktop().refresh_source(request).await
}

pub(crate) async fn delete_source(router: &Arc<Router>, request: DeleteSource) -> Result<Removed, Error> {
    router.blocking(move |router| router.desktop().delete_source(&request)).await
}

pub(crate) async fn purge_preview(router: &Arc<Router>, what: PurgeWhat) -> Result<Removed, Error> {
    router.blocking(move |router| router.desktop().purge_preview(&what)).await
}

pub(crate) async fn purge(router: &Arc<Router>, request: Purge) -> Result<Removed, Error> {
    router.blocking(move |router| router.desktop().purge(&request)).await
}

pub(crate) async fn restore(router: &Arc<Router>, request: Restore) -> Result<Removed, Error> {
    router.blocking(move |router| router.desktop().restore(&request)).await
}

pub(crate) async fn trash(router: &Arc<Router>, _: Nothing) -> Result<Vec<TrashRow>, Error> {
    router.blocking(|router| Ok(router.desktop().trash())).await
}

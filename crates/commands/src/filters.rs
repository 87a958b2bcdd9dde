//! The commands of the filters screen.

use std::sync::Arc;

use contract::Error;
use contract::desktop::{DiscoverQuery, DiscoverView, FiltersView, Nothing, SwitchFilter};

use crate::Router;

pub(crate) async fn filters(router: &Arc<Router>, _: Nothing) -> Result<FiltersView, Error> {
    router.blocking(|router| Ok(router.desktop().filters())).await
}

pub(crate) async fn switch_filter(router: &Arc<Router>, request: SwitchFilter) -> Result<FiltersView, Error> {
    router.blocking(move |router| router.desktop().switch_filter(&request)).await
}

pub(crate) async fn discover(router: &Arc<Router>, query: DiscoverQuery) -> Result<DiscoverView, Error> {
    router.blocking(move |router| router.desktop().discover(query)).await
}

pub(crate) async fn stop_discover(router: &Arc<Router>, _: Nothing) -> Result<Nothing, Error> {
    router.desktop().stop_discover();
    Ok(Nothing {})
}

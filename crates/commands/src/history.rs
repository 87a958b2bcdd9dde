//! The commands of the sessions and activity screens.

use std::sync::Arc;

use contract::Error;
use contract::desktop::{
    Activity, ActivityQuery, Calls, CallsQuery, ModelTokens, Nothing, OutputText, ReadOutput, SessionQuery,
    SessionRef, SessionView, SessionsPage, SessionsQuery,
};

use crate::Router;

pub(crate) async fn sessions(router: &Arc<Router>, query: SessionsQuery) -> Result<SessionsPage, Error> {
    router.blocking(move |router| router.desktop().sessions(query)).await
}

pub(crate) async fn session(router: &Arc<Router>, query: SessionQuery) -> Result<SessionView, Error> {
    router.blocking(move |router| router.desktop().session(&query)).await
}

pub(crate) async fn session_tokens(router: &Arc<Router>, of: SessionRef) -> Result<Vec<ModelTokens>, Error> {
    router.blocking(move |router| router.desktop().session_tokens(&of)).await
}

pub(crate) async fn delete_session(router: &Arc<Router>, request: SessionRef) -> Result<Nothing, Error> {
    router.blocking(move |router| router.desktop().delete_session(&request).map(|()| Nothing {})).await
}

pub(crate) async fn activity(router: &Arc<Router>, query: ActivityQuery) -> Result<Activity, Error> {
    router.blocking(move |router| router.desktop().activity(query)).await
}

pub(crate) async fn calls(router: &Arc<Router>, query: CallsQuery) -> Result<Calls, Error> {
    router.blocking(move |router| router.desktop().calls(query)).await
}

pub(crate) async fn read_output(router: &Arc<Router>, request: ReadOutput) -> Result<OutputText, Error> {
    router.blocking(move |router| router.desktop().read_output(&request)).await
}

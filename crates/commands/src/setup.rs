//! The wizard and the agents' screen.

use std::sync::Arc;

use contract::desktop::{
    AgentRef, AgentsQuery, ApplyPlan, FileChange, Nothing, PlanConnect, PlanDisconnect, PlanView, SaveDiff,
};
use contract::{AgentReport, AppliedReport, Error, VerifyReport};

use crate::Router;

pub(crate) async fn agents(router: &Arc<Router>, query: AgentsQuery) -> Result<Vec<AgentReport>, Error> {
    router.blocking(move |router| Ok(router.desktop().agents(&query))).await
}

pub(crate) async fn agent_changes(router: &Arc<Router>, of: AgentRef) -> Result<Vec<FileChange>, Error> {
    router.blocking(move |router| router.desktop().agent_changes(&of.agent)).await
}

pub(crate) async fn plan_connect(router: &Arc<Router>, wanted: PlanConnect) -> Result<PlanView, Error> {
    router.blocking(move |router| router.desktop().plan_connect(wanted)).await
}

pub(crate) async fn plan_disconnect(router: &Arc<Router>, wanted: PlanDisconnect) -> Result<PlanView, Error> {
    router.blocking(move |router| router.desktop().plan_disconnect(&wanted)).await
}

pub(crate) async fn apply_plan(router: &Arc<Router>, wanted: ApplyPlan) -> Result<AppliedReport, Error> {
    router.blocking(move |router| router.desktop().apply_plan(&wanted, &router.sidecar()?)).await
}

pub(crate) async fn verify_agent(router: &Arc<Router>, of: AgentRef) -> Result<VerifyReport, Error> {
    router.blocking(move |router| router.desktop().verify_agent(&of.agent)).await
}

pub(crate) async fn save_diff(router: &Arc<Router>, wanted: SaveDiff) -> Result<Nothing, Error> {
    router
        .blocking(move |router| {
            router.writable(&wanted.path)?;
            router.desktop().save_diff(&wanted).map(|()| Nothing {})
        })
        .await
}

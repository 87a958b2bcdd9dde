//! The commands of the setup and agents screens.

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

pub(crate) async fn plan_connect(router: &Arc<Router>, request: PlanConnect) -> Result<PlanView, Error> {
    router.blocking(move |router| router.desktop().plan_connect(request)).await
}

pub(crate) async fn plan_disconnect(
    router: &Arc<Router>,
    request: PlanDisconnect,
) -> Result<PlanView, Error> {
    router.blocking(move |router| router.desktop().plan_disconnect(&request)).await
}

pub(crate) async fn apply_plan(router: &Arc<Router>, request: ApplyPlan) -> Result<AppliedReport, Error> {
    router.blocking(move |router| router.desktop().apply_plan(&request, &router.sidecar()?)).await
}

pub(crate) async fn verify_agent(router: &Arc<Router>, of: AgentRef) -> Result<VerifyReport, Error> {
    router.blocking(move |router| router.desktop().verify_agent(&of.agent)).await
}

pub(crate) async fn save_diff(router: &Arc<Router>, request: SaveDiff) -> Result<Nothing, Error> {
    router
        .blocking(move |router| {
            router.check_save_target(&request.path)?;
            router.desktop().save_diff(&request).map(|()| Nothing {})
        })
        .await
}

//! The commands for settings, pausing, upgrading and uninstalling.

use std::sync::Arc;

use contract::desktop::{
    Leave, Nothing, PauseProject, PauseUntil, SetSetting, SettingsFile, SettingsView, Upgrade,
};
use contract::{Error, UninstallReport, UpgradeReport};

use crate::Router;

pub(crate) async fn settings(router: &Arc<Router>, _: Nothing) -> Result<SettingsView, Error> {
    router.blocking(|router| Ok(router.desktop().settings())).await
}

pub(crate) async fn set_setting(router: &Arc<Router>, request: SetSetting) -> Result<SettingsView, Error> {
    router.blocking(move |router| router.desktop().set_setting(&request.key, &request.value)).await
}

pub(crate) async fn export_settings(router: &Arc<Router>, to: SettingsFile) -> Result<Nothing, Error> {
    router
        .blocking(move |router| {
            router.check_save_target(&to.path)?;
            // Whoever chose the file was asked whether it may be replaced.
            router.desktop().export_settings(&to.path, true).map(|()| Nothing {})
        })
        .await
}

pub(crate) async fn import_settings(router: &Arc<Router>, from: SettingsFile) -> Result<SettingsView, Error> {
    router.blocking(move |router| router.desktop().import_settings(&from.path)).await
}

pub(crate) async fn pause(router: &Arc<Router>, request: PauseUntil) -> Result<Nothing, Error> {
    router.blocking(move |router| router.desktop().pause(request.until_ms).map(|()| Nothing {})).await
}

pub(crate) async fn pause_project(router: &Arc<Router>, request: PauseProject) -> Result<Nothing, Error> {
    router.blocking(move |router| router.desktop().pause_project(&request).map(|()| Nothing {})).await
}

pub(crate) async fn upgrade(router: &Arc<Router>, request: Upgrade) -> Result<UpgradeReport, Error> {
    router.desktop().upgrade(request.install).await
}

pub(crate) async fn plan_uninstall(router: &Arc<Router>, _: Nothing) -> Result<UninstallReport, Error> {
    router.blocking(|router| router.desktop().plan_uninstall()).await
}

pub(crate) async fn uninstall(router: &Arc<Router>, request: Leave) -> Result<UninstallReport, Error> {
    router.blocking(move |router| router.desktop().uninstall(&request, &router.sidecar()?)).await
}

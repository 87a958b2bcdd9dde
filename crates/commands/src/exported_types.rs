//! The reply types, and how each is exported to TypeScript.

use contract::desktop as d;
use ts_rs::{Config, ExportError, TS};

/// Exports a reply's type with its dependencies.
pub(crate) fn export<T: Exported>(config: &Config) -> Result<(), ExportError> {
    <T as Exported>::export(config)
}

/// A reply: a contract type or a list of one.
pub(crate) trait Exported {
    /// Exports the type with its dependencies.
    fn export(config: &Config) -> Result<(), ExportError>;
}

impl<T: Exported + TS + 'static> Exported for Vec<T> {
    fn export(config: &Config) -> Result<(), ExportError> {
        <T as Exported>::export(config)
    }
}

macro_rules! exported {
    ($($name:ty),* $(,)?) => {$(impl Exported for $name {
        fn export(config: &Config) -> Result<(), ExportError> {
            <$name as TS>::export_all(config)
        }
    })*};
}

exported!(
    d::Overview,
    d::Pulse,
    d::StatsView,
    d::StartedFresh,
    d::TrashRow,
    d::FileChange,
    d::PlanView,
    d::Nothing,
    d::ProjectView,
    d::SourcesPage,
    d::SearchPage,
    d::SourceText,
    d::Added,
    d::Removed,
    d::SessionsPage,
    d::SessionView,
    d::Activity,
    d::Calls,
    d::OutputText,
    d::FiltersView,
    d::DiscoverView,
    d::SettingsView,
    d::HostView,
    d::Screen,
    d::Picked,
    d::Autostart,
    contract::Check,
    contract::AgentReport,
    contract::AppliedReport,
    contract::VerifyReport,
    contract::UpgradeReport,
    contract::UninstallReport,
    d::ModelTokens,
);

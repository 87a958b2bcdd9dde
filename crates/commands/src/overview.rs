//! The commands of the home screen, the tray and doctor.

use std::sync::Arc;

use contract::desktop::{Nothing, Overview, Period, Pulse, StartedFresh, StatsQuery, StatsView};
use contract::{Check, Error};

use crate::Router;

pub(crate) async fn overview(router: &Arc<Router>, here: Period) -> Result<Overview, Error> {
    router
        .blocking(move |router| {
            let desktop = router.desktop();
            Ok(desktop.overview(desktop.today(here)))
        })
        .await
}

pub(crate) async fn pulse(router: &Arc<Router>, _: Nothing) -> Result<Pulse, Error> {
    router.blocking(|router| Ok(router.desktop().pulse())).await
}

pub(crate) async fn stats(router: &Arc<Router>, query: StatsQuery) -> Result<StatsView, Error> {
    router.blocking(move |router| router.desktop().stats(query)).await
}

pub(crate) async fn doctor(router: &Arc<Router>, _: Nothing) -> Result<Vec<Check>, Error> {
    router.desktop().doctor().await
}

pub(crate) async fn start_fresh(router: &Arc<Router>, _: Nothing) -> Result<StartedFresh, Error> {
    router.blocking(|router| router.desktop().start_fresh()).await
}

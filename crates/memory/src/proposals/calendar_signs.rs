//! Days, months and what comes again, by which users tell when something is in their project. English and German.

/// Days of the week, of which one may be meant or each.
pub(super) const WEEKDAYS: &[&str] = &[
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "montag",
    "dienstag",
    "mittwoch",
    "donnerstag",
    "freitag",
];

/// The same where each is meant.
pub(super) const EACH_DAY: &[&str] = &[
    "mondays",
    "tuesdays",
    "wednesdays",
    "thursdays",
    "fridays",
    "saturdays",
    "sundays",
    "montags",
    "dienstags",
    "mittwochs",
    "donnerstags",
    "freitags",
];

/// When a year of something begins or ends.
pub(super) const MONTHS: &[&str] = &[
    "in january",
    "in february",
    "in march",
    "in april",
    "in may",
    "in june",
    "in july",
    "in august",
    "in september",
    "in october",
    "in november",
    "in december",
    "im januar",
    "im april",
    "im juli",
    "im oktober",
];

/// How often something is.
pub(super) const RECURRING: &[&str] =
    &["every week", "every month", "every quarter", "every year", "jede woche", "jeden monat", "jedes jahr"];

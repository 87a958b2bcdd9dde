//! Converts the record's totals into the window's type.

use contract::desktop::Sums;
use sessions::Totals;

pub(super) fn sums(totals: &Totals) -> Sums {
    Sums {
        calls: totals.calls,
        failed: totals.failed,
        raw_bytes: totals.raw_bytes,
        returned_bytes: totals.returned_bytes,
        measured_bytes: totals.measured_bytes,
        estimated_bytes: totals.estimated_bytes,
        overhead_bytes: totals.overhead_bytes,
        net_bytes: totals.net_bytes,
        elapsed_us: totals.elapsed_us,
    }
}

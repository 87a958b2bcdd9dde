//! Who the agents are: detection, config entries and hook dialects, one file each.

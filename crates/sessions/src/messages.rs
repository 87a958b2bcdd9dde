//! The messages of the sessions' record.

contract::sentences! { "sessions";
    bad_receipt(id, reason) = "receipt {id} can't be read ({reason}); the backups in the backups folder are untouched";
    left_alone(path) = "{path} couldn't be opened a moment ago and is left alone for five minutes; `plimsoll doctor` says why";
    unwritten(path, reason) = "{path} can't be used: {reason}; check that the folder is yours and the disk has space left";
}

//! Lossless edits of other programs' files: plan, apply, receipt, undo.

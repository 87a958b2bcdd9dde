//! The words of a report of a fault, and of a sentence that demands one. English and German, with the plainest of French and
//! Spanish.

/// Words of a report of a fault: then what is "always" so is the fault.
pub(super) const FAULTS: &[&str] = &[
    "fails",
    "failing",
    "failed",
    "error",
    "errors",
    "crash",
    "crashes",
    "crashed",
    "died",
    "doppelt",
    "broken",
    "bug",
    "wrong",
    "slow",
    "is missing",
    "are missing",
    "hangs",
    "rot",
    "kaputt",
    "fehler",
    "falsch",
    "langsam",
    "hängt",
    "null",
    "undefined",
    "the problem is",
    "the issue is",
    "das problem ist",
];

/// What something that fails does, in the present tense, as the end of a sentence.
pub(super) const FAILS: &[&str] = &[
    "fail",
    "fails",
    "break",
    "breaks",
    "crash",
    "crashes",
    "hang",
    "hangs",
    "time out",
    "times out",
    "brechen",
    "hängt",
    "hängen",
    "échoue",
    "échouent",
    "plante",
    "plantent",
    "falla",
    "fallan",
];

/// The same in two parts: the verb before its subject and what ends the sentence.
pub(super) const FAILS_APART: &[(&str, &str)] =
    &[("schlägt", "fehl"), ("schlagen", "fehl"), ("stürzt", "ab"), ("stürzen", "ab")];

/// What a report of a fault is about: something known. A rule about what must fail names no such thing, or has one of
/// [`DEMANDS`].
pub(super) const KNOWN_SUBJECTS: &[&str] =
    &["the", "my", "everything", "der", "die", "das", "alles", "le", "la", "les", "el", "los", "las"];

/// Words of a sentence that demands something to fail, or says when it does.
pub(super) const DEMANDS: &[&str] = &[
    "let", "lets", "make", "makes", "must", "should", "shall", "may", "can", "will", "have to", "has to",
    "never", "always", "not", "don't", "doesn't", "if", "when", "unless", "on", "whenever", "muss", "müssen",
    "soll", "sollen", "darf", "dürfen", "nie", "nicht", "immer", "wenn", "falls", "sobald", "doit",
    "doivent", "si", "quand", "jamais", "toujours", "debe", "deben", "cuando", "nunca", "siempre",
];

/// Words of a report that something is mended, or was by the speaker.
pub(super) const WORKS_NOW: &[&str] = &[
    "works now",
    "works again",
    "all good",
    "geht jetzt",
    "geht wieder",
    "läuft wieder",
    "alles gut",
    "i",
    "ich",
];

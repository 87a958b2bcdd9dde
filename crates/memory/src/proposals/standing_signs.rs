//! The words by which users tell how a project is. English and German, with the plainest of French.

/// What a statement is set against.
pub(super) const CONTRASTS: &[&str] = &[
    ", not",
    ", never",
    ", nicht",
    ", nie",
    ", kein",
    ", keine",
    ", pas",
    ", jamais",
    "instead of",
    "rather than",
    "and not",
    "und nicht",
    "statt",
];

/// How a sentence begins that is about the whole project, besides `in this` and its names.
pub(super) const PLACES_OF_ALL: &[&str] = &[
    "in our team",
    "in our company",
    "in our lab",
    "in our code base",
    "in our code",
    "in our group",
    "in this code base",
    "in this company",
    "in this lab",
    "in this monorepo",
    "in this book",
    "in this novel",
    "in this series",
    "in this thesis",
    "in diesem buch",
    "in diesem projekt",
    "in diesem repo",
    "in unserem projekt",
    "in unserem team",
    "in unserem code",
    "in unserer firma",
    "dans ce projet",
    "dans ce dépôt",
    "dans ce repo",
    "dans notre projet",
    "as a rule",
    "the rule is:",
    "die regel ist:",
    "bei uns gilt:",
    "generally",
    "in general",
    "grundsätzlich",
];

/// How a sentence ends, or what it has, that is about the speakers' world.
pub(super) const OURS: &[&str] = &[
    " here",
    " bei uns",
    " hier",
    " in our code",
    " in our code base",
    " in our codebase",
    " in our team",
    " in our docs",
    " in our app",
    " in this project",
    " in this repo",
    " in unserem code",
    " chez nous",
    " in the ui",
];

/// What comes before a purpose, or what isn't used.
pub(super) const PURPOSES: &[&str] = &["for ", "für ", "pour ", "statt ", "instead of "];

/// What comes between a purpose and what is used for it.
pub(super) const WE_USE: &[&str] = &[
    " we use ",
    " we always use ",
    " use ",
    " verwenden wir ",
    " nutzen wir ",
    " benutzen wir ",
    " nehmen wir ",
    " on utilise ",
];

/// How a name for something is told.
pub(super) const TERMS: &[&str] = &[
    "we call it ",
    "we call that ",
    "we call them ",
    "we call these ",
    "we call the ",
    "wir nennen das ",
    "wir nennen es ",
    "wir nennen sie ",
    "bei uns macht ",
    "bei uns prüft ",
    "bei uns heißt ",
    "bei uns heißen ",
    "the correct name of ",
    "the correct name is ",
    "the correct spelling is ",
    "the correct spelling of ",
    "the right spelling is ",
    "die richtige schreibweise ist ",
];

/// What comes before a name.
pub(super) const CALLED: &[&str] =
    &["is called", "are called", "is named", "is spelled", "schreibt sich", "heißt", "heißen"];

/// What follows the same words where somebody calls: `our function is called twice`.
pub(super) const CALLED_UPON: &[&str] = &[
    "twice", "once", "from", "by", "when", "with", "without", "on", "in", "at", "again", "before", "after",
    "for", "every", "too", "only", "never", "always", "multiple", "nowhere", "there", "here", "here,",
    "falsch", "anders", "das", "es", "so", "nicht",
];

/// Verbs of what is ours.
pub(super) const OUR_VERBS: &[&str] = &[
    "is",
    "are",
    "starts",
    "start",
    "ends",
    "end",
    "begins",
    "returns",
    "return",
    "sends",
    "expects",
    "stores",
    "delivers",
    "speaks",
    "uses",
    "use",
    "writes",
    "runs",
    "happens",
    "lives",
    "ist",
    "sind",
    "beginnt",
    "endet",
    "liefert",
    "erwartet",
    "speichert",
    "sendet",
    "verwendet",
    "nutzt",
    "läuft",
    "est",
    "sont",
    "run",
    "live",
    "laufen",
    "liegen",
];

/// What has a number that a project keeps to, where it's called the speakers' own.
pub(super) const KINDS_OF_LIMIT: &[&str] = &[
    "minimum",
    "maximum",
    "limit",
    "rate limit",
    "quota",
    "budget",
    "baseline",
    "sla",
    "slo",
    "msrv",
    "retention",
    "threshold",
    "schwelle",
    "mindestversion",
    "obergrenze",
    "grenze",
    "kontingent",
];

/// How what is ours is made.
pub(super) const WRITTEN_IN: &[&str] = &[
    "written in ",
    "written for ",
    "built with ",
    "built on ",
    "based on ",
    "made with ",
    "named after ",
    "geschrieben in ",
];

/// What isn't a person behind `is`.
pub(super) const NO_ROLE: &[&str] = &[
    "sick", "ill", "away", "off", "out", "in", "on", "not", "busy", "gone", "here", "new", "back", "very",
    "too", "happy", "unhappy", "angry", "waiting", "asking", "right", "wrong", "still", "also", "leaving",
    "missing", "done", "ready", "krank", "weg", "im", "nicht", "neu", "sauer", "auch", "wieder",
];

/// What names nothing for good, whatever else a sentence says.
pub(super) const ONLY_DOUBT: &[&str] = &[
    "twice",
    "doppelt",
    "zweimal",
    "or not",
    "right",
    "isn't it",
    "apparently",
    "seems",
    "seem",
    "supposed to",
    "that's why",
    "lost",
    "anscheinend",
    "wohl",
    "already",
    "schon",
    "bereits",
    "was",
    "were",
    "war",
    "waren",
];

/// Where a kind of things is for good, if what it's set against is told as well.
pub(super) const KEPT: &[&str] = &[
    "are kept in",
    "are kept under",
    "are stored in",
    "are stored as",
    "are written in",
    "are written with",
    "are generated from",
    "are generated by",
    "are generated with",
    "are labelled with",
    "are labeled with",
    "are enforced in",
    "are enforced by",
    "are validated in",
    "are checked in",
    "are handled by",
    "are handled in",
    "are returned as",
    "are shown as",
    "are displayed as",
    "are formatted as",
    "are sent to",
    "are named after",
    "go into",
    "go to",
    "live in",
    "come from",
    "werden gespeichert",
    "liegen in",
    "liegen im",
    "liegen bei uns",
    "liegen unter",
    "kommen aus",
    "kommen in",
    "gehören in",
    "gehören nach",
    "go next to",
    "live beside",
];

/// The same where the words themselves say that it's so for good.
pub(super) const KEPT_OFTEN: &[&str] = &[
    "live next to",
    "are written by hand",
    "are tagged",
    "are managed in",
    "are managed with",
    "are named after",
    "are always named",
    "are always stored",
    "are always kept",
    "are always written",
    "are always encoded",
    "are always signed",
    "is always stored",
    "is always kept",
    "is always written",
    "is always encoded",
    "is always signed",
    "is always formatted",
    "sont toujours stockés",
    "sont toujours stockées",
    "werden immer in",
];

/// What a kind of things must never be or do.
pub(super) const NEVER_OF_KINDS: &[&str] = &[
    "must never",
    "must not",
    "may never",
    "may not",
    "dürfen nie",
    "dürfen niemals",
    "dürfen keine",
    "dürfen keinen",
    "darf nie",
    "darf niemals",
];

/// What is barred from code for good, behind `must not`.
pub(super) const BARRED_DEEDS: &[&str] = &[
    "contain",
    "include",
    "depend on",
    "import",
    "log",
    "allocate",
    "block",
    "be edited",
    "be changed by hand",
    "enthalten",
    "loggen",
    "geändert werden",
    "verwenden",
];

/// What is demanded of new things.
pub(super) const DUTIES: &[&str] =
    &[" must have ", " need ", " must be ", " must go ", " go into ", " brauchen ", " müssen "];

/// On which occasions something is to be done, whenever they come.
pub(super) const FOR_ALL_TIME: &[&str] = &[
    "whenever you ",
    "every time you ",
    "next time you ",
    "the next time you ",
    "each time you ",
    "any time you ",
    "anytime you ",
    "wann immer du ",
    "immer wenn du ",
    "jedes mal wenn du ",
];

/// Words of an order that belongs to each such occasion.
pub(super) const ALSO: &[&str] = &[
    "also",
    "too",
    "always",
    "never",
    "otherwise",
    "because",
    "instead of",
    "rather than",
    "and not",
    "und nicht",
    "statt",
    "auch",
    "immer",
    "nie",
    "sonst",
    "weil",
];

/// Kinds of things that are called after errors, and are no fault.
pub(super) const ERRORS_AS_KINDS: &[&str] =
    &["error message", "error code", "error budget", "error type", "error handling", "error response"];

/// What all of what is ours does or has, behind `never` or `always`.
pub(super) const OUR_DEEDS: &[&str] = &[
    "contain", "include", "use", "log", "depend", "go", "live", "end", "begin", "start", "carry", "import",
    "have", "follow", "run", "get",
];

/// What somebody uses that is at hand.
pub(super) const PARTITIVES: &[&str] = &["it", "the", "that", "this", "them", "these"];

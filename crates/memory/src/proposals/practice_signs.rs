//! The words by which users tell how they work. English and German, with the plainest of French and Spanish.

/// What somebody does who decides about a part of the project.
pub(super) const OWNING: &[&str] = &[
    "owns the",
    "owns all",
    "owns everything",
    "maintains the",
    "maintains all",
    "is responsible for",
    "is in charge of",
    "decides about",
    "entscheidet über",
    "reviews everything",
    "reviews every",
    "reviews all",
    "approves every",
    "approves all",
    "is the owner of",
    "is the maintainer of",
    "is the contact for",
    "is our contact for",
    "ist verantwortlich für",
    "ist zuständig für",
    "ist ansprechpartner für",
    "ist ansprechpartnerin für",
    "betreut das",
    "betreut die",
    "betreut den",
    "verantwortet das",
    "verantwortet die",
    "verantwortet den",
];

/// Those of them that also blame: `Jonas is responsible for the mess`.
pub(super) const BLAMING: &[&str] = &["is responsible for", "is in charge of", "ist verantwortlich für"];

/// How a clause begins that ends with who it is.
pub(super) const CONTACTS: &[&str] = &[
    "ansprechpartner für",
    "ansprechpartnerin für",
    "zuständig für",
    "verantwortlich für",
    "our contact for",
    "the contact for",
    "contact for",
];

/// How a kind of things is named.
pub(super) const FORMS: &[&str] = &[
    "are named",
    "are lowercase",
    "are lower case",
    "are uppercase",
    "are upper case",
    "are snake_case",
    "are kebab-case",
    "are camelcase",
    "are pascalcase",
    "are plural",
    "are singular",
];

/// What comes before a part that names of a kind have.
pub(super) const AFFIXES: &[&str] = &[
    "look like",
    "are prefixed with",
    "are suffixed with",
    "start with",
    "begin with",
    "end with",
    "end in",
    "beginnen mit",
    "enden auf",
    "enden mit",
];

/// What nobody may use, or everybody must.
pub(super) const NO_GO: &[&str] = &[
    "are mandatory",
    "are compulsory",
    "sind pflicht",
    "sind vorgeschrieben",
    "are a no-go",
    "are off limits",
    "are taboo",
    "sind tabu",
    "sind ein no-go",
];

/// What has a number that a project keeps to, whoever names it.
pub(super) const LIMITS: &[&str] =
    &["msrv", "minsdk", "minsdkversion", "quota", "budget", "baseline", "mindestversion", "obergrenze"];

/// The same where it's called the speakers' own: code and charts have such ones, too.
pub(super) const OWN_LIMITS: &[&str] = &["our minimum", "our maximum", "our limit", "our target"];

/// What comes before the name of a tool.
pub(super) const USING: &[&str] = &[
    "use ",
    "we use ",
    "nimm ",
    "verwende ",
    "benutze ",
    "wir nutzen ",
    "wir verwenden ",
    "wir benutzen ",
    "wir nehmen ",
    "utilise ",
    "usa ",
    "usamos ",
];

/// Tools of which a project has one and not the other. None is a word of everyday language.
pub(super) const TOOLS: &[&str] = &[
    "npm",
    "pnpm",
    "yarn",
    "bun",
    "deno",
    "pip",
    "uv",
    "poetry",
    "pipenv",
    "conda",
    "mamba",
    "pdm",
    "gradle",
    "maven",
    "bazel",
    "cmake",
    "meson",
    "ninja",
    "jest",
    "vitest",
    "mocha",
    "pytest",
    "unittest",
    "nose",
    "rspec",
    "minitest",
    "eslint",
    "tslint",
    "biome",
    "oxlint",
    "prettier",
    "ruff",
    "flake8",
    "pylint",
    "mypy",
    "pyright",
    "docker",
    "podman",
    "terraform",
    "opentofu",
    "pulumi",
    "webpack",
    "vite",
    "esbuild",
    "rollup",
    "parcel",
];

/// Words between or behind tools by which one takes the other's place.
pub(super) const REPLACING: &[&str] =
    &["instead", "not", "never", "nicht", "statt", "stattdessen", "pas", "no"];

/// Other words that may be there.
pub(super) const JOINING: &[&str] = &[
    "please",
    "here",
    "of",
    "and",
    "only",
    "everywhere",
    "always",
    "bitte",
    "hier",
    "immer",
    "nur",
    "überall",
    "ici",
];

/// The end of a request for a language.
pub(super) const LANGUAGES: &[&str] = &[
    " in english",
    " in german",
    " in french",
    " in spanish",
    " auf deutsch",
    " auf englisch",
    " auf französisch",
    " en français",
    " en anglais",
    " en español",
    " en inglés",
];

/// What the speakers may not do. `use` also says that something failed, so it needs its reason.
pub(super) const BARRED: &[&str] = &[
    "we're not allowed to",
    "we are not allowed to",
    "we cannot use",
    "we can't use",
    "wir dürfen keine",
    "wir dürfen kein",
    "wir dürfen nur",
];

/// How a sentence ends that tells what solved a problem.
pub(super) const SOLVED: &[&str] = &[
    "solved it",
    "fixed it",
    "solved the problem",
    "fixed the problem",
    "did the trick",
    "hat geholfen",
    "hat es gelöst",
    "hat das problem gelöst",
];

/// Since when something applies, as the end of a sentence.
pub(super) const FROM_NOW_ON: &[&str] = &[
    "from now on",
    "from here on",
    "from today on",
    "going forward",
    "in future",
    "ab jetzt",
    "ab sofort",
    "von jetzt an",
    "in zukunft",
    "künftig",
    "à partir de maintenant",
    "désormais",
    "dorénavant",
    "a partir de ahora",
    "de ahora en adelante",
];

/// Words that point at something or name nobody.
pub(super) const POINTING: &[&str] = &[
    "both", "all", "a", "an", "the", "it", "that", "this", "these", "those", "them", "they", "he", "she",
    "we", "you", "i", "who", "what", "which", "there", "nobody", "everyone", "someone", "anyone", "one",
    "your", "my", "now", "yet", "so", "and", "again", "der", "die", "das", "den", "dem", "ein", "eine",
    "einen", "es", "er", "sie", "wir", "wer", "was", "man", "niemand", "jemand", "jeder", "alle", "dies",
    "diese", "dieser", "und", "so", "jetzt", "mir", "ce", "la", "le", "les", "un", "une", "il", "elle", "on",
];

/// What a subject alone may do or has, behind its name: `only Jan has access to production`.
pub(super) const ALONE: &[&str] =
    &["has access to", "have access to", "is allowed to", "are allowed to", "may", "darf", "hat zugriff auf"];

/// What only some may do for all.
pub(super) const RESERVED: &[&str] = &[
    "merge",
    "deploy",
    "release",
    "push",
    "approve",
    "publish",
    "rotate",
    "sign",
    "mergen",
    "deployen",
    "freigeben",
];

/// Words of what is invented or shown.
pub(super) const INVENTED: &[&str] =
    &["in the example", "im beispiel", "novel", "story", "scene", "geschichte", "szene"];

/// What a project does for good, behind its name.
pub(super) const PROJECT_VERBS: &[&str] = &["uses", "follows", "targets", "supports"];

/// Words of what is observed, or only asked.
pub(super) const REPORTING: &[&str] = &[
    "already",
    "internally",
    "apparently",
    "seems",
    "right",
    "but",
    "according",
    "schon",
    "bereits",
    "intern",
    "oder",
    "aber",
];

/// What somebody is for a project.
pub(super) const ROLES: &[&str] = &[
    "dba",
    "lead",
    "tech lead",
    "team lead",
    "designer",
    "architect",
    "maintainer",
    "reviewer",
    "release manager",
    "product owner",
    "product manager",
    "project manager",
    "scrum master",
    "security officer",
    "contact",
    "contact person",
    "ansprechpartner",
    "ansprechpartnerin",
    "admin",
    "sre",
    "translator",
];

/// What a project does without, in tests and in code.
pub(super) const MEANS: &[&str] = &[
    "mocks",
    "stubs",
    "fakes",
    "globals",
    "singletons",
    "macros",
    "orms",
    "frameworks",
    "emojis",
    "wildcards",
];

/// After or where something was seen: `rows are lowercase after the import`.
pub(super) const SEEN_THERE: &[&str] =
    &["after", "when", "once", "since", "in the", "on the", "nach", "wenn"];

/// What will be where something else is still being replaced.
pub(super) const THEN: &[&str] = &["should", "must", "only", "soll", "sollen", "muss", "müssen", "nur"];

/// How an order begins that makes sure of something.
pub(super) const ENSURING: &[&str] = &[
    "make sure you never",
    "make sure you always",
    "make sure we never",
    "make sure we always",
    "make sure never to",
    "make sure that you never",
    "make sure that you always",
];

/// Words that say that a language is always the one.
pub(super) const EVER: &[&str] = &["always", "immer", "nur", "toujours", "siempre"];

/// Words that only ask for it: then it's about a kind of texts.
pub(super) const ASKING: &[&str] = &["please", "bitte", "s'il te plaît", "por favor"];

/// Kinds of texts whose names don't end in `s`.
pub(super) const TEXTS: &[&str] =
    &["kommentare", "bezeichner", "antworten", "commit-nachrichten", "commitnachrichten", "fehlermeldungen"];

/// Words before a place or a case.
pub(super) const PREPOSITIONS: &[&str] =
    &["in", "with", "without", "outside", "for", "from", "on", "into", "to"];

/// What a project follows.
pub(super) const CONVENTIONS: &[&str] = &[
    "conventional commits",
    "convention",
    "conventions",
    "guide",
    "guides",
    "guideline",
    "guidelines",
    "style",
    "standard",
    "standards",
    "semver",
    "calver",
    "versioning",
    "principles",
    "pep",
    "rfc",
    "spec",
    "gitflow",
    "apa",
    "mla",
    "chicago",
];

/// Verbs of the next step.
pub(super) const STARTING: &[&str] = &[
    "start", "begin", "go", "focus", "look", "continue", "test", "check", "try", "fangen", "beginnen",
    "machen",
];

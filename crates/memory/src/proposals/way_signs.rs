//! The forms in which users tell how their project does things: how such a sentence begins, and what in it shows that it lasts.

use crate::domain::Namespace;

use Namespace::{Decisions, Patterns};

/// A way that is told by how its sentence begins and what is behind that.
pub(super) struct Way {
    /// One of these begins the sentence; without any, all do.
    pub(super) begins: &'static [&'static str],
    /// One of these is in the rest.
    pub(super) has: &'static [&'static str],
    /// How many words the rest has at least.
    pub(super) least: usize,
    pub(super) namespace: Namespace,
}

const fn way(
    begins: &'static [&'static str],
    has: &'static [&'static str],
    least: usize,
    namespace: Namespace,
) -> Way {
    Way { begins, has, least, namespace }
}

/// What is used, and what isn't. A fault behind that explains it.
pub(super) const USED: &[Way] = &[
    way(
        &["ici on utilise ", "chez nous on utilise ", "on utilise ", "nous utilisons "],
        &[" et pas ", ", pas ", " plutôt que ", " au lieu de "],
        3,
        Patterns,
    ),
    way(
        &["usamos ", "aquí usamos ", "nosotros usamos ", "aqui usamos ", "a gente usa ", "nós usamos "],
        &[" y no ", ", no ", " e não ", ", não ", " en vez de ", " en lugar de ", " em vez de "],
        3,
        Patterns,
    ),
    way(&["usiamo ", "qui usiamo ", "noi usiamo "], &[" e non ", ", non ", " invece di "], 3, Patterns),
    way(&["we gebruiken ", "wij gebruiken "], &[" en niet ", ", niet ", " in plaats van "], 3, Patterns),
    way(&["używamy ", "u nas używamy "], &[" a nie ", ", nie ", " zamiast "], 3, Patterns),
    way(&["nous n'utilisons ", "on n'utilise "], &[" jamais ", " pas ", " plus "], 3, Patterns),
    way(&["usamos "], &[", solo ", ", sólo ", ", só ", ", apenas "], 3, Patterns),
    way(
        &["siempre usamos ", "nunca usamos ", "sempre usamos ", "zawsze używamy ", "nigdy nie używamy "],
        &[],
        2,
        Patterns,
    ),
    way(
        &["on ne ", "nous ne "],
        &[" jamais de ", " jamais d'", " jamais le ", " jamais la ", " jamais les ", " jamais directement "],
        5,
        Patterns,
    ),
    way(
        &["niemand außer ", "nobody but ", "no one but ", "nobody except ", "no one except "],
        &[" darf ", " may ", " can ", " is allowed "],
        4,
        Patterns,
    ),
    way(
        &[],
        &[", no exceptions", ", ohne ausnahme", ", sans exception", ", sin excepción", ", sem exceção"],
        5,
        Patterns,
    ),
];

/// What is so, where, and how all of a kind are.
pub(super) const WAYS: &[Way] = &[
    // Where it's so, and that it's always so.
    way(
        &["en este proyecto ", "en este repo ", "en nuestro proyecto ", "aquí "],
        &[
            " van en ",
            " va en ",
            " se escriben ",
            " se escribe ",
            " se llaman ",
            " se guardan ",
            " siempre ",
            " nunca ",
            " empiezan ",
            " terminan ",
        ],
        4,
        Patterns,
    ),
    way(
        &["dans ce projet ", "dans ce dépôt ", "dans notre projet ", "chez nous "],
        &[" sont écrits ", " s'écrivent ", " toujours ", " jamais ", " uniquement ", " commencent par "],
        4,
        Patterns,
    ),
    way(
        &["neste projeto ", "neste repo ", "no nosso projeto "],
        &[" sempre ", " nunca ", " ficam em ", " são escritos ", " são escritas ", " começam com "],
        4,
        Patterns,
    ),
    way(
        &["u nas ", "w tym projekcie ", "w naszym projekcie ", "w tym repo "],
        &["wszystkie ", "zawsze ", "nigdy ", " muszą ", " musi ", "tylko ", "piszemy ", "używamy "],
        4,
        Patterns,
    ),
    way(
        &["tous les ", "toutes les ", "todos los ", "todas las ", "todos os ", "todas as ", "wszystkie "],
        HERE_IN_PROJECT,
        5,
        Patterns,
    ),
    way(
        &["los ", "las ", "os ", "as "],
        &[
            " se guardan siempre ",
            " se escriben siempre ",
            " siempre se ",
            " siempre van ",
            " são sempre ",
            " ficam sempre ",
        ],
        5,
        Patterns,
    ),
    way(&["wszystkie "], &[" trzymamy ", " zapisujemy ", " piszemy ", " używamy "], 4, Patterns),
    way(&["o ", "a "], &[" só acontece ", " só pode ser ", " só entra "], 5, Patterns),
    way(&[], &[" only happens after ", " only ships after ", " only goes live after "], 6, Patterns),
    way(&["a gente nunca ", "a gente sempre ", "nós nunca ", "nós sempre "], &[], 2, Patterns),
    way(&[], &[" piszemy po polsku", " piszemy po angielsku", " se escriben en inglés"], 2, Patterns),
    // How all of a kind are, and how they aren't.
    way(
        &["los ", "las ", "os ", "as ", "les "],
        &[
            ", no en ",
            ", nunca en ",
            ", não em ",
            ", nunca em ",
            ", pas en ",
            ", jamais en ",
            ", pas dans ",
            ", jamais dans ",
        ],
        5,
        Patterns,
    ),
    way(
        &["all our "],
        &[" are ", " go ", " have ", " live ", " use ", " start ", " end ", " must ", " come from "],
        5,
        Patterns,
    ),
    way(
        &["everything in ", "everything under ", "everything below ", "alles in ", "alles unter "],
        &[
            " is managed ",
            " is generated ",
            " is deployed ",
            " is configured ",
            " is provisioned ",
            " wird verwaltet",
            " wird generiert",
            " wird von ",
        ],
        5,
        Patterns,
    ),
    way(&["for future ", "for all future ", "in future reviews", "in future prs"], &[": "], 6, Patterns),
    // What was kept for a reason.
    way(
        &[
            "we stay with ",
            "we stay on ",
            "we're staying with ",
            "we're staying on ",
            "we stick with ",
            "we're sticking with ",
        ],
        &[", every ", ", each ", ", any ", ", otherwise ", " because ", " since "],
        6,
        Decisions,
    ),
];

/// What says at the end of a clause that the one before it lasts.
pub(super) const SETTLED: &[&str] = &[
    "that's not going to change",
    "that won't change",
    "that isn't going to change",
    "isn't negotiable",
    "is not negotiable",
    "is non-negotiable",
    "isn't up for debate",
    "ça ne changera pas",
    "eso no va a cambiar",
];

/// The whole project, within a sentence.
pub(super) const HERE_IN_PROJECT: &[&str] = &[
    " dans ce projet",
    " dans ce dépôt",
    " dans ce repo",
    " en este proyecto",
    " en este repo",
    " neste projeto",
    " neste repo",
    " w tym projekcie",
];

/// What follows the name of a kind: how all of them are in the project.
pub(super) const OF_KINDS: &[&str] = &[
    " in this repo are ",
    " in this project are ",
    " in this codebase are ",
    " in this repo go ",
    " in this repo live ",
    " in this repo use ",
    " in this project use ",
];
/// How things are made, where another way is ruled out behind it.
pub(super) const MADE: &[&str] = &[
    " are made by ",
    " are made with ",
    " are built by ",
    " are generated by ",
    " are created by ",
    " are taken by ",
    " are taken from ",
    " come from ",
    " belong in ",
    " belong to ",
];
pub(super) const RULED_OUT: &[&str] = &[", don't ", ", do not ", ", never ", ", not "];
/// How all of a kind are treated, where it's told how instead.
pub(super) const TREATED: &[&str] = &[" are never ", " are always "];
pub(super) const INSTEAD: &[&str] = &[", only ", ", not ", ", never ", " otherwise "];
/// How all of a kind must be kept.
pub(super) const KEPT_SO: &[&str] = &[" under ", " below ", " short", " small", " pure", " free of "];
/// For what something is used.
pub(super) const PURPOSES: &[&str] = &["para ", "pour ", "per ", "voor ", "do "];
/// Where new things belong, before a folder.
pub(super) const BELONG: &[&str] =
    &[" go in ", " go into ", " go under ", " go to ", " live in ", " live under ", " belong in "];
/// Where alone something is so.
pub(super) const ONLY_THERE: &[&str] = &[
    " only run in ",
    " only runs in ",
    " only run on ",
    " only runs on ",
    " only works on ",
    " only exists in ",
];
pub(super) const NOBODY: &[&str] = &[", nobody ", ", no one ", " because "];
/// What a version does to what is ours.
pub(super) const BREAKING: &[&str] =
    &[" breaks our ", " doesn't work with our ", " corrupts our ", " leaks in our "];
/// German verbs of how a kind of things is with us.
pub(super) const WITH_US: &[&str] = &[
    " bleiben bei uns ",
    " heißen bei uns ",
    " liegen bei uns ",
    " gehen bei uns ",
    " kommen bei uns ",
    " stehen bei uns ",
];
/// Who lets through so much and no more.
pub(super) const PARTIES: &[&str] =
    &["api", "schnittstelle", "interface", "gateway", "anbieter", "vendor", "provider", "bank", "dienst"];
pub(super) const ALLOWING: &[&str] = &[" erlaubt ", " akzeptiert ", " lässt ", " allows ", " accepts "];
/// Faults in other languages than those of [`FAULTS`].
pub(super) const FAULTS_ELSEWHERE: &[&str] = &[
    "erreur",
    "erreurs",
    "ve mal",
    "ven mal",
    "está mal",
    "están mal",
    "casse",
    "cassent",
    "cassé",
    "rouge",
    "marche pas",
    "fonctionne pas",
    "falha",
    "falham",
    "quebra",
    "erro",
    "lento",
    "roto",
    "błąd",
    "nie działa",
    "nie działają",
    "nie gra",
    "coś",
    "czerwone",
    "wolne",
];
/// What projects do, at the beginning of a Japanese sentence.
pub(super) const JAPANESE: &[&str] = &[
    "うちでは",
    "弊社では",
    "当社では",
    "このプロジェクトでは",
    "このリポジトリでは",
    "私たちのプロジェクトでは",
];
/// How such a sentence ends where it states what is done.
pub(super) const JAPANESE_ENDS: &[&str] = &["ます", "ません", "です", "する", "しない", "禁止"];
/// What such a sentence reports otherwise.
pub(super) const JAPANESE_FAULTS: &[&str] =
    &["エラー", "動か", "動き", "失敗", "落ち", "困", "遅", "壊れ", "おかし", "バグ", "今日", "今は"];

//! Generates words, redirections and command lines.

use proptest::prelude::*;

/// A word with everything that can be inside one.
fn word() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        6 => "[a-z0-9./_-]{1,6}",
        2 => "'[ -&(-~]{0,8}'",
        2 => "\"[a-z ;|&()<>#']{0,8}\"",
        1 => r"\\[ -~]",
        1 => "\\$[a-z]{1,3}",
        1 => "\\$\\{[a-z]{1,3}(:-[a-z]{0,3})?\\}",
        1 => "\\$\\(\\([0-9]( [+*] [0-9])?\\)\\)",
        1 => r"\$'[a-z ]{0,4}(\\n|\\t|\\')?'",
        1 => Just("*".to_owned()),
        1 => Just("~".to_owned()),
        1 => Just("=".to_owned()),
        1 => Just("{a,b}".to_owned()),
        1 => Just("#".to_owned()),
        1 => Just("\\\n".to_owned()),
    ];
    prop::collection::vec(piece, 1..4).prop_map(|pieces| pieces.concat())
}

fn redirection() -> impl Strategy<Value = String> {
    prop_oneof![
        (prop::sample::select(vec![">", ">>", "<", "2>", "&>", ">|", "<>", "3<", "<<<", ">&"]), "[a-z]{1,4}")
            .prop_map(|(sign, file)| format!("{sign} {file}")),
        prop::sample::select(vec!["2>&1", ">&2", "<&-", "2>/dev/null", ">x"]).prop_map(str::to_owned),
    ]
}

pub(crate) fn simple_command() -> impl Strategy<Value = String> {
    (
        prop::collection::vec("[A-Z]{1,2}(=|\\+=)[a-z0-9]{0,3}", 0..2),
        "[a-z]{3,6}x",
        prop::collection::vec(prop_oneof![5 => word(), 1 => redirection()], 0..4),
        prop::sample::select(vec![" ", "  ", "\t", " \\\n"]),
    )
        .prop_map(|(mut words, program, rest, blank)| {
            words.push(program);
            words.extend(rest);
            words.join(blank)
        })
}

/// Command lines with everything that the grammar knows, nested.
pub(crate) fn command() -> impl Strategy<Value = String> {
    simple_command().prop_recursive(4, 24, 3, |inner| {
        let two = (inner.clone(), inner.clone());
        let joint =
            prop::sample::select(vec![" && ", " || ", "; ", " | ", " & ", "\n", " |& ", "&&", " |\n", "\n# x\n"]);
        prop_oneof![
            4 => (inner.clone(), joint, inner.clone()).prop_map(|(a, joint, b)| format!("{a}{joint}{b}")),
            1 => inner.clone().prop_map(|a| format!("({a})")),
            1 => inner.clone().prop_map(|a| format!("{{ {a}\n}}")),
            1 => inner.clone().prop_map(|a| format!("! {a}")),
            1 => inner.clone().prop_map(|a| format!("time {a}")),
            1 => two.clone().prop_map(|(a, b)| format!("if {a}\nthen {b}\nfi")),
            1 => two.clone().prop_map(|(a, b)| format!("if {a}\nthen {b}\nelse {a}\nfi > out")),
            1 => two.clone().prop_map(|(a, b)| format!("while {a}\ndo {b}\ndone | catx")),
            1 => inner.clone().prop_map(|a| format!("for i in 1 $(lsx) 'b c'; do {a}\ndone")),
            1 => two.clone().prop_map(|(a, b)| format!("case $x in (a|b) {a}\n;; (*) {b}\n;; esac")),
            1 => inner.clone().prop_map(|a| format!("echox $({a}\n) b")),
            1 => inner.clone().prop_map(|a| format!("echox \"a $({a}\n)\" b")),
            1 => inner.clone().prop_map(|a| format!("A=$({a}\n) echox b")),
            1 => inner.clone().prop_map(|a| format!("diffx <({a}\n) b")),
            1 => inner.clone().prop_map(|a| format!("echox ${{y:-$({a}\n)}}")),
            1 => inner.clone().prop_map(|a| format!("f() {{ {a}\n}}\nf")),
            1 => inner.clone().prop_map(|a| format!("[[ -n $x && a == b ]] && {a}")),
            1 => inner.clone().prop_map(|a| format!("catx <<'END' | sortx\n{}\nEND\n", a.replace("END", "x"))),
            1 => inner.prop_map(|a| format!("catx <<END && wcx\nx $({a}\n)\nEND\n")),
        ]
    })
}

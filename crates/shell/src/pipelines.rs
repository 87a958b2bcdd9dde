//! A text's pipelines, each with everything that its output passes through: that of `a` in `( a; b ) | head` ends in `head`
//! too. For recognising a command's output; unparsable text has no pipelines.

use crate::grammar::{self, Place, Script, Simple, Step};

/// One stage of a pipeline.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stage {
    /// Program and arguments without quotes, with expansions as written. Empty for a group that is a stage.
    pub words: Vec<String>,
    /// The file that its standard output goes to, if any.
    pub stdout_to: Option<String>,
}

impl Stage {
    /// The program's name without its folder.
    #[must_use]
    pub fn program(&self) -> &str {
        self.words.first().map_or("", |program| crate::base(program))
    }

    /// The arguments after the program.
    #[must_use]
    pub fn arguments(&self) -> &[String] {
        self.words.get(1..).unwrap_or(&[])
    }
}

/// Every pipeline in `command`, including those in groups and loops but not those in substitutions, whose output becomes
/// words. Empty for a text that a shell would reject.
///
/// ```
/// let found = plimsoll_shell::pipelines("cd x && (make; make test | cat) | tail");
/// let programs = found.iter().map(|stages| stages.iter().map(|stage| stage.program()).collect());
/// assert_eq!(programs.collect::<Vec<Vec<_>>>(), [vec!["cd"], vec!["make", "tail"], vec!["make", "cat", "tail"]]);
/// ```
#[must_use]
pub fn pipelines(command: &str) -> Vec<Vec<Stage>> {
    let script = grammar::parse(command);
    if script.odd || script.unfinished || script.too_deep {
        return Vec::new();
    }
    let mut stages: Vec<Vec<&Simple>> = vec![Vec::new(); script.pipelines.len()];
    for step in &script.steps {
        if let Step::Run(simple) = step
            && !simple.substituted
            && let Some(of) = stages.get_mut(simple.place.pipeline)
        {
            of.push(simple);
        }
    }
    // In text order: a group's own pipeline begins before the ones inside it.
    let mut order: Vec<usize> = Vec::new();
    let mut known = vec![false; stages.len()];
    for step in &script.steps {
        if let Step::Run(simple) = step
            && !simple.substituted
            && !simple.words.is_empty()
            && let Some(known @ false) = known.get_mut(simple.place.pipeline)
        {
            *known = true;
            order.push(simple.place.pipeline);
        }
    }
    let own = |simple: &&&Simple| !simple.words.is_empty();
    // A pipeline that begins with a group is covered by the group's content.
    let first = |of: &&Vec<&Simple>| of.iter().find(own).is_some_and(|simple| simple.place.stage == 0);
    order
        .iter()
        .filter_map(|at| stages.get(*at))
        .filter(first)
        .map(|of| full_pipeline(of, &stages, &script))
        .collect()
}

/// How many enclosing groups are followed for what comes after them.
const GROUPS: usize = 40;

/// A pipeline, and what its output passes through after the groups that contain it.
fn full_pipeline(own: &[&Simple], stages: &[Vec<&Simple>], script: &Script) -> Vec<Stage> {
    let mut found: Vec<Stage> =
        own.iter().filter(|simple| !simple.words.is_empty()).map(|simple| stage(simple)).collect();
    let around = |place: Place| script.pipelines.get(place.pipeline).copied().flatten();
    let group = own.first().and_then(|simple| around(simple.place));
    for place in std::iter::successors(group, |place| around(*place)).take(GROUPS) {
        let after = stages.get(place.pipeline).into_iter().flatten();
        // A command at the group's own position without a program redirects the group.
        found.extend(
            after
                .filter(|simple| {
                    simple.place.stage > place.stage
                        || simple.place.stage == place.stage && simple.words.is_empty()
                })
                .map(|simple| stage(simple)),
        );
    }
    found
}

fn stage(simple: &Simple) -> Stage {
    Stage {
        words: simple.words.iter().map(grammar::Word::text).collect(),
        stdout_to: simple.redirs.iter().rfind(|redir| redir.out).map(|redir| redir.word.text()),
    }
}

#[cfg(test)]
mod tests {
    use super::pipelines;

    /// Pipelines as text: programs with `|` between them and `>` before the file of one.
    fn summary(command: &str) -> String {
        let shown = |stage: &super::Stage| {
            let file = stage.stdout_to.as_ref().map_or(String::new(), |file| format!(">{file}"));
            stage.program().to_owned() + &file
        };
        let lines: Vec<String> = pipelines(command)
            .iter()
            .map(|stages| stages.iter().map(shown).collect::<Vec<_>>().join("|"))
            .collect();
        lines.join(" ")
    }

    #[test]
    fn pipelines_are_taken_apart() {
        for (command, wanted) in [
            ("a; b && c || d & e", "a b c d e"),
            ("a | b |& c\nd", "a|b|c d"),
            ("a |\n\n# x\n b", "a|b"),
            ("(a; b | c) | d > x; e", "a|d>x b|c|d>x e"),
            ("(a) > x", "a|>x"),
            ("{ a; { b; }; } | c", "a|c b|c"),
            ("for i in 1 2; do a | b; done | c && d", "a|b|c d"),
            ("while a; do b; done > x", "a|>x b|>x"),
            ("if a; then b; else c; fi | d", "a|d b|d c|d"),
            ("case x in a) b;; c) d | e;; esac | f", "b|f d|e|f"),
            ("f() { a; }; f | b", "a f|b"),
            ("A=1 B=2 /usr/bin/a.exe x 2>y", "a"),
            ("a $(b | c) \"$(d)\" `e` | f", "a|f"),
            ("a <<X | b\nrm c\nX\nd", "a|b d"),
            ("a <<X\nb", ""),
            ("a |", ""),
            ("a 'b", ""),
            ("a ) b", ""),
            ("( } ) | a", ""),
            ("} | a", ""),
            ("", ""),
            ("a &> x; b >& y; c 2> z; d > 2", "a>x b>y c d>2"),
        ] {
            assert_eq!(summary(command), wanted, "{command}");
        }
    }
}

//! Walks the tree of `brush-parser` and lists every command in it.

use std::io::Cursor;

use brush_parser::ast::{
    Assignment, AssignmentName, AssignmentValue, Command, CommandPrefixOrSuffixItem as Item, CompoundCommand,
    CompoundList, ExtendedTestExpr, IoFileRedirectTarget, IoRedirect, Pipeline, RedirectList, SimpleCommand,
    Word,
};
use brush_parser::word::{ParameterExpr, WordPiece, WordPieceWithSource};
use brush_parser::{Parser, ParserOptions};

/// The commands that brush finds, each as its words as written.
#[derive(Default)]
pub(crate) struct BrushCommands {
    pub(crate) commands: Vec<Vec<String>>,
    /// Whether brush read some part only as a word and couldn't parse it.
    pub(crate) unread: bool,
    /// Whether there is more than simple commands in lists and pipelines.
    pub(crate) beyond_simple: bool,
}

impl BrushCommands {
    pub(crate) fn parse(text: &str) -> Option<BrushCommands> {
        let mut seen = BrushCommands::default();
        seen.script(text).then_some(seen)
    }

    /// Whether brush could parse it.
    fn script(&mut self, text: &str) -> bool {
        let mut parser = Parser::new(Cursor::new(text.as_bytes()), &ParserOptions::default());
        let Ok(program) = parser.parse_program() else { return false };
        program.complete_commands.iter().for_each(|list| self.list(list));
        true
    }

    fn list(&mut self, list: &CompoundList) {
        for item in &list.0 {
            for (_, pipeline) in &item.0 {
                self.pipeline(pipeline);
            }
        }
    }

    fn pipeline(&mut self, pipeline: &Pipeline) {
        self.beyond_simple |= pipeline.bang;
        pipeline.seq.iter().for_each(|command| self.command(command));
    }

    fn command(&mut self, command: &Command) {
        self.beyond_simple |= !matches!(command, Command::Simple(_));
        match command {
            Command::Simple(simple) => self.simple(simple),
            Command::Compound(compound, redirects) => {
                self.compound(compound);
                self.redirects(redirects.as_ref());
            }
            Command::Function(function) => {
                self.compound(&function.body.0);
                self.redirects(function.body.1.as_ref());
            }
            Command::ExtendedTest(test, redirects) => {
                self.test(&test.expr);
                self.redirects(redirects.as_ref());
            }
        }
    }

    fn compound(&mut self, compound: &CompoundCommand) {
        match compound {
            CompoundCommand::Arithmetic(arithmetic) => self.word(&arithmetic.expr.value),
            CompoundCommand::ArithmeticForClause(clause) => {
                for part in [&clause.initializer, &clause.condition, &clause.updater].into_iter().flatten() {
                    self.word(&part.value);
                }
                self.list(&clause.body.list);
            }
            CompoundCommand::BraceGroup(group) => self.list(&group.list),
            CompoundCommand::Subshell(group) => self.list(&group.list),
            CompoundCommand::ForClause(clause) => {
                clause.values.iter().flatten().for_each(|word| self.word(&word.value));
                self.list(&clause.body.list);
            }
            CompoundCommand::CaseClause(clause) => {
                self.word(&clause.value.value);
                for case in &clause.cases {
                    case.patterns.iter().for_each(|word| self.word(&word.value));
                    case.cmd.iter().for_each(|list| self.list(list));
                }
            }
            CompoundCommand::IfClause(clause) => {
                self.list(&clause.condition);
                self.list(&clause.then);
                for other in clause.elses.iter().flatten() {
                    other.condition.iter().for_each(|list| self.list(list));
                    self.list(&other.body);
                }
            }
            CompoundCommand::WhileClause(clause) | CompoundCommand::UntilClause(clause) => {
                self.list(&clause.0);
                self.list(&clause.1.list);
            }
            CompoundCommand::Coprocess(coprocess) => self.command(&coprocess.body),
        }
    }

    fn test(&mut self, test: &ExtendedTestExpr) {
        match test {
            ExtendedTestExpr::And(a, b) | ExtendedTestExpr::Or(a, b) => {
                self.test(a);
                self.test(b);
            }
            ExtendedTestExpr::Not(a) | ExtendedTestExpr::Parenthesized(a) => self.test(a),
            ExtendedTestExpr::UnaryTest(_, word) => self.word(&word.value),
            ExtendedTestExpr::BinaryTest(_, a, b) => {
                self.word(&a.value);
                self.word(&b.value);
            }
        }
    }

    fn simple(&mut self, simple: &SimpleCommand) {
        let mut words: Vec<String> = Vec::new();
        for item in simple.prefix.iter().flat_map(|prefix| &prefix.0) {
            self.item(item, &mut Vec::new());
        }
        if let Some(Word { value, .. }) = &simple.word_or_name {
            self.word(value);
            words.push(value.clone());
        }
        for item in simple.suffix.iter().flat_map(|suffix| &suffix.0) {
            self.item(item, &mut words);
        }
        if simple.word_or_name.is_some() {
            self.commands.push(words);
        }
    }

    fn item(&mut self, item: &Item, words: &mut Vec<String>) {
        match item {
            Item::IoRedirect(redirect) => self.redirect(redirect),
            Item::Word(word) => {
                self.word(&word.value);
                words.push(word.value.clone());
            }
            Item::AssignmentWord(assignment, word) => {
                self.assignment(assignment);
                self.beyond_simple |= matches!(assignment.value, AssignmentValue::Array(_));
                words.push(word.value.clone());
            }
            Item::ProcessSubstitution(_, shell) => {
                self.beyond_simple = true;
                self.list(&shell.list);
            }
        }
    }

    fn assignment(&mut self, assignment: &Assignment) {
        if let AssignmentName::ArrayElementName(_, index) = &assignment.name {
            self.word(index);
        }
        match &assignment.value {
            AssignmentValue::Scalar(word) => self.word(&word.value),
            AssignmentValue::Array(words) => {
                for (key, value) in words {
                    key.iter().for_each(|word| self.word(&word.value));
                    self.word(&value.value);
                }
            }
        }
    }

    fn redirects(&mut self, redirects: Option<&RedirectList>) {
        redirects.iter().flat_map(|list| &list.0).for_each(|redirect| self.redirect(redirect));
    }

    fn redirect(&mut self, redirect: &IoRedirect) {
        match redirect {
            IoRedirect::File(_, _, target) => match target {
                IoFileRedirectTarget::Filename(word) | IoFileRedirectTarget::Duplicate(word) => {
                    self.word(&word.value);
                }
                IoFileRedirectTarget::Fd(_) => {}
                IoFileRedirectTarget::ProcessSubstitution(_, shell) => {
                    self.beyond_simple = true;
                    self.list(&shell.list);
                }
            },
            IoRedirect::HereDocument(_, document) => {
                self.beyond_simple = true;
                if document.requires_expansion {
                    let pieces =
                        brush_parser::word::parse_heredoc(&document.doc.value, &ParserOptions::default());
                    self.unread |= pieces.is_err();
                    self.pieces(&pieces.unwrap_or_default());
                }
            }
            IoRedirect::HereString(_, word) => {
                self.beyond_simple = true;
                self.word(&word.value);
            }
            IoRedirect::OutputAndError(word, _) => self.word(&word.value),
        }
    }

    /// The substitutions in a word.
    fn word(&mut self, word: &str) {
        let pieces = brush_parser::word::parse(word, &ParserOptions::default());
        self.unread |= pieces.is_err();
        self.pieces(&pieces.unwrap_or_default());
    }

    fn pieces(&mut self, pieces: &[WordPieceWithSource]) {
        for piece in pieces {
            match &piece.piece {
                WordPiece::DoubleQuotedSequence(inner) | WordPiece::GettextDoubleQuotedSequence(inner) => {
                    self.pieces(inner);
                }
                WordPiece::CommandSubstitution(script) | WordPiece::BackquotedCommandSubstitution(script) => {
                    self.beyond_simple |= matches!(piece.piece, WordPiece::BackquotedCommandSubstitution(_));
                    self.unread |= !self.script(script);
                }
                WordPiece::ArithmeticExpression(expression) => self.word(&expression.value),
                WordPiece::ParameterExpansion(
                    ParameterExpr::UseDefaultValues { default_value: Some(text), .. }
                    | ParameterExpr::AssignDefaultValues { default_value: Some(text), .. }
                    | ParameterExpr::IndicateErrorIfNullOrUnset { error_message: Some(text), .. }
                    | ParameterExpr::UseAlternativeValue { alternative_value: Some(text), .. }
                    | ParameterExpr::RemoveSmallestSuffixPattern { pattern: Some(text), .. }
                    | ParameterExpr::RemoveLargestSuffixPattern { pattern: Some(text), .. }
                    | ParameterExpr::RemoveSmallestPrefixPattern { pattern: Some(text), .. }
                    | ParameterExpr::RemoveLargestPrefixPattern { pattern: Some(text), .. },
                ) => self.word(text),
                _ => {}
            }
        }
    }
}

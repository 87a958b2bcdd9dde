//! The trait that every agent implements, and what its methods exchange with the caller.

use std::path::{Path, PathBuf};

use contract::Sentence;
use home::{Env, Os};
use rules::RuleSet;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use transcripts::{Format, Source};

use crate::plugin::PluginFile;
use crate::{
    ConfigFile, EntryContext, Event, Finding, FullOutput, HookOutput, Installation, Machine, MemorySources,
    Offer, Output, OutputKind, OutputLimits, Rewriting, ToolCall, Trust, Verdict,
};

/// Which of Plimsoll's features this version of an agent supports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capabilities {
    /// The tools over MCP.
    pub tools: bool,
    /// Output is filtered without the agent's help.
    pub filtering: bool,
    /// Notes at session start and after compaction.
    pub notes: bool,
}

/// The input of `plimsoll hook <agent> [event]`.
#[derive(Debug, Clone, Copy)]
pub struct HookInput<'a> {
    /// The parsed payload from stdin.
    pub payload: &'a Value,
    /// The event on the command line, for agents whose payload doesn't name it.
    pub event: Option<&'a str>,
    /// The hook's environment.
    pub env: &'a Env,
}

/// A payload that the agent would send.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// The event on the command line, for agents whose payload doesn't name it.
    pub event: Option<&'static str>,
    /// The payload.
    pub payload: Value,
}

/// One agent product. Implementations are stateless.
pub trait Agent: Sync {
    /// Stable id, as in `plimsoll connect <id>`.
    fn id(&self) -> &'static str;
    /// The product's name.
    fn name(&self) -> &'static str;
    /// Two letters that represent it in the window, because Plimsoll uses no product's logo.
    fn mark(&self) -> &'static str;
    /// Other names for it: its program, its package, a short form.
    fn aliases(&self) -> &'static [&'static str] {
        &[]
    }
    /// `initialize.clientInfo.name` prefixes of this agent, lower case.
    fn client_names(&self) -> &'static [&'static str];
    /// Looks for the agent; `None` without convincing evidence.
    fn detect(&self, machine: &Machine<'_>) -> Option<Installation>;
    /// The features that this version supports.
    fn capabilities(&self, installation: &Installation) -> Capabilities;
    /// The versions that the tests drive, the newest last; empty for an agent known from its documents only.
    fn tested_versions(&self) -> &'static [&'static str] {
        &[]
    }
    /// Versions that change the entries. An agent of unknown version may have any version's entries.
    fn entry_versions(&self) -> Vec<&'static str> {
        Vec::new()
    }
    /// For an unknown version, the installation with each of these versions, so that the caller can try which one matches
    /// the existing entries. Empty for a known version.
    fn with_possible_versions(&self, installation: &Installation) -> Vec<Installation> {
        if installation.version.is_some() {
            return Vec::new();
        }
        let versions = self.entry_versions().into_iter().chain(["0.0.1"]);
        versions
            .map(|version| Installation { version: Some(version.to_owned()), ..installation.clone() })
            .collect()
    }
    /// The files and edits that connect it. If the agent isn't installed, the caller passes an
    /// [`Agent::assumed_installation`] and prints them for manual setup.
    fn files(&self, context: &EntryContext<'_>) -> Vec<ConfigFile>;
    /// Whether its servers get credentials only if the entry passes them on.
    fn withholds_credentials(&self) -> bool {
        false
    }
    /// Whether the current entry forwards credentials; `None` for an agent that withholds none from its servers.
    fn passes_credentials(&self, _context: &EntryContext<'_>) -> Option<bool> {
        None
    }
    /// The installation at the usual locations (`connect --print`).
    fn assumed_installation(&self, env: &Env) -> Installation;
    /// Where Plimsoll's plugin is enabled, which does the same as connecting; `None` if it isn't, or without plugins.
    fn plugin(&self, _installation: &Installation, _project: Option<&Path>) -> Option<PathBuf> {
        None
    }
    /// That plugin's files at version `version`.
    fn plugin_files(&self, _version: &str) -> Vec<PluginFile> {
        Vec::new()
    }
    /// How the user removes that plugin.
    fn plugin_removal(&self) -> &'static str {
        ""
    }
    /// Files that earlier versions of the agent or Plimsoll used; entries are removed from them, never written.
    fn former_files(&self, _context: &EntryContext<'_>) -> Vec<ConfigFile> {
        Vec::new()
    }
    /// Whether the payload is this agent's, not another's that read its config.
    fn owns_payload(&self, input: &HookInput<'_>) -> bool;
    /// Parses a payload; `None` for events that Plimsoll doesn't use.
    fn parse_event(&self, input: &HookInput<'_>) -> Option<Event>;
    /// A session start in the folder `home` as the agent would report it, with the minimal fields: `verify` runs the hook
    /// command with it.
    fn session_start(&self, session: &str, home: &Path) -> Sample;
    /// The variables that name the session, for payloads that don't and for servers.
    fn session_variables(&self) -> &'static [&'static str] {
        &[]
    }
    /// The variables that name the project to servers, the best first.
    fn project_variables(&self) -> &'static [&'static str] {
        &[]
    }
    /// The agent's records of past sessions on this computer.
    fn transcripts(&self, _env: &Env) -> Vec<Source> {
        Vec::new()
    }
    /// Where the agent writes a session's transcript, if its events don't all name it.
    fn transcript_of(&self, _env: &Env, _session: &str) -> Option<PathBuf> {
        None
    }
    /// The line formats among them.
    fn formats(&self) -> &'static [&'static Format] {
        &[]
    }
    /// What can be imported as memories: with a project what belongs to that folder, otherwise what applies everywhere.
    fn memory_sources(&self, _env: &Env, _project: Option<&Path>) -> MemorySources {
        MemorySources::default()
    }
    /// Whether the agent's model patches files from its shell, after which no hook can tell it anything: what it should know
    /// about an edit has to come before.
    fn patches_from_shell(&self) -> bool {
        false
    }
    /// Renders the verdict in the agent's dialect, with only the fields that the event has.
    fn render_verdict(&self, event: &Event, verdict: &Verdict) -> HookOutput;
    /// The output if a payload can't be parsed or anything fails: the agent goes on.
    fn fail_open(&self, _event: Option<&str>) -> HookOutput {
        HookOutput::silent()
    }
    /// Whether a compacted session starts again with `compact` as its source. Otherwise only `PreCompact` tells, and the note
    /// for afterwards waits for the next event.
    fn restarts_after_compaction(&self) -> bool {
        true
    }
    /// When a command may be rewritten before it runs without changing whether the user is asked.
    fn rewriting(&self, _event: &Event) -> Rewriting {
        Rewriting::Never
    }
    /// Whether a POSIX shell parses the call's command, so that words can be prepended.
    fn posix_shell(&self, call: &ToolCall, os: Os) -> bool {
        os != Os::Windows && !call.is_powershell()
    }
    /// Why the agent's shell tool would refuse `command` whatever its rules are: "it contains …".
    fn refusal_reason(&self, _command: &str) -> Option<&'static str> {
        None
    }
    /// Whether the agent was started with rules that can't be read from here.
    fn has_hidden_rules(&self, _env: &Env) -> bool {
        false
    }
    /// The session's project, if the agent names it outside the payload.
    fn project(&self, _env: &Env) -> Option<PathBuf> {
        None
    }
    /// Whether anyone can answer when a hook says "ask". If no one can and the agent would wait, Plimsoll denies.
    fn can_ask(&self, _env: &Env) -> bool {
        true
    }
    /// How much of an output the model sees without Plimsoll, as measured on the real agent. The rest was never in the
    /// conversation: keeping it out saves nothing, and a replacement must not be longer.
    fn output_limits(&self, _kind: OutputKind) -> OutputLimits {
        OutputLimits::UNMEASURED
    }
    /// How many bytes of this output the model would see without Plimsoll. `whole` is the full output, which some agents keep
    /// in a file and pass to hooks only in part.
    fn visible_bytes(&self, call: &ToolCall, output: &Output, whole: &str) -> usize {
        // A hook receives at least what the model sees.
        output.text.len().min(self.output_limits(OutputKind::of(call, output)).visible_bytes(whole))
    }
    /// Whether the model sees lines of the output that the agent has chosen itself, and not its beginning or its ends. A
    /// replacement then leaves nothing out for lack of room.
    fn has_chosen_lines(&self, _output: &Output) -> bool {
        false
    }
    /// Whether the model gets each line of the call's command as it is printed. Such a command is only asked about: nothing
    /// may be put before it, and no other tool does the same.
    fn streams_output(&self, _call: &ToolCall) -> bool {
        false
    }
    /// Whether the call's command has ended. One in the background runs on after its hook: its output isn't complete, and
    /// nobody knows yet how it ends.
    fn has_ended(&self, call: &ToolCall) -> bool {
        !call.is_background()
    }
    /// The full output and the command's exit; `None` if only a part is available, which is then left alone. May read
    /// files.
    fn full_output<'o>(
        &self,
        _event: &Event,
        _call: &ToolCall,
        output: &'o Output,
    ) -> Option<FullOutput<'o>> {
        FullOutput::from_file(output)
    }
    /// The text before a replaced output that tells the model how the command ended; empty if the agent tells it itself.
    fn exit_notice(&self, _exit: Option<i32>) -> String {
        String::new()
    }
    /// Whether rewriting a command is better than replacing its output, because a replacement loses the exit status or looks
    /// like an error.
    fn prefers_rewriting(&self) -> bool {
        false
    }
    /// Whether the agent takes a rewritten command only together with "allow", so that each rewrite approves what it runs.
    fn rewriting_approves(&self) -> bool {
        false
    }
    /// Whether the model is told that a command was rewritten, in more bytes than some commands print.
    fn tells_of_rewriting(&self) -> bool {
        false
    }
    /// Whether the tool's output can be replaced at this event.
    fn replaces_output(&self, _event: &Event) -> bool {
        false
    }
    /// Whether another hook of the user's may replace the output of the tool `tool`: agents take one replacement, and what the
    /// other one removed would be back. May read files, so call it only if the answer matters.
    fn others_replace_output(&self, _tool: &str, _env: &Env, _project: &Path) -> bool {
        false
    }
    /// Whether a call may be a subagent's although the payload doesn't say so. May read files, so call it only if the answer
    /// matters.
    fn may_be_subagent(&self, _event: &Event) -> bool {
        false
    }
    /// Whether the agent parses a tool's text as JSON and refuses a result that isn't an object: such a text must not be sent
    /// as it is.
    fn parses_json_results(&self) -> bool {
        false
    }
    /// What Plimsoll's server offers this agent.
    fn offer(&self) -> Offer {
        Offer::UNCOUNTED
    }
    /// One of Plimsoll's tools by the name that this agent's model sees.
    fn tool_name(&self, tool: &str) -> String;
    /// The same if the tool comes from the agent's plugin.
    fn tool_name_in_plugin(&self, tool: &str) -> String {
        self.tool_name(tool)
    }
    /// The user's permission rules in every layer this agent reads for `project`.
    fn rules(&self, _env: &Env, _project: &Path) -> RuleSet {
        RuleSet::default()
    }
    /// Experimental capabilities that Plimsoll's server declares, so that the agent says more with each call.
    fn experimental_capabilities(&self) -> &'static [&'static str] {
        &[]
    }
    /// Applies what a call says about the user's restrictions at that moment (`_meta` of MCP). It is newer than any file,
    /// and right where the agent runs in a process that several sessions share.
    fn apply_call(&self, _meta: &Map<String, Value>, _env: &Env, _project: &Path, _rules: &mut RuleSet) {}
    /// Kill switches, managed-only hooks, safe modes, rivals, duplicate registrations.
    fn findings(
        &self,
        _machine: &Machine<'_>,
        _installation: &Installation,
        _project: Option<&Path>,
    ) -> Vec<Finding> {
        Vec::new()
    }
    /// Whether the agent trusts Plimsoll's hooks; may run the agent's own read-only query with a time limit.
    fn trust(&self, _machine: &Machine<'_>, _installation: &Installation, _launcher: &Path) -> Trust {
        Trust::NotNeeded
    }
    /// What the user must do after connecting, if anything: restart, or where it was connected with hooks, approve them in
    /// `/hooks`.
    fn next_steps(&self, _installation: &Installation, _hooks: bool) -> Vec<Sentence> {
        Vec::new()
    }
}

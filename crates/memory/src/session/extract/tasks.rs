//! Facts from the agents' own tools: task lists, plans and answered questions, recognised by the shape of their
//! input, which most agents share.

use agents::ToolCall;
use serde_json::Value;

use crate::session::fact::{Category, Fact, MergeRule, State};

/// Maximum number of recorded tasks per list.
const MAX_TASKS: usize = 40;
/// Maximum number of recorded answers per call.
const MAX_ANSWERS: usize = 4;
/// Maximum length of an answer.
const MAX_ANSWER: usize = 300;

/// The input's keys for lists.
const LISTS: [&str; 5] = ["todos", "plan", "todoList", "tasks", "items"];
/// The input's keys for a task's text.
const WORDS: [&str; 8] =
    ["content", "step", "title", "subject", "description", "text", "task", "task_description"];
/// Tools that ask the user.
const QUESTIONS: [&str; 7] = [
    "AskUserQuestion",
    "askQuestions",
    "ask_user",
    "ask_question",
    "question",
    "request_user_input",
    "vscode_askQuestions",
];

/// Tasks, plans and decisions from a call of one of the agent's own tools.
pub(super) fn facts(call: &ToolCall) -> Vec<Fact> {
    let name = call.name.as_str();
    let lower = name.to_ascii_lowercase();
    if QUESTIONS.contains(&name) {
        return answers(call);
    }
    match lower.replace('_', "").as_str() {
        "exitplanmode" => return plan(call).into_iter().collect(),
        "taskcreate" => return created_task(call).into_iter().collect(),
        "taskupdate" => return updated_task(call).into_iter().collect(),
        _ => {}
    }
    if ["todo", "plan", "task"].iter().any(|word| lower.contains(word)) {
        list(&call.input)
    } else {
        Vec::new()
    }
}

fn list(input: &Value) -> Vec<Fact> {
    let Some(found) = LISTS.iter().find_map(|key| input.get(key)) else { return Vec::new() };
    let tasks: Vec<(String, State)> = match found {
        Value::Array(tasks) => tasks.iter().filter_map(task).take(MAX_TASKS).collect(),
        Value::String(text) => text.lines().filter_map(checklist_item).take(MAX_TASKS).collect(),
        _ => return Vec::new(),
    };
    // A partial list leaves the tasks that it doesn't name unchanged.
    let part = input.get("merge").and_then(Value::as_bool) == Some(true);
    let mut facts = Vec::new();
    if !part {
        facts.push(Fact::new(Category::NewList, 4, "list"));
    }
    facts.extend(tasks.into_iter().map(|(text, state)| as_fact(text, state)));
    facts
}

fn as_fact(text: String, state: State) -> Fact {
    let priority = match state {
        State::Open | State::Active => 1,
        State::Done => 3,
        State::Dropped => 4,
    };
    Fact::new(Category::Task, priority, text).state(state).meeting(MergeRule::Latest)
}

fn task(value: &Value) -> Option<(String, State)> {
    if let Some(text) = value.as_str() {
        return Some((text.to_owned(), State::Open));
    }
    let text =
        WORDS.iter().find_map(|key| value.get(key)?.as_str()).filter(|text| !text.trim().is_empty())?;
    let done = ["completed", "done"].iter().any(|key| value.get(key).and_then(Value::as_bool) == Some(true));
    let state =
        ["status", "state"].iter().find_map(|key| value.get(key)?.as_str()).map_or(State::Open, state);
    Some((text.to_owned(), if done { State::Done } else { state }))
}

fn state(word: &str) -> State {
    match word.to_ascii_lowercase().replace(['-', ' '], "_").as_str() {
        "completed" | "complete" | "done" => State::Done,
        "in_progress" | "active" | "doing" | "current" => State::Active,
        "cancelled" | "canceled" | "deleted" | "skipped" => State::Dropped,
        _ => State::Open,
    }
}

/// An item of a Markdown checklist.
fn checklist_item(line: &str) -> Option<(String, State)> {
    let line = line.trim_start().trim_start_matches(['-', '*', '+', ' ']);
    let (mark, text) = line.strip_prefix('[')?.split_once(']')?;
    let state = match mark {
        " " | "" => State::Open,
        "x" | "X" => State::Done,
        "~" | ">" | "/" => State::Active,
        _ => return None,
    };
    let text = text.trim();
    (!text.is_empty()).then(|| (text.to_owned(), state))
}

/// A single task, under the agent's number for it.
fn created_task(call: &ToolCall) -> Option<Fact> {
    let output = call.output.as_ref()?;
    let number = output.raw.get("task").and_then(|task| id(task.get("id")?)).or_else(|| {
        let after = output.text.split_once('#')?.1;
        let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
        (!digits.is_empty()).then_some(digits)
    })?;
    let text = WORDS.iter().find_map(|key| call.input.get(key)?.as_str())?;
    Some(as_fact(text.to_owned(), State::Open).key(format!("task #{number}")))
}

fn updated_task(call: &ToolCall) -> Option<Fact> {
    let number = ["taskId", "task_id", "id"].iter().find_map(|key| id(call.input.get(key)?))?;
    let subject = call.input.get("subject").and_then(Value::as_str).unwrap_or_default();
    let state = call.input.get("status").and_then(Value::as_str).map(state)?;
    Some(as_fact(subject.to_owned(), state).key(format!("task #{number}")))
}

fn id(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim_start_matches('#').to_owned()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// A plan; that its tool ran means that the user approved it.
fn plan(call: &ToolCall) -> Option<Fact> {
    let plan = call.input.get("plan")?.as_str()?.trim();
    (!plan.is_empty()).then(|| Fact::new(Category::Plan, 1, plan).key("plan").meeting(MergeRule::Latest))
}

/// The user's answers to questions.
fn answers(call: &ToolCall) -> Vec<Fact> {
    let Some(output) = call.output.as_ref() else { return Vec::new() };
    let decision = |question: &str, answer: &str| {
        let (question, answer) = (question.trim(), answer.trim());
        let short = !answer.is_empty() && answer.chars().count() <= MAX_ANSWER;
        short.then(|| {
            Fact::new(Category::Decision, 2, format!("{question} {answer}")).key(question.to_owned())
        })
    };
    if let Some(answers) = output.raw.get("answers").and_then(Value::as_object) {
        return answers
            .iter()
            .filter_map(|(question, answer)| decision(question, &answer_text(answer)?))
            .take(MAX_ANSWERS)
            .collect();
    }
    let question = ["question", "message", "prompt"]
        .iter()
        .find_map(|key| call.input.get(key)?.as_str())
        .or_else(|| match call.input.get("questions")?.as_array()?.as_slice() {
            [only] => only.get("question")?.as_str(),
            _ => None,
        });
    question.and_then(|question| decision(question, &output.text)).into_iter().collect()
}

fn answer_text(answer: &Value) -> Option<String> {
    match answer {
        Value::String(text) => Some(text.clone()),
        Value::Array(several) => {
            let texts: Vec<&str> = several.iter().filter_map(Value::as_str).collect();
            (!texts.is_empty()).then(|| texts.join(", "))
        }
        Value::Object(fields) => fields.get("answers").or_else(|| fields.get("answer")).and_then(answer_text),
        _ => None,
    }
}

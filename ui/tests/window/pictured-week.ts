// The computer of the pictures: a week of work in three projects with four agents. Its figures are seeded, everything else is
// real: agents' files, the sidecar, what was stored. Knows no screen.
import { existsSync } from "node:fs";
import { install } from "./agents";
import { Computer } from "./computer";
import { payments } from "./payments";

/** A home with a neutral name, if it can be made: its paths are in the pictures. One that is there already
 *  is left alone: it is in use, or left from an interrupted run. */
function home(): Computer {
  const free = ["/home/you", "/home/me", "/home/kim"].find((path) => !existsSync(path));
  return process.getuid?.() === 0 ? new Computer(free) : new Computer();
}

const DOCS: Record<string, string> = {
  "docs/retries.md": "# Retries\n\n## When a request is tried again\n\nA request is tried again only when nothing was written before it failed. The wait doubles after each attempt and never exceeds thirty seconds.\n\n```rust\nlet wait = (base * 2_u32.pow(attempt)).min(Duration::from_secs(30));\n```\n\n## What is never retried\n\n| answer | why |\n|---|---|\n| 400, 422 | the request itself is wrong |\n| 401, 403 | asking again changes nothing |\n| 409 | somebody else was first; read again, then decide |\n",
  "docs/queue.md": "# The queue\n\n## Draining\n\nThe queue is drained before the process ends, and what remains is written down. A worker that was killed leaves its item to the next one, which tries again from the last mark.\n\n## Order\n\nItems of one customer keep their order; items of different customers do not.\n",
  "docs/checkout.md": "# Checkout\n\n## Taking the payment\n\nThe order is stored before the payment is asked for, so that a retry finds it. Each attempt carries the same key, and the bank answers twice with the same result.\n\n- [x] the key survives a restart\n- [x] a second tab sees the first one's attempt\n- [ ] refunds use the same way\n",
  "docs/locking.md": "# Locks\n\nLocks are taken in the order of their paths, so two workers cannot wait for each other. A lock that is older than a minute belongs to nobody; who takes it over writes that down before trying again.\n",
  "docs/migrations.md": "# Migrations\n\nEach migration runs in one transaction and is never changed once released. A database that is newer than the program is left untouched.\n",
  "src/retry.rs": "/// Tries again while nothing was written, waiting longer each time.\npub fn retry<T>(attempts: u32, mut work: impl FnMut() -> Result<T, Failure>) -> Result<T, Failure> {\n    for attempt in 0..attempts {\n        match work() {\n            Err(failure) if failure.nothing_written() => wait(attempt),\n            done => return done,\n        }\n    }\n    work()\n}\n",
  "src/queue.rs": "/// Drains the queue before the process ends; what cannot be done is written down.\npub fn drain(queue: &mut Queue, journal: &mut Journal) -> usize {\n    let left = queue.items.drain(..).filter(|item| item.done().is_err());\n    left.map(|item| journal.write(item)).count()\n}\n",
};

/** How the things that the memories name belong together, beside what their texts say. */
const RELATED = [
  ["Redis", "ConflictsWith", "PostgreSQL"],
  ["Login", "Uses", "SessionStore"],
  ["PaymentQueue", "Uses", "PostgreSQL"],
  ["checkout.test.ts", "RelatesTo", "PaymentQueue"],
  ["Playwright", "RelatesTo", "checkout.test.ts"],
] as const;

/** A place on earth where it is late in the afternoon now, so that there is a day to be seen. */
export const AFTERNOON = ((): string => {
  const ahead = (17 - new Date().getUTCHours() + 36) % 24 - 12;
  return ahead === 0 ? "UTC" : `Etc/GMT${ahead > 0 ? "-" : "+"}${Math.abs(ahead)}`;
})();

function project(at: Computer, name: string, files: Record<string, string>): string {
  for (const [path, text] of Object.entries(files)) at.write(`work/${name}/${path}`, text);
  at.write(`work/${name}/.git/HEAD`, "ref: refs/heads/main\n");
  return at.path(`work/${name}`);
}

/** A computer in the middle of a week of work. */
export async function week(readme: boolean): Promise<Computer> {
  const at = home();
  install.claude(at);
  install.codex(at);
  install.opencode(at);
  install.cursor(at);
  at.plimsoll(["connect", "claude-code", "codex", "opencode", "cursor", "--yes"]);
  const shop = project(at, "shop", DOCS);
  const harbour = project(at, "harbour", { "README.md": "# Harbour\n\nBerths, cranes and who comes when.\n", "docs/berths.md": "# Berths\n\nA berth is given to the ship that is ready first.\n" });
  at.seed({ calls: 900, events: 700, filters: 260, memories: 126, days: 7 }, [shop, harbour]);
  at.plimsoll(["index", "docs"], { cwd: harbour });
  for (const path of Object.keys(DOCS)) at.plimsoll(["index", path], { cwd: shop });
  if (!readme) at.seed({ sources: 46, days: 5 }, [shop]);
  await at.tool("execute", { language: "shell", code: "seq 1 4000", intent: "the last number" });
  for (const words of ["a request is tried again", "queue drained"]) at.plimsoll(["search", words], { cwd: shop });
  at.write(".claude/CLAUDE.md", "# Rules\n\n- Answer in short sentences\n- Use pnpm, never npm\n- Ask before you force-push\n");
  at.write("work/shop/AGENTS.md", "# Shop\n\n- Prices are in cents everywhere\n- Never trust a discount from the page\n");
  for (const [from, kind, to] of RELATED) at.plimsoll(["graph", "relate", from, to, "--type", kind], { cwd: shop });
  at.plimsoll(["prompt", "save", "code-review", "Review {{file}} for {{what}}. Name the line, and say how it fails.", "--description", "Before a pull request", "--tags", "review"], { cwd: shop });
  at.plimsoll(["prompt", "save", "release-notes", "Write what changed since {{tag}}, for people who use it.", "--description", "On the day of a release"], { cwd: shop });
  worked(at, shop);
  ran(at, shop);
  at.plimsoll(["settings", "set", "codebase.enabled", "true"]);
  at.plimsoll(["code", "reindex"], { cwd: shop });
  if (!readme) payments(at);
  const quay = project(at, "quay", { "README.md": "# Quay\n\nForty rings, each with a number.\n" });
  at.plimsoll(["index", "README.md"], { cwd: quay });
  at.plimsoll(["purge", "--project", "--yes"], { cwd: quay });
  return at;
}

/** A session of which the agent's own transcript says what it used. */
function worked(at: Computer, project: string): void {
  at.hook("claude-code", "UserPromptSubmit", { session_id: "with-tokens", cwd: project, hook_event_name: "UserPromptSubmit", prompt: "Why does the retry give up after two attempts?" });
  const answer = (id: string, model: string, usage: object): string =>
    JSON.stringify({ type: "assistant", uuid: id, isSidechain: false, timestamp: new Date().toISOString(), cwd: project, sessionId: "with-tokens", version: "2.1.197", message: { id, type: "message", role: "assistant", model, content: [{ type: "text", text: "Because of the cap." }], usage } });
  const lines = [
    answer("m1", "claude-sonnet-4-5", { input_tokens: 48_200, output_tokens: 9_120, cache_read_input_tokens: 1_204_000, cache_creation_input_tokens: 88_000 }),
    answer("m2", "claude-haiku-4-5", { input_tokens: 9_400, output_tokens: 810 }),
  ];
  at.write(".claude/projects/-work-shop/with-tokens.jsonl", `${lines.join("\n")}\n`);
}

/** A command whose whole output is kept, so that both texts can be shown side by side. */
function ran(at: Computer, project: string): void {
  const passed = Array.from({ length: 300 }, (_, n) => `tests/checkout/test_cart.py::test_${["add", "remove", "empty", "merge", "limit", "tax"][n % 6]}_${n} PASSED`.padEnd(72) + `[${String(Math.floor(n / 3.01)).padStart(3)}%]`);
  const failed = "tests/checkout/test_service.py::test_checkout_slow FAILED               [100%]\n\n=================================== FAILURES ===================================\n______________________________ test_checkout_slow ______________________________\n\n    def test_checkout_slow():\n        took = checkout(cart)\n>       assert took < 2.0\nE       assert 9.41 < 2.0\n\ntests/checkout/test_service.py:88: AssertionError\n=========================== short test summary info ============================\nFAILED tests/checkout/test_service.py::test_checkout_slow - assert 9.41 < 2.0";
  at.write(".local/bin/pytest", `#!/bin/sh\ncat <<'E'\n============================= test session starts ==============================\ncollected 301 items\n\n${passed.join("\n")}\n${failed}\n======================== 1 failed, 300 passed in 12.31s ========================\nE\nexit 1\n`, 0o755);
  let shown = "";
  try {
    at.plimsoll(["run", "--agent", "claude-code", "--session", "with-tokens", "--", "pytest", "tests/checkout", "-v"], { cwd: project });
  } catch (error) {
    // It ends as the tests ended.
    shown = String((error as { stdout?: string }).stdout ?? "");
  }
  at.hook("claude-code", "PostToolUse", { session_id: "with-tokens", cwd: project, hook_event_name: "PostToolUse", tool_name: "Bash", tool_input: { command: "plimsoll run -- pytest tests/checkout -v" }, tool_response: { stdout: shown, stderr: "", interrupted: false } });
}

// What past sessions would have been with the filters: read from the agents' own transcripts, an estimate, never written.
import { describe, expect, test } from "vitest";
import { install } from "./agents";
import type { Computer } from "./computer";
import { computer, eachTest, show, watchFiles } from "./window";

eachTest();

/** A transcript of Claude Code's in which a test run printed much. */
function transcript(at: Computer): void {
  const noise = Array.from({ length: 900 }, (_, n) => `test module::case_${n} ... ok`).join("\n");
  const output = `   Compiling shop v0.1.0 (/w/shop)\n    Finished test profile [unoptimized + debuginfo] target(s) in 2.31s\n     Running unittests src/lib.rs (target/debug/deps/shop-1a2b3c4d)\n\nrunning 900 tests\n${noise}\n\ntest result: ok. 900 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.02s\n`;
  const timestamp = new Date(Date.now() - 3_600_000).toISOString();
  const common = { isSidechain: false, timestamp, cwd: "/w/shop", sessionId: "past-1", version: "2.1.197" };
  const lines = [
    { ...common, type: "assistant", uuid: "a1", message: { id: "msg_1", type: "message", role: "assistant", model: "claude-sonnet-4-5", content: [{ type: "tool_use", id: "call_1", name: "Bash", input: { command: "cargo test" } }], usage: { input_tokens: 1, output_tokens: 1 } } },
    { ...common, type: "user", uuid: "a2", parentUuid: "a1", message: { role: "user", content: [{ type: "tool_result", tool_use_id: "call_1", content: output, is_error: false }] }, toolUseResult: { stdout: output, stderr: "", interrupted: false, isImage: false } },
  ];
  at.write(".claude/projects/-w-shop/past-1.jsonl", `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
}

const smaller = /In your last 30 days these outputs would have been [\d.]+ KB smaller/;

describe("past sessions", () => {
  test("Home estimates what the filters would have kept out, and writes nothing", async () => {
    const at = computer();
    install.claude(at);
    transcript(at);
    at.plimsoll(["connect", "claude-code", "--yes"]);
    const changed = watchFiles(at);
    const window = await show(at, { screen: "home" });
    const past = window.page.getByRole("region", { name: "What would have been kept out" });
    await past.waitFor();
    expect((await past.innerText()).replaceAll(/\s+/g, " ")).toMatch(smaller);
    await past.getByText("An estimate: 1 command output").waitFor();
    await past.getByText("cargo test").waitFor();
    // Reading a database leaves its log open beside it; nothing is in that.
    expect(changed().filter((name) => !/plimsoll\.db-(wal|shm)$/.test(name))).toEqual([]);
    const told = JSON.parse(at.plimsoll(["discover", "--days", "30", "--json"])) as { raw_bytes: number; bytes_after: number };
    const kept = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 1 }).format((told.raw_bytes - told.bytes_after) / 1000);
    expect(await past.innerText(), "the terminal says the same").toContain(`${kept}\u00a0KB`);
    expect(await window.violations()).toEqual([]);
  });

  test("the wizard's last step shows the estimate, too", async () => {
    const at = computer();
    install.claude(at);
    transcript(at);
    const window = await show(at);
    await window.button("Find my agents").click();
    await window.heading("Your agents").waitFor();
    await window.button("Continue").click();
    await window.button("Review the changes").click();
    await window.button(/^Apply/).click();
    await window.heading("Applied and verified").waitFor({ timeout: 45_000 });
    await window.button("Continue").click();
    const past = window.page.getByRole("region", { name: "What would have been kept out" });
    await past.waitFor();
    expect((await past.innerText()).replaceAll(/\s+/g, " ")).toMatch(smaller);
    expect(await window.violations()).toEqual([]);
  });

  test("without transcripts nothing is shown", async () => {
    const at = computer();
    const window = await show(at, { screen: "agents" });
    const answered = window.page.waitForResponse(/\/call\/discover$/);
    await window.go("home");
    await (await answered).finished();
    await window.page.getByText("Nothing recorded yet today").waitFor();
    await window.settled();
    expect(await window.page.getByText("30 days").count()).toBe(0);
  });

  test("a cancelled scan says that nothing was written, and can be started again", async () => {
    const at = computer();
    install.claude(at);
    transcript(at);
    at.plimsoll(["connect", "claude-code", "--yes"]);
    const window = await show(at, { screen: "agents" });
    // The answer is held back until the user has cancelled; then it arrives as a cancelled one.
    let release = (): void => undefined;
    const ended = new Promise<void>((resolve) => (release = resolve));
    let held = true;
    await window.page.route("**/call/discover", async (route) => {
      if (!held) return route.continue();
      await ended;
      await route.fulfill({ status: 400, contentType: "application/json", body: JSON.stringify({ code: "cancelled", message: "ended" }) });
    });
    const stopped = window.page.waitForRequest(/\/call\/stop_discover$/);
    await window.go("home");
    const wait = window.page.getByText("Looking through your agents’ transcripts of the last 30 days");
    await wait.waitFor();
    await window.button("Cancel").click();
    await stopped;
    held = false;
    release();
    await window.page.getByText("was stopped. Nothing was written.").waitFor();
    await window.button("Estimate what would have been kept out").click();
    await window.page.getByRole("region", { name: "What would have been kept out" }).waitFor();
  });
});

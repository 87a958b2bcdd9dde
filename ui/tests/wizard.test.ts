// The setup wizard's state: what it wrote, what it undoes, and what it left out. Calls are stubbed.
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { AgentPlanReport, AgentReport, AppliedReport, PlanView, VerifyReport } from "../src/contract";

const asked: [string, Record<string, unknown>][] = [];
/** Answers of the program by command; one that throws is a failed command. */
let answers: Record<string, (args: Record<string, unknown>) => unknown>;

vi.mock("../src/platform", async () => ({
  ...(await import("../src/platform/types")),
  onChanged: () => () => {},
  call: (name: string, args: Record<string, unknown>) => {
    asked.push([name, args]);
    return Promise.resolve().then(() => answers[name]?.(args));
  },
}));

const { leftOut, toRestart } = await import("../src/features/setup/leftout");
const { commandLine, undoLine, Wizard } = await import("../src/features/setup/wizard.svelte");

const agent = (id: string): AgentReport => ({ id, name: id.toUpperCase(), state: "not_connected", files: [] }) as unknown as AgentReport;
const plan = (id: string, change: string): AgentPlanReport =>
  ({ id, name: id.toUpperCase(), blocked: false, notes: [], files: [{ path: `/${id}`, change, added: 1, removed: 0 }] }) as unknown as AgentPlanReport;
const applied = (id: string, part: Partial<AppliedReport> = {}): AppliedReport => ({ id, name: id, written: [`/${id}`], unchanged: [], error: null, next_steps: [], ...part });
const verified = { error: null, initialize_ms: 1, call_ms: 1, hook_ms: 1 } as unknown as VerifyReport;
const names = (name: string) => asked.filter(([one]) => one === name).map(([, args]) => args);

/** Which agents are written already: the next plan has nothing to change in them. */
const there = new Set<string>();
let broken = new Set<string>();

beforeEach(() => {
  asked.length = 0;
  there.clear();
  broken = new Set();
  let number = 0;
  answers = {
    agents: () => [agent("claude"), agent("codex")],
    plan_connect: ({ agents }) => ({ plan: ++number, removal: false, report: { backups: "/b", agents: (agents as string[]).map((id) => plan(id, there.has(id) ? "unchanged" : "modify")) } }),
    plan_disconnect: () => ({ plan: ++number, removal: true, report: { backups: "/b", agents: [] } }),
    apply_plan: ({ agent: id }) => {
      if (broken.has(id as string)) return applied(id as string, { written: [], error: { text: "line 2", key: null, values: {} } as never });
      there.add(id as string);
      return applied(id as string, { next_steps: [{ text: `approve ${id as string}` } as never] });
    },
    verify_agent: () => verified,
    set_setting: () => ({}),
  };
});

async function reviewed() {
  const wizard = new Wizard();
  wizard.knowSurface("compact");
  await wizard.look();
  await wizard.makePlan();
  return wizard;
}

describe("What the wizard wrote", () => {
  it("is known over a second review, and undone with the rest", async () => {
    broken = new Set(["codex"]);
    const wizard = await reviewed();
    await wizard.apply();
    expect(wizard.rows.map((row) => row.phase)).toEqual(["good", "failed"]);
    broken = new Set();
    await wizard.makePlan();
    expect(wizard.written.map((row) => row.id), "while the new plan is looked at").toEqual(["claude"]);
    await wizard.apply();
    expect(wizard.rows.map((row) => [row.id, row.phase])).toEqual([["claude", "good"], ["codex", "good"]]);
    expect(wizard.rows[0]?.applied?.next_steps.map((step) => step.text), "what is left for the person").toEqual(["approve claude"]);
    await wizard.undo(wizard.written);
    expect(names("plan_disconnect")).toEqual([{ agents: ["claude", "codex"] }]);
    expect(wizard.written).toEqual([]);
  });

  it("stays known when the agent is left out of the new plan", async () => {
    const wizard = await reviewed();
    await wizard.apply();
    wizard.choose("claude", false);
    await wizard.makePlan();
    await wizard.makePlan();
    expect(wizard.written.map((row) => row.id)).toEqual(["claude", "codex"]);
    await wizard.apply();
    expect(wizard.rows.map((row) => row.id)).toEqual(["codex", "claude"]);
    expect(names("apply_plan").filter((args) => args.agent === "claude")).toHaveLength(1);
    await wizard.undo(wizard.written);
    expect(wizard.rows.every((row) => row.phase === "undone")).toBe(true);
  });

  it("is undone where it was written", async () => {
    const wizard = await reviewed();
    await wizard.apply();
    there.clear();
    wizard.scope = "project";
    wizard.project = "/work/shop";
    await wizard.makePlan();
    await wizard.apply();
    await wizard.undo(wizard.written);
    expect(names("plan_disconnect")).toEqual([{ agents: ["claude", "codex"], project: "/work/shop" }, { agents: ["claude", "codex"] }]);
  });

  it("is still there when a second writing failed", async () => {
    const wizard = await reviewed();
    await wizard.apply();
    there.clear();
    broken = new Set(["claude"]);
    await wizard.makePlan();
    await wizard.apply();
    expect(wizard.rows.map((row) => row.phase)).toEqual(["failed", "good"]);
    expect(wizard.written.map((row) => row.id)).toEqual(["claude", "codex"]);
  });
});

describe("What was taken back while its server was started once more", () => {
  it("stays taken back, whatever the server answers then", async () => {
    for (const answer of [verified, { ...verified, error: { text: "no answer", key: null, params: {} } }]) {
      const wizard = await reviewed();
      await wizard.apply();
      const [row] = wizard.rows;
      if (row === undefined) throw new Error("an agent was written");
      let release = (): void => undefined;
      answers.verify_agent = () => new Promise((done) => (release = () => done(answer)));
      const again = wizard.verify(row);
      await Promise.resolve();
      await wizard.undoAll();
      release();
      await again;
      expect(wizard.rows.map((one) => [one.phase, one.error])).toEqual(wizard.rows.map(() => ["undone", undefined]));
      expect(wizard.wrote).toBe(false);
      answers.verify_agent = () => verified;
      there.clear();
    }
  });
});

describe("The plan that is shown", () => {
  it("is the one for the last choice, whichever answer comes last", async () => {
    const wizard = new Wizard();
    await wizard.look();
    const waiting: (() => void)[] = [];
    answers.plan_connect = ({ hooks }) => new Promise((answer) => waiting.push(() => answer({ plan: hooks ? 1 : 2, report: { backups: "/b", agents: [] } })));
    const first = wizard.makePlan();
    wizard.hooks = false;
    const second = wizard.makePlan();
    await Promise.resolve();
    waiting[1]?.();
    await second;
    waiting[0]?.();
    await first;
    expect(wizard.plan?.plan).toBe(2);
  });

  it("isn't replaced by what went wrong with an earlier one", async () => {
    const wizard = new Wizard();
    await wizard.look();
    const refused: (() => void)[] = [];
    const good = answers.plan_connect;
    answers.plan_connect = () => new Promise((_, refuse) => refused.push(() => refuse({ code: "storage", message: "busy" })));
    const first = wizard.makePlan();
    await Promise.resolve();
    answers.plan_connect = good ?? answers.plan_connect;
    await wizard.makePlan();
    refused[0]?.();
    await first;
    expect([wizard.planError, wizard.plan?.plan]).toEqual([undefined, 1]);
  });
});

describe("The list of tools", () => {
  it("is part of what is reviewed, written and undone", async () => {
    const wizard = await reviewed();
    expect(wizard.relisting).toBeUndefined();
    wizard.surface = "full";
    expect(wizard.relisting).toEqual({ from: "compact", to: "full" });
    await wizard.apply();
    expect(wizard.listing).toMatchObject({ from: "compact", to: "full", phase: "good" });
    expect(wizard.relisting).toBeUndefined();
    await wizard.undoAll();
    expect(names("set_setting").map(({ value }) => value)).toEqual(["full", "compact"]);
    expect(wizard.listing?.phase).toBe("undone");
    expect(wizard.wrote).toBe(false);
  });

  it("alone is something written", async () => {
    there.add("claude").add("codex");
    const wizard = await reviewed();
    wizard.surface = "full";
    await wizard.apply();
    expect([wizard.written.length, wizard.wrote]).toEqual([0, true]);
    await wizard.makePlan();
    expect(wizard.wrote).toBe(true);
    wizard.surface = "compact";
    await wizard.apply();
    expect(wizard.wrote).toBe(false);
  });

  it("that cannot be written stops everything, and says so", async () => {
    const wizard = await reviewed();
    wizard.surface = "full";
    answers.set_setting = () => {
      throw new Error("settings.toml does not parse");
    };
    await wizard.apply();
    expect(wizard.rows.map((row) => row.phase)).toEqual(["failed", "failed"]);
    expect([wizard.listing?.phase, wizard.wrote]).toEqual(["failed", false]);
    expect(names("apply_plan")).toEqual([]);
  });
});

describe("The same from a terminal", () => {
  it("does what the wizard does: in the project's folder, with the tool list", async () => {
    const wizard = await reviewed();
    expect(commandLine(wizard, false)).toBe("plimsoll connect --all");
    wizard.choose("codex", false);
    wizard.hooks = false;
    wizard.scope = "project";
    wizard.project = "/work/my shop";
    wizard.surface = "full";
    expect(commandLine(wizard, true)).toBe(
      "cd '/work/my shop' && plimsoll settings set mcp.surface full --dry-run && plimsoll connect claude --no-hooks --scope project --dry-run",
    );
  });

  it("takes back what was written, and no more", async () => {
    const wizard = await reviewed();
    expect(wizard.undoLine).toBeNull();
    wizard.choose("codex", false);
    wizard.surface = "full";
    await wizard.makePlan();
    await wizard.apply();
    expect(wizard.undoLine).toBe("plimsoll settings set mcp.surface compact && plimsoll disconnect claude");
    expect(undoLine([{ id: "a", folder: "/work/shop" }, { id: "b", folder: undefined }, { id: "c", folder: undefined }])).toBe(
      "plimsoll disconnect b c && cd /work/shop && plimsoll disconnect a --scope project",
    );
  });
});

describe("What the wizard left out", () => {
  const why = (text: string) => ({ text, key: null, params: {} });
  const unreadable = (id: string) => ({ ...agent(id), state: "unreadable", files: [{ path: `/${id}/ok`, reason: null }, { path: `/${id}/bad`, reason: why("line 3") }] }) as unknown as AgentReport;
  const blocked = (id: string) =>
    ({ ...plan(id, "refused"), blocked: true, files: [{ path: `/${id}/hooks`, change: "add", refusal: null }, { path: `/${id}/mcp`, change: "refused", refusal: why("read-only") }] }) as unknown as AgentPlanReport;
  const planned = (...agents: AgentPlanReport[]) => ({ plan: 1, removal: false, report: { backups: "/b", agents } }) as unknown as PlanView;

  it("is each agent that can't be read or edited, once, with the file that stands in the way", () => {
    const left = leftOut([agent("claude"), unreadable("gemini")], planned(plan("claude", "modify"), blocked("copilot"), blocked("gemini")));
    expect(left.map((one) => [one.id, one.path, one.why.text])).toEqual([
      ["gemini", "/gemini/bad", "line 3"],
      ["copilot", "/copilot/mcp", "read-only"],
    ]);
  });

  it("is nobody where all went well, or before there is a plan", () => {
    expect(leftOut([agent("claude")], planned(plan("claude", "modify")))).toEqual([]);
    expect(leftOut([agent("claude")], undefined)).toEqual([]);
  });

  it("is a restart only where no step of the agent's own says it", () => {
    const row = (id: string, ...keys: string[]) => ({ id, applied: { next_steps: keys.map((key) => ({ text: key, key: `messages.agents.${key}`, params: {} })) } });
    const rows = [row("claude-code", "next_claude_code"), row("codex", "next_codex_hooks", "next_codex"), row("cursor", "next_cursor"), { id: "kiro", applied: undefined }];
    expect(toRestart(rows).map((one) => one.id)).toEqual(["cursor", "kiro"]);
  });
});

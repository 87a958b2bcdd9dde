// Values that are reloaded while an answer is pending: nothing starves, and no older answer is shown last. Calls are stubbed.
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { EventRow } from "../src/contract";
import type { Answer } from "../src/shell/resource.svelte";

/** The questions that the program hasn't answered yet. */
const waiting: { args: Record<string, unknown>; answer: (value: unknown) => void; refuse: (why: unknown) => void }[] = [];

vi.mock("../src/platform", async () => ({
  ...(await import("../src/platform/types")),
  onChanged: () => () => {},
  call: (_: string, args: Record<string, unknown>) => new Promise((answer, refuse) => waiting.push({ args, answer, refuse })),
}));

const { call } = await import("../src/platform");
const { answerTo, Resource } = await import("../src/shell/resource.svelte");
const { SessionEvents } = await import("../src/features/sessions/events.svelte");

/** Lets everything that was just answered go on. */
const rest = (): Promise<void> => new Promise((done) => setTimeout(done));

beforeEach(() => {
  waiting.length = 0;
});

describe("A loaded value", () => {
  const made = () => new Resource(() => call("stats", {} as never) as unknown as Promise<string>);

  it("is shown however often something is written meanwhile, and reloaded once afterwards", async () => {
    const one = made();
    void one.reload();
    one.again();
    one.again();
    expect(waiting, "no question overtakes the one that is on its way").toHaveLength(1);
    waiting[0]?.answer("before");
    await rest();
    expect([one.value, one.busy, waiting.length]).toEqual(["before", true, 2]);
    waiting[1]?.answer("after");
    await rest();
    expect([one.value, one.busy, waiting.length]).toEqual(["after", false, 2]);
    one.again();
    expect(waiting).toHaveLength(3);
  });

  it("is reloaded after a failure, too", async () => {
    const one = made();
    void one.reload();
    one.again();
    waiting[0]?.refuse(new Error("busy"));
    await rest();
    expect([one.error?.message, waiting.length]).toEqual(["busy", 2]);
    waiting[1]?.answer("now");
    await rest();
    expect([one.value, one.error]).toEqual(["now", undefined]);
  });

  it("is replaced by a newer question's answer, and by one that arrived another way", async () => {
    const one = made();
    void one.reload();
    one.again();
    void one.reload();
    waiting[1]?.answer("the other");
    waiting[0]?.answer("the first");
    await rest();
    expect([one.value, one.busy, waiting.length]).toEqual(["the other", false, 2]);
    void one.reload();
    one.again();
    one.set("handed over");
    waiting[2]?.answer("late");
    await rest();
    expect([one.value, one.busy, waiting.length]).toEqual(["handed over", false, 3]);
  });
});

it("an answer stays where the same question isn't answered again, and isn't shown for another one", async () => {
  const answers: Answer<string>[] = [];
  const ask = async (question: string): Promise<void> => {
    const load = () => call("stats", {} as never) as unknown as Promise<string>;
    answers.push(await answerTo(question, load, () => answers.at(-1)));
  };
  const first = ask("src");
  waiting[0]?.answer("its files");
  await first;
  expect(answers.at(-1)).toEqual({ question: "src", value: "its files", error: undefined });
  for (const [question, value] of [["src", "its files"], ["docs", undefined], ["src", undefined]] as const) {
    const again = ask(question);
    waiting.at(-1)?.refuse(new Error("busy"));
    await again;
    expect([answers.at(-1)?.question, answers.at(-1)?.value, answers.at(-1)?.error?.message]).toEqual([question, value, "busy"]);
  }
});

describe("A long session whose agent is at work", () => {
  const events = (count: number): EventRow[] => Array.from({ length: count }, (_, id) => ({ id }) as EventRow);

  it("loads completely, and then reloads", async () => {
    const course = new SessionEvents(() => ({ agent: "codex", session: "s" }));
    void course.load();
    for (const offset of [0, 1000, 2000]) {
      course.again();
      expect(waiting.map(({ args }) => args.offset)).toEqual([0, 1000, 2000].slice(0, offset / 1000 + 1));
      waiting[offset / 1000]?.answer({ events: events(offset < 2000 ? 1000 : 5), events_total: 2005 });
      await rest();
    }
    expect(course.events).toHaveLength(2005);
    expect(waiting.map(({ args }) => args.offset), "once more from the beginning").toEqual([0, 1000, 2000, 0]);
  });
});

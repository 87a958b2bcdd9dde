// The list of memories while agents write into it: what is read, chosen and scrolled to stays. Calls are stubbed.
import { beforeEach, describe, expect, it, vi } from "vitest";

const asked: { name: string; args: Record<string, unknown>; answer: (value: unknown) => void }[] = [];
/** The program's memories, the newest first. */
let stored: string[] = [];
/** Answers wait until a test gives them. */
let slow = false;

const answered = (name: string, args: Record<string, unknown>): unknown => {
  if (name === "memory") return { row: { id: args.id }, content: `text of ${String(args.id)}` };
  const [offset, limit] = [args.offset as number, Math.min(args.limit as number, 200)];
  return { rows: stored.slice(offset, offset + limit).map((id) => ({ id })), total: stored.length, question: "", elapsed_us: 1 };
};

vi.mock("../src/platform", async () => ({
  ...(await import("../src/platform/types")),
  call: (name: string, args: Record<string, unknown>) =>
    new Promise((answer) => {
      asked.push({ name, args, answer });
      if (!slow) answer(answered(name, args));
    }),
}));

const { Memories } = await import("../src/features/memory/memories.svelte");
const rest = (): Promise<void> => new Promise((done) => setTimeout(done));
const ids = (list: InstanceType<typeof Memories>): string[] => list.rows.map((row) => row.id);
const many = (count: number): string[] => Array.from({ length: count }, (_, at) => `m${at}`);

beforeEach(() => {
  asked.length = 0;
  stored = many(3);
  slow = false;
});

describe("A list of memories that is written into", () => {
  it("keeps the loaded rows and the open memory", async () => {
    stored = many(400);
    const list = new Memories(() => "shop");
    await list.ask();
    while (list.rows.length < 300) await list.further();
    list.choose(250);
    await rest();
    stored = ["new", ...stored];
    await list.again();
    expect([list.rows.length, list.chosen?.id, list.rows[0]?.id]).toEqual([300, "m250", "new"]);
  });

  it("keeps its rows and the open memory where they can't be read again", async () => {
    const list = new Memories(() => "shop");
    await list.ask();
    await rest();
    slow = true;
    const again = list.again();
    for (const name of ["memories", "memory"]) {
      expect(asked.at(-1)?.name).toBe(name);
      asked.at(-1)?.answer(Promise.reject(new Error("it stayed busy")));
      await rest();
    }
    await again;
    expect([ids(list), list.view?.row.id, list.viewError, list.error?.message]).toEqual([["m0", "m1", "m2"], "m0", undefined, "it stayed busy"]);
  });

  it("asks again for a memory that couldn't be read, also for one that isn't listed", async () => {
    const list = new Memories(() => "shop");
    await list.ask();
    await rest();
    slow = true;
    for (const open of [() => list.choose(1), () => list.open("elsewhere")]) {
      open();
      asked.at(-1)?.answer(Promise.reject(new Error("it stayed busy")));
      await rest();
      expect([list.view, list.viewError?.message]).toEqual([undefined, "it stayed busy"]);
      list.reread();
      const again = asked.at(-1);
      again?.answer(answered("memory", again.args));
      await rest();
      expect([list.view?.row.id, list.viewError]).toEqual([again?.args.id, undefined]);
    }
  });

  it("lists a memory once if a new one pushed it into the next piece", async () => {
    stored = many(120);
    const list = new Memories(() => "shop");
    await list.ask();
    stored = ["new", ...stored];
    await list.further();
    expect(new Set(ids(list)).size).toBe(list.rows.length);
    expect(list.rows.at(-1)?.id).toBe("m98");
  });

  it("asks for the next rows once where they can't be read, and again only when told to", async () => {
    stored = many(120);
    const list = new Memories(() => "shop");
    await list.ask();
    await rest();
    [asked.length, slow] = [0, true];
    const further = (): typeof asked => asked.filter(({ name }) => name === "memories");
    list.choose(45);
    further()[0]?.answer(Promise.reject(new Error("it stayed busy")));
    await rest();
    list.choose(46);
    list.choose(47);
    expect([further().length, list.rows.length, list.error?.message]).toEqual([1, 50, "it stayed busy"]);
    void list.further();
    expect(further().length).toBe(2);
  });

  it("waits for the pending rows and reloads once after them", async () => {
    stored = many(120);
    const list = new Memories(() => "shop");
    await list.ask();
    slow = true;
    const [further] = [list.further(), list.again(), list.again()];
    const pending = (): typeof asked => asked.filter(({ name, args }) => name === "memories" && !(args.offset === 0 && args.limit === 50));
    expect(pending().map(({ args }) => [args.offset, args.limit])).toEqual([[50, 50]]);
    slow = false;
    pending()[0]?.answer(answered("memories", { offset: 50, limit: 50 }));
    await further;
    await rest();
    expect(pending().map(({ args }) => [args.offset, args.limit])).toEqual([[50, 50], [0, 100]]);
    expect(list.rows.length).toBe(100);
  });

  it("shows the open memory's current text, however long an agent keeps writing", async () => {
    const list = new Memories(() => "shop");
    await list.ask();
    await rest();
    [asked.length, slow] = [0, true];
    void list.again();
    for (let round = 1; round <= 5; round += 1) {
      void list.again();
      expect(asked.map(({ name }) => name)).toEqual(["memories"]);
      asked.shift()?.answer(answered("memories", { offset: 0, limit: 50 }));
      await rest();
      expect(asked.map(({ name }) => name), "after the rows, the one that is read").toEqual(["memory"]);
      asked.shift()?.answer({ row: { id: "m0" }, content: `as of round ${round}` });
      await rest();
      expect(list.view?.content).toBe(`as of round ${round}`);
    }
    asked.shift()?.answer(answered("memories", { offset: 0, limit: 50 }));
    await rest();
    asked.shift()?.answer({ row: { id: "m0" }, content: "at last" });
    await rest();
    expect([list.view?.content, list.busy, asked.length]).toEqual(["at last", false, 0]);
  });

  it("loads no more rows of the old question while the user types", async () => {
    stored = many(120);
    const list = new Memories(() => "shop");
    await list.ask();
    list.text = "redis";
    list.typed();
    await list.further();
    expect(asked.filter(({ name }) => name === "memories")).toHaveLength(1);
    await list.ask();
    await list.further();
    expect(list.rows).toHaveLength(100);
  });

  it("never shows an older text of a memory last", async () => {
    const list = new Memories(() => "shop");
    slow = true;
    list.open("m1");
    list.open("m1");
    const [first, second] = asked;
    second?.answer({ content: "new" });
    await rest();
    first?.answer({ content: "old" });
    await rest();
    expect(list.view?.content).toBe("new");
  });
});

describe("The queue of a review", () => {
  it("continues with the next memory if the open one was decided elsewhere", async () => {
    const list = new Memories(() => "shop", "pending");
    await list.ask();
    list.choose(1);
    await rest();
    stored = ["m0", "m2"];
    await list.again();
    await rest();
    expect([list.chosen?.id, list.view?.row.id]).toEqual(["m2", "m2"]);
    stored = [];
    await list.again();
    expect([list.active, list.view]).toEqual([-1, undefined]);
  });

  it("doesn't move a list that isn't a queue", async () => {
    const list = new Memories(() => "shop");
    await list.ask();
    list.choose(1);
    await rest();
    stored = ["m0", "m2"];
    await list.again();
    expect([list.active, list.view?.row.id]).toEqual([-1, "m1"]);
  });
});

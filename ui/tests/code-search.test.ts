// Search in code while agents write: the answer is shown, and the selected place stays. Calls are stubbed.
import { beforeEach, expect, it, vi } from "vitest";

/** The questions that the program hasn't answered yet. */
const waiting: ((value: unknown) => void)[] = [];

vi.mock("../src/platform", async () => ({
  ...(await import("../src/platform/types")),
  call: () => new Promise((answer) => waiting.push(answer)),
}));

const { CodeSearch } = await import("../src/features/code/search.svelte");
const rest = (): Promise<void> => new Promise((done) => setTimeout(done));
const page = (...places: [path: string, start: number, symbol?: string][]) => ({ rows: places.map(([path, start, symbol = null]) => ({ path, start, end: start + 9, symbol })) });

async function searched(...places: Parameters<typeof page>) {
  const search = new CodeSearch("shop");
  search.text = "retry";
  const asked = search.ask();
  waiting.shift()?.(page(...places));
  await asked;
  return search;
}

beforeEach(() => {
  waiting.length = 0;
});

it("shows a slow answer however often something is written meanwhile, and reloads once after it", async () => {
  const search = await searched(["a.ts", 1]);
  search.text = "retries";
  void search.ask();
  search.again();
  search.again();
  expect(waiting).toHaveLength(1);
  waiting.shift()?.(page(["b.ts", 1]));
  await rest();
  expect([search.answered, search.chosen?.path, waiting.length]).toEqual(["retries", "b.ts", 1]);
  waiting.shift()?.(page(["b.ts", 1], ["c.ts", 1]));
  await rest();
  expect([search.rows.length, waiting.length]).toEqual([2, 0]);
});

it("keeps the place that is selected when the answer arrives, even the second one in a file", async () => {
  const search = await searched(["a.ts", 1, "call"], ["b.ts", 20, "wait"], ["b.ts", 80, "retry"]);
  search.again();
  search.active = 2;
  waiting.shift()?.(page(["b.ts", 20, "wait"], ["b.ts", 80, "retry"], ["a.ts", 1, "call"]));
  await rest();
  expect([search.active, search.chosen?.start]).toEqual([1, 80]);
  search.again();
  waiting.shift()?.(page(["b.ts", 24, "wait"], ["b.ts", 84, "retry"]));
  await rest();
  expect(search.chosen?.start, "its lines have moved").toBe(84);
  search.again();
  waiting.shift()?.(page(["a.ts", 1, "call"]));
  await rest();
  expect(search.chosen?.path, "it's gone").toBe("a.ts");
});

it("doesn't repeat a search without words", async () => {
  const search = await searched(["a.ts", 1]);
  search.again();
  search.again();
  search.clear();
  waiting.shift()?.(page(["a.ts", 1]));
  await rest();
  search.again();
  expect([search.rows.length, waiting.length]).toEqual([0, 0]);
});

it("keeps its places where the same question isn't answered again, but not below another one", async () => {
  const search = await searched(["a.ts", 1], ["b.ts", 1]);
  search.active = 1;
  search.again();
  waiting.shift()?.(Promise.reject(new Error("it stayed busy")));
  await rest();
  expect([search.rows.length, search.chosen?.path, search.error?.message]).toEqual([2, "b.ts", "it stayed busy"]);
  search.text = "other";
  void search.ask();
  waiting.shift()?.(Promise.reject(new Error("it stayed busy")));
  await rest();
  expect(search.rows).toEqual([]);
});

// Search in the knowledge base while agents store into it. Calls are stubbed.
import { beforeEach, expect, it, vi } from "vitest";

/** The questions that the program hasn't answered yet. */
const waiting: ((value: unknown) => void)[] = [];

vi.mock("../src/platform", async () => ({
  ...(await import("../src/platform/types")),
  onChanged: () => () => {},
  call: () => new Promise((answer) => waiting.push(answer)),
}));

const { Selection } = await import("../src/features/knowledge/selection.svelte");
const rest = (): Promise<void> => new Promise((done) => setTimeout(done));
const page = (...sections: number[]) => ({ hits: sections.map((section) => ({ project: "shop", source_id: 1, section })), total: sections.length });

async function searched(...sections: number[]) {
  const looking = new Selection(() => "shop");
  looking.search.query = "keel";
  void looking.search.ask();
  waiting.shift()?.(page(...sections));
  await rest();
  return looking;
}

beforeEach(() => {
  waiting.length = 0;
});

it("finds what was stored while an answer was pending", async () => {
  const looking = await searched(1);
  void looking.search.ask();
  void looking.again();
  void looking.again();
  await rest();
  expect(waiting, "what is on its way comes first").toHaveLength(1);
  waiting.shift()?.(page(1));
  await rest();
  expect(waiting, "and once more is enough").toHaveLength(1);
  waiting.shift()?.(page(1, 2));
  await rest();
  expect([looking.search.hits.length, looking.search.busy, waiting.length]).toEqual([2, false, 0]);
});

it("keeps the hit that is selected when the answer arrives", async () => {
  const looking = await searched(1, 2, 3);
  looking.choose(0);
  void looking.again();
  await rest();
  looking.choose(2);
  waiting.shift()?.(page(9, 1, 2, 3));
  await rest();
  expect([looking.active, looking.place?.section]).toEqual([3, 3]);
});

it("keeps what was found where the same question isn't answered again, but not below another one", async () => {
  const looking = await searched(1, 2);
  void looking.again();
  await rest();
  waiting.shift()?.(Promise.reject(new Error("it stayed busy")));
  await rest();
  expect([looking.search.hits.length, looking.search.error?.message]).toEqual([2, "it stayed busy"]);
  looking.search.query = "mast";
  void looking.search.ask();
  waiting.shift()?.(Promise.reject(new Error("it stayed busy")));
  await rest();
  expect(looking.search.hits).toEqual([]);
});

it("doesn't repeat a search that was closed", async () => {
  const looking = await searched(1);
  void looking.search.ask();
  void looking.again();
  looking.leave();
  waiting.shift()?.(page(1));
  await rest();
  expect([looking.search.hits.length, waiting.length]).toEqual([0, 0]);
  void looking.again();
  await rest();
  expect(waiting).toHaveLength(0);
});

it("chooses the hit that an address names by its source, too: sections have the same numbers in every project", async () => {
  const looking = new Selection(() => "*");
  looking.follow("keel", { project: "*", source: 2, section: 7 });
  waiting.shift()?.({ hits: [{ project: "shop", source_id: 1, section: 7 }, { project: "pier", source_id: 2, section: 7 }], total: 2 });
  await rest();
  looking.show();
  expect([looking.active, looking.place]).toEqual([1, { project: "pier", source: 2, section: 7 }]);
});

// What is done to sources and memories while something else is under way: nothing is done twice, and no undo is lost. Calls are
// stubbed.
import { beforeEach, expect, it, vi } from "vitest";
import type { MemoryRow, ProjectView, SourceRow } from "../src/contract";

/** The questions that the program hasn't answered yet. */
const waiting: { name: string; args: Record<string, unknown>; answer: (value: unknown) => void }[] = [];

vi.mock("../src/platform", async () => ({
  ...(await import("../src/platform/types")),
  onChanged: () => () => {},
  call: (name: string, args: Record<string, unknown>) => new Promise((answer) => waiting.push({ name, args, answer })),
}));

const { toasts } = await import("../src/components/toasts.svelte");
const { Changes } = await import("../src/features/knowledge/changes.svelte");
const { Selection } = await import("../src/features/knowledge/selection.svelte");
const { MemoryActions } = await import("../src/features/memory/actions.svelte");
const { Resource } = await import("../src/shell/resource.svelte");
const rest = (): Promise<void> => new Promise((done) => setTimeout(done));
const source = (id: number): SourceRow => ({ project: "shop", id, label: `docs/${id}.md`, kind: "file" }) as SourceRow;
const memory = (id: string): MemoryRow => ({ id, status: "pending" }) as MemoryRow;
const asked = (name: string): unknown[] => waiting.filter((one) => one.name === name).map(({ args }) => args.id ?? args.source);

beforeEach(() => {
  waiting.length = 0;
});

it("two sources are read again at the same time, each once, and each until it is read", async () => {
  const projects = new Resource(() => Promise.resolve<ProjectView[]>([]));
  const changes = new Changes(projects, () => "shop", new Selection(() => "shop"), () => undefined);
  void changes.refresh(source(1));
  void changes.refresh(source(2));
  void changes.refresh(source(2));
  expect(asked("refresh_source")).toEqual([1, 2]);
  waiting[0]?.answer({ text: "read", failed: false });
  await rest();
  expect([...changes.refreshing]).toEqual(["shop/2"]);
  waiting[1]?.answer({ text: "read", failed: false });
  await rest();
  expect([...changes.refreshing]).toEqual([]);
});

it("an undo that is asked for while the next memory is decided comes after it", async () => {
  const acting = new MemoryActions(() => undefined);
  void acting.decide(memory("m1"), false);
  waiting[0]?.answer({});
  await rest();
  const undo = toasts.list.at(-1)?.action;
  void acting.decide(memory("m2"), false);
  undo?.run();
  await rest();
  expect([asked("memory_review"), asked("memory_restore")]).toEqual([["m1", "m2"], []]);
  waiting[1]?.answer({});
  await rest();
  expect(asked("memory_restore")).toEqual(["m1"]);
});

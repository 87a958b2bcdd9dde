// Settings that are changed quickly: in the order in which they were chosen, whatever each takes. Calls are stubbed.
import { expect, it, vi } from "vitest";

const asked: string[] = [];
const waiting: { answer: (value: unknown) => void; refuse: (why: unknown) => void }[] = [];

vi.stubGlobal("navigator", { language: "en" });
vi.stubGlobal("document", { documentElement: { dataset: {}, lang: "" } });
vi.mock("../src/platform", async () => ({
  ...(await import("../src/platform/types")),
  onChanged: () => () => {},
  setZoom: () => Promise.resolve(),
  call: (name: string, args: { value?: unknown }) => {
    asked.push(`${name} ${String(args.value)}`);
    return new Promise((answer, refuse) => waiting.push({ answer, refuse }));
  },
}));

const { app, setSetting } = await import("../src/shell/app.svelte");
const rest = (): Promise<void> => new Promise((done) => setTimeout(done));
const view = (value: string) => ({ path: "", problem: null, settings: [{ key: "hooks.rewrite", value }] });

it("a second choice waits for the first and counts; a failed one doesn't block the next", async () => {
  const [first, second, third] = ["always", "never", "asked"].map((value) => setSetting("hooks.rewrite", value));
  await rest();
  expect(asked).toEqual(["set_setting always"]);
  waiting[0]?.answer(view("always"));
  await first;
  await rest();
  expect(asked).toEqual(["set_setting always", "set_setting never"]);
  waiting[1]?.refuse({ code: "storage", message: "the disk is full" });
  await expect(second).rejects.toMatchObject({ message: "the disk is full" });
  await rest();
  expect(asked.at(-1)).toBe("set_setting asked");
  waiting[2]?.answer(view("asked"));
  await third;
  expect(app.settings.value?.settings[0]?.value).toBe("asked");
});

// Which project the Code screen shows: a deleted one isn't silently replaced, and one project's figures never appear under
// another. Two small projects, the real worker.
import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import type { Computer } from "./computer";
import { computer, eachTest, show, type Window } from "./window";

eachTest();

/** A computer with two indexed projects. */
function harbourAndPier(): Computer {
  const at = computer();
  at.write(".plimsoll/settings.toml", "[codebase]\nenabled = true\n", 0o600);
  for (const name of ["harbour", "pier"]) {
    at.write(`work/${name}/.git/HEAD`, "ref: refs/heads/main\n");
    at.write(`work/${name}/${name}.ts`, `export function ${name}(): number {\n  return 1;\n}\n`);
    at.plimsoll(["code", "reindex"], { cwd: at.path(`work/${name}`) });
  }
  return at;
}

const choice = (window: Window) => window.page.getByRole("combobox", { name: "Project", exact: true });
const file = (window: Window, name: string) => window.page.getByRole("group", { name: "Map of the code" }).getByRole("button", { name: new RegExp(`^${name}\\.ts`) });

test("a deleted project is named, and another one is shown only when it's chosen", async () => {
  const at = harbourAndPier();
  const window = await show(at, { screen: `code/map?project=${encodeURIComponent(at.path("work/harbour"))}` });
  await file(window, "harbour").waitFor();
  rmSync(at.path("work/harbour"), { recursive: true });
  at.plimsoll(["memory", "capture", "Lamps are lit at dusk", "--namespace", "decisions"]);
  await window.page.getByText("Nothing is known about “harbour”").waitFor();
  expect(await choice(window).inputValue()).toBe("");
  expect(await window.violations()).toEqual([]);
  await choice(window).selectOption(at.path("work/pier"));
  await file(window, "pier").waitFor();
});

test("a project that can't be loaded doesn't show the previous project's figures", async () => {
  const at = harbourAndPier();
  const window = await show(at, { screen: `code/map?project=${encodeURIComponent(at.path("work/harbour"))}` });
  await file(window, "harbour").waitFor();
  const pier = at.path("work/pier");
  await window.page.route("**/call/code_status", (route) =>
    (route.request().postDataJSON() as { project: string }).project === pier ? route.fulfill({ status: 500, json: { code: "storage", message: "it stayed busy for 5 s" } }) : route.continue(),
  );
  await choice(window).selectOption(pier);
  await window.page.getByText("Can’t read the index of the code").waitFor();
  await choice(window).selectOption(at.path("work/harbour"));
  await file(window, "harbour").waitFor();
  expect(await window.page.getByText("Can’t read the index of the code").count()).toBe(0);
});

test("that there are no cycles isn't claimed alone where the index can't be read again", async () => {
  const at = harbourAndPier();
  const window = await show(at, { screen: `code/cycles?project=${encodeURIComponent(at.path("work/harbour"))}` });
  await window.page.getByRole("heading", { name: "No cycles" }).waitFor();
  await window.page.route("**/call/code_cycles", (route) => route.fulfill({ status: 500, json: { code: "storage", message: "it stayed busy" } }));
  at.plimsoll(["memory", "capture", "Lamps are lit at dusk", "--namespace", "decisions"]);
  const why = window.page.getByRole("status").getByText("it stayed busy");
  await why.waitFor();
  await window.page.unrouteAll({ behavior: "ignoreErrors" });
  at.plimsoll(["memory", "capture", "Moorings are checked at dawn", "--namespace", "decisions"]);
  await why.waitFor({ state: "detached" });
});

test("another project can be opened while one is being indexed", async () => {
  const at = harbourAndPier();
  const window = await show(at, { screen: `code/map?project=${encodeURIComponent(at.path("work/harbour"))}` });
  await file(window, "harbour").waitFor();
  let release: () => void = () => undefined;
  const held = new Promise<void>((done) => (release = done));
  await window.page.route("**/call/code_reindex", async (route) => {
    await held;
    await route.continue();
  });
  await window.button(/up to date/).click();
  await window.page.getByText("Indexing the code").waitFor();
  await choice(window).selectOption(at.path("work/pier"));
  await file(window, "pier").waitFor();
  expect(await window.page.getByText("Indexing the code").count()).toBe(0);
  release();
  await window.page.getByText("Nothing has changed").first().waitFor();
});

test("switching projects removes the old project's file from the address", async () => {
  const at = harbourAndPier();
  const window = await show(at, { screen: `code?file=harbour.ts&project=${encodeURIComponent(at.path("work/harbour"))}` });
  const spot = window.page.getByRole("region", { name: "Place" });
  await spot.getByText("harbour", { exact: false }).first().waitFor();
  await choice(window).selectOption(at.path("work/pier"));
  await window.page.getByText("Ask where something is").waitFor();
  expect(await window.page.evaluate(() => location.hash)).not.toContain("harbour");
});

test("after a reload with fewer cycles, the drawn cycle is the selected one", async () => {
  const at = harbourAndPier();
  let both = true;
  const window = await show(at, { screen: "agents" });
  await window.page.route("**/call/code_cycles", (route) => {
    const rows = [["a.ts", "b.ts"], ["c.ts", "d.ts"]].slice(0, both ? 2 : 1).map((files) => ({ files, part_of: 2 }));
    return route.fulfill({ json: { rows, total: rows.length, files: 4 } });
  });
  await window.go(`code/cycles?project=${encodeURIComponent(at.path("work/harbour"))}`);
  const list = window.page.getByRole("listbox", { name: "Cycles" });
  await list.getByRole("option").nth(1).click();
  both = false;
  at.plimsoll(["memory", "capture", "Lamps are lit at dusk", "--namespace", "decisions"]);
  await expect.poll(() => list.getByRole("option").count(), { timeout: 15_000 }).toBe(1);
  expect(await list.getByRole("option").getAttribute("aria-selected")).toBe("true");
  expect(await window.violations()).toEqual([]);
});

// What no drawing has: very many memories, names that are longer than their place or run from right to left, a morning without
// figures, a full disk. The answers are the host's, changed on their way to the page.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Computer, type Host } from "./computer";
import { eachTest, show, SIZES, type Window } from "./window";
import { like, wordsOf, type Language } from "./words";

eachTest();

const LONG = `a-project-whose-name-is-${"rather-long-".repeat(8)}end`;
const HEBREW = "שלום: למה ה-checkout נופל?";
/** As small as a window with words in its sidebar becomes. */
const SLIM = { width: 801, height: 600 };

let at: Computer;
const hosts: Partial<Record<Language, Host>> = {};

beforeAll(async () => {
  at = new Computer();
  at.plimsoll(["settings", "set", "desktop.setup_done", "true"]);
  at.seed({ calls: 20, events: 20, filters: 20, memories: 4, sources: 3, days: 2 });
  hosts.en = await at.serve();
  hosts.de = await at.serve({ LANG: "de_AT.UTF-8" });
});
afterAll(() => at?.dispose());

type Answer = Record<string, unknown>;
/** How an answer is changed; `asked` is what the page sent. */
type Change = (answer: Answer, asked: Answer) => void;

/** Opens a screen whose answers are changed on their way. */
async function open(screen: string, changes: Record<string, Change>, language: Language = "en", size = SIZES.wide): Promise<Window> {
  const host = hosts[language] as Host;
  const window = await show(at, { host, size, ...(language === "de" ? { locale: "de-AT" } : {}), screen: "settings" });
  for (const [command, change] of Object.entries(changes)) {
    await window.page.route(`**/call/${command}`, async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as Answer;
      change(answer, route.request().postDataJSON() as Answer);
      await route.fulfill({ response, json: answer });
    });
  }
  await window.page.goto("about:blank");
  await window.page.goto(`${host.url}&${screen}`);
  await window.page.locator("h1").first().waitFor();
  await window.settled();
  return window;
}

/** Sets every row to the first one with something else in it. */
const rows = (...others: Answer[]): Change => (answer) => {
  const [first] = answer["rows"] as Answer[];
  answer["rows"] = others.map((other) => ({ ...first, ...other }));
  answer["total"] = others.length;
};

describe("the sidebar", () => {
  for (const language of ["en", "de"] as const) {
    for (const size of [SIZES.wide, SIZES.narrow, SLIM]) {
      test(`shows a count whole or not at all, and its names whole, ${language}, ${size.width}`, async () => {
        for (const total of [126, 12_345, 1_234_567]) {
          const change: Change = (answer) => {
            answer["sources"] = total;
            answer["memory"] = { total, given: 0, times: 0, bytes: 0, server: false };
            answer["agents"] = { ...(answer["agents"] as Answer), needs_you: ["Codex"] };
          };
          const window = await open("memory", { overview: change }, language, size);
          await window.page.locator("nav .dot").first().waitFor();
          const wrong = await window.page.evaluate(() => {
            const nav = document.querySelector("nav") as HTMLElement;
            const edge = nav.getBoundingClientRect().right;
            const found = nav.scrollWidth > nav.clientWidth ? [`the sidebar: ${nav.scrollWidth} of ${nav.clientWidth}`] : [];
            for (const link of nav.querySelectorAll<HTMLElement>("a")) {
              const box = link.getBoundingClientRect();
              if (box.right > edge) found.push(`${link.innerText}: to ${box.right} of ${edge}`);
              for (const part of link.querySelectorAll<HTMLElement>(".name, .dot, .count")) {
                const own = part.getBoundingClientRect();
                const whole = own.left >= box.left && own.right <= box.right && own.top >= box.top && own.bottom <= box.bottom;
                const away = part.className.includes("count") && own.top >= box.bottom;
                if (!whole && !away) found.push(`a part of “${part.innerText || part.className}”`);
              }
            }
            return found;
          });
          expect(wrong, String(total)).toEqual([]);
          const count = new Intl.NumberFormat(language === "de" ? "de-AT" : "en-GB").format(total);
          if (total === 126 || size === SIZES.wide) expect(await window.page.locator("nav .count").last().innerText()).toBe(count);
          await window.page.context().close();
        }
      });
    }
  }
});

test("each decision is a word that is shown whole, in both languages and sizes", async () => {
  const decisions = ["pass", "deny", "ask", "rewrite", "replace", "redirect", "context"];
  for (const language of ["en", "de"] as const) {
    const w = wordsOf(language);
    for (const size of Object.values(SIZES)) {
      const window = await open("activity", { activity: rows(...decisions.map((decision, id) => ({ id, decision, kind: "pre_tool" }))) }, language, size);
      const words = window.page.locator("[role=gridcell] .word");
      await expect.poll(() => words.allInnerTexts()).toEqual(decisions.map((one) => w(`activity.decision.${one}`)));
      const cut = await words.evaluateAll((all) => all.filter((one) => (one.closest("[role=gridcell]")?.scrollWidth ?? 0) > (one.closest("[role=gridcell]")?.clientWidth ?? 0)).map((one) => one.textContent));
      expect(cut, `${language}, ${size.width}`).toEqual([]);
      await window.page.context().close();
    }
  }
});

test("a session in a long project still says with which agent and how long", async () => {
  const begun = Date.now() - 3 * 3_600_000;
  const window = await open("sessions", { sessions: rows({ agent: "claude-code", project: `/home/ana/work/${LONG}`, started_ms: begun, last_ms: begun + 7_200_000, errors: 2, open_errors: 1 }) });
  const how = window.page.getByRole("grid").getByText(/Claude Code/).first();
  await how.waitFor();
  const seen = await how.evaluate((one) => {
    const line = one.closest("p") as HTMLElement;
    const walk = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node !== null; node = walk.nextNode()) {
      const from = (node.textContent ?? "").indexOf("2 errors, 1 open");
      if (from < 0) continue;
      const range = document.createRange();
      range.setStart(node, from);
      range.setEnd(node, from + "2 errors".length);
      return { end: range.getBoundingClientRect().right, edge: line.getBoundingClientRect().right };
    }
    return undefined;
  });
  expect(seen?.end, JSON.stringify(seen)).toBeLessThanOrEqual(seen?.edge ?? 0);
});

test("what people wrote runs in its own direction", async () => {
  const direction = (one: Element): string => getComputedStyle(one).direction;
  const titled: Change = (answer) => Object.assign(answer["session"] as Answer, { title: HEBREW });
  const asked: Change = (answer) => {
    const first = (answer["events"] as Answer[])[0];
    answer["events"] = [{ ...first, tool: null, kind: "prompt", summary: HEBREW }, { ...first, id: -1, tool: "Bash", kind: "pre_tool", summary: "rm -rf בנייה/out" }];
    answer["events_total"] = 2;
    titled(answer, {});
  };
  const window = await open("sessions", { sessions: rows({ title: HEBREW, project: "/home/ana/work/shop" }), session: asked });
  const grid = window.page.getByRole("grid").last();
  for (const place of [window.page.getByRole("grid").first().getByText(HEBREW), window.page.getByRole("heading", { level: 2, name: HEBREW }), grid.getByText(HEBREW)]) {
    await place.first().waitFor();
    expect(await place.first().evaluate(direction)).toBe("rtl");
  }
  // A command's words keep their order, whatever its files are called.
  expect(await grid.getByText("rm -rf").first().evaluate(direction)).toBe("ltr");
  await window.page.unrouteAll({ behavior: "ignoreErrors" });
});

test("a project with a long name leaves the head on one line", async () => {
  const named: Change = (answer) => (answer["rows"] as Answer[]).forEach((row) => (row["name"] = LONG));
  const window = await open("memory", { memory_projects: named });
  await window.page.getByRole("combobox", { name: "Project", exact: true }).waitFor();
  await window.settled();
  expect((await window.page.locator(".screen > header").boundingBox())?.height).toBeLessThan(40);
});

test("a day without figures offers those of the days before, and no lesson", async () => {
  const nothing: Change = (answer, asked) => {
    if (asked["bucket"] === "hour") Object.assign(answer["sums"] as Answer, { calls: 0, net_bytes: 0 });
  };
  const connected: Change = (answer) => Object.assign(answer["agents"] as Answer, { connected: 1 });
  const window = await open("home", { stats: nothing, overview: connected });
  await window.page.getByRole("heading", { name: "Nothing recorded yet today" }).waitFor();
  const more = window.button("Show figures: 7 days");
  await more.waitFor();
  expect(await window.page.getByText(like(wordsOf("en")("setup.done.phrase").slice(0, 30))).count()).toBe(0);
  expect(await window.violations()).toEqual([]);
  await more.click();
  await window.page.getByText("kept out of context in 7 days").or(window.page.getByText("added to context in 7 days")).waitFor();
});

test("a full disk is told as one on Home, too, with what helps", async () => {
  const window = await show(at, { host: hosts.en as Host, screen: "settings" });
  const message = { text: "the disk is full while writing plimsoll.db", key: null, params: {} };
  await window.page.route("**/call/stats", (route) => route.fulfill({ status: 500, json: { code: "storage", message, fault: "full" } }));
  await window.go("home");
  const told = window.page.getByRole("alert");
  await told.getByText(/Free some disk space, then try again\./).waitFor();
  expect(await told.innerText()).not.toContain("update Plimsoll");
});

test("one memory that waits isn't “the oldest”", async () => {
  const lagging = (waiting: number): Change => (answer) => (answer["lagging"] = { why: null, waiting, since_ms: Date.now() - 3_700_000, met_ms: null });
  for (const [waiting, told] of [
    [1, "1 memory is waiting to be sent to the organisation’s server. It was captured 1 hour ago."],
    [3, "3 memories are waiting to be sent to the organisation’s server. The oldest was captured 1 hour ago."],
  ] as const) {
    const window = await open("memory", { memory_status: lagging(waiting) });
    await window.page.getByRole("status").getByText(told).waitFor();
    await window.page.context().close();
  }
});

test("a path that doesn't fit is cut at its beginning: which file it is stays", async () => {
  const path = (name: string): string => `/home/ana/work/${"a-folder-within-".repeat(9)}end/${name}`;
  const connected: Change = (answer) => {
    const [first] = answer as unknown as Answer[];
    const files = ["mcp.json", "hooks.json"].map((name, index) => ({ path: path(name), roles: [index === 0 ? "tools" : "hooks"], state: "outdated", reason: null }));
    Object.assign(first as Answer, { id: "claude-code", name: "Claude Code", state: "partly", files, found: [{ how: "program", path: path("claude") }] });
  };
  const window = await open("agents", { agents: connected }, "de", SIZES.narrow);
  const files = ["mcp.json", "hooks.json"].map((name) => ({ path: path(name), roles: ["tools"], change: name === "mcp.json" ? "modify" : "refused", added: 3, removed: 0, diff: "@@ -1 +1,2 @@\n a\n+b\n", notes: [], refusal: null, snippet: null }));
  const report = { agents: [{ id: "claude-code", name: "Claude Code", files, notes: [], blocked: false }], backups: path("backups") };
  await window.page.route("**/call/plan_connect", (route) => route.fulfill({ json: { plan: 1, removal: false, report } }));
  await window.page.route("**/call/agent_changes", (route) => route.fulfill({ json: [] }));
  /** The names of files that are out of sight. */
  const hidden = async (): Promise<string[]> =>
    window.page.locator(".path").evaluateAll((all) =>
      all.flatMap((one) => {
        const text = one.querySelector("bdi")?.firstChild;
        if (!text || one.clientWidth === 0) return [];
        const whole = text.textContent ?? "";
        const range = document.createRange();
        range.setStart(text, whole.lastIndexOf("/") + 1);
        range.setEnd(text, whole.length);
        const [name, box] = [range.getBoundingClientRect(), one.getBoundingClientRect()];
        return name.left >= box.left - 1 && name.right <= box.right + 1 ? [] : [whole.slice(-20)];
      }),
    );
  await window.button("Details zu Claude Code").or(window.page.locator(".fold")).first().click();
  await window.page.locator("table .path").nth(1).waitFor();
  expect(await hidden()).toEqual([]);
  await window.button(/^Reparieren/).first().click();
  const tabs = window.page.getByRole("tab");
  await tabs.nth(1).waitFor();
  await window.settled();
  expect(await hidden()).toEqual([]);
  // What it's for, and whose it is, are there beside a path of any length.
  for (const words of await tabs.locator("b, .role, .refused").all()) {
    expect(await words.evaluate((one) => one.scrollWidth <= one.clientWidth + 1), await words.innerText()).toBe(true);
  }
});

test("an uninstall that finds no agent's file counts none, and still says what it would remove", async () => {
  const window = await open("settings/uninstall", { plan_uninstall: (answer) => Object.assign(answer, { files: [], removed: [at.own] }) });
  const heads = window.page.getByRole("main").getByRole("heading", { level: 3 });
  await expect.poll(async () => (await heads.allInnerTexts()).slice(0, 2)).toEqual(["Your agents’ files", "Plimsoll’s own files that are removed"]);
});

test("the word that confirms a purge is in sight, however much would go", async () => {
  const much: Change = (answer) => Object.assign(answer, { sources: 214, labels: ["a.md", "b.md"], forgotten: { records: 3, outputs: 2, files: 7, others: { memories: 126, prompts: 4, entities: 33, indexes: 2 } } });
  const window = await open("knowledge/purge", { purge_preview: much }, "de", { width: 720, height: 520 });
  const dialog = window.page.getByRole("dialog");
  const everything = dialog.getByRole("radio", { name: "Alle Projekte" });
  if ((await everything.count()) > 0) await everything.check();
  const field = dialog.getByRole("textbox");
  await field.waitFor();
  await window.settled();
  const seen = await field.evaluate((one) => {
    const box = one.getBoundingClientRect();
    return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2) === one;
  });
  expect(seen).toBe(true);
  expect(await window.violations()).toEqual([]);
});

test("“Purge…” in the palette begins with the project that is worked in, as its command line does", async () => {
  let root = "";
  await open("knowledge", { projects: (answer) => void (root = String((answer as unknown as Answer[])[0]?.["root"])) });
  await expect.poll(() => root).not.toBe("");
  const window = await open("home", { overview: (answer) => (answer["project"] = root) });
  const dialog = window.page.getByRole("dialog");
  await window.page.keyboard.press("Control+k");
  await window.page.keyboard.type("purge…");
  const row = dialog.getByRole("option", { name: /^Purge…/ });
  expect(await row.locator("code").innerText()).toBe(`plimsoll purge --project ${root}`);
  await row.click();
  await dialog.getByRole("heading", { name: "Purge knowledge" }).waitFor();
  expect(await dialog.getByRole("radio", { name: "All projects" }).isChecked()).toBe(false);
});

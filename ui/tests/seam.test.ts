// The seam and the page's policy: toolkit imports stay in one folder, and nothing needs an inline style or script.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");

function files(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? files(path) : /\.(svelte|ts|html|css)$/.test(entry.name) ? [path] : [];
  });
}
const all = files(join(root, "src")).map((path) => ({ name: relative(root, path).split(sep).join("/"), text: readFileSync(path, "utf8") }));

describe("the seam to the desktop", () => {
  it("is the only place that knows the toolkit", () => {
    const importing = all.filter(({ text }) => /["']@tauri-apps\//.test(text)).map(({ name }) => name);
    expect(importing).toEqual(["src/platform/tauri.ts"]);
  });

  it("carries the other transport too, and nothing else speaks HTTP", () => {
    const fetching = all.filter(({ text }) => /\bfetch\(/.test(text) && !text.includes("constructor(fetch")).map(({ name }) => name);
    expect(fetching).toEqual(["src/platform/browser.ts"]);
  });
});

describe("the clipboard", () => {
  it("is waited for wherever it's written to: a system may refuse, and what nobody waits for takes the screen away", () => {
    const uses = all.flatMap(({ name, text }) => text.split("\n").filter((line) => line.includes("navigator.clipboard")).map((line) => `${name}: ${line.trim()}`));
    expect(uses.length).toBeGreaterThan(3);
    expect(uses.filter((line) => !line.includes(": await navigator.clipboard"))).toEqual([]);
  });
});

describe("what others called their things", () => {
  it("passes through what makes turning characters seen, in each part that shows what it's given", () => {
    const parts = ["Details", "Dialog", "Diff", "Menu", "Toasts", "Tooltip", "Words"].map((part) => all.find(({ name }) => name.endsWith(`/${part}.svelte`)));
    // A value between tags, as it is: `>{title}<`, `{item.label}`, but not `title={…}`.
    const raw = parts.flatMap((part) => [...(part?.text ?? "no such part >{text}<").matchAll(/[>}]\{(?:\w+\.)?(?:title|text|terminal|label|value|english|line\.text)\}/g)].map((found) => `${part?.name}: ${found[0]}`));
    // Plimsoll's own word on a button.
    expect(raw.filter((one) => !one.endsWith(">{one.action.label}"))).toEqual([]);
  });
});

describe("the oldest engine that the page is built for", () => {
  it("reads every pattern: Safari 16.0 can't look behind, and throws for the whole pattern", () => {
    const behind = all.filter(({ text }) => /\(\?<[!=]/.test(text)).map(({ name }) => name);
    expect(behind).toEqual([]);
  });
});

describe("the page's policy", () => {
  it("finds no style attribute in any template", () => {
    // `style:name={…}` is set through the CSSOM; `style="…"` would be refused.
    const styled = all.filter(({ name, text }) => name.endsWith(".svelte") && /\sstyle=/.test(text)).map(({ name }) => name);
    expect(styled).toEqual([]);
  });

  it("finds no raw HTML", () => {
    const raw = all.filter(({ text }) => /\{@html|innerHTML|insertAdjacentHTML/.test(text)).map(({ name }) => name);
    expect(raw).toEqual([]);
  });

  it("finds nothing inline in the page", () => {
    const page = readFileSync(join(root, "index.html"), "utf8");
    expect(page.match(/<script(?![^>]*\ssrc=)/g)).toBeNull();
    expect(page).not.toMatch(/<style|\son\w+=|\sstyle=/);
  });
});

// The catalogues: the same keys in both languages, and every key used in the code exists.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { wordy } from "../src/contract";

const root = join(import.meta.dirname, "../src");
const read = (name: string): Record<string, string> =>
  JSON.parse(readFileSync(join(root, `i18n/${name}.json`), "utf8")) as Record<string, string>;
const english = { ...read("en"), ...read("en.later") };
const german = { ...read("de"), ...read("de.later") };

/** The parts of memory that the wizard shows after loading these words. */
const AFTER = ["setup/Import.svelte", "setup/Done.svelte"];

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "contract" ? [] : sources(path);
    return /\.(svelte|ts)$/.test(entry.name) ? [path] : [];
  });
}

const names = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1] ?? "").sort();

describe("the catalogues", () => {
  it("have the same keys in both languages", () => {
    expect(Object.keys(german).sort()).toEqual(Object.keys(english).sort());
  });

  it("have each key in one file, the same in both languages", () => {
    expect(Object.keys(read("en")).filter((key) => key in read("en.later"))).toEqual([]);
    expect(Object.keys(read("de.later")).sort()).toEqual(Object.keys(read("en.later")).sort());
  });

  it("fill the same names in", () => {
    for (const [key, text] of Object.entries(english)) {
      expect(new Set(names(german[key] ?? "")), key).toEqual(new Set(names(text)));
    }
  });

  it("don't claim that it's Plimsoll who keeps a database busy: it may be a backup", () => {
    const busy = [english, german].flatMap((words) => ["messages.home.busy", "knowledge.fault.busy.safe", "knowledge.fault.busy.next"].map((key) => words[key] ?? key));
    expect(busy.filter((text) => /Plimsoll|fault\./.test(text))).toEqual([]);
  });

  it("leave figures to the formatter, which knows how the reader's country groups them", () => {
    const grouped = /\d[.,\s]\d{3}(?!\d|\.\d)/;
    for (const text of ["höchstens 2.000 Byte", "over 1,000 lines", "1 500 Token"]) expect(text).toMatch(grouped);
    expect("192.168.0.1").not.toMatch(grouped);
    const fixed = [...Object.entries(english), ...Object.entries(german)].filter(([, text]) => grouped.test(text));
    expect(fixed).toEqual([]);
  });

  it("call every list's lack of a filter the same", () => {
    const unfiltered = Object.keys(english).filter((key) => /(?:^activity|^knowledge\.kind|^memory)\..*\bany\b|kinds?\.all$/.test(key) && key !== "memory.any.all");
    expect(unfiltered.length).toBeGreaterThan(10);
    for (const key of unfiltered) expect([english[key], german[key]], key).toEqual([expect.stringMatching(/^All /), expect.stringMatching(/^Alle /)]);
    // A text that names such a choice quotes it.
    for (const words of [english, german]) expect(words["activity.quiet.text"]).toContain(words["activity.decision.any"]);
  });

  it("mark a command only where the window shows it as one: in the program's sentences", () => {
    const marked = [...Object.entries(english), ...Object.entries(german)].filter(([key, text]) => text.includes("`") && !key.startsWith("messages."));
    expect(marked).toEqual([]);
    expect(Object.entries(english).some(([key, text]) => key.startsWith("messages.") && text.includes("`"))).toBe(true);
  });

  it("leave no text empty", () => {
    for (const [key, text] of [...Object.entries(english), ...Object.entries(german)]) {
      expect(text.trim(), key).not.toBe("");
    }
  });

  it("have both forms of every plural", () => {
    const text = sources(root).map((path) => readFileSync(path, "utf8")).join("\n");
    for (const key of Object.keys(english).filter((one) => one.endsWith(".other"))) {
      // A word of a fixed set may be called "other" too; then no plural call has it alone.
      const base = key.slice(0, -".other".length);
      const called = text.includes(`tn("${base}"`);
      if (called) expect(english[`${base}.one`], key).toBeDefined();
    }
  });
});

describe("the German catalogue", () => {
  const written = (pattern: RegExp) => Object.entries(german).filter(([, text]) => pattern.test(text));

  it("tells what to do in infinitives, as its buttons do", () => {
    const imperative = /(?:^|[;:.] | und )\p{L}+en Sie\b/u;
    expect("ist belegt; schließen Sie die Agenten").toMatch(imperative);
    expect("Sie müssen nichts tun, wenn Sie fertig sind").not.toMatch(imperative);
    expect(written(imperative)).toEqual([]);
  });

  it("writes a unit out as English does, for a sentence names it, too", () => {
    const units = Object.keys(german).filter((key) => key.startsWith("settings.unit."));
    expect(units.length).toBeGreaterThan(2);
    for (const key of units) expect(german[key], key).toMatch(/^\p{Lu}\p{Ll}+$/u);
  });

  it("counts in „Byte“, calls a tool a „Werkzeug“ and addresses nobody as „du“", () => {
    expect(written(/\} Bytes\b|\bTools?\b|\b(?:[Dd]u|[Dd]ich|[Dd]ir|[Dd]ein(?:e[mnrs]?)?)\b/)).toEqual([]);
  });
});

describe("the words that the window uses", () => {
  const text = sources(root)
    .map((path) => readFileSync(path, "utf8"))
    .join("\n");
  /** The keys written in full, and patterns for keys that are composed: `t(`nav.${screen}`)` → /^nav\.[^]+$/. */
  const usedIn = (code: string): [Set<string | undefined>, RegExp[]] => [
    new Set([...code.matchAll(/["'`]([a-z]+(?:\.[\w-]+)+)["'`]/g)].map((found) => found[1])),
    [...code.matchAll(/(?<!id: )`([a-z]+\.[\w.]*\$\{[^`]*)`/g)].map(
      (found) => new RegExp(`^${(found[1] ?? "").replace(/\$\{[^}]*\}/g, "*").split("*").map((part) => part.replaceAll(".", "\\.")).join(".+")}$`),
    ),
  ];
  const [literals, patterns] = usedIn(text);

  it("that come later are used only by the screens they come with", () => {
    const inside = [...wordy.map((name) => `${name}/`), ...AFTER].map((name) => join(root, "features", name));
    const outside = sources(root).filter((path) => !inside.some((folder) => path.startsWith(folder))).map((path) => readFileSync(path, "utf8")).join("\n");
    const [keys, made] = usedIn(outside);
    const early = Object.keys(read("en.later")).filter((key) => {
      const base = key.replace(/\.(one|other)$/, "");
      return keys.has(key) || keys.has(base) || made.some((pattern) => pattern.test(key) || pattern.test(base));
    });
    expect(early).toEqual([]);
  });

  it("exist, wherever a key is written out", () => {
    for (const found of text.matchAll(/\bt\(\s*"([^"]+)"/g)) expect(english, found[1]).toHaveProperty([found[1] ?? ""]);
    for (const found of text.matchAll(/\btn\(\s*"([^"]+)"/g)) expect(english, found[1]).toHaveProperty([`${found[1]}.other`]);
  });

  it("are all that the catalogues hold, apart from those of the tray and the program", () => {
    const unused = Object.keys(english).filter((key) => {
      if (key.startsWith("tray.") || key.startsWith("messages.")) return false;
      const base = key.replace(/\.(one|other)$/, "");
      return !literals.has(key) && !literals.has(base) && !patterns.some((pattern) => pattern.test(key) || pattern.test(base));
    });
    expect(unused).toEqual([]);
  });
});

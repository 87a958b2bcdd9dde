// The program's sentences in the window's language: values, nested sentences, amounts, and English as a fallback.
import { describe, expect, it } from "vitest";
import german from "../src/i18n/de.json";
import amounts from "../../crates/contract/tests/amounts.json";
import { amount, pieces, statementAbout, unkeyed, withoutRemedy, type Lookup } from "../src/i18n/messages";
import type { Amount, Sentence } from "../src/contract";

const words: Record<string, string> = german;
const lookup: Lookup = (key) => words[key];
const off: Sentence = {
  text: "features.hooks is false in /h/config.toml: no hook runs",
  key: "messages.agents.key_is_false",
  params: { key: "features.hooks", file: "/h/config.toml" },
};
const plain = (sentence: Sentence, from: Lookup = lookup) => pieces(sentence, from, "de").map((piece) => (piece.english ? `<${piece.text}>` : piece.text)).join("");

describe("a sentence of the program's", () => {
  it("is told in the language that is spoken, with its values", () => {
    expect(plain(off)).toBe("features.hooks steht in /h/config.toml auf false: Kein Hook läuft");
  });

  it("may be made of others", () => {
    const remedy: Sentence = { text: "Remove that copy.", key: "messages.agents.remove_copy", params: {} };
    const both: Sentence = { text: `${off.text}. ${remedy.text}`, key: "messages.joined.finding", params: { what: off, remedy } };
    expect(plain(both)).toBe("features.hooks steht in /h/config.toml auf false: Kein Hook läuft. Diese Kopie entfernen.");
    expect(pieces(both, lookup, "de")).toHaveLength(1);
  });

  it("marks the words of others as the English they are", () => {
    const unreadable: Sentence = {
      text: "the file can't be read: Permission denied",
      key: "messages.edits.unreadable",
      params: { reason: unkeyed("Permission denied") },
    };
    expect(plain(unreadable)).toBe("Die Datei lässt sich nicht lesen: <Permission denied>");
    expect(plain(unkeyed("disk full"))).toBe("<disk full>");
  });

  it("stays English when the catalogue is older than the program", () => {
    expect(plain(off, () => undefined)).toBe(`<${off.text}>`);
    expect(plain({ ...off, params: {} })).toContain("{file}");
  });

  it("has the window's apostrophes in English, too, and leaves those of values and foreign words", () => {
    const english = (text: string, params: Sentence["params"]) => pieces({ text, key: "messages.any", params }, () => undefined, "en")[0]?.text;
    expect(english("Plimsoll's entries can't go", {})).toBe("Plimsoll’s entries can’t go");
    expect(english("the file can't be read: it's in use", { reason: unkeyed("it's in use") })).toBe("the file can’t be read: it's in use");
    expect(english("it isn't there: /it's (1)/x, /it's", { path: "/it's (1)/x", other: "/it's" })).toBe("it isn’t there: /it's (1)/x, /it's");
    const nested: Sentence = { text: "/o's isn't a folder", key: "messages.inner", params: { path: "/o's" } };
    expect(english("can't do it: /o's isn't a folder", { what: nested })).toBe("can’t do it: /o's isn’t a folder");
    expect(pieces(unkeyed("it's full"), () => undefined, "en")[0]?.text).toBe("it's full");
  });

  it("writes sizes and times as the language does, the same as Rust", () => {
    const free: Sentence = {
      text: "81.2 GB free",
      key: "messages.doctor.free",
      params: { size: { amount: 81_200_000_000, of: "bytes" } },
    };
    expect(plain(free).replaceAll("\u00a0", " ")).toBe("81,2 GB frei");
    expect(amounts.length).toBeGreaterThan(20);
    for (const one of amounts) {
      const written = (locale: string) => amount(one as Amount, locale).replaceAll("\u00a0", " ");
      expect([written("en"), written("de-AT")]).toEqual([one.en, one.de]);
    }
  });

  it("begins a line with a capital, and leaves names, files and values as they are", () => {
    const begun = (sentence: Sentence, from: Lookup = lookup) => pieces(sentence, from, "de", true).map((piece) => piece.text).join("");
    const texts = (text: string, params: Sentence["params"] = {}) => begun({ text, key: "k", params }, () => text);
    expect(texts("über allem, was war")).toBe("Über allem, was war");
    expect(texts("disk")).toBe("Disk");
    expect(begun(unkeyed("error connecting to server"))).toBe("Error connecting to server");
    for (const same of ["hooks.json is gone", "mcp.allowed keeps it out", "`key` is set", "~/.codex is gone", "plimsoll.db", "codex: gone"]) expect(texts(same)).toBe(same);
    expect(begun(unkeyed("codex"))).toBe("Codex");
    expect(texts("{key} is off", { key: "hooks" })).toBe("hooks is off");
    expect(texts("{what}. Remove it.", { what: unkeyed("this goes twice") })).toBe("This goes twice. Remove it.");
    expect(begun(off)).toBe(plain(off));
  });

  it("is two sentences where a semicolon joins them, and leaves what is quoted, in brackets or a value", () => {
    const told = (text: string, params: Sentence["params"] = {}, ended = false) => pieces({ text, key: "k", params }, () => text, "en", true, ended).map((piece) => piece.text).join("");
    expect(told("Plimsoll's entries can't go; agents' files stay, {path}", { path: "/it's/here" })).toBe("Plimsoll’s entries can’t go. Agents’ files stay, /it's/here.");
    expect(told("the file is read-only; make it writable")).toBe("The file is read-only. Make it writable.");
    expect(told("über allem; was war; was ist?")).toBe("Über allem. Was war. Was ist?");
    expect(told("{path} is gone; {remedy}", { path: "a; b", remedy: unkeyed("look again; then wait") })).toBe("a; b is gone. Look again. Then wait.");
    expect(told("gone; `plimsoll doctor` checks it")).toBe("Gone. `plimsoll doctor` checks it.");
    expect(told("{what} is unknown; allowed: {names}", { what: "x", names: "a, b" })).toBe("x is unknown. Allowed: a, b.");
    expect(told("gone; {count} waiting", { count: "3" })).toBe("Gone. 3 waiting.");
    expect(told("{what}. Remove it.", { what: unkeyed("twice; here") })).toBe("Twice. Here. Remove it.");
    for (const same of ["Run `a; b` once", "Not this (old; new)", 'Not "a; b" either', "One sentence"]) expect(told(same)).toBe(same);
    expect([told("one thing", {}, true), told("one thing?", {}, true)]).toEqual(["One thing.", "One thing?"]);
    const foreign = pieces({ text: "x", key: "k", params: { reason: unkeyed("refused; try later") } }, () => "Nicht lesbar: {reason}; erneut versuchen", "de");
    expect(foreign).toEqual([
      { text: "Nicht lesbar: ", english: false },
      { text: "refused. Try later", english: true },
      { text: ". Erneut versuchen.", english: false },
    ]);
  });

  it("says what happened to a database without the advice that its screen gives, and any other thing whole", () => {
    const damaged: Sentence = { text: "/a.db is damaged (malformed)", key: "messages.home.damaged", params: { path: "/a.db", reason: unkeyed("malformed") } };
    const advice: Sentence = { text: "close the agents that use it", key: "messages.home.reopen_damaged", params: {} };
    const both = (first: Sentence): Sentence => ({ text: `${first.text}; ${advice.text}`, key: "messages.joined.also", params: { first, second: advice } });
    expect(withoutRemedy(both(damaged))).toBe(damaged);
    expect(plain(withoutRemedy(both(damaged)))).toBe("/a.db ist beschädigt (<malformed>)");
    for (const whole of [damaged, off, unkeyed("disk full"), both(off), both(unkeyed("odd"))]) expect(withoutRemedy(whole)).toBe(whole);
    for (const fault of ["newer_schema", "damaged", "disk_full", "busy"]) expect(words[`messages.home.${fault}`], fault).toBeDefined();
  });

  it("says what is wrong with a file whose name is beside it, in the language that is spoken", () => {
    const what: Sentence = { text: "line 1, column 3: key must be a string", key: "messages.memory.not_json", params: { line: "1", column: "3", reason: unkeyed("key must be a string") } };
    const about: Sentence = { text: `/a.json: ${what.text}`, key: "messages.joined.about", params: { thing: "/a.json", what } };
    expect(statementAbout(about, "/a.json")).toBe(what);
    expect(plain(what)).toBe("Zeile 1, Spalte 3: <key must be a string>. Die Datei korrigieren oder erneut exportieren.");
    for (const other of [statementAbout(about, "/b.json"), statementAbout(what, "/a.json"), statementAbout(unkeyed("/a.json: odd"), "/a.json")]) expect(other).toBeUndefined();
  });

  it("takes no value from what every object has", () => {
    expect(plain({ text: "x", key: "k", params: {} }, () => "{constructor} {key}")).toBe("{constructor} {key}");
  });
});

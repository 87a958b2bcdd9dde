import { describe, expect, it } from "vitest";
import german from "../src/i18n/de.json";
import { pieces, unkeyed, type Lookup } from "../src/i18n/said";
import type { Sentence } from "../src/contract";

const words: Record<string, string> = german;
const lookup: Lookup = (key) => words[key];
const off: Sentence = {
  text: "features.hooks is false in /h/config.toml: no hook runs",
  key: "said.agents.key_is_false",
  params: { key: "features.hooks", file: "/h/config.toml" },
};
const plain = (sentence: Sentence, from: Lookup = lookup) => pieces(sentence, from).map((piece) => (piece.english ? `<${piece.text}>` : piece.text)).join("");

describe("a sentence of the program's", () => {
  it("is said in the language that is spoken, with its values", () => {
    expect(plain(off)).toBe("features.hooks steht in /h/config.toml auf false: Kein Hook läuft");
  });

  it("may be made of others", () => {
    const remedy: Sentence = { text: "Remove that copy.", key: "said.agents.remove_copy", params: {} };
    const both: Sentence = { text: `${off.text}. ${remedy.text}`, key: "said.joined.finding", params: { what: off, remedy } };
    expect(plain(both)).toBe("features.hooks steht in /h/config.toml auf false: Kein Hook läuft. Diese Kopie entfernen.");
    expect(pieces(both, lookup)).toHaveLength(1);
  });

  it("marks the words of others as the English they are", () => {
    const unreadable: Sentence = {
      text: "the file cannot be read: Permission denied",
      key: "said.edits.unreadable",
      params: { reason: unkeyed("Permission denied") },
    };
    expect(plain(unreadable)).toBe("Die Datei lässt sich nicht lesen: <Permission denied>");
    expect(plain(unkeyed("disk full"))).toBe("<disk full>");
  });

  it("stays English when the catalogue is older than the program", () => {
    expect(plain(off, () => undefined)).toBe(`<${off.text}>`);
    expect(plain({ ...off, params: {} })).toContain("{file}");
  });

  it("takes no value from what every object has", () => {
    expect(plain({ text: "x", key: "k", params: {} }, () => "{constructor} {key}")).toBe("{constructor} {key}");
  });
});

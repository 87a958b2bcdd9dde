// The program's short words as users read them: languages, kinds of code, what is remembered about a session.
import { expect, test } from "vitest";
import type { SessionFact } from "../src/contract";
import { languageName, namedThing } from "../src/features/code/words";
import { gist } from "../src/features/sessions/words";
import { moreWords } from "../src/i18n/index.svelte";

await moreWords();

test("a language is written as its makers write it", () => {
  expect(["typescript", "cpp", "php", "rust", "gomod", "klingon"].map(languageName)).toEqual(["TypeScript", "C++", "PHP", "Rust", "go.mod", "Klingon"]);
});

test("what is named is a language and a kind, both in words", () => {
  expect(namedThing("typescript constant")).toBe("TypeScript, constant");
  expect(namedThing("rust widget")).toBe("Rust, widget");
  expect(namedThing("python")).toBe("Python");
});

test("what was decided is one list: no full stop before its semicolon", () => {
  const fact = (category: string, text: string, at_ms: number) => ({ category, text, at_ms, holds: true, subject: "" }) as unknown as SessionFact;
  const told = gist([fact("decision", "The wait ends at thirty seconds.", 3), fact("decision", "Do not touch the API.", 2), fact("decision", "And so on...", 1), fact("goal", "Find it.", 1)]);
  expect(told).toEqual([
    { name: "goal", text: "Find it." },
    { name: "decided", text: "The wait ends at thirty seconds; Do not touch the API; And so on..." },
  ]);
});

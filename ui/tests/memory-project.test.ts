// Which project the Memory screen shows: the guess, the choice, and one that is gone.
import { expect, it } from "vitest";
import type { MemoryProject } from "../src/contract";
import { EVERY, projectOf } from "../src/features/memory/project";

const project = (key: string, memories = 1, folder: string | null = `/projects/${key}`): MemoryProject => ({ key, name: key, folder, memories });

it("is the one that is worked in, else one that has memories, else the first", () => {
  const rows = [project("shop", 0), project("harbour"), project("ferry")];
  expect(projectOf(rows, undefined, "/projects/ferry")).toBe("ferry");
  expect(projectOf(rows, undefined, "/projects/elsewhere")).toBe("harbour");
  expect(projectOf([project("shop", 0)], undefined, null)).toBe("shop");
  expect(projectOf([project("shop", 0), project("gone", 2, null)], undefined, null), "no folder isn't the folder that is worked in").toBe("gone");
  expect(projectOf([], undefined, null)).toBe(EVERY);
});

it("is the one that was chosen, wherever an agent works", () => {
  const rows = [project("shop"), project("harbour")];
  expect(projectOf(rows, "harbour", "/projects/shop")).toBe("harbour");
  expect(projectOf(rows, EVERY, "/projects/shop")).toBe(EVERY);
});

it("is always one that can be chosen: a purge may remove the one that was", () => {
  for (const rows of [[project("shop"), project("ferry")], [project("ferry")], []]) {
    const shown = projectOf(rows, "harbour", "/projects/shop");
    expect([EVERY, ...rows.map((one) => one.key)]).toContain(shown);
    expect(shown).toBe(rows[0]?.key ?? EVERY);
  }
});

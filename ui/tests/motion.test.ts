// What moves in the window: short, at its two speeds, and never without end; nothing where the system asks for less motion.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../src");
const sources = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.(svelte|css)$/.test(name))
  .map((name) => ({ name, text: readFileSync(join(root, name), "utf8") }));
const style = (name: string): string => readFileSync(join(root, "styles", name), "utf8");

it("has the speed of one of two tokens", () => {
  const moves = sources.flatMap(({ name, text }) => [...text.matchAll(/^\s*(?:animation|transition): ([^;]+);/gm)].map((found) => `${name}: ${found[1]}`));
  expect(moves.length).toBeGreaterThan(8);
  // What waits before it is there doesn't move.
  const others = moves.filter((one) => !/var\(--(quick|calm)\)/.test(one) && !one.endsWith("step-end"));
  expect(others).toEqual([]);
});

it("takes 120 to 180 ms and ends", () => {
  const speeds = [...style("tokens.css").matchAll(/--(?:quick|calm): (\d+)ms ease-out;/g)].map((found) => Number(found[1]));
  expect(speeds).toHaveLength(2);
  for (const ms of speeds) expect(ms >= 120 && ms <= 180, `${ms} ms`).toBe(true);
  expect(sources.filter(({ text }) => /\binfinite\b/.test(text)).map(({ name }) => name)).toEqual([]);
});

it("ends at once under reduced motion", () => {
  const reduced = /@media \(prefers-reduced-motion: reduce\) \{\s*\*,[^{]*\{([^}]*)\}/.exec(style("base.css"))?.[1] ?? "";
  for (const what of ["animation-duration: 1ms", "animation-iteration-count: 1", "transition-duration: 1ms"]) expect(reduced).toContain(`${what} !important`);
});

// Every pair of ink and ground that is used, in both themes: 4.5:1 for text, 3:1 for what only has a shape.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const css = readFileSync(join(import.meta.dirname, "../src/styles/tokens.css"), "utf8");

type Themes = Record<"light" | "dark", number>;

/** Relative luminance of `oklch(l c h)`, clipped to what a screen shows. */
function luminance(colour: string): number {
  const [l = 0, c = 0, h = 0] = colour.split(/\s+/).map(Number);
  const [a, b] = [c * Math.cos((h * Math.PI) / 180), c * Math.sin((h * Math.PI) / 180)];
  const [x, y, z] = [
    (l + 0.3963377774 * a + 0.2158037573 * b) ** 3,
    (l - 0.1055613458 * a - 0.0638541728 * b) ** 3,
    (l - 0.0894841775 * a - 1.291485548 * b) ** 3,
  ];
  const clip = (value: number) => Math.min(1, Math.max(0, value));
  return (
    0.2126 * clip(4.0767416621 * x - 3.3077115913 * y + 0.2309699292 * z) +
    0.7152 * clip(-1.2684380046 * x + 2.6097574011 * y - 0.3413193965 * z) +
    0.0722 * clip(-0.0041960863 * x - 0.7034186147 * y + 1.707614701 * z)
  );
}

const tokens = new Map<string, Themes>(
  [...css.matchAll(/--([\w-]+): light-dark\(oklch\(([\d. ]+)\), oklch\(([\d. ]+)\)\)/g)].map((found) => [
    found[1] ?? "",
    { light: luminance(found[2] ?? ""), dark: luminance(found[3] ?? "") },
  ]),
);

function contrast(ink: string, ground: string, theme: "light" | "dark"): number {
  const [one, other] = [tokens.get(ink)?.[theme], tokens.get(ground)?.[theme]];
  if (one === undefined || other === undefined) throw new Error(`no token --${ink} or --${ground}`);
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

const GROUNDS = ["bg", "pane", "side", "sunken", "hover"];
const TEXT: [string, string][] = [
  ...["ink", "ink-2", "ink-3", "accent-ink", "amber-ink", "red-ink"].flatMap((ink) => GROUNDS.map((ground): [string, string] => [ink, ground])),
  ...["ink", "ink-2", "ink-3", "accent-ink"].map((ink): [string, string] => [ink, "accent-soft"]),
  ...["ink", "accent-ink"].map((ink): [string, string] => [ink, "add"]),
  ...["ink", "red-ink"].map((ink): [string, string] => [ink, "cut"]),
  ["ink", "accent-mark"],
  ["ink-2", "line-soft"],
  ["ink", "line-soft"],
  ["ink", "raised"],
  ["on-accent", "accent-solid"],
  ["on-accent", "accent-solid-hover"],
  ["on-red", "red-solid"],
  ["amber-ink", "amber-soft"],
  ["red-ink", "red-soft"],
];
const SHAPES: [string, string][] = [
  ["accent", "bg"],
  ["accent", "pane"],
  ["accent", "side"],
  ["hull", "bg"],
  ["red", "pane"],
];

describe.each(["light", "dark"] as const)("in the %s theme", (theme) => {
  it("the tokens are read", () => expect(tokens.size).toBeGreaterThan(25));
  it.each(TEXT)("%s is readable on %s", (ink, ground) => {
    expect(contrast(ink, ground, theme)).toBeGreaterThanOrEqual(4.5);
  });
  it("what is raised is lighter than the track that it's on", () => {
    expect(tokens.get("raised")?.[theme]).toBeGreaterThan((tokens.get("line-soft")?.[theme] ?? 1) * 1.1);
  });
  it.each(SHAPES)("%s is seen on %s", (ink, ground) => {
    expect(contrast(ink, ground, theme)).toBeGreaterThanOrEqual(3);
  });
});

it("the measure is right: black on white is 21:1", () => {
  expect((luminance("1 0 0") + 0.05) / (luminance("0 0 0") + 0.05)).toBeCloseTo(21, 1);
});

// The map's boxes: together they fill the area, none overlaps another, and what is in a folder stays within it.
import { expect, test } from "vitest";
import type { CodeBlock } from "../src/contract";
import { nested, squarify, type Box } from "../src/features/code/treemap";

const block = (path: string, lines: number, folder = false): CodeBlock => ({ path, name: path, folder, files: 1, lines, touched: 0, ailing: 0, findings: [] });
const area = (box: Box): number => box.width * box.height;
const overlap = (one: Box, other: Box): boolean =>
  one.x + one.width > other.x + 1e-6 && other.x + other.width > one.x + 1e-6 && one.y + one.height > other.y + 1e-6 && other.y + other.height > one.y + 1e-6;

test("each box has its share, and none overlaps", () => {
  const sizes = [500, 300, 90, 60, 30, 15, 5];
  const boxes = squarify(sizes, 400, 250);
  sizes.forEach((size, at) => expect(area(boxes[at] as Box)).toBeCloseTo((size / 1000) * 400 * 250, 3));
  boxes.forEach((one, at) => boxes.slice(at + 1).forEach((other) => expect(overlap(one, other)).toBe(false)));
});

test("a large folder shows what is in it, within its box; a small one and a file don't", () => {
  const blocks = [block("src", 900, true), block("docs", 90, true), block("README.md", 10)];
  const inside = [[block("src/a.ts", 600), block("src/b.ts", 200)], [block("docs/x.md", 90)], []];
  const drawn = nested(blocks, inside, 800, 500);
  expect(drawn.map((one) => [one.block.path, one.open])).toEqual([["src", true], ["src/a.ts", false], ["src/b.ts", false], ["docs", false], ["README.md", false]]);
  const [src, a, b] = drawn.map((one) => one.box) as [Box, Box, Box];
  for (const child of [a, b]) {
    expect(child.x >= src.x && child.y >= src.y && child.x + child.width <= src.x + src.width && child.y + child.height <= src.y + src.height).toBe(true);
  }
  expect(overlap(a, b)).toBe(false);
  // 100 of the folder's lines aren't in the list and keep their room.
  expect(area(a) + area(b)).toBeLessThan(area(src) * 0.92);
});

test("a list that's missing or shorter than the blocks draws no less", () => {
  expect(nested([block("src", 9, true)], [], 800, 500)).toHaveLength(1);
  expect(nested([], [[]], 800, 500)).toEqual([]);
});

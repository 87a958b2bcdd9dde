// Where the entities of a graph and the labels of its lines are.
import { expect, test } from "vitest";
import { alongLine, type Box, laidOut, Layout } from "../src/features/memory/layout";

const graph = (count: number, pairs: [number, number][]) => ({
  nodes: Array.from({ length: count }, (_, index) => ({ id: String(index), mentions: 1, depth: index === 0 ? 0 : 1 })),
  edges: pairs.map(([from, to]) => ({ from: String(from), to: String(to) })),
});
/** A tree, named in an order that says nothing about who is beside whom. */
const TREE: [number, number][] = [[5, 2], [2, 9], [9, 0], [0, 7], [7, 3], [3, 10], [10, 4], [4, 8], [9, 6], [3, 1]];

test("lines of a small graph that needn't cross don't", () => {
  const { nodes, edges } = graph(11, TREE);
  const layout = laidOut(nodes, edges, false);
  expect(layout.done).toBe(true);
  expect(layout.crossings).toBe(0);
});

test("the same graph is laid out the same each time", () => {
  const { nodes, edges } = graph(11, TREE);
  expect(laidOut(nodes, edges, true).spots).toEqual(laidOut(nodes, edges, true).spots);
});

test("what everything else is around stays in the middle from every start", () => {
  const { nodes, edges } = graph(9, [[0, 1], [0, 2], [0, 3], [0, 4], [5, 1], [6, 2]]);
  for (let start = 0; start < 5; start += 1) {
    const layout = new Layout(nodes, edges, true, start);
    layout.run(Infinity);
    expect([layout.spots[0]?.x, layout.spots[0]?.y]).toEqual([0, 0]);
    expect(layout.spots.every((spot) => Number.isFinite(spot.x) && Number.isFinite(spot.y))).toBe(true);
  }
});

test("crossings are counted, and lines that share an end don't cross", () => {
  const { nodes, edges } = graph(5, [[0, 1], [2, 3], [0, 2]]);
  const layout = new Layout(nodes, edges, false);
  const put = (index: number, x: number, y: number) => Object.assign(layout.spots[index] as object, { x, y });
  put(0, 0, 0), put(1, 10, 10), put(2, 0, 10), put(3, 10, 0);
  expect(layout.crossings).toBe(1);
  put(3, -10, 20);
  expect(layout.crossings).toBe(0);
});

test("a large graph isn't finished before it's shown", () => {
  const { nodes, edges } = graph(300, [[0, 1]]);
  expect(laidOut(nodes, edges, false).done).toBe(false);
});

test("a label moves along its line to where nothing is, and stays on the line", () => {
  const [a, b] = [{ x: 0, y: 0, r: 5 }, { x: 200, y: 0, r: 5 }];
  const size = { width: 30, height: 10 };
  const taken: Box[] = [];
  for (let n = 0; n < 3; n += 1) taken.push(alongLine(a, b, 0.5, size, taken) as Box);
  expect(taken.map((box) => box.x)).toEqual([100, 140, 60]);
  expect(taken.every((box) => box.y === 0)).toBe(true);
  // Nothing is free: it is where it was wanted.
  expect(alongLine(a, b, 0.5, { width: 180, height: 10 }, taken)?.x).toBe(100);
});

test("a label that its line has no room for isn't drawn under the circles", () => {
  const [a, below] = [{ x: 0, y: 0, r: 15 }, { x: 0, y: 120, r: 15 }];
  const size = { width: 110, height: 12 };
  expect(alongLine(a, { ...below, x: 120, y: 0 }, 0.5, size, [])).toBeUndefined();
  expect(alongLine(a, { ...below, x: 160, y: 0 }, 0.5, size, [])?.x).toBe(80);
  // Wanted near an end, it moves away from the circle there.
  expect(alongLine(a, { ...below, x: 160, y: 0 }, 0.7, size, [])?.x).toBe(90);
  // Beside an upright line there is room for a long one.
  expect(alongLine(a, below, 0.5, size, [])?.y).toBe(60);
});

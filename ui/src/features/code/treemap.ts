// How blocks are laid out in a rectangle so that each has its share of the area and none is a splinter: squarified treemaps.
// Pure.
import type { CodeBlock } from "../../contract";

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The worst ratio of sides in a row of these areas along a side of this length. */
function worst(row: readonly number[], side: number): number {
  const sum = row.reduce((all, one) => all + one, 0);
  return Math.max(...row.map((one) => Math.max((side * side * one) / (sum * sum), (sum * sum) / (side * side * one))));
}

/** A box for each size, in their order, which is from the largest to the smallest; together they fill the area. */
export function squarify(sizes: readonly number[], width: number, height: number): Box[] {
  const whole = sizes.reduce((all, one) => all + Math.max(one, 1), 0);
  const areas = sizes.map((one) => (Math.max(one, 1) / whole) * width * height);
  const boxes: Box[] = [];
  let [x, y, w, h] = [0, 0, width, height];
  let at = 0;
  while (at < areas.length) {
    const side = Math.max(1e-6, Math.min(w, h));
    const row: number[] = [areas[at] ?? 0];
    while (at + row.length < areas.length && worst([...row, areas[at + row.length] ?? 0], side) <= worst(row, side)) row.push(areas[at + row.length] ?? 0);
    const sum = row.reduce((all, one) => all + one, 0);
    const depth = sum / side;
    let along = 0;
    for (const one of row) {
      const length = one / depth;
      boxes.push(w >= h ? { x, y: y + along, width: depth, height: length } : { x: x + along, y, width: length, height: depth });
      along += length;
    }
    if (w >= h) [x, w] = [x + depth, w - depth];
    else [y, h] = [y + depth, h - depth];
    at += row.length;
  }
  return boxes;
}

/** A folder shows what is in it from this size on. */
const OPEN_WIDTH = 150;
const OPEN_HEIGHT = 90;
/** Its name above what is in it, and the space around. */
const NAME = 22;
const EDGE = 3;

/** A block where it's drawn; `open` when what is in it is drawn too, right after it. */
export interface Drawn {
  block: CodeBlock;
  box: Box;
  open: boolean;
}

/** The blocks of a folder, and within those large enough what is in them: `inside` has a list for each block. */
export function nested(blocks: readonly CodeBlock[], inside: readonly (readonly CodeBlock[])[], width: number, height: number): Drawn[] {
  const boxes = squarify(blocks.map((one) => one.lines), width, height);
  return blocks.flatMap((block, at) => {
    const box = boxes[at];
    if (box === undefined) return [];
    const within = inside[at] ?? [];
    const open = within.length > 0 && box.width >= OPEN_WIDTH && box.height >= OPEN_HEIGHT;
    if (!open) return [{ block, box, open }];
    // Entries left out of the list keep their share of the area.
    const rest = block.lines - within.reduce((sum, one) => sum + one.lines, 0);
    const sizes = [...within.map((one) => one.lines), ...(rest > 0 ? [rest] : [])];
    const inner = squarify(sizes, box.width - 2 * EDGE, box.height - NAME - EDGE);
    const children = within.flatMap((child, index) => {
      const one = inner[index];
      return one === undefined ? [] : [{ block: child, box: { ...one, x: box.x + EDGE + one.x, y: box.y + NAME + one.y }, open: false }];
    });
    return [{ block, box, open }, ...children];
  });
}

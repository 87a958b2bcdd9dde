// How blocks are laid out in a rectangle so that each has its share of the area and none is a splinter: squarified treemaps.
// Pure; knows nothing of files.

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
export function squares(sizes: readonly number[], width: number, height: number): Box[] {
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

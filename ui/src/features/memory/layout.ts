// Where the entities of a graph are: forces that push all apart and pull together what is related, cooling down until nothing
// moves. The same graph is always laid out the same. Pure; knows no canvas.

export interface Spot {
  x: number;
  y: number;
  /** Its radius. */
  r: number;
}

interface Node {
  id: string;
  mentions: number;
  depth: number;
}
interface Edge {
  from: string;
  to: string;
}

/** The length that an edge would like to have. */
const LENGTH = 120;
/** What is further apart than this doesn't push. */
const REACH = LENGTH * 2.4;
/** With as many entities or lines, a graph can be taken in at a glance, and crossing lines disturb. */
const GLANCE = 40;
/** How often such a graph is laid out at most: twelve of forty entities take some 50 ms. */
const STARTS = 12;
const GOLDEN = Math.PI * (3 - Math.sqrt(5));

/** How large an entity is drawn: by how often it is named, the middle largest. */
export function radius(mentions: number, middle: boolean): number {
  return middle ? 42 : Math.min(30, 14 + 3.5 * Math.sqrt(Math.max(0, mentions - 1)));
}

export class Layout {
  readonly spots: Spot[];
  readonly #pairs: [number, number][];
  readonly #fixed: boolean;
  readonly #steps: number;
  #step = 0;

  /** `start` chooses where everything is before it moves; another start ends in another picture. */
  constructor(nodes: readonly Node[], edges: readonly Edge[], around: boolean, start = 0) {
    const order = shuffled(nodes.length, start, around);
    const at = new Map(nodes.map((node, index) => [node.id, index]));
    this.#fixed = around;
    this.spots = nodes.map((node, index) => {
      // A sunflower: evenly spread, the same each time, the first in the middle.
      const place = order[index] ?? index;
      const far = around ? node.depth * LENGTH + place * 0.5 : LENGTH * 0.55 * Math.sqrt(place);
      return { x: Math.cos(place * GOLDEN) * far, y: Math.sin(place * GOLDEN) * far, r: radius(node.mentions, around && index === 0) };
    });
    this.#pairs = edges.flatMap((edge) => {
      const [from, to] = [at.get(edge.from), at.get(edge.to)];
      return from === undefined || to === undefined || from === to ? [] : [[from, to] as [number, number]];
    });
    this.#steps = nodes.length > 600 ? 120 : 240;
  }

  /** How many pairs of lines cross. */
  get crossings(): number {
    let count = 0;
    this.#pairs.forEach(([a, b], index) => {
      for (const [c, d] of this.#pairs.slice(index + 1)) {
        const apart = a !== c && a !== d && b !== c && b !== d;
        if (apart && cross(this.spots[a], this.spots[b], this.spots[c], this.spots[d])) count += 1;
      }
    });
    return count;
  }

  get done(): boolean {
    return this.#step >= this.#steps;
  }

  /** Moves everything once, for as many steps as fit into `ms`; whether there is more to do. */
  run(ms: number): boolean {
    const end = performance.now() + ms;
    while (!this.done && performance.now() < end) this.#move();
    return !this.done;
  }

  #move(): void {
    const { spots } = this;
    const heat = LENGTH * 0.6 * (1 - this.#step / this.#steps) ** 1.5 + 0.4;
    this.#step += 1;
    const dx = new Float64Array(spots.length);
    const dy = new Float64Array(spots.length);
    // Only neighbours push, found by cells as large as the push reaches: two thousand cost as much per node as twenty.
    const cells = new Map<string, number[]>();
    spots.forEach((spot, index) => {
      const key = `${Math.floor(spot.x / REACH)},${Math.floor(spot.y / REACH)}`;
      const cell = cells.get(key);
      if (cell) cell.push(index);
      else cells.set(key, [index]);
    });
    spots.forEach((spot, index) => {
      const [cx, cy] = [Math.floor(spot.x / REACH), Math.floor(spot.y / REACH)];
      for (let gx = cx - 1; gx <= cx + 1; gx += 1) {
        for (let gy = cy - 1; gy <= cy + 1; gy += 1) {
          for (const other of cells.get(`${gx},${gy}`) ?? []) {
            if (other === index) continue;
            const there = spots[other] as Spot;
            const [ax, ay] = [spot.x - there.x || (index - other) * 0.01, spot.y - there.y || 0.01];
            const far = Math.hypot(ax, ay);
            if (far > REACH) continue;
            const push = (LENGTH * LENGTH) / far / far + Math.max(0, spot.r + there.r + 26 - far) * 0.4;
            dx[index] = (dx[index] ?? 0) + (ax / far) * push * 8;
            dy[index] = (dy[index] ?? 0) + (ay / far) * push * 8;
          }
        }
      }
      // Everything falls gently to the middle, so that parts that hang together with nothing stay in sight.
      dx[index] = (dx[index] ?? 0) - spot.x * 0.03;
      dy[index] = (dy[index] ?? 0) - spot.y * 0.045;
    });
    for (const [from, to] of this.#pairs) {
      const [a, b] = [spots[from] as Spot, spots[to] as Spot];
      const [ax, ay] = [b.x - a.x, b.y - a.y];
      const far = Math.hypot(ax, ay) || 0.01;
      const pull = (far - LENGTH - (a.r + b.r) / 2) * 0.12;
      dx[from] = (dx[from] ?? 0) + (ax / far) * pull;
      dy[from] = (dy[from] ?? 0) + (ay / far) * pull;
      dx[to] = (dx[to] ?? 0) - (ax / far) * pull;
      dy[to] = (dy[to] ?? 0) - (ay / far) * pull;
    }
    spots.forEach((spot, index) => {
      if (this.#fixed && index === 0) return;
      const [x, y] = [dx[index] ?? 0, dy[index] ?? 0];
      const far = Math.hypot(x, y);
      if (far < 1e-6) return;
      const go = Math.min(far, heat);
      spot.x += (x / far) * go;
      spot.y += (y / far) * go;
    });
  }
}

/** The layout to show. A graph that can be taken in at a glance is laid out from several starts, and the one whose
 *  lines cross least is taken, finished; a larger one is laid out once, by those who show it. */
export function laidOut(nodes: readonly Node[], edges: readonly Edge[], around: boolean): Layout {
  let best = new Layout(nodes, edges, around);
  if (nodes.length > GLANCE || edges.length > GLANCE) return best;
  best.run(Infinity);
  for (let start = 1; start < STARTS && best.crossings > 0; start += 1) {
    const next = new Layout(nodes, edges, around, start);
    next.run(Infinity);
    if (next.crossings < best.crossings) best = next;
  }
  return best;
}

/** The places 0 to `count - 1`, in another order for each `start`, always the same one; with `around`, the first stays first. */
function shuffled(count: number, start: number, around: boolean): number[] {
  const order = Array.from({ length: count }, (_, index) => index);
  if (start === 0) return order;
  // A linear congruential generator (Numerical Recipes' constants): it needs only to be the same each time.
  let state = start;
  const first = around ? 1 : 0;
  for (let index = count - 1; index > first; index -= 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const other = first + (state % (index - first + 1));
    [order[index], order[other]] = [order[other] as number, order[index] as number];
  }
  return order;
}

function cross(a?: Spot, b?: Spot, c?: Spot, d?: Spot): boolean {
  if (!a || !b || !c || !d) return false;
  const side = (p: Spot, q: Spot, r: Spot): number => Math.sign((q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x));
  return side(a, b, c) !== side(a, b, d) && side(c, d, a) !== side(c, d, b);
}

/** A label's place: its middle and its size. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Where on the line from `a` to `b` a label goes: as near to `wanted` (0 is `a`, 1 is `b`) as it can be without covering
 *  another one, or there all the same if nothing is free; `undefined` if it's longer than the line between the circles. */
export function alongLine(a: Spot, b: Spot, wanted: number, size: { width: number; height: number }, taken: readonly Box[]): Box | undefined {
  const [dx, dy] = [Math.abs(b.x - a.x), Math.abs(b.y - a.y)];
  const far = Math.hypot(dx, dy);
  const long = (dx * size.width + dy * size.height) / Math.max(far, 1);
  if (long > far - a.r - b.r) return undefined;
  // Between the circles, which are drawn over it.
  const between = (part: number): number => Math.max((a.r + long / 2) / far, Math.min(1 - (b.r + long / 2) / far, part));
  const box = (part: number): Box => ({ x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part, ...size });
  const free = (one: Box): boolean =>
    taken.every((other) => Math.abs(one.x - other.x) * 2 > one.width + other.width || Math.abs(one.y - other.y) * 2 > one.height + other.height);
  const boxes = [0, 0.1, -0.1, 0.2, -0.2, 0.3, -0.3].map((by) => wanted + by).filter((part) => part >= 0.25 && part <= 0.75).map((part) => box(between(part)));
  return boxes.find(free) ?? box(between(wanted));
}

/** The part of the plane that everything is in, with room for the names. */
export function bounds(spots: readonly Spot[]): { x: number; y: number; width: number; height: number } {
  if (spots.length === 0) return { x: -1, y: -1, width: 2, height: 2 };
  const left = Math.min(...spots.map((one) => one.x - one.r - 40));
  const right = Math.max(...spots.map((one) => one.x + one.r + 40));
  const top = Math.min(...spots.map((one) => one.y - one.r - 12));
  const bottom = Math.max(...spots.map((one) => one.y + one.r + 30));
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** The next one in a direction, for arrow keys: near, and rather straight ahead than aside; -1 where there is none. */
export function towards(spots: readonly Spot[], from: number, [dx, dy]: readonly [number, number]): number {
  const here = spots[from];
  if (here === undefined) return spots.length > 0 ? 0 : -1;
  let [best, least] = [-1, Infinity];
  spots.forEach((spot, index) => {
    const [ax, ay] = [spot.x - here.x, spot.y - here.y];
    const ahead = ax * dx + ay * dy;
    const aside = Math.abs(ax * dy - ay * dx);
    if (index === from || ahead <= 1 || aside > ahead * 2.2) return;
    const cost = ahead + aside * 1.6;
    if (cost < least) [best, least] = [index, cost];
  });
  return best;
}

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

  constructor(nodes: readonly Node[], edges: readonly Edge[], around: boolean) {
    const at = new Map(nodes.map((node, index) => [node.id, index]));
    this.#fixed = around;
    this.spots = nodes.map((node, index) => {
      // A sunflower: evenly spread, the same each time, the first in the middle.
      const far = around ? node.depth * LENGTH + index * 0.5 : LENGTH * 0.55 * Math.sqrt(index);
      return { x: Math.cos(index * GOLDEN) * far, y: Math.sin(index * GOLDEN) * far, r: radius(node.mentions, around && index === 0) };
    });
    this.#pairs = edges.flatMap((edge) => {
      const [from, to] = [at.get(edge.from), at.get(edge.to)];
      return from === undefined || to === undefined || from === to ? [] : [[from, to] as [number, number]];
    });
    this.#steps = nodes.length > 600 ? 120 : 240;
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

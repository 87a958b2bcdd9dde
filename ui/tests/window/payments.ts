// A project with a past, for the pictures of Code: some fifty files in six folders, eighteen months of commits in which one logger
// takes the place of another, two cycles, a file that has grown too long.
import { execFileSync } from "node:child_process";
import type { Computer } from "./computer";

const FOLDERS: Record<string, string[]> = {
  catalogue: ["price", "product", "search", "stock", "image", "category"],
  checkout: ["cart", "address", "voucher", "order", "summary", "tax"],
  payments: ["charge", "gateway", "queue", "refund", "receipt", "webhook", "idempotency"],
  session: ["login", "store", "token", "password"],
  api: ["router", "orders", "products", "health", "errors"],
  lib: ["backoff", "money", "clock", "http"],
};

/** What else a file imports, beside its logger: enough that the map has structure and two cycles. */
const IMPORTS: Record<string, string[]> = {
  "payments/charge": ["payments/gateway", "lib/backoff", "lib/money"],
  "payments/gateway": ["payments/queue", "lib/http"],
  "payments/queue": ["payments/charge", "payments/idempotency"],
  "checkout/order": ["checkout/summary", "payments/charge"],
  "checkout/summary": ["checkout/order", "checkout/tax"],
  "checkout/cart": ["catalogue/price", "catalogue/stock", "checkout/voucher"],
  "api/orders": ["checkout/order", "session/store", "api/errors"],
  "api/products": ["catalogue/search", "catalogue/product", "api/errors"],
  "api/router": ["api/orders", "api/products", "api/health"],
  "session/login": ["session/password", "session/token", "session/store"],
};

/** What is found in the pictures of a search: a function, those who call it and its tests. */
const RETRY: Record<string, string> = {
  "src/payments/retry.ts": `import { backoff, sleep } from "../lib/wait";
import type { Charge, Gateway, Order } from "./types";

const MAX_ATTEMPTS = 4;

/** Tries a failed charge again, each time after a longer wait. */
export async function retryCharge(gateway: Gateway, order: Order, attempt = 1): Promise<Charge> {
  const charge = await gateway.charge(order.total, order.token);
  if (charge.ok || attempt >= MAX_ATTEMPTS) return charge;
  await sleep(backoff(attempt));
  return retryCharge(gateway, order, attempt + 1);
}
`,
  "src/payments/types.ts": `export interface Order { total: number; token: string }
export interface Charge { ok: boolean; id: string }
export interface Gateway { charge(total: number, token: string): Promise<Charge> }
`,
  "src/lib/wait.ts": `/** How many seconds to wait before an attempt: doubled each time, at most thirty. */
export function backoff(attempt: number): number {
  return Math.min(30, 2 ** attempt);
}

export function sleep(seconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, seconds * 1000));
}
`,
  "src/payments/drain.ts": `import { retryCharge } from "./retry";
import type { Gateway, Order } from "./types";

export class PaymentQueue {
  constructor(private readonly gateway: Gateway, private readonly waiting: Order[]) {}

  async drain(): Promise<void> {
    for (const order of this.waiting.splice(0)) await retryCharge(this.gateway, order);
  }
}
`,
  "src/checkout/pay.ts": `import { retryCharge } from "../payments/retry";
import type { Gateway, Order } from "../payments/types";

export async function pay(gateway: Gateway, order: Order): Promise<boolean> {
  const charge = await retryCharge(gateway, order);
  return charge.ok;
}
`,
  "test/payments/retry.test.ts": `import { expect, test } from "vitest";
import { retryCharge } from "../../src/payments/retry";

test("a declined card is charged again", async () => {
  let calls = 0;
  const gateway = { charge: async () => ({ ok: ++calls === 2, id: "7" }) };
  expect((await retryCharge(gateway, { total: 12, token: "card" })).ok).toBe(true);
});
`,
};

const DAY = 86_400;

function title(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** One file: its imports, a type and as many functions as it's long. */
function file(path: string, logger: string, functions: number): string {
  const name = path.split("/").at(-1) ?? path;
  const lines = [`import log from "${logger}";`, `import { z } from "zod";`];
  for (const used of IMPORTS[path] ?? []) lines.push(`import { read${title(used.split("/")[1] ?? "")} } from "../${used}";`);
  lines.push("", `export const ${title(name)} = z.object({ id: z.string(), at: z.date() });`, "");
  for (let n = 0; n < functions; n++) {
    const called = n === 0 ? `read${title(name)}` : `${name}Step${n}`;
    lines.push(`/** Step ${n + 1} of ${name}. */`, `export function ${called}(id: string): string {`, `  log.info({ id }, "${called}");`);
    for (const used of n === 0 ? (IMPORTS[path] ?? []) : []) lines.push(`  read${title(used.split("/")[1] ?? "")}(id);`);
    lines.push("  return id;", "}", "");
  }
  return lines.join("\n");
}

/** Makes the project below `work/`, with its commits, and has it indexed; returns its folder. */
export function payments(at: Computer): string {
  const root = at.path("work/payments");
  const now = Math.floor(Date.now() / 1000);
  const write = (path: string, text: string): void => {
    at.write(`work/payments/${path}`, text);
  };
  const git = (words: string[], ago = 0): void => {
    const date = `${now - ago * DAY} +0000`;
    const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
    execFileSync("git", ["-c", "user.name=Ana", "-c", "user.email=ana@example.org", ...words], { cwd: root, env });
  };
  const commit = (ago: number, message: string): void => {
    git(["add", "."]);
    git(["commit", "-qm", message], ago);
  };
  write("README.md", "# Payments\n\nA shop's checkout and what comes after it.\n");
  write("package.json", '{ "name": "payments", "type": "module", "dependencies": { "pino": "9", "winston": "3", "zod": "4" }, "devDependencies": { "vitest": "3" } }\n');
  git(["init", "-q", "-b", "main"]);
  let ago = 540;
  const files = Object.entries(FOLDERS).flatMap(([folder, names]) => names.map((name) => `${folder}/${name}`));
  for (const [index, path] of files.entries()) {
    // The change of loggers is two thirds of the way.
    const logger = index < files.length * 0.62 ? "winston" : "pino";
    write(`src/${path}.ts`, file(path, logger, path === "payments/charge" ? 150 : 3 + ((index * 7) % 11)));
    if (index % 3 === 0) write(`test/${path}.test.ts`, `import { expect, test } from "vitest";\nimport { read${title(path.split("/")[1] ?? "")} } from "../src/${path}";\n\ntest("${path} is read", () => {\n  expect(read${title(path.split("/")[1] ?? "")}("7")).toBe("7");\n});\n`);
    commit(ago, `${path}: first version`);
    ago -= 15;
  }
  for (const [path, text] of Object.entries(RETRY)) write(path, text);
  commit(70, "A failed charge is tried again");
  // Some files are touched again and again.
  for (const [path, times] of [["payments/charge", 12], ["payments/queue", 7], ["checkout/order", 6], ["session/store", 3]] as const) {
    for (let n = 1; n <= times; n++) {
      write(`src/${path}.ts`, file(path, n > times / 2 ? "pino" : "winston", (path === "payments/charge" ? 150 : 8) + n));
      commit(60 - n * 4, `${path}: step ${n}`);
    }
  }
  at.plimsoll(["memory", "capture", "Never retry a charge that ended with card_declined: the bank counts it as fraud.", "--namespace", "learnings", "--source", "src/payments/retry.ts"], { cwd: root });
  at.plimsoll(["code", "reindex"], { cwd: root });
  return root;
}

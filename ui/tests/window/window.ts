// The window in Chromium, as the user sees it, with a watch over what it does unseen: errors on the console, code that
// the policy stopped, requests to anything but the host. Each test ends with `calm()`.
import axeCore from "axe-core";
import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Browser, type BrowserContextOptions, type Locator, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { Computer, type Host } from "./computer";

export type Theme = "light" | "dark";
export const SIZES = { wide: { width: 1180, height: 760 }, narrow: { width: 860, height: 600 } };

let browser: Browser;
const open: { computers: Computer[]; windows: Window[] } = { computers: [], windows: [] };

/** Registers the browser and the tidying up for a file of tests. */
export function eachTest(): void {
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: process.env.PLIMSOLL_CHROMIUM ?? "/usr/bin/chromium",
      args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--font-render-hinting=none"],
    });
  });
  afterEach(async ({ task }) => {
    const problems: string[] = [];
    if (task.result?.state === "fail") await keepPicture(task.name);
    for (const window of open.windows.splice(0)) {
      problems.push(...window.problems);
      await window.page.context().close();
    }
    for (const computer of open.computers.splice(0)) computer.dispose();
    expect(problems, "what the window did unseen").toEqual([]);
  });
  afterAll(async () => {
    await browser.close();
  });
}

/** Keeps what a failed test saw last, for whoever looks into it. */
async function keepPicture(name: string): Promise<void> {
  const folder = join(tmpdir(), "plimsoll-window-failures");
  mkdirSync(folder, { recursive: true });
  for (const window of open.windows) {
    const path = join(folder, name.replaceAll(/[^\w]+/g, "-").slice(0, 80));
    await window.page.screenshot({ path: `${path}.png` }).catch(() => undefined);
    const text = await window.page.locator("body").ariaSnapshot({ timeout: 2_000 }).catch(() => "");
    writeFileSync(`${path}.txt`, `${window.problems.join("\n")}\n${text}\n`);
    console.log(`seen last: ${path}.png, ${path}.txt`);
  }
}

/** A new scratch computer, removed after the test. */
export function computer(): Computer {
  const made = new Computer();
  open.computers.push(made);
  return made;
}

export interface Wanted {
  theme?: Theme;
  size?: { width: number; height: number };
  /** The screen to begin with: `knowledge?q=effect`. */
  screen?: string;
  /** Not served yet: the host to use. */
  host?: Host;
  locale?: string;
  context?: BrowserContextOptions;
}

export class Window {
  readonly page: Page;
  readonly host: Host;
  /** Found by the watch; emptied by a test that means them to be there. */
  problems: string[] = [];
  /** Every address that the page requested. */
  readonly requested: string[] = [];

  constructor(page: Page, host: Host) {
    this.page = page;
    this.host = host;
    const origin = new URL(host.url).origin;
    page.on("console", (message) => {
      // A command that fails is answered with a status of its own; the browser notes that as an error.
      if (message.type() !== "error" || /\/call\/\w+$/.test(message.location().url)) return;
      this.problems.push(`console: ${message.text()}`);
    });
    page.on("pageerror", (error) => this.problems.push(`error: ${error.stack ?? error.message}`));
    page.on("dialog", (dialog) => {
      this.problems.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("request", (request) => {
      this.requested.push(request.url());
      if (new URL(request.url()).origin !== origin && !request.url().startsWith("data:")) this.problems.push(`request: ${request.url()}`);
    });
  }

  heading(name: string | RegExp): Locator {
    return this.page.getByRole("heading", { level: 1, name });
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole("button", { name });
  }

  /** A double click that is as slow as one may be: `between` waits for what the first click did, and the second one is on what has come
   *  into that place, `then`. */
  async twice(button: Locator, between: () => Promise<unknown>, then = button): Promise<void> {
    for (const [one, clickCount] of [[button, 1], [then, 2]] as const) {
      await one.scrollIntoViewIfNeeded();
      const box = await one.boundingBox();
      if (box === null) throw new Error("there is nothing to click on");
      await this.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await this.page.mouse.down({ clickCount });
      await this.page.mouse.up({ clickCount });
      if (clickCount === 1) await between();
    }
    await this.settled();
  }

  /** How often this command was called. */
  calls(command: string): number {
    return this.requested.filter((url) => url.endsWith(`/call/${command}`)).length;
  }

  async go(screen: string): Promise<void> {
    await this.page.evaluate((to) => (location.hash = `#/${to}`), screen);
  }

  /** Violations of the accessibility rules, as lines that say what to mend. */
  async violations(): Promise<string[]> {
    await this.settled();
    await this.page.evaluate(axeCore.source);
    const found = await this.page.evaluate(async () => {
      const axe = (globalThis as unknown as { axe: { run(root: Document, options: object): Promise<{ violations: { id: string; help: string; nodes: { target: unknown[]; failureSummary?: string }[] }[] }> } }).axe;
      return (await axe.run(document, { resultTypes: ["violations"] })).violations;
    });
    return found.flatMap((rule) => rule.nodes.map((node) => `${rule.id} (${rule.help}) at ${node.target.join(" ")}: ${(node.failureSummary ?? "").split("\n").slice(1).join("; ").trim()}`));
  }

  /** Waits until nothing moves or loads. */
  async settled(): Promise<void> {
    await this.page.waitForFunction(() => !document.querySelector("[aria-busy=true], .skeleton") && document.getAnimations().every((one) => one.playState !== "running"));
  }

  /** What a screen reader gets, without what differs between two runs. */
  async aria(of: Locator = this.page.locator("body")): Promise<string> {
    await this.settled();
    const text = await of.ariaSnapshot();
    return `${text
      .replaceAll(/127\.0\.0\.1:\d+/g, "HOST")
      .replaceAll(/\b\d+([.,]\d+)? (ms|s)\b/g, "N ms")
      .replaceAll(/\/tmp\/plimsoll-window-\w+/g, "/tmp/SCRATCH")
      .replaceAll(/\b(\d+ (seconds?|minutes?) ago|now|just now|this minute)\b/g, "a moment ago")
      .replaceAll(/\b\d{1,2}:\d{2}(:\d{2})?\b/g, "HH:MM")
      // Text stored just now has today's date.
      .replaceAll(/\b[A-Z][a-z]+day, \d{1,2} [A-Z][a-z]+ \d{4}\b/g, "WEEKDAY, DAY MONTH YEAR")
      .replaceAll(/(\w+)-[0-9a-f]{16}\b/g, "$1-HASH")
      .replaceAll(/\b\d+\.\d+\.\d+\b/g, "VERSION")}\n`;
  }
}

/** Opens the window of a computer and waits for its first screen. */
export async function show(computer: Computer, wanted: Wanted = {}): Promise<Window> {
  const host = wanted.host ?? (await computer.serve());
  const context = await browser.newContext({
    viewport: wanted.size ?? SIZES.wide,
    colorScheme: wanted.theme ?? "light",
    locale: wanted.locale ?? "en-GB",
    timezoneId: "UTC",
    reducedMotion: "reduce",
    ...wanted.context,
  });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const window = new Window(page, host);
  open.windows.push(window);
  await page.goto(wanted.screen === undefined ? host.url : `${host.url}&${wanted.screen}`);
  await page.locator("h1").first().waitFor();
  return window;
}

/** Reloads the page as the desktop would: behind its bridge instead of HTTP. What the desktop sends to the page comes
 *  with the function that is given back. */
export async function asDesktop(window: Window): Promise<(event: string, payload: unknown) => Promise<void>> {
  const { page, host } = window;
  await page.addInitScript((token: string) => {
    const listeners: Record<string, number[]> = {};
    const calls: ((message: unknown) => void)[] = [];
    const bridge = {
      metadata: { currentWindow: { label: "main" }, currentWebview: { label: "main", windowLabel: "main" } },
      transformCallback: (call: (message: unknown) => void) => calls.push(call) - 1,
      unregisterCallback: () => undefined,
      async invoke(command: string, given: { name?: string; args?: unknown; event?: string; handler?: number }) {
        if (command === "plugin:event|listen") return (listeners[given.event ?? ""] ??= []).push(given.handler ?? 0);
        if (command !== "call") return undefined;
        const answer = await fetch(`${location.origin}/call/${given.name}`, {
          method: "POST",
          headers: { "content-type": "application/json", "x-plimsoll-token": token },
          body: JSON.stringify(given.args),
        });
        const body: unknown = await answer.json();
        if (!answer.ok) throw body;
        return body;
      },
    };
    Object.assign(globalThis, {
      __TAURI_INTERNALS__: bridge,
      __TAURI_EVENT_PLUGIN_INTERNALS__: { unregisterListener: () => undefined },
      tell: (event: string, payload: unknown) => listeners[event]?.forEach((handler) => calls[handler]?.({ event, id: 0, payload })),
    });
  }, decodeURIComponent(/token=([^&]*)/.exec(host.url)?.[1] ?? ""));
  await page.reload();
  await page.locator("h1").first().waitFor();
  return (event, payload) =>
    page.evaluate(([name, what]) => (globalThis as unknown as { tell(event: string, payload: unknown): void }).tell(name, what), [event, payload] as const);
}

/** Takes a snapshot of the computer's files and returns later what changed. */
export function watchFiles(of: Computer): () => string[] {
  const before = of.tree();
  return () => {
    const after = of.tree();
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => before[name] !== after[name]).sort();
  };
}

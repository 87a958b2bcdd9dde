// A scratch computer for one test: a home folder with agents in it, a project, the real sidecar, and the test host that
// serves the window. Owns processes and files; doesn't know what the window shows.
import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

const target = process.env.CARGO_TARGET_DIR ?? join(homedir(), ".cache/plimsoll-dev/target");
const repo = join(import.meta.dirname, "../../..");

/** The tested builds, made before by `cargo xtask test` or by hand. */
export const built = {
  page: process.env.PLIMSOLL_PAGE ?? join(repo, "ui/dist"),
  host: process.env.PLIMSOLL_WEBHOST ?? join(target, "debug/plimsoll-webhost"),
  sidecar: process.env.PLIMSOLL_SIDECAR ?? join(target, "debug/plimsoll"),
  seed: process.env.PLIMSOLL_SEED ?? join(target, "debug/examples/seed"),
};

for (const [what, path] of Object.entries(built)) {
  if (!existsSync(path)) throw new Error(`${what} is not built: ${path}`);
}

/** Every file below a folder: what it is and a hash of its bytes. */
export type Tree = Record<string, string>;

export function tree(root: string): Tree {
  const found: Tree = {};
  const look = (folder: string): void => {
    for (const name of readdirSync(folder).sort()) {
      const path = join(folder, name);
      const meta = lstatSync(path);
      const key = relative(root, path);
      if (meta.isSymbolicLink()) found[key] = `-> ${readlinkSync(path)}`;
      else if (meta.isDirectory()) look(path);
      else found[key] = `${(meta.mode & 0o777).toString(8)} ${createHash("sha256").update(readFileSync(path)).digest("hex").slice(0, 16)}`;
    }
  };
  if (existsSync(root)) look(root);
  return found;
}

export interface Host {
  /** The window's address, with its token. */
  url: string;
  /** Ends the host, as a crash would. */
  stop(): Promise<void>;
}

export class Computer {
  readonly root: string;
  readonly home: string;
  readonly project: string;
  /** Where the host reads what dialogs answer and writes what was opened. */
  readonly asked: string;
  readonly #children: ChildProcess[] = [];

  /** `home` is where the home folder is made, for pictures that show its paths; by default below the scratch folder. */
  constructor(home?: string) {
    this.root = mkdtempSync(join(tmpdir(), "plimsoll-window-"));
    this.home = home ?? join(this.root, "home");
    this.project = join(this.home, "work/shop");
    this.asked = join(this.root, "asked");
    for (const folder of [this.project, this.asked, join(this.root, "tmp"), join(this.home, ".local/bin")]) mkdirSync(folder, { recursive: true });
    this.write("work/shop/README.md", "# Shop\n\nA small shop.\n");
    mkdirSync(join(this.project, ".git"));
    writeFileSync(join(this.project, ".git/HEAD"), "ref: refs/heads/main\n");
  }

  /** The Plimsoll folder. */
  get own(): string {
    return join(this.home, ".plimsoll");
  }

  environment(more: Record<string, string> = {}): Record<string, string> {
    return {
      HOME: this.home,
      USER: "ana",
      LOGNAME: "ana",
      SHELL: "/bin/sh",
      LANG: "en_GB.UTF-8",
      TZ: "UTC",
      TMPDIR: join(this.root, "tmp"),
      PATH: `${join(this.home, ".local/bin")}:/usr/bin:/bin`,
      PLIMSOLL_WEBHOST_DIR: this.asked,
      PLIMSOLL_SIDECAR: built.sidecar,
      ...more,
    };
  }

  path(name: string): string {
    return join(this.home, name);
  }

  /** Writes a file below the home. */
  write(name: string, text: string | Buffer, mode = 0o644): string {
    const path = this.path(name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode });
    return path;
  }

  read(name: string): string {
    return readFileSync(this.path(name), "utf8");
  }

  /** What the next dialog of the system gives, or what the tray or a link asks for. */
  answer(what: "pick" | "screen" | "link" | "crash", text: string): void {
    writeFileSync(join(this.asked, what), text);
  }

  /** Folders and pages that were opened beside the window. */
  opened(): string[] {
    const path = join(this.asked, "opened");
    return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
  }

  /** Every file of the home. */
  tree(): Tree {
    return tree(this.home);
  }

  /** The sidecar as a user or another program would run it; returns what it printed. */
  plimsoll(args: string[], options: { cwd?: string; input?: string } = {}): string {
    return execFileSync(built.sidecar, args, {
      cwd: options.cwd ?? this.project,
      env: this.environment(),
      encoding: "utf8",
      input: options.input ?? "",
      stdio: ["pipe", "pipe", "pipe"],
      timeout: 60_000,
    });
  }

  /** The same for a command that may take minutes: the test's process answers its runner meanwhile. */
  async atLength(args: string[], timeout: number): Promise<void> {
    const running = promisify(execFile)(built.sidecar, args, { cwd: this.project, env: this.environment(), timeout });
    running.child.stdin?.end();
    await running;
  }

  /** The command line's search results in a project; empty when nothing is stored there. */
  search(words: string, cwd = this.project): string {
    try {
      return this.plimsoll(["search", words], { cwd });
    } catch (error) {
      return String((error as { stdout?: string }).stdout ?? "");
    }
  }

  /** One hook event as an agent sends it. */
  hook(agent: string, event: string, payload: object): string {
    return this.plimsoll(["hook", agent, event], { input: JSON.stringify(payload) });
  }

  /** One tool call as Claude Code makes it, through a server of its own; gives the text of the answer. */
  async tool(name: string, args: object, agent = "claude-code", cwd = this.project): Promise<string> {
    const child = spawn(built.sidecar, ["mcp", "--agent", agent], { cwd, env: this.environment(), stdio: ["pipe", "pipe", "ignore"] });
    this.#children.push(child);
    const ended = new Promise((resolve) => child.once("exit", resolve));
    const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    const lines = createInterface({ input: child.stdout });
    const answer = (id: number): Promise<{ content?: { text: string }[] }> =>
      new Promise((resolve, reject) => {
        child.once("exit", () => reject(new Error(`the sidecar ended before it answered ${name}`)));
        lines.on("line", (line) => {
          const message = JSON.parse(line) as { id?: number; result?: { content?: { text: string }[] }; error?: { message: string } };
          if (message.id !== id) return;
          if (message.error) reject(new Error(message.error.message));
          else resolve(message.result ?? {});
        });
      });
    send({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "claude-code", version: "2.1.197" } } });
    await answer(1);
    send({ method: "notifications/initialized" });
    send({ id: 2, method: "tools/call", params: { name, arguments: args } });
    const reply = await answer(2);
    child.stdin.end();
    await ended;
    return (reply.content ?? []).map((part) => part.text).join("\n");
  }

  /** Fills the home with figures and sources, the same ones each time. */
  seed(args: Record<string, string | number>, projects = [this.project]): void {
    const words = projects.flatMap((project) => ["--project", project]);
    for (const [name, value] of Object.entries(args)) words.push(`--${name}`, String(value));
    execFileSync(built.seed, words, { env: this.environment(), stdio: ["ignore", "ignore", "inherit"], timeout: 170_000 });
  }

  /** Takes over another computer's Plimsoll folder, whose project must have had the same path. */
  copyOwn(from: string): void {
    cpSync(from, this.own, { recursive: true });
  }

  /** Starts the host. */
  async serve(more: Record<string, string> = {}): Promise<Host> {
    const child = spawn(built.host, [built.page], { cwd: this.home, env: this.environment(more), stdio: ["ignore", "pipe", "pipe"] });
    this.#children.push(child);
    const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    let complaint = "";
    child.stderr.on("data", (part: Buffer) => (complaint += part.toString()));
    const url = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).once("line", resolve);
      child.once("exit", (code) => reject(new Error(`the host ended with ${code}: ${complaint}`)));
    });
    return {
      url,
      async stop() {
        child.kill("SIGKILL");
        await ended;
      },
    };
  }

  /** Ends the started processes and removes all files. */
  dispose(): void {
    for (const child of this.#children) if (child.exitCode === null) child.kill("SIGKILL");
    if (process.env.PLIMSOLL_KEEP) console.log(`kept: ${this.root}`);
    else for (const folder of [this.home, this.root]) rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

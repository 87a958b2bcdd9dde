// What the window needs from its host. Knows no toolkit and no transport.
import type { Commands, Fault, Sentence } from "../contract";
import { unkeyed } from "../i18n/messages";

/** The name of a command. */
export type CommandName = keyof Commands;
/** The arguments of a command. */
export type Args<K extends CommandName> = Commands[K]["args"];
/** What a command answers. */
export type Reply<K extends CommandName> = Commands[K]["reply"];

/** Removes the listener. */
export type Unlisten = () => void;

/** Files that are dragged over the window and dropped on it. */
export interface DropListener {
  /** Files are over the window, or have left it. */
  over(inside: boolean): void;
  /** They were dropped: their full paths. */
  drop(paths: string[]): void;
}

/** The desktop around the page, or its terminal in a browser. */
export interface Platform {
  /** Carries out a command; rejects with a {@link CallError}. */
  call<K extends CommandName>(name: K, args: Args<K>): Promise<Reply<K>>;
  /** The tray or a link asks for a screen: `knowledge?q=effect`. */
  onNavigate(listener: (path: string) => void): Unlisten;
  /** A database or the settings were written by another process; told as soon as the page can be seen. */
  onChanged(listener: () => void): Unlisten;
  /** Files dropped on the window; never called in a browser, which does not tell paths. */
  onDrop(listener: DropListener): Unlisten;
  /** The window's title. */
  setTitle(title: string): void;
  /** Draws the page larger or smaller; 1 is its own size. */
  setZoom(factor: number): Promise<void>;
  /** Reloads the page. */
  reload(): void;
}

/** A command that was not carried out. What it says names the thing and the way out. */
export class CallError extends Error {
  /** What the window may branch on: `storage`, `not_found` …; `unreachable` without any answer. */
  readonly code: string;
  /** The program's own sentence; `message` is its English. */
  readonly sentence: Sentence;

  /** The database's fault, if the error is about one. */
  readonly fault: Fault | null;

  constructor(code: string, told: string | Sentence, fault: Fault | null = null) {
    const sentence = typeof told === "string" ? unkeyed(told) : told;
    super(sentence.text);
    this.name = "CallError";
    this.code = code;
    this.sentence = sentence;
    this.fault = fault;
  }
}

const FAULTS: readonly unknown[] = ["newer", "damaged", "full", "busy"] satisfies Fault[];

function isFault(value: unknown): value is Fault {
  return FAULTS.includes(value);
}

function isSentence(value: unknown): value is Sentence {
  return typeof value === "object" && value !== null && "text" in value && "params" in value;
}

/** Whatever was thrown, as a {@link CallError}. */
export function asCallError(reason: unknown): CallError {
  if (reason instanceof CallError) return reason;
  if (typeof reason === "object" && reason !== null && "code" in reason && "message" in reason) {
    const { code, message, fault } = reason as { code: unknown; message: unknown; fault?: unknown };
    return new CallError(String(code), isSentence(message) ? message : String(message), isFault(fault) ? fault : null);
  }
  return new CallError("internal", reason instanceof Error ? reason.message : String(reason));
}

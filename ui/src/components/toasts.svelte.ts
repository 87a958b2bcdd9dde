// Messages about actions just done, with a way to undo them. A live region reads each out; they stay while the pointer is on
// them.
import { untrack } from "svelte";
import { foreign, plainMessage, t } from "../i18n/index.svelte";
import { asCallError, CallError } from "../platform";
import { headingOf } from "./errors";

export interface Toast {
  id: number;
  text: string;
  /** The program's own English below it. */
  english?: string | undefined;
  tone: "plain" | "red";
  action?: { label: string; run: () => void } | undefined;
}

let shown = $state.raw<Toast[]>([]);
let next = 1;

export const toasts = {
  get list(): Toast[] {
    return shown;
  },
};

/** Shows a sentence; gives its number. With an action (undo) it stays longer; the next three close it. */
export function toast(text: string, options: { tone?: Toast["tone"]; action?: Toast["action"]; english?: string } = {}): number {
  const id = next++;
  shown = [...shown, { id, text, english: options.english, tone: options.tone ?? "plain", action: options.action }].slice(-3);
  return id;
}

/** Shows what went wrong. Where the program says it in English only, what happened is above it in the user's
    language; `title` says it better than the error's code where it is known what was wanted. */
export function toastError(reason: unknown, title?: string): void {
  const error = asCallError(reason);
  const text = plainMessage(error.sentence);
  if (title === undefined && !foreign(error.sentence)) toast(text, { tone: "red" });
  else toast(title ?? headingOf(error), { tone: "red", english: text });
}

/** Shows why nothing was copied: the system refused, or Plimsoll couldn't make the text; `title` is for the latter. */
export function toastNotCopied(reason: unknown, title?: string): void {
  toastError(reason, reason instanceof CallError ? title : t("copy.failed"));
}

export function dismiss(id: number): void {
  shown = shown.filter((one) => one.id !== id);
}

let announced = $state("");

/** What the screen's live region says. */
export const voice = {
  get text(): string {
    return announced;
  },
};

/** Says something to screen readers only: "7 results". */
export function say(text: string): void {
  // The same sentence twice is read twice only if it differs.
  announced = untrack(() => announced) === text ? `${text}\u00a0` : text;
}

// What was just done, with a way back. A live region reads each out; they stay while the pointer is on them.
import { untrack } from "svelte";

export interface Toast {
  id: number;
  text: string;
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

/** Shows a sentence. With an action (undo) it stays until it is used or closed by the next three. */
export function toast(text: string, options: { tone?: Toast["tone"]; action?: Toast["action"] } = {}): void {
  shown = [...shown, { id: next++, text, tone: options.tone ?? "plain", action: options.action }].slice(-3);
}

export function dismiss(id: number): void {
  shown = shown.filter((one) => one.id !== id);
}

let said = $state("");

/** What the screen's live region says. */
export const voice = {
  get text(): string {
    return said;
  },
};

/** Says something to screen readers only: "7 results". */
export function say(text: string): void {
  // The same sentence twice is read twice only if it differs.
  said = untrack(() => said) === text ? `${text}\u00a0` : text;
}

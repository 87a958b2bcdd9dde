// The seam to the desktop. Everything else in the window calls these functions and knows no toolkit.
import { browser } from "./browser";
import type { Args, CommandName, DropListener, Platform, Reply, Unlisten } from "./types";

export { asCallError, CallError } from "./types";
export type { Args, CommandName, DropListener, Reply, Unlisten } from "./types";

let chosen: Platform | undefined;

/** Finds out what the page runs in. Called once, before anything else. What a browser needs is small and is there at once. */
export async function choosePlatform(): Promise<void> {
  chosen = "__TAURI_INTERNALS__" in window ? (await import("./tauri")).desktop() : browser();
}

function platform(): Platform {
  if (!chosen) throw new Error("the platform is chosen before the page is drawn");
  return chosen;
}

/** Carries out a command; rejects with a `CallError`. */
export function call<K extends CommandName>(name: K, args: Args<K>): Promise<Reply<K>> {
  return platform().call(name, args);
}

/** The tray or a link asks for a screen. */
export const onNavigate = (listener: (path: string) => void): Unlisten => platform().onNavigate(listener);
/** A database or the settings were written by another process. */
export const onChanged = (listener: () => void): Unlisten => platform().onChanged(listener);
/** Files dropped on the window. */
export const onDrop = (listener: DropListener): Unlisten => platform().onDrop(listener);
/** The window's title. */
export const setTitle = (title: string): void => platform().setTitle(title);
/** Draws the page larger or smaller; 1 is its own size. */
export const setZoom = (factor: number): Promise<void> => platform().setZoom(factor);
/** Reloads the page. */
export const reload = (): void => (chosen ? chosen.reload() : location.reload());

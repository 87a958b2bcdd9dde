// Where the screens' code is: a piece for each, loaded when it is shown.
import type { Component } from "svelte";
import type { Route } from "./route";

export type ScreenComponent = Component<{ route: Route }>;
const modules = import.meta.glob<{ default: ScreenComponent }>("../features/*/Screen.svelte");

/** Loads a screen; the second time it is there at once. Rejects when this version has none of that name. */
export async function loadScreen(name: string): Promise<ScreenComponent> {
  const load = modules[`../features/${name}/Screen.svelte`];
  if (!load) throw new Error(name);
  return (await load()).default;
}

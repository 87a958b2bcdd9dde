// A knowledge base with three documents, and locators for its parts on the screen.
import type { Computer } from "./computer";
import { computer, type Window } from "./window";

const LOADLINE = `# Load lines

## Why they exist

A load line shows how deep a ship may lie in the water before she is in danger.

## Kinds

| mark | water |
|---|---|
| TF | tropical fresh |
| WNA | winter, North Atlantic |

1. Read the mark.
2. Compare it with the water.

> Never above the line.
`;

export function stocked(): Computer {
  const at = computer();
  at.write("work/shop/docs/loadline.md", LOADLINE);
  at.write("work/shop/docs/retry.md", "# Retries\n\nA request is tried again only when nothing was written before it failed.\n");
  at.write("work/shop/src/queue.rs", "/// Drains the queue before the process ends.\npub fn drain(queue: &mut Queue) -> usize {\n    queue.items.drain(..).count()\n}\n");
  for (const path of ["docs/loadline.md", "docs/retry.md", "src/queue.rs"]) at.plimsoll(["index", path]);
  return at;
}

export const field = (window: Window) => window.page.getByRole("combobox", { name: "Search knowledge" });
export const hits = (window: Window) => window.page.getByRole("listbox", { name: "Results" }).getByRole("option");
export const grid = (window: Window) => window.page.getByRole("grid", { name: "Sources" });
export const sources = async (window: Window): Promise<number> => Number(await grid(window).getAttribute("aria-rowcount")) - 1;

// A computer with memories, and locators for their parts on the screen.
import { expect } from "vitest";
import type { Computer } from "./computer";
import { computer, type Window } from "./window";

/** A computer with this many memories in one project. */
export function remembering(memories = 60): Computer {
  const at = computer();
  at.seed({ memories, calls: 6, days: 1 });
  return at;
}

export const rows = (window: Window) => window.page.getByRole("listbox", { name: "Memories" }).getByRole("option");
export const queue = (window: Window) => window.page.getByRole("listbox", { name: "Review" });
export const reader = (window: Window) => window.page.getByRole("region", { name: "Memory" });
export const field = (window: Window) => window.page.getByRole("combobox", { name: "Search memories" });

export const sources = (window: Window) => window.page.getByRole("list", { name: "What can be imported" }).getByRole("listitem");

/** A user's files before Plimsoll: rules for agents, and an export that was cut off. */
export function mine(at: Computer): void {
  at.write(".claude/CLAUDE.md", "# Rules\n\n- Answer in short sentences\n- Use pnpm, never npm\n- Ask before you force-push\n");
  at.write("work/shop/AGENTS.md", "# Shop\n\n- Prices are in cents everywhere\n- <b>Never</b> trust a discount from the page\n");
  at.write("subcog-export.json", "{ cut");
}

export async function good(window: Window): Promise<void> {
  expect(await window.violations()).toEqual([]);
  const over = await window.page.evaluate(() => {
    const main = document.querySelector("main") as HTMLElement;
    return [document.documentElement.scrollWidth - innerWidth, main.scrollWidth - main.clientWidth];
  });
  expect(over, "nothing is wider than the window").toEqual([0, 0]);
}

// What can be copied as text: the review packet and the graph of memories; and the message where copying isn't possible.
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import type { Computer } from "./computer";
import { remembering } from "./remembering";
import { computer, eachTest, show, type Window } from "./window";

eachTest();

const CLIPBOARD = { permissions: ["clipboard-read", "clipboard-write"] };
const copied = (window: Window): Promise<string> => window.page.evaluate(() => navigator.clipboard.readText());

/** A project whose code is known, with a change that isn't committed yet. */
function changed(git = true): Computer {
  const at = computer();
  at.write(".plimsoll/settings.toml", "[codebase]\nenabled = true\n", 0o600);
  rmSync(at.path("work/shop/.git"), { recursive: true });
  at.write("work/shop/src/fee.ts", "export function fee(total: number): number {\n  return total / 100;\n}\n");
  at.write("work/shop/src/bill.ts", 'import { fee } from "./fee";\n\nexport const bill = (total: number): number => total + fee(total);\n');
  if (git) {
    execFileSync("git", ["init", "-q", "-b", "main"], { cwd: at.project });
    execFileSync("git", ["add", "."], { cwd: at.project });
    execFileSync("git", ["-c", "user.name=Ana", "-c", "user.email=ana@example.org", "commit", "-qm", "A shop"], { cwd: at.project });
    at.write("work/shop/src/fee.ts", "export function fee(total: number): number {\n  return total / 50;\n}\n");
  }
  at.seed({ calls: 3, days: 1 });
  at.plimsoll(["code", "reindex"]);
  return at;
}

/** As somebody does who opens the palette for it. */
async function review(window: Window): Promise<void> {
  await window.page.getByText("Ask where something is").waitFor();
  await window.page.keyboard.press("Control+k");
  await window.page.keyboard.type("review packet");
  await window.page.getByRole("option", { name: /Copy a review packet/ }).first().click();
}

test("the review packet of what changed is copied, with what changed and who uses it", async () => {
  const window = await show(changed(), { screen: "code", context: CLIPBOARD });
  await review(window);
  await window.page.getByText(/^Review packet copied, about \d+ tokens$/).first().waitFor({ timeout: 30_000 });
  const text = await copied(window);
  expect(text).toContain("src/fee.ts");
  expect(text).toContain("src/bill.ts");
});

test("without git there is no packet, and the message says so instead of blaming the clipboard", async () => {
  const window = await show(changed(false), { screen: "code", context: CLIPBOARD });
  await review(window);
  await window.page.locator(".toast").getByText("Can’t make the review packet").waitFor({ timeout: 30_000 });
});

test("the graph of memories is copied as Mermaid", async () => {
  const window = await show(remembering(), { screen: "memory/graph", context: CLIPBOARD });
  await window.button("Copy as Mermaid").click();
  await window.page.getByText("Copied as Mermaid").first().waitFor();
  expect(await copied(window)).toMatch(/^(graph|flowchart) /m);
});

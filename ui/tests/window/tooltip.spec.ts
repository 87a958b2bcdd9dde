// Tooltips: when they come and go, and that they leave the keyboard to the dialog.
import { expect, test } from "vitest";
import { install } from "./agents";
import { computer, eachTest, show } from "./window";

eachTest();

test("Tab goes round in a dialog, also while the last button's tooltip is shown", async () => {
  const at = computer();
  install.claude(at);
  at.plimsoll(["connect", "claude-code", "--yes"]);
  at.seed({ sources: 5, calls: 5, days: 1 });
  const window = await show(at, { screen: "agents" });
  for (const [screen, opens, does] of [["agents", "Disconnect…", "Disconnect"], ["knowledge", "Purge…", "Move to the trash"]] as const) {
    await window.go(screen);
    await window.button(opens).first().click();
    const dialog = window.page.getByRole("dialog");
    const last = dialog.getByRole("button", { name: does, exact: true });
    await expect.poll(() => last.isEnabled()).toBe(true);
    const there = (): Promise<boolean> => last.evaluate((one) => one === document.activeElement);
    for (let press = 0; press < 12 && !(await there()); press += 1) await window.page.keyboard.press("Tab");
    await window.page.locator(".tip").waitFor();
    expect(await there()).toBe(true);
    const places: string[] = [];
    const place = (): Promise<string> => window.page.evaluate(() => {
      const all = [...(document.querySelector("[role=dialog]")?.querySelectorAll("*") ?? [])];
      return String(all.indexOf(document.activeElement as Element));
    });
    const end = await place();
    do {
      await window.page.keyboard.press("Tab");
      places.push(await place());
    } while (places.length < 30 && places.at(-1) !== end);
    expect(places, `${screen}: it never leaves`).not.toContain("-1");
    expect(places.length, `${screen}: each control once`).toBe(new Set(places).size);
    expect(places.length, `${screen}: more than the two buttons`).toBeGreaterThan(2);
    // The first closes the tooltip alone.
    await window.page.locator(".tip").waitFor();
    await window.page.keyboard.press("Escape");
    await window.page.locator(".tip").waitFor({ state: "detached" });
    expect(await dialog.count(), `${screen}: Escape dismisses the tooltip first`).toBe(1);
    await window.page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  }
});

test("a tooltip comes on hover and on keyboard focus, describes its control, stays in the window, and goes", async () => {
  const at = computer();
  at.seed({ sources: 5, calls: 5, days: 1 });
  const window = await show(at, { screen: "knowledge" });
  const trash = window.button(/^Trash/).first();
  const tip = window.page.getByRole("tooltip");
  await trash.hover();
  await tip.waitFor();
  expect(await tip.innerText()).toContain("plimsoll restore");
  expect(await trash.getAttribute("aria-describedby")).toBe(await tip.getAttribute("id"));
  const box = await tip.boundingBox();
  expect(box !== null && box.x >= 0 && box.x + box.width <= 1180 && box.y + box.height <= 760, JSON.stringify(box)).toBe(true);
  expect(await window.violations()).toEqual([]);
  await window.page.mouse.move(500, 700);
  await tip.waitFor({ state: "detached" });
  expect(await trash.getAttribute("aria-describedby")).toBeNull();
  await window.button("Purge…").focus();
  await window.page.keyboard.press("Tab");
  await tip.waitFor();
  await window.page.keyboard.press("Escape");
  await tip.waitFor({ state: "detached" });
  expect(await trash.evaluate((one) => one === document.activeElement), "the focus stays").toBe(true);
  const back = async (): Promise<void> => {
    await window.page.keyboard.press("Shift+Tab");
    await window.page.keyboard.press("Tab");
    await expect.poll(() => tip.allInnerTexts()).toEqual([expect.stringContaining("plimsoll restore")]);
  };
  await back();
  await trash.hover();
  await window.page.waitForTimeout(100);
  expect(await tip.count(), "the pointer doesn't take away what the focus shows").toBe(1);
  await window.page.mouse.move(500, 700);
  await tip.waitFor({ state: "detached" });
  // One at a time: that of the focus goes where the pointer asks for another.
  await back();
  await window.button("Purge…").hover();
  await expect.poll(() => tip.allInnerTexts()).toEqual([expect.stringContaining("plimsoll purge")]);
  await window.page.mouse.move(500, 700);
  await tip.waitFor({ state: "detached" });
});

test("a tooltip stays while the pointer goes to it and rests on it, and what it covers shows none", async () => {
  const at = computer();
  at.seed({ sources: 5, calls: 5, days: 1 });
  const window = await show(at, { screen: "knowledge" });
  const trash = window.button(/^Trash/).first();
  const tip = window.page.getByRole("tooltip");
  const rests = async (): Promise<void> => {
    const box = await tip.boundingBox();
    if (box === null) throw new Error("it has no place");
    // In one step: how long the way takes must not depend on the computer.
    await window.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    // Longer than the way there may take, and than any other one waits.
    await window.page.waitForTimeout(700);
    expect(await tip.allInnerTexts()).toEqual([expect.stringContaining("plimsoll restore")]);
    await window.page.mouse.move(500, 700);
    await tip.waitFor({ state: "detached" });
  };
  await trash.hover();
  await tip.waitFor();
  await rests();
  // The same where the focus has shown it.
  await window.button("Purge…").focus();
  await window.page.keyboard.press("Tab");
  await tip.waitFor();
  await trash.hover();
  await rests();
});

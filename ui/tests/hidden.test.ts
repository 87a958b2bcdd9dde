// A hidden page is notified of changes once, when it becomes visible again.
import { expect, it, vi } from "vitest";
import { whileVisible } from "../src/platform/hidden";

it("tells at once while it's seen, and once what was missed", () => {
  const page = Object.assign(new EventTarget(), { visibilityState: "visible" });
  vi.stubGlobal("document", page);
  const turn = (to: "visible" | "hidden"): void => {
    page.visibilityState = to;
    page.dispatchEvent(new Event("visibilitychange"));
  };
  let told = 0;
  const one = whileVisible(() => (told += 1));
  one.tell();
  one.tell();
  expect(told).toBe(2);
  turn("hidden");
  for (let times = 0; times < 5; times += 1) one.tell();
  expect(told, "nothing while it's hidden").toBe(2);
  turn("visible");
  expect(told).toBe(3);
  turn("hidden");
  turn("visible");
  expect(told, "nothing was missed").toBe(3);
  turn("hidden");
  one.tell();
  one.end();
  turn("visible");
  expect(told, "nobody listens").toBe(3);
});

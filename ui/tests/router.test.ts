// A window that asks before it is left, and the address after each step.
import { beforeEach, describe, expect, it, vi } from "vitest";

const heard: (() => void)[] = [];
const address = { hash: "#/home" };
const pushed: string[] = [];
vi.stubGlobal("location", address);
vi.stubGlobal("addEventListener", (_: string, listener: () => void) => heard.push(listener));
vi.stubGlobal("history", {
  replaceState: (_: unknown, __: string, to: string) => (address.hash = to),
  pushState: (_: unknown, __: string, to: string) => (pushed.push(to), (address.hash = to)),
});

const { addressed, go, hold, mayLeave, router, startRouter } = await import("../src/shell/router.svelte");
startRouter();
/** The browser reports a new address. */
const tell = () => heard.forEach((listener) => listener());

beforeEach(() => {
  pushed.length = 0;
  address.hash = "#/setup";
  tell();
});

describe("A window that is held", () => {
  it("is not led away, until whoever holds it lets it go", () => {
    let on: (() => void) | undefined;
    let free = false;
    const release = hold((_, further) => {
      on = further;
      return free;
    });
    go("knowledge?q=x");
    go({ screen: "home" }, true);
    expect(address.hash).toBe("#/setup");
    go("knowledge?q=x");
    free = true;
    on?.();
    expect(address.hash).toBe("#/knowledge?q=x");
    tell();
    expect(router.route.screen).toBe("knowledge");
    release();
  });

  it("stays when somebody goes back, with its own address", () => {
    const release = hold((to) => to?.screen === "setup");
    address.hash = "#/home";
    tell();
    expect(router.route.screen).toBe("setup");
    expect(pushed).toEqual(["#/setup"]);
    release();
    address.hash = "#/home";
    tell();
    expect(router.route.screen).toBe("home");
  });

  it("is held by each of several, and asked for closing too", () => {
    const first = hold(() => true);
    const second = hold((to) => to !== undefined);
    expect(mayLeave(undefined, () => {})).toBe(false);
    second();
    expect(mayLeave(undefined, () => {})).toBe(true);
    first();
  });
});

describe("The address", () => {
  it("says where a step leads before the browser has told of it", () => {
    address.hash = "#/home";
    tell();
    go("settings/doctor");
    expect(router.route.screen).toBe("home");
    expect(addressed()).toMatchObject({ screen: "settings", rest: ["doctor"] });
    tell();
    expect(router.route).toMatchObject({ screen: "settings", rest: ["doctor"] });
  });
});

// Addresses of screens, parsed and written, and how the palette ranks its rows.
import { describe, expect, it } from "vitest";
import { rank } from "../src/shell/match";
import german from "../src/i18n/de.json";
import english from "../src/i18n/en.json";
import { nameKey, parseRoute, routePath, SCREENS } from "../src/shell/route";

describe("addresses", () => {
  it.each([
    ["", "home", [], {}],
    ["#/", "home", [], {}],
    ["#/agents/codex", "agents", ["codex"], {}],
    ["knowledge?q=effect%20cleanup&project=a", "knowledge", [], { q: "effect cleanup", project: "a" }],
    ["settings/doctor", "settings", ["doctor"], {}],
    ["purge?project=%2Fhome%2Fme", "knowledge", ["purge"], { project: "/home/me" }],
    ["doctor", "settings", ["doctor"], {}],
    ["setup", "setup", [], {}],
  ])("%s", (text, screen, rest, query) => {
    expect(parseRoute(text)).toEqual({ screen, rest, query });
  });

  it("leads home from what is unknown, and takes no word of a language for a screen", () => {
    for (const text of ["nowhere?x=1", "constructor", "__proto__/x", "%E0%A4%A"]) expect(parseRoute(text).screen).toBe("home");
  });

  it("have a name in both languages, which a link's question and the window's title give", () => {
    const names = (words: Record<string, string>) => [...SCREENS, "setup" as const].map((screen) => words[nameKey(screen)]);
    expect(names(english)).toEqual(["Home", "Agents", "Knowledge", "Memory", "Code", "Sessions", "Activity", "Settings", "Set up"]);
    expect(names(german)).toEqual(["Übersicht", "Agenten", "Wissen", "Gedächtnis", "Code", "Sitzungen", "Aktivität", "Einstellungen", "Einrichtung"]);
  });

  it("come back as they were written", () => {
    const route = { screen: "knowledge" as const, rest: ["a/b", "ü"], query: { q: "1 & 2", project: "x=y" } };
    expect(parseRoute(routePath(route))).toEqual(route);
  });
});

describe("the palette's order", () => {
  const find = (query: string, list: string[]) => rank(list, query, (one) => one);

  it("wants every word, and the beginning of a word before its middle", () => {
    expect(find("set", ["Reset", "Open settings", "Settings", "Home"])).toEqual(["Settings", "Open settings", "Reset"]);
    expect(find("pause hour", ["Pause until tomorrow", "Pause for 1 hour"])).toEqual(["Pause for 1 hour"]);
  });

  it("does not mind accents and capitals", () => {
    expect(find("ubersicht", ["Übersicht"])).toEqual(["Übersicht"]);
  });
});

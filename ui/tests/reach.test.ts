import { describe, expect, it } from "vitest";
import { reachesOut } from "../src/shell/reach";

describe("What the sidebar says of connections", () => {
  const set = (key: string, value: string | boolean) => [{ key: "desktop.theme", value: "dark" }, { key, value }];

  it("is that nothing leaves this computer until a server, a model or a release server is set up", () => {
    expect(reachesOut(false, [])).toBe(false);
    expect(reachesOut(true, [])).toBe(true);
    for (const [key, value, out] of [
      ["memory.model.provider", "off", false],
      ["memory.model.provider", "agent", false],
      ["memory.model.provider", "anthropic", true],
      ["memory.vectors.provider", "folder", false],
      ["memory.vectors.provider", "ollama", true],
      ["upgrade.manifest_url", "", false],
      ["upgrade.manifest_url", "https://example.org/m.json", true],
      ["network.enabled", true, false],
    ] as const) {
      expect(reachesOut(false, set(key, value)), `${key} = ${value}`).toBe(out);
    }
  });
});

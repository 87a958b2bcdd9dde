// Two languages chosen in quick succession: the first one's catalogue may arrive last.
import { expect, test, vi } from "vitest";

const german = vi.hoisted(() => {
  let open = (): void => undefined;
  const held = new Promise<void>((done) => (open = done));
  return { held, open: () => open() };
});
vi.mock("../src/i18n/de.json", async () => {
  await german.held;
  return { default: { "nav.settings": "Einstellungen" } };
});
const { speak, spoken, t } = await import("../src/i18n/index.svelte");

test("the language chosen last wins, even if the other one loads later", async () => {
  vi.stubGlobal("document", { documentElement: {} });
  const first = speak("de", "de-DE");
  expect([spoken.language, spoken.next]).toEqual(["en", "de"]);
  await speak("en", "en-GB");
  german.open();
  await first;
  expect([spoken.language, spoken.next, t("nav.settings")]).toEqual(["en", "en", "Settings"]);
});

// Messages about what went wrong: each says what did.
import { beforeEach, expect, it, vi } from "vitest";
import { dismiss, toastNotCopied, toasts } from "../src/components/toasts.svelte";
import { speak } from "../src/i18n/index.svelte";
import { CallError } from "../src/platform";

vi.stubGlobal("document", { documentElement: {} });
await speak("en", "en");

beforeEach(() => {
  for (const { id } of toasts.list) dismiss(id);
});

it("what a system refuses is the clipboard's, what Plimsoll could not give is Plimsoll's", () => {
  toastNotCopied(new DOMException("no", "NotAllowedError"), "Can’t make the packet");
  toastNotCopied(new CallError("not_available", "there is no git here"), "Can’t make the packet");
  toastNotCopied(new CallError("storage", "the database is damaged"));
  const [refused, unmade, damaged] = toasts.list;
  expect([refused?.text, refused?.english]).toEqual(["Can’t copy to the clipboard", "No"]);
  expect([unmade?.text, unmade?.english]).toEqual(["Can’t make the packet", "There is no git here"]);
  expect(damaged?.text).not.toContain("clipboard");
});

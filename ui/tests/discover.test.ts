// A failed scan of past sessions shows the program's own reason. Calls are stubbed.
import { expect, it, vi } from "vitest";

let refusal: unknown;
vi.mock("../src/platform", async () => ({ ...(await import("../src/platform/types")), call: () => Promise.reject(refusal) }));
const { look, past } = await import("../src/features/discover.svelte");

it("keeps the sentence, so that it's told in the language that is spoken", async () => {
  const sentence = { text: "plimsoll.db is busy", key: "messages.home.busy", params: { file: "plimsoll.db" } };
  refusal = { code: "storage", message: sentence };
  await look();
  expect([past.phase, past.problem]).toEqual(["failed", sentence]);
  refusal = { code: "cancelled", message: "ended" };
  await look(true);
  expect(past.phase).toBe("ended");
});

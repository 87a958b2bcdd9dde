// A memory that was being written when its dialog was closed by a key beside the right one.
import { expect, it } from "vitest";
import { Unfinished, type Fields, type Written } from "../src/features/memory/unfinished";

const fields = (content: string, other: Partial<Fields> = {}): Fields => ({ content, namespace: "decisions", scope: "project", tags: "", ...other });
const fresh = (project: string): Written => ({ memory: undefined, project });
const memory = (id: string, version = 1, project = "shop"): Written => ({ memory: { id, version }, project });

it("is there again with all that was chosen for it, once", () => {
  const left = new Unfinished();
  const written = fields("Lamps are lit at dusk", { namespace: "patterns", scope: "user", tags: "lamps" });
  left.keep(fresh("shop"), written);
  expect(left.take(fresh("shop"))).toEqual(written);
  expect(left.take(fresh("shop"))).toBeUndefined();
});

it("stays where it was begun: neither another project nor another memory gets it", () => {
  const left = new Unfinished();
  left.keep(fresh("shop"), fields("of the shop"));
  left.keep(memory("m1"), fields("of the first"));
  left.keep(memory("m2"), fields("of the second"));
  expect([left.take(fresh("harbour")), left.take(memory("shop"))]).toEqual([undefined, undefined]);
  expect([left.take(memory("m1")), left.take(fresh("shop")), left.take(memory("m2", 1, "harbour"))].map((one) => one?.content)).toEqual(["of the first", "of the shop", "of the second"]);
});

it("doesn't overwrite what somebody else wrote meanwhile", () => {
  const left = new Unfinished();
  left.keep(memory("m1", 1), fields("mine"));
  expect(left.take(memory("m1", 2))).toBeUndefined();
});

// A memory that was being written when a wrong key closed its dialog.
import { expect, it } from "vitest";
import { Unfinished, type Fields, type Written } from "../src/features/memory/unfinished";

const fields = (content: string, other: Partial<Fields> = {}): Fields => ({ content, namespace: "decisions", scope: "project", tags: "", ...other });
const EMPTY = fields("");
const fresh = (project: string): Written => ({ memory: undefined, project });
const memory = (id: string, version = 1, project = "shop"): Written => ({ memory: { id, version }, project });

it("is there again with all that was chosen for it, once", () => {
  const left = new Unfinished();
  const written = fields("Lamps are lit at dusk", { namespace: "patterns", scope: "user", tags: "lamps" });
  left.keep(fresh("shop"), written, EMPTY);
  expect(left.take(fresh("shop"))?.fields).toEqual(written);
  expect(left.take(fresh("shop"))).toBeUndefined();
});

it("stays where it was begun: neither another project nor another memory gets it", () => {
  const left = new Unfinished();
  left.keep(fresh("shop"), fields("of the shop"), EMPTY);
  left.keep(memory("m1"), fields("of the first"), EMPTY);
  left.keep(memory("m2"), fields("of the second"), EMPTY);
  expect([left.take(fresh("harbour")), left.take(memory("shop"))]).toEqual([undefined, undefined]);
  expect([left.take(memory("m1")), left.take(fresh("shop")), left.take(memory("m2", 1, "harbour"))].map((one) => one?.fields.content)).toEqual(["of the first", "of the shop", "of the second"]);
});

it("isn't lost when somebody else wrote meanwhile, and is known to be of an earlier text", () => {
  const left = new Unfinished();
  left.keep(memory("m1", 1), fields("mine"), fields("theirs"));
  expect(left.take(memory("m1", 2))).toEqual({ version: 1, fields: fields("mine") });
});

it("is nothing where nobody wrote: a text that was only looked at doesn't hide the one after it", () => {
  const left = new Unfinished();
  const { scope, ...others } = fields("theirs");
  left.keep(memory("m1", 1), { scope, ...others }, fields("theirs"));
  expect(left.take(memory("m1", 2))).toBeUndefined();
  left.keep(memory("m1", 1), fields("theirs", { tags: "lamps" }), fields("theirs"));
  expect(left.take(memory("m1", 1))?.fields.tags).toBe("lamps");
});

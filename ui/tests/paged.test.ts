// A paged list: what it shows after a failure and after a late answer.
import { describe, expect, it } from "vitest";
import { Paged } from "../src/features/paged.svelte";
import { CallError } from "../src/platform/types";

describe("A list that is read a piece at a time", () => {
  const made = () => {
    const state = { broken: false, rows: ["a", "b", "c"] };
    const list = new Paged<string>(async (offset, limit) => {
      if (state.broken) throw new CallError("storage", "busy");
      return { rows: state.rows.slice(offset, offset + limit), total: state.rows.length };
    });
    return { state, list };
  };

  it("keeps what it shows when a later reading fails, beside the error", async () => {
    const { state, list } = made();
    await list.restart();
    state.broken = true;
    await list.reload();
    expect([list.total, list.row(1), list.error?.message]).toEqual([3, "b", "busy"]);
    state.broken = false;
    state.rows = ["x"];
    await list.reload();
    expect([list.total, list.row(0), list.error]).toEqual([1, "x", undefined]);
  });

  it("shows no answer to another question", async () => {
    const { state, list } = made();
    await list.restart();
    state.broken = true;
    const asked = list.restart();
    await list.reload();
    await asked;
    expect([list.total, list.row(1), list.error?.message]).toEqual([null, undefined, "busy"]);
  });
});

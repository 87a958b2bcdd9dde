// A paged list: what it shows after a failure and after a late answer.
import { describe, expect, it, vi } from "vitest";
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

  it("doesn't claim to be empty when that can't be read again", async () => {
    const { state, list } = made();
    state.rows = [];
    await list.restart();
    expect(list.total).toBe(0);
    state.broken = true;
    await list.reload();
    expect([list.total, list.error?.message]).toEqual([null, "busy"]);
    state.broken = false;
    await list.reload();
    expect([list.total, list.error]).toEqual([0, undefined]);
  });

  it("is shown however often something is written meanwhile, and read once more after that", async () => {
    const waiting: (() => void)[] = [];
    let rows = ["a"];
    const list = new Paged<string>((offset, limit) => new Promise((answer) => waiting.push(() => answer({ rows: rows.slice(offset, offset + limit), total: rows.length }))));
    const first = list.restart();
    list.again();
    list.again();
    expect(waiting, "no question overtakes the one that is on its way").toHaveLength(1);
    waiting[0]?.();
    await first;
    expect([list.total, list.row(0), list.busy, waiting.length]).toEqual([1, "a", true, 2]);
    rows = ["b", "a"];
    waiting[1]?.();
    await new Promise((done) => setTimeout(done));
    expect([list.total, list.row(0), list.busy, waiting.length]).toEqual([2, "b", false, 2]);
  });

  it("has what is in sight, also when one scrolled on while it was read again", async () => {
    vi.useFakeTimers();
    const waiting: { offset: number; answer: () => void }[] = [];
    const answered = (offset: number): void => waiting.filter((one) => one.offset === offset).forEach((one) => one.answer());
    const list = new Paged<number>((offset, limit) => new Promise((answer) => waiting.push({ offset, answer: () => answer({ rows: Array.from({ length: limit }, (_, at) => offset + at), total: 1000 }) })));
    const first = list.restart();
    answered(0);
    await first;
    const again = list.reload();
    list.want(600, 620);
    await vi.advanceTimersByTimeAsync(100);
    answered(600);
    await vi.advanceTimersByTimeAsync(0);
    answered(0);
    await again;
    await vi.advanceTimersByTimeAsync(100);
    answered(600);
    await vi.advanceTimersByTimeAsync(0);
    expect([list.row(600), list.row(620)]).toEqual([600, 620]);
    vi.useRealTimers();
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

// A message with a way back stays while somebody is at it.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { fading } from "../src/components/fading";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("goes after its time, and not while the pointer is on it or the focus in it", () => {
  const gone = vi.fn();
  const { keep, release } = fading(gone, 5000);
  keep("pointer");
  keep("focus");
  vi.advanceTimersByTime(60_000);
  release("pointer");
  vi.advanceTimersByTime(60_000);
  expect(gone, "the focus is in it").not.toHaveBeenCalled();
  release("focus");
  vi.advanceTimersByTime(4_999);
  expect(gone).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(gone).toHaveBeenCalledOnce();
});

it("has one timer, however often the pointer and the focus leave it", () => {
  const gone = vi.fn();
  const { keep, release, end } = fading(gone, 5000);
  release("pointer");
  release("focus");
  keep("focus");
  vi.advanceTimersByTime(60_000);
  expect(gone).not.toHaveBeenCalled();
  release("focus");
  end();
  vi.advanceTimersByTime(60_000);
  expect(gone, "it was closed").not.toHaveBeenCalled();
});

// One scan of the agents' own transcripts: what the filters would have kept out of the last days. Owns that it runs once while
// the window is open, that it can be cancelled, and that a cancelled one shows nothing. Knows no markup.
import type { DiscoverView, Sentence } from "../contract";
import { asCallError, call } from "../platform";

/** How far back; the command line that the window names says the same. */
export const DAYS = 30;

type Phase = "never" | "looking" | "seen" | "ended" | "failed";

let phase = $state<Phase>("never");
let view = $state.raw<DiscoverView | undefined>(undefined);
let problem = $state.raw<Sentence | undefined>(undefined);

export const past = {
  get phase(): Phase {
    return phase;
  },
  /** The result; undefined until there is one. */
  get view(): DiscoverView | undefined {
    return view;
  },
  /** Why it failed, in the program's own words. */
  get problem(): Sentence | undefined {
    return problem;
  },
};

/** Scans, unless a scan is done or running. */
export async function look(again = false): Promise<void> {
  if (phase === "looking" || (phase !== "never" && !again)) return;
  phase = "looking";
  try {
    view = await call("discover", { days: DAYS });
    phase = "seen";
  } catch (reason) {
    const error = asCallError(reason);
    problem = error.sentence;
    phase = error.code === "cancelled" ? "ended" : "failed";
  }
}

/** Cancels the scan and drops what it has read. */
export async function end(): Promise<void> {
  if (phase !== "looking") return;
  try {
    await call("stop_discover", {});
  } catch {
    // Then nothing answers, and the pending request fails by itself.
  }
}

// One session as it is asked for: its figures at once, its events in pieces until all are here. Asks again on request;
// what is on the screen stays until the answer has as much.
import type { EventRow, SessionView } from "../../contract";
import { asCallError, call, type CallError } from "../../platform";

const PIECE = 1000;
/** More events than this are not looked at by kind: the latest say most. */
const MOST = 20_000;

export class SessionEvents {
  /** The session with its calls and its note; its events are `events`. */
  view = $state.raw<SessionView | undefined>(undefined);
  events = $state.raw<EventRow[]>([]);
  error = $state.raw<CallError | undefined>(undefined);
  loading = $state(true);

  #of: () => { agent: string; session: string };
  #turn = 0;
  /** Something was written while the events were coming. */
  #stale = false;

  constructor(of: () => { agent: string; session: string }) {
    this.#of = of;
  }

  /** Asks once more, because something was written; what is coming comes first. A long session needs longer than the time between
   *  two writings of its agent, and would never be here as a whole. */
  again(): void {
    if (this.loading && this.#turn > 0) this.#stale = true;
    else void this.load();
  }

  async load(): Promise<void> {
    const mine = ++this.#turn;
    this.#stale = false;
    this.loading = true;
    try {
      let all: EventRow[] = [];
      for (;;) {
        const piece = await call("session", { ...this.#of(), offset: all.length, limit: PIECE });
        if (mine !== this.#turn) return;
        const first = all.length === 0;
        all = [...all, ...piece.events];
        // The first piece is shown at once unless more than it is on the screen already.
        if (first) this.view = piece;
        if (!first || this.events.length <= all.length) this.events = all;
        if (piece.events.length < PIECE || all.length >= Math.min(MOST, piece.events_total)) break;
      }
      this.events = all;
      this.error = undefined;
    } catch (reason) {
      if (mine === this.#turn) this.error = asCallError(reason);
    }
    if (mine !== this.#turn) return;
    this.loading = false;
    if (this.#stale) void this.load();
  }
}

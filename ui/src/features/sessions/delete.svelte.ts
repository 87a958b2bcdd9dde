// Which session will be deleted, and what happens afterwards. One question at a time, for list and session alike.
import type { SessionRow } from "../../contract";

let asked = $state.raw<{ session: SessionRow; then: () => void } | undefined>(undefined);

export const deleting = {
  get asked(): { session: SessionRow; then: () => void } | undefined {
    return asked;
  },
};

/** Asks whether to delete this session's record; `then` runs after the deletion. */
export function confirmDelete(session: SessionRow, then: () => void): void {
  asked = { session, then };
}

/** Closes the question. */
export function leaveDelete(): void {
  asked = undefined;
}

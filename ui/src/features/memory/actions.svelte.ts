// The window's actions on a memory, each with an undo: forget, keep, drop, share. Owns the calls and their messages; doesn't know
// where the memory is shown.
import type { MemoryRow, MemoryView } from "../../contract";
import { toast, toastError } from "../../components/toasts.svelte";
import { t } from "../../i18n/index.svelte";
import { call } from "../../platform";

export class MemoryActions {
  /** Whether a change is pending. */
  busy = $state(false);
  #after: () => void;
  #pending: Promise<unknown> = Promise.resolve();

  /** `after` is called when something has changed. */
  constructor(after: () => void) {
    this.#after = after;
  }

  async forget(row: MemoryRow): Promise<boolean> {
    return this.#work(t("memory.forget.failed"), async () => {
      await call("memory_forget", { id: row.id });
      toast(t("memory.forgotten"), { action: this.#back(row.id, row.status) });
    });
  }

  async restore(row: MemoryRow): Promise<boolean> {
    return this.#work(t("memory.restore.failed"), async () => {
      await call("memory_restore", { id: row.id, status: "active" });
      toast(t("memory.restored"));
    });
  }

  async decide(row: MemoryRow, keep: boolean): Promise<boolean> {
    return this.#work(t("memory.review.failed"), async () => {
      await call("memory_review", { id: row.id, keep });
      toast(t(keep ? "memory.kept" : "memory.dropped"), { action: this.#back(row.id, "pending") });
    });
  }

  async share(view: MemoryView, shared: boolean): Promise<boolean> {
    return this.#work(t("memory.share.failed"), async () => {
      const now = await call("memory_share", { id: view.row.id, shared });
      toast(shared ? t("memory.share.done", { file: now.file ?? "" }) : t("memory.unshare.done"));
    });
  }

  #back(id: string, status: string): { label: string; run: () => void } {
    return {
      label: t("action.undo"),
      run: () =>
        void this.#later(t("memory.restore.failed"), async () => {
          await call("memory_restore", { id, status });
          toast(t("memory.restored"));
        }),
    };
  }

  /** An undo: the message that offered it is gone, so it can't be asked for again. What is pending comes first. */
  async #later(failed: string, how: () => Promise<void>): Promise<void> {
    while (this.busy) await this.#pending;
    await this.#work(failed, how);
  }

  #work(failed: string, how: () => Promise<void>): Promise<boolean> {
    if (this.busy) return Promise.resolve(false);
    const work = this.#carryOut(failed, how);
    this.#pending = work;
    return work;
  }

  async #carryOut(failed: string, how: () => Promise<void>): Promise<boolean> {
    this.busy = true;
    let done = true;
    try {
      await how();
    } catch (reason) {
      toastError(reason, failed);
      done = false;
    }
    this.busy = false;
    this.#after();
    return done;
  }
}

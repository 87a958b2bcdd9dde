// Starting fresh with the record when it's damaged: the file is kept aside and an empty one takes its place. Offered wherever the
// record is what can't be read. Owns the call and what is said after it.
import { toast, toastError } from "../components/toasts.svelte";
import { t } from "../i18n/index.svelte";
import { call } from "../platform";
import { app, fmt } from "../shell/app.svelte";

let busy = $state(false);

export const fresh = {
  get busy(): boolean {
    return busy;
  },
  /** Whether this is a complaint about the record that starting fresh ends. */
  helps(complaint: string): boolean {
    return (app.overview.value?.problems ?? []).some((one) => one.remedy === "start_fresh" && one.text.text === complaint);
  },
  async start(): Promise<void> {
    busy = true;
    try {
      const { kept } = await call("start_fresh", {});
      toast(t("home.fresh.done", { file: fmt.path(kept) }));
      await app.overview.reload();
    } catch (reason) {
      toastError(reason);
    }
    busy = false;
  },
};

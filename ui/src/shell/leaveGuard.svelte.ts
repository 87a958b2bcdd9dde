// While something is being written, the screen can't be left, and the window says why.
import { dismiss, toast } from "../components/toasts.svelte";
import { t } from "../i18n/index.svelte";
import { hold } from "./router.svelte";

/** In a component: blocks leaving while `busy`. The message disappears when it's over. */
export function blockLeavingWhile(busy: () => boolean): void {
  let told: number | undefined;
  $effect(() =>
    hold(() => {
      if (!busy()) return true;
      told ??= toast(t("shell.busy"));
      return false;
    }),
  );
  $effect(() => {
    if (busy() || told === undefined) return;
    dismiss(told);
    told = undefined;
  });
}

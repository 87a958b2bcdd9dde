// While something is written nothing leads away from it, and who tries is told so.
import { dismiss, toast } from "../components/toasts.svelte";
import { t } from "../i18n/index.svelte";
import { hold } from "./router.svelte";

/** In a component: holds the window while `busy`. What is said about it goes when it is over. */
export function holdWhile(busy: () => boolean): void {
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

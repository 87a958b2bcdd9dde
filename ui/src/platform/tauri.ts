// The desktop: commands through one bridge, three events. The only file that imports @tauri-apps.
import { invoke } from "@tauri-apps/api/core";
import { listen } from "@tauri-apps/api/event";
import { getCurrentWindow } from "@tauri-apps/api/window";
import { asCallError, type Args, type CommandName, type Platform, type Reply, type Unlisten } from "./types";
import { whileVisible } from "./hidden";

/** Listens at once, and lets go even when the listener is not in place yet. */
function hear<T>(event: string, listener: (payload: T) => void): Unlisten {
  const registered = listen<T>(event, ({ payload }) => listener(payload));
  return () => {
    void registered.then((unlisten) => unlisten());
  };
}

export function desktop(): Platform {
  return {
    async call<K extends CommandName>(name: K, args: Args<K>): Promise<Reply<K>> {
      try {
        return await invoke<Reply<K>>("call", { name, args });
      } catch (reason) {
        throw asCallError(reason);
      }
    },
    onNavigate: (listener) => hear<string>("navigate", listener),
    onChanged(listener) {
      const page = whileVisible(listener);
      const end = hear<unknown>("changed", page.tell);
      return () => (end(), page.end());
    },
    onDrop(listener) {
      const ends = [
        hear("tauri://drag-enter", () => listener.over(true)),
        hear("tauri://drag-leave", () => listener.over(false)),
        hear<{ paths: string[] }>("tauri://drag-drop", ({ paths }) => {
          listener.over(false);
          listener.drop(paths);
        }),
      ];
      return () => ends.forEach((end) => end());
    },
    setTitle(title) {
      document.title = title;
      void getCurrentWindow().setTitle(title);
    },
    // Not by `@tauri-apps/api/webview`, which would bring a second copy of what the window's module has.
    setZoom: (value) => invoke("plugin:webview|set_webview_zoom", { value }),
    reload: () => location.reload(),
  };
}

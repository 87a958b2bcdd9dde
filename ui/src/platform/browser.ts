// A plain browser against the loopback test host: the same commands over HTTP. The host's token comes in the
// address's fragment, which no server sees, and is kept in memory only.
import { asCallError, CallError, type Args, type CommandName, type Platform, type Reply } from "./types";

const PULSE_MS = 2000;

/** Takes `#token=…` out of the address, so that it is neither shown nor routed. */
function takeToken(): string {
  const found = /^#token=([^&]*)&?(.*)$/.exec(location.hash);
  if (!found) return "";
  history.replaceState(null, "", location.pathname + location.search + (found[2] ? `#/${found[2]}` : ""));
  return decodeURIComponent(found[1] ?? "");
}

export function browser(): Platform {
  const token = takeToken();

  async function call<K extends CommandName>(name: K, args: Args<K>): Promise<Reply<K>> {
    let response: Response;
    try {
      response = await fetch(`${location.origin}/call/${name}`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-plimsoll-token": token },
        body: JSON.stringify(args),
      });
    } catch {
      throw new CallError("unreachable", "Plimsoll doesn’t answer");
    }
    const text = await response.text();
    let body: unknown;
    try {
      body = text === "" ? {} : JSON.parse(text);
    } catch {
      throw new CallError("internal", text.slice(0, 500));
    }
    if (!response.ok) throw asCallError(body);
    return body as Reply<K>;
  }

  return {
    call,
    onNavigate: () => () => {},
    onChanged(listener) {
      let last: number | undefined;
      const look = (): void => {
        if (document.visibilityState !== "visible") return;
        call("pulse", {}).then(
          ({ stamp }) => {
            if (last !== undefined && stamp !== last) listener();
            last = stamp;
          },
          () => {
            // The screens themselves say when there's no answer.
          },
        );
      };
      look();
      const timer = setInterval(look, PULSE_MS);
      return () => clearInterval(timer);
    },
    onDrop: () => () => {},
    setTitle(title) {
      document.title = title;
    },
    async setZoom(factor) {
      document.documentElement.style.zoom = factor === 1 ? "" : String(factor);
    },
    reload() {
      const screen = location.hash.replace(/^#\/?/, "");
      location.hash = `token=${encodeURIComponent(token)}${screen ? `&${screen}` : ""}`;
      location.reload();
    },
  };
}

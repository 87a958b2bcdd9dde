// Whether a setting makes Plimsoll connect to another computer. Pure.
import type { SettingView } from "../contract";

/** Settings that name a server or a model that somebody chose; until one does, Plimsoll contacts nobody. */
const SERVERS: readonly string[] = ["memory.model.provider", "memory.vectors.provider", "upgrade.manifest_url"];
/** Their values that reach nothing: none, a folder here, the agent's own model. */
const LOCAL: readonly unknown[] = ["", "off", "folder", "agent"];

/** `server` says whether a team's server is set up. */
export function reachesOut(server: boolean, settings: readonly Pick<SettingView, "key" | "value">[]): boolean {
  return server || settings.some((one) => SERVERS.includes(one.key) && typeof one.value === "string" && !LOCAL.includes(one.value));
}

// What is shown of a source's name. Pure.
import type { SourceKind } from "../../contract";
import { visible } from "../../components/visible";

/** A path in its folder and its last part; any other name in one piece. */
export function nameParts(label: string, kind: SourceKind, project: string | null, short: (path: string) => string): { lead: string; end: string } {
  const absolute = /^(?:\/|[A-Za-z]:[\\/])/.test(label);
  if (!absolute && kind !== "file") return { lead: "", end: visible(label) };
  const root = project?.replace(/[\\/]+$/, "") ?? "";
  const inside = root !== "" && label.startsWith(root) && /[\\/]/.test(label.charAt(root.length));
  const path = inside ? visible(label.slice(root.length + 1)) : absolute ? short(label) : visible(label);
  const cut = Math.max(path.lastIndexOf("/", path.length - 2), path.lastIndexOf("\\", path.length - 2)) + 1;
  return { lead: path.slice(0, cut), end: path.slice(cut) };
}

/** Between headings as they are stored, from the outermost inwards. */
const BETWEEN = / [›>] /;

/** The innermost heading of a section. */
export const heading = (title: string): string => title.split(BETWEEN).at(-1) ?? "";

/** The headings above that one. */
export const above = (title: string): string => title.split(BETWEEN).slice(0, -1).join(" › ");

/** Which part of a kept output a name stands for, counted from 1; undefined for a name that says what it is. Outputs are filed
 *  under a number or an address that nobody has given them, so the window calls them by their time. */
export function outputPart(label: string, kind: SourceKind): number | undefined {
  const found = kind === "output" ? /^(?:output:[0-9a-z]+|plimsoll:\/\/[a-z]+\/[^\s/]+)(?:\/(\d+))?$/.exec(label) : null;
  return found ? Number(found[1] ?? 1) : undefined;
}

// What befell a database, told by the sentence of the program, which is written for people and stable. Only for
// choosing which advice to show; the sentence itself is always shown too.
import type { CallError } from "../platform";

export type Misfortune = "newer" | "damaged" | "full" | "busy";

/** Which misfortune it was; undefined when it is another, or none of a database's. */
export function faultOf(error: Pick<CallError, "code" | "message">): Misfortune | undefined {
  if (error.code !== "storage") return undefined;
  if (/newer (?:Plimsoll|version)/i.test(error.message)) return "newer";
  if (/is damaged|malformed|not a database/i.test(error.message)) return "damaged";
  if (/disk is full|no space left/i.test(error.message)) return "full";
  if (/stayed busy|is locked/i.test(error.message)) return "busy";
  return undefined;
}

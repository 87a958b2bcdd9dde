// Numbers as people enter them: milliseconds as seconds, bytes as KB, MB or GB, as sizes are shown everywhere. Pure.

interface Unit {
  /** How many of the file's units are in one of the user's. */
  size: number;
  /** Its sign or the key of its name. */
  sign: "s" | "KB" | "MB" | "GB" | "hours" | "days" | "tasks" | "%" | "";
}

/** Limits of the program that the texts of settings name: a resume note in bytes, what memory tells a session in tokens. */
export const LIMITS = { bytes: 2000, tokens: 1500 } as const;

/** Sizes up to this many bytes are entered in KB. */
const SMALL = 16_000_000;
/** Sizes that may become larger than this are entered in GB: thousands of megabytes are hard to read. */
const LARGE = 100_000_000_000;

/** How a unit of the file is entered; sizes that stay small are entered in KB. `max` is in the file's units. */
export function unitOf(unit: string, max: number): Unit {
  switch (unit) {
    case "ms":
      return { size: 1000, sign: "s" };
    case "bytes":
      if (max > LARGE) return { size: 1_000_000_000, sign: "GB" };
      return max > SMALL ? { size: 1_000_000, sign: "MB" } : { size: 1000, sign: "KB" };
    case "MB":
      return { size: 1, sign: "MB" };
    case "hours":
    case "days":
    case "tasks":
      return { size: 1, sign: unit };
    case "percent":
      return { size: 1, sign: "%" };
    default:
      return { size: 1, sign: "" };
  }
}

/** The file's number as text to be edited: 120000 ms → `120`, and 2500 ms → `2.5`, in German `2,5`. */
export function entered(value: number, unit: Unit, locale: string): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 3, useGrouping: false, numberingSystem: "latn" }).format(value / unit.size);
}

/** The same to be read, with large numbers in groups. */
export function formatted(value: number, unit: Unit, locale: string): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 3 }).format(value / unit.size);
}

/** What was typed as the file's number; null when it is none. The language's decimal sign begins the fraction, whatever follows,
 *  as numbers are shown here. The other one of comma and point is between groups where exactly three digits follow (`1,500` in
 *  English, `1.500` in German); anywhere else it begins a fraction too, because commas are decimal points in many countries. */
export function typedNumber(text: string, unit: Unit, locale: string): number | null {
  const tidy = text.trim().replace(/[\s\u00a0'’]/g, "");
  const comma = new Intl.NumberFormat(locale, { numberingSystem: "latn" }).format(1.5).includes(",");
  const [group, point] = comma ? ["\\.", ","] : [",", "\\."];
  const number = new RegExp(`^([1-9]\\d{0,2}(?:${group}\\d{3})+)(?:${point}(\\d+))?$`).exec(tidy) ?? /^(\d+)(?:[.,](\d+))?$/.exec(tidy);
  if (number === null) return null;
  return Math.round(Number(`${number[1]?.replace(/\D/g, "")}.${number[2] ?? 0}`) * unit.size);
}

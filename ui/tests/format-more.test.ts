// Days, lengths and locales as people write them.
import { describe, expect, test, vi } from "vitest";
import { ago, day, dayInFull, inLanguage, list, moment, span, tagOf, until, usable } from "../src/i18n/format";
import { languageOf, speak, spoken } from "../src/i18n/index.svelte";

describe("locales", () => {
  test("a system's locale name becomes a language tag, and an invalid one falls back", () => {
    expect(["de_AT.UTF-8", "sr_RS@latin", "zh_Hant_TW", "C", ""].map(tagOf)).toEqual(["de-AT", "sr-RS", "zh-Hant-TW", "C", ""]);
    for (const [wanted, got] of [["de-AT", "de-AT"], ["C", "en"], ["", "en"], ["POSIX-", "en"], ["zz-", "en"]]) expect(usable(wanted ?? "", "en")).toBe(got);
  });

  test("keeps the user's region with a language that Plimsoll speaks", () => {
    for (const [tag, language, got] of [
      ["de-AT", "de", "de-AT"],
      ["DE-at", "de", "DE-at"],
      ["fr-FR", "en", "en-FR"],
      ["zh-Hant-TW", "en", "en-TW"],
      ["es-419", "en", "en-419"],
      ["ar-EG-u-nu-arab", "en", "en-EG"],
      ["fa-u-nu-arabext", "en", "en"],
      ["sv", "en", "en"],
      ["C", "en", "en"],
    ] as const)
      expect([tag, inLanguage(tag, language)]).toEqual([tag, got]);
  });

  test("formats words inside a sentence in the sentence's language, whatever the system's is", async () => {
    vi.stubGlobal("document", { documentElement: {} });
    const now = Date.parse("2026-11-23T10:00:00");
    for (const system of ["en-GB", "fr_FR.UTF-8", "ja_JP.UTF-8", "ar_EG.UTF-8", "pt-BR", "C.UTF-8", "POSIX", ""]) {
      await speak(languageOf(system), system);
      const { locale } = spoken;
      expect([system, ago(now - 2 * 3_600_000, now, locale), list(["Codex", "Cursor"], locale)]).toEqual([system, "2 hours ago", "Codex and Cursor"]);
      expect(dayInFull(now - 3 * 86_400_000, now, locale)).toMatch(/^Friday.*(20.*November|November.*20)/);
    }
    await speak("de", "de_AT.UTF-8");
    expect([spoken.locale, ago(now - 2 * 3_600_000, now, spoken.locale)]).toEqual(["de-AT", "vor 2 Stunden"]);
  });
});

describe("days and lengths", () => {
  const now = Date.parse("2026-11-23T10:00:00");
  test("a day is written as people say it", () => {
    expect(dayInFull(now - 3_600_000, now, "en")).toBe("Today");
    expect(dayInFull(now - 86_400_000, now, "de")).toBe("Gestern");
    expect(dayInFull(Date.parse("2026-11-20T23:59:00"), now, "en-GB")).toMatch(/^Friday,? 20 November$/);
    expect(dayInFull(Date.parse("2025-11-20T10:00:00"), now, "en-GB")).toContain("2025");
  });
  test("a moment of another year has its year", () => {
    const [lately, long, ahead] = ["2026-03-22T14:03:00", "2025-11-22T14:03:00", "2027-01-01T06:00:00"].map((text) => moment(Date.parse(text), now, "en-GB"));
    expect(lately).toMatch(/^22 Mar.*14:03$/);
    expect(lately).not.toContain("2026");
    expect(long).toMatch(/^22 Nov 2025.*14:03$/);
    expect(ahead).toMatch(/^1 Jan 2027.*06:00$/);
  });
  test("a day of another year has its year: a chart of all time has the same day twice", () => {
    const [lately, long] = ["2026-11-22T00:00:00", "2025-11-22T00:00:00"].map((text) => day(Date.parse(text), now, "en-GB"));
    expect(lately).toMatch(/^Sun,? 22 Nov$/);
    expect(long).toMatch(/^Sat,? 22 Nov 2025$/);
  });
  test("what ends today ends at a time, and tomorrow has its own word", () => {
    const at = (text: string, locale: string) => until(Date.parse(text), now, locale);
    for (const [when, english, german] of [
      ["2026-11-23T23:23:00", /^23:23$/, /^23:23$/],
      ["2026-11-24T06:00:00", /^tomorrow 06:00$/, /^morgen 06:00$/],
      ["2026-11-25T06:00:00", /^25 Nov.*06:00$/, /^25\. Nov.*06:00$/],
      ["2027-01-01T06:00:00", /^1 Jan 2027.*06:00$/, /^1\. J.*2027.*06:00$/],
    ] as const) {
      expect(at(when, "en-GB")).toMatch(english);
      expect(at(when, "de-AT")).toMatch(german);
    }
    // The last evening of a year, and a night in which the clocks change.
    expect(until(Date.parse("2027-01-01T06:00:00"), Date.parse("2026-12-31T23:30:00"), "en-GB")).toBe("tomorrow 06:00");
    expect(until(Date.parse("2026-10-25T06:00:00"), Date.parse("2026-10-24T23:30:00"), "en-GB")).toBe("tomorrow 06:00");
  });
  test("a length has hours and minutes", () => {
    expect([0, 40_000, 24 * 60_000, 72 * 60_000, 2 * 3_600_000].map((ms) => span(ms, "en").replaceAll("\u00a0", " "))).toEqual(["0 s", "40 s", "24 min", "1 h 12 min", "2 h"]);
  });
});

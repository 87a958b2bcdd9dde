// Sizes, shares, durations, numbers, paths and lists as both languages write them.
import { describe, expect, it } from "vitest";
import { ago, bytes, count, duration, list, minutesInWords, percent, tilde, tildesIn, tokensOf } from "../src/i18n/format";

const plain = (text: string) => text.replaceAll("\u00a0", " ");

describe("sizes", () => {
  const cases: [number, string, string][] = [
    [0, "0 B", "0 B"],
    [999, "999 B", "999 B"],
    [1000, "1 KB", "1 KB"],
    [14_000, "14 KB", "14 KB"],
    [2_140, "2.14 KB", "2,14 KB"],
    [402_400, "402 KB", "402 KB"],
    [999_999, "1.00 MB", "1,00 MB"],
    [1_930_000, "1.93 MB", "1,93 MB"],
    [11_430_000, "11.4 MB", "11,4 MB"],
    [-26_000, "− 26 KB", "− 26 KB"],
    [7_100_000_000_000_000, "7,100 TB", "7.100 TB"],
  ];
  it.each(cases)("%d is %s in English and %s in German", (size, english, german) => {
    expect(plain(bytes(size, "en"))).toBe(english);
    expect(plain(bytes(size, "de"))).toBe(german);
  });

  it("keeps a number and its unit on one line", () => {
    expect(bytes(1_930_000, "en")).toContain("\u00a0");
  });
});

describe("shares", () => {
  it("says all and nothing only when that is exact", () => {
    expect(plain(percent(1, "en"))).toBe("100 %");
    expect(plain(percent(0.9999, "en"))).toBe("99 %");
    expect(plain(percent(0.0001, "en"))).toBe("1 %");
    expect(plain(percent(0, "en"))).toBe("0 %");
    expect(plain(percent(0.94, "de"))).toBe("94 %");
  });
});

describe("durations", () => {
  it.each([
    [0.42, "0.42 ms"],
    [2.44, "2.4 ms"],
    [41.2, "41 ms"],
    [999.6, "1 s"],
    [1100, "1.1 s"],
    [240_000, "4 min"],
    [3_599_000, "1 h"],
    [4_500_000, "75 min"],
    [7_200_000, "2 h"],
  ])("%d ms", (ms, text) => expect(plain(duration(ms, "en"))).toBe(text));
});

describe("numbers and times", () => {
  it("groups as the language does", () => {
    expect(count(5412, "en")).toBe("5,412");
    expect(count(5412, "de")).toBe("5.412");
    expect(count(-3, "en")).toBe("−3");
  });

  it("rounds tokens to what an estimate is worth", () => {
    expect(tokensOf(1_930_000)).toBe(483_000);
    expect(tokensOf(0)).toBe(0);
    expect(tokensOf(9)).toBe(2);
  });

  it("says how long ago in the person's language", () => {
    expect(ago(0, 2 * 3_600_000, "en")).toBe("2 hours ago");
    expect(ago(0, 86_400_000, "de")).toBe("gestern");
    expect(ago(0, 500, "en")).toBe("now");
    expect([minutesInWords("vor 2 m"), minutesInWords("vor 12\u00a0m"), minutesInWords("2 min ago"), minutesInWords("vor 3 Tagen")]).toEqual(["vor 2 Min.", "vor 12\u00a0Min.", "2 min ago", "vor 3 Tagen"]);
    expect(ago(0, 120_000, "de", "short")).toBe("vor 2 Min.");
  });
});

describe("paths", () => {
  it("writes the home folder as people do", () => {
    expect(tilde("/home/me/.claude.json", "/home/me")).toBe("~/.claude.json");
    expect(tilde("/home/me", "/home/me/")).toBe("~");
    expect(tilde("/home/melanie/x", "/home/me")).toBe("/home/melanie/x");
    expect(tilde("C:\\Users\\me\\x", "C:\\Users\\me")).toBe("~\\x");
    expect(tilde("/etc/x", "/")).toBe("/etc/x");
  });

  it("does so in a sentence, but not within another path", () => {
    expect(tildesIn("can't read /home/me/a (/home/me/b) or `/home/me/c`", "/home/me")).toBe("can't read ~/a (~/b) or `~/c`");
    for (const other of ["/mnt/disk/home/me/a", "/mnt/disk (1)/home/me/a", "/mnt/[b]/home/me/a", "/mnt/cafe\u0301/home/me/a", "/mnt/c++/home/me/a", "/home/melanie/a", "file:///home/me/a", "/home/me"]) expect(tildesIn(`can't read ${other}`, "/home/me")).toBe(`can't read ${other}`);
    expect(tildesIn("PATH=/bin:/home/me/bin, “/home/me/a”: [/home/me/b]\n/home/me/c", "/home/me")).toBe("PATH=/bin:~/bin, “~/a”: [~/b]\n~/c");
    expect(tildesIn("C:\\Users\\me\\x is gone", "C:\\Users\\me")).toBe("~\\x is gone");
    expect(tildesIn("/etc/x", "/")).toBe("/etc/x");
  });
});

describe("names in a sentence", () => {
  it("end with a word between the last two", () => {
    expect(list(["Codex"], "en")).toBe("Codex");
    expect(list(["Claude Code", "Codex", "Cursor"], "en-GB")).toBe("Claude Code, Codex and Cursor");
    expect(list(["Claude Code", "Codex", "Cursor"], "de")).toBe("Claude Code, Codex und Cursor");
  });
});

// Markdown from outside as a tree, highlighted words, the names of sources, and kept outputs.
import { describe, expect, it, vi } from "vitest";
import { decoded, parse, webAddress, type Block, type Inline } from "../src/features/knowledge/markdown";
import { above, heading, nameParts, outputPart } from "../src/features/knowledge/names";
import { finder, found, pieces, plain } from "../src/features/knowledge/highlights";
import { restoredText } from "../src/features/knowledge/restored";
import { speak } from "../src/i18n/index.svelte";

vi.stubGlobal("document", { documentElement: {} });
await speak("en", "en");

/** Every node of a tree, whatever it is nested in. */
function nodes(blocks: readonly Block[]): (Block | Inline)[] {
  const out: (Block | Inline)[] = [];
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(walk);
    else if (typeof value === "object" && value !== null) {
      if ("kind" in value) out.push(value as Block | Inline);
      Object.values(value).forEach(walk);
    }
  };
  walk(blocks);
  return out;
}

describe("Markdown from outside", () => {
  it("shows HTML as text", () => {
    const text = 'a <img src=x onerror=alert(1)> b\n\n<script>alert(1)</script>\n\n<iframe src="https://x.test"></iframe>';
    const all = nodes(parse(text));
    expect(all.filter((node) => node.kind === "raw").map((node) => ("text" in node ? node.text.trim() : ""))).toEqual([
      "<img src=x onerror=alert(1)>",
      "<script>alert(1)</script>",
      '<iframe src="https://x.test"></iframe>',
    ]);
    expect(all.some((node) => node.kind === "link" || node.kind === "image")).toBe(false);
  });

  it("makes links only of addresses of web pages", () => {
    const bad = ["javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x", "file:///etc/passwd", "vbscript:x", "plimsoll://purge", "//x.test", "docs/a.md", "java\tscript:alert(1)"];
    for (const address of bad) {
      const all = nodes(parse(`[here](<${address}>)`));
      expect(all.some((node) => node.kind === "link"), address).toBe(false);
    }
    const [link] = nodes(parse("[here](https://example.test/a?b=1#c)")).filter((node) => node.kind === "link");
    expect(link).toMatchObject({ address: "https://example.test/a?b=1#c" });
  });

  it("shows a picture as its description and address", () => {
    expect(nodes(parse("![the order](https://example.test/o.png)")).find((node) => node.kind === "image")).toEqual({
      kind: "image",
      alt: "the order",
      address: "https://example.test/o.png",
    });
  });

  it("keeps lists, tasks, tables, code and quotes", () => {
    const [list, code, table, quote] = parse("3. a\n4. b\n\n```rust\nfn x() {}\n```\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n> q");
    expect(list).toMatchObject({ kind: "list", ordered: true, start: 3 });
    expect(code).toEqual({ kind: "code", text: "fn x() {}", language: "rust" });
    expect(table).toMatchObject({ kind: "table", align: ["start", "end"] });
    expect(quote).toMatchObject({ kind: "quote" });
    const [tasks] = parse("- [x] a\n- [ ] b\n- c");
    expect(tasks).toMatchObject({ items: [{ done: true }, { done: false }, { done: null }] });
  });

  it("survives nesting of any depth", () => {
    expect(nodes(parse(`${">".repeat(400)} x`)).length).toBeLessThan(200);
    expect(() => parse(`${"[".repeat(2000)}${"](".repeat(2000)}`)).not.toThrow();
    expect(() => parse("*".repeat(5000))).not.toThrow();
  });

  it("resolves character references, but not twice", () => {
    expect(decoded("a &amp;lt; b &#60; &#x3E; &nope; &#0; &#xD800;")).toBe("a &lt; b < > &nope; \ufffd \ufffd");
  });

  it("takes no address without a host", () => {
    expect(webAddress("https://")).toBeNull();
    expect(webAddress("http:x.test")).toBe("http://x.test/");
    expect(webAddress("ftp://x.test")).toBeNull();
  });
});

describe("Marks", () => {
  it("cut a text in UTF-16 units without losing any of it", () => {
    const text = "a 🚢 effect 🚢 b";
    const cut = pieces(text, [
      [2, 4],
      [5, 11],
    ]);
    expect(cut.filter((piece) => piece.mark).map((piece) => piece.text)).toEqual(["🚢", "effect"]);
    expect(cut.map((piece) => piece.text).join("")).toBe(text);
  });

  it("that don't fit are ignored", () => {
    const cut = pieces("abc", [
      [2, 1],
      [0, 2],
      [1, 3],
      [2, 99],
    ]);
    expect(cut).toEqual([
      { text: "ab", mark: true },
      { text: "c", mark: false },
    ]);
  });

  it("find the words as typed and as the hits spell them, as whole words only", () => {
    const words = finder("effect.cleanup (x)", [{ snippet: "many effects here", marks: [[5, 12]] }]);
    const marked = found("Effects, side-effect, effective, CLEANUP and cleanup_all; ineffect", words).filter((piece) => piece.mark);
    expect(marked.map((piece) => piece.text)).toEqual(["Effects", "effect", "CLEANUP", "cleanup"]);
    expect(finder("( ) *", [])).toBeNull();
    expect(found("a", null)).toEqual([{ text: "a", mark: false }]);
  });
});

describe("a source's name", () => {
  const short = (path: string): string => path.replace("/home/ana", "~");
  it.each([
    ["/home/ana/work/shop/docs/tide.md", "file", "/home/ana/work/shop", "docs/", "tide.md"],
    ["/home/ana/work/shop/docs/", "folder", "/home/ana/work/shop/", "", "docs/"],
    ["/home/ana/work/shopping/list.md", "file", "/home/ana/work/shop", "~/work/shopping/", "list.md"],
    ["/home/ana/work/shop", "folder", "/home/ana/work/shop", "~/work/", "shop"],
    ["C:\\work\\shop\\a.rs", "file", "C:\\work\\shop", "", "a.rs"],
    ["docs/tide.md", "file", null, "docs/", "tide.md"],
    ["https://example.org/a/b", "web", "/home/ana/work/shop", "", "https://example.org/a/b"],
    ["cargo test a/b", "output", "/home/ana/work/shop", "", "cargo test a/b"],
    ["/home/ana/work/shop/a\u202egnp.exe", "file", "/home/ana/work/shop", "", "a[U+202E]gnp.exe"],
  ] as const)("%s", (label, kind, project, lead, end) => {
    expect(nameParts(label, kind, project, short)).toEqual({ lead, end });
  });
});

describe("what is read rather than rendered", () => {
  it("a snippet loses Markdown's signs and keeps the matches", () => {
    const parts = [{ text: "# Retries ## When **a** [request](x.md) is ", mark: false }, { text: "tried", mark: true }, { text: " | `again` |", mark: false }];
    expect(plain(parts).map(({ text }) => text).join("")).toBe("Retries When a request is tried again ");
    expect(plain(parts)[1]).toEqual({ text: "tried", mark: true });
  });

  it("a section is titled by its innermost heading", () => {
    expect([heading("Retries > When"), above("Retries > When > Now"), heading("Keels"), above("Keels")]).toEqual(["When", "Retries › When", "Keels", ""]);
  });
});

describe("a kept output", () => {
  it.each([
    ["output:hoku3f9", "output", 1],
    ["output:hoku3f9/3", "output", 3],
    ["plimsoll://task/tQdr", "output", 1],
    ["plimsoll://task/tQdr/2", "output", 2],
    // A meaningful name is kept.
    ["cargo test cache #00020", "output", undefined],
    ["output:hoku3f9/3 cargo test", "output", undefined],
    ["output:hoku3f9", "text", undefined],
    ["docs/output:x.md", "file", undefined],
  ] as const)("%s of kind %s is part %s", (label, kind, part) => {
    expect(outputPart(label, kind)).toBe(part);
  });
});

describe("a restore", () => {
  it("says where things went, and doesn't claim that everything was restored if it wasn't", () => {
    const left = { trash: [{ project: "shop-1", trash: "/trash/knowledge-5.db" }] };
    expect(restoredText([{ trash: [] }])).toBe("Restored");
    expect(restoredText([{ trash: [] }], "shop")).toBe("Restored to shop");
    expect(restoredText([left], "shop")).toContain("stays in the trash");
    expect(restoredText([{ trash: [] }, left])).toContain("stays in the trash");
  });
});

// Markdown from outside as a small tree, made from the tokens of `marked`'s lexer.
//
// Owns what may be shown at all: text, emphasis, code, lists, tables, quotes. HTML stays the letters it was written
// with, addresses that aren't web pages aren't links, pictures are a description and an address. Knows nothing of the
// DOM: `Markdown.svelte` draws the tree node by node, so no foreign string ever becomes markup.
import { lexer, type Token, type Tokens } from "marked";

export type Inline =
  | { kind: "text"; text: string }
  | { kind: "code"; text: string }
  | { kind: "raw"; text: string }
  | { kind: "strong" | "em" | "del"; children: Inline[] }
  | { kind: "link"; address: string; children: Inline[] }
  | { kind: "image"; alt: string; address: string }
  | { kind: "break" };

export type Align = "start" | "center" | "end";

export interface Item {
  /** For a task, whether it is done. */
  done: boolean | null;
  children: Block[];
}

export type Block =
  | { kind: "heading"; depth: number; children: Inline[] }
  | { kind: "paragraph"; children: Inline[] }
  | { kind: "plain"; children: Inline[] }
  | { kind: "code"; text: string; language: string }
  | { kind: "raw"; text: string }
  | { kind: "quote"; children: Block[] }
  | { kind: "list"; ordered: boolean; start: number; items: Item[] }
  | { kind: "table"; align: Align[]; head: Inline[][]; rows: Inline[][][] }
  | { kind: "rule" };

/** Real documents aren't nested deeper; what is deeper is shown as plain text. */
const DEEPEST = 24;

/** The tree of a text. Never throws: what cannot be taken apart is shown as plain text. */
export function parse(text: string): Block[] {
  try {
    return blocks(lexer(text, { gfm: true }), 0);
  } catch {
    return [{ kind: "raw", text }];
  }
}

/** `address` when it is one of a web page, else null. */
export function webAddress(address: string): string | null {
  try {
    const url = new URL(address);
    return (url.protocol === "https:" || url.protocol === "http:") && url.hostname !== "" ? url.href : null;
  } catch {
    return null;
  }
}

function blocks(tokens: readonly Token[], depth: number): Block[] {
  return tokens.flatMap((token) => block(token, depth));
}

function block(token: Token, depth: number): Block[] {
  if (depth > DEEPEST) return [{ kind: "raw", text: token.raw }];
  switch (token.type) {
    case "space":
    case "def":
    case "checkbox":
      return [];
    case "heading":
      return [{ kind: "heading", depth: (token as Tokens.Heading).depth, children: inlinesOf(token, depth) }];
    case "paragraph":
      return [{ kind: "paragraph", children: inlinesOf(token, depth) }];
    case "text":
      return [{ kind: "plain", children: inlinesOf(token, depth) }];
    case "code": {
      const code = token as Tokens.Code;
      return [{ kind: "code", text: code.text, language: (code.lang ?? "").split(/\s/, 1)[0] ?? "" }];
    }
    case "blockquote":
      return [{ kind: "quote", children: blocks((token as Tokens.Blockquote).tokens, depth + 1) }];
    case "list": {
      const list = token as Tokens.List;
      const items = list.items.map((item) => ({
        done: item.task ? item.checked === true : null,
        children: blocks(item.tokens, depth + 1),
      }));
      return [{ kind: "list", ordered: list.ordered, start: Number(list.start) || 1, items }];
    }
    case "table": {
      const table = token as Tokens.Table;
      const cells = (row: Tokens.TableCell[]): Inline[][] => row.map((cell) => inlines(cell.tokens, depth + 1));
      const align = table.align.map((to): Align => (to === "right" ? "end" : to === "center" ? "center" : "start"));
      return [{ kind: "table", align, head: cells(table.header), rows: table.rows.map(cells) }];
    }
    case "hr":
      return [{ kind: "rule" }];
    default:
      return token.raw.trim() === "" ? [] : [{ kind: "raw", text: token.raw.replace(/\n+$/, "") }];
  }
}

function inlinesOf(token: Token, depth: number): Inline[] {
  const tokens = "tokens" in token ? token.tokens : undefined;
  if (tokens) return inlines(tokens, depth + 1);
  return [{ kind: "text", text: decoded("text" in token ? String(token.text) : token.raw) }];
}

function inlines(tokens: readonly Token[], depth: number): Inline[] {
  return tokens.flatMap((token) => inline(token, depth));
}

function inline(token: Token, depth: number): Inline[] {
  if (depth > DEEPEST) return [{ kind: "text", text: token.raw }];
  switch (token.type) {
    case "text":
      return "tokens" in token && token.tokens
        ? inlines(token.tokens, depth + 1)
        : [{ kind: "text", text: decoded((token as Tokens.Text).text) }];
    case "escape":
      return [{ kind: "text", text: (token as Tokens.Escape).text }];
    case "codespan":
      return [{ kind: "code", text: (token as Tokens.Codespan).text }];
    case "strong":
    case "em":
    case "del":
      return [{ kind: token.type, children: inlinesOf(token, depth) }];
    case "br":
      return [{ kind: "break" }];
    case "link": {
      const link = token as Tokens.Link;
      const address = webAddress(link.href);
      const children = inlinesOf(link, depth);
      return address === null ? children : [{ kind: "link", address, children }];
    }
    case "image": {
      const image = token as Tokens.Image;
      return [{ kind: "image", alt: decoded(image.text), address: image.href }];
    }
    case "checkbox":
      return [];
    default:
      return [{ kind: "raw", text: token.raw }];
  }
}

/** The names that occur in real texts; others stay as they are written. */
const NAMED: Readonly<Record<string, string>> = {
  amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0", copy: "©", reg: "®", trade: "™",
  hellip: "…", mdash: "—", ndash: "–", lsquo: "‘", rsquo: "’", ldquo: "“", rdquo: "”", laquo: "«", raquo: "»",
  bull: "•", middot: "·", times: "×", deg: "°", rarr: "→", larr: "←", check: "✓", euro: "€", sect: "§",
};

/** Character references of HTML, which Markdown knows too, as the characters they mean. */
export function decoded(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}));/g, (whole, ten, hex, name) => {
    if (typeof name === "string") return NAMED[name] ?? whole;
    const code = typeof ten === "string" ? Number.parseInt(ten, 10) : Number.parseInt(String(hex), 16);
    const fits = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    return fits ? String.fromCodePoint(code) : "\ufffd";
  });
}

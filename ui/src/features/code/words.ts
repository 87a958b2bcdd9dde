// Code's words: what the program calls things by short names, as people read them. A word of a newer program stays as it is.
import type { CodeHit } from "../../contract";
import { count } from "../../i18n/format";
import { spoken, t, tn } from "../../i18n/index.svelte";

const CONFIDENCES = ["resolved", "in_scope", "textual"] as const;
const CATEGORIES = ["testing", "errors", "logging", "async", "http", "state", "di", "data"] as const;
const FINDINGS = ["circle", "long"] as const;
/** The program calls a file with more lines than this long. */
const LONG_LINES = 1000;
const MEMORIES = ["decision", "convention", "gotcha", "failure"] as const;
const TRENDS = ["Rising", "Stable", "Declining"] as const;
const KINDS = ["function", "method", "class", "struct", "enum", "interface", "type", "constant", "variable", "field", "variant", "module", "macro"] as const;

/** Languages whose name isn't their short name with a capital. */
const LANGUAGES: Readonly<Record<string, string>> = {
  typescript: "TypeScript", tsx: "TSX", javascript: "JavaScript", cpp: "C++", csharp: "C#", fsharp: "F#", php: "PHP", css: "CSS", cmake: "CMake",
  html: "HTML", ini: "INI", json: "JSON", jq: "jq", glsl: "GLSL", graphql: "GraphQL", gomod: "go.mod", matlab: "MATLAB", objc: "Objective-C", ocaml: "OCaml",
  powershell: "PowerShell", proto: "Protocol Buffers", sql: "SQL", toml: "TOML", xml: "XML", yaml: "YAML", make: "Makefile",
};

const has = (list: readonly string[], word: string): boolean => list.includes(word);

export const confidenceName = (word: string): string => (has(CONFIDENCES, word) ? t(`code.confidence.${word as "resolved"}`) : word);
export const categoryName = (word: string): string => (has(CATEGORIES, word) ? t(`code.category.${word as "errors"}`) : word);
export const findingName = (word: string): string => (has(FINDINGS, word) ? t(`code.finding.${word as "long"}`, { lines: longLines() }) : word);
/** From how many lines on a file is long, as a figure of the language. */
export const longLines = (): string => count(LONG_LINES, spoken.locale);
export const kindName = (word: string): string => (has(KINDS, word) ? t(`code.kind.${word as "function"}`) : word);
/** A language as people write it; one of a newer program with a capital. */
export const languageName = (word: string): string => (Object.hasOwn(LANGUAGES, word) ? (LANGUAGES[word] ?? word) : word.charAt(0).toUpperCase() + word.slice(1));
/** `typescript constant` as `TypeScript, constant`. */
export function namedThing(what: string): string {
  const [language = "", kind = ""] = what.split(" ", 2);
  return [language === "" ? "" : languageName(language), kind === "" ? "" : kindName(kind)].filter(Boolean).join(", ");
}
export const memoryKind = (word: string): string => (has(MEMORIES, word) ? t(`code.said.${word as "failure"}`) : word);
export const trendName = (trend: string | null): string => (trend !== null && has(TRENDS, trend) ? t(`code.trend.${trend as "Rising"}`) : "");
/** `86 % and rising`. */
export const sharePhrase = (way: { trend: string | null }, share: string): string =>
  way.trend === "Rising" || way.trend === "Declining" ? t(`code.share.${way.trend}`, { share }) : share;
export const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** What is known about a place, in one line. The note that it is a test is beside its name. */
export function about(hit: CodeHit, first: CodeHit | undefined): string {
  const parts: string[] = [];
  if (hit.defines) parts.push(t("code.hit.defines"));
  if (hit.imports_first && first) parts.push(t("code.hit.imports", { file: baseName(first.path) }));
  if (hit.importers > 0) parts.push(tn("code.hit.importers", hit.importers));
  if (hit.tested) parts.push(t("code.hit.tested"));
  return parts.join(" · ");
}

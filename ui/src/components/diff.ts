// A unified diff, taken apart for showing. Pure; doesn't know any file.

export interface DiffLine {
  kind: "context" | "added" | "removed" | "note";
  /** Its number in the file before; none for an added line. */
  before: number | undefined;
  /** Its number in the file after; none for a removed line. */
  after: number | undefined;
  text: string;
}

/** Lines that follow each other without a gap. */
export interface Hunk {
  lines: DiffLine[];
}

const HEAD = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** Takes a diff of one file apart. Lines before the first `@@` (file names) are left out. */
export function parseDiff(text: string): Hunk[] {
  const hunks: Hunk[] = [];
  let open: Hunk | undefined;
  let before = 0;
  let after = 0;
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  for (const raw of lines) {
    const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
    const head = HEAD.exec(line);
    if (head) {
      before = Number(head[1]);
      after = Number(head[2]);
      hunks.push((open = { lines: [] }));
    } else if (open) {
      const rest = line.slice(1);
      if (line.startsWith("+")) open.lines.push({ kind: "added", before: undefined, after: after++, text: rest });
      else if (line.startsWith("-")) open.lines.push({ kind: "removed", before: before++, after: undefined, text: rest });
      else if (line.startsWith("\\")) open.lines.push({ kind: "note", before: undefined, after: undefined, text: rest.trim() });
      else open.lines.push({ kind: "context", before: before++, after: after++, text: rest });
    }
  }
  return hunks;
}

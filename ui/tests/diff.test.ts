// Parsing a unified diff: hunks, line numbers before and after, line ends.
import { describe, expect, it } from "vitest";
import { parseDiff } from "../src/components/diff";

const DIFF = `--- a/settings.json
+++ b/settings.json
@@ -4,4 +4,5 @@
   "url": "x"
-  }
+  },
+  "plimsoll": {}
 }
@@ -40 +41 @@
-old
\\ No newline at end of file
+new
`;

describe("a unified diff", () => {
  const hunks = parseDiff(DIFF);

  it("falls into its hunks, without the names of the files", () => {
    expect(hunks.map((hunk) => hunk.lines.length)).toEqual([5, 3]);
  });

  it("numbers lines as they stand before and after", () => {
    expect(hunks[0]?.lines.map((line) => [line.kind, line.before, line.after])).toEqual([
      ["context", 4, 4],
      ["removed", 5, undefined],
      ["added", undefined, 5],
      ["added", undefined, 6],
      ["context", 6, 7],
    ]);
  });

  it("keeps indentation and says where no line end is", () => {
    expect(hunks[0]?.lines[2]?.text).toBe("  },");
    expect(hunks[1]?.lines[1]).toMatchObject({ kind: "note", text: "No newline at end of file" });
    expect(hunks[1]?.lines[2]).toMatchObject({ kind: "added", after: 41, text: "new" });
  });

  it("takes a line that looks like a file name for what it is", () => {
    const lines = parseDiff("--- x\n+++ x\n@@ -1 +1,2 @@\n a\n+++ b\n")[0]?.lines;
    expect(lines?.map((line) => line.text)).toEqual(["a", "++ b"]);
  });

  it("reads carriage returns and nothing at all", () => {
    expect(parseDiff("@@ -1 +1 @@\r\n-a\r\n+b\r\n")[0]?.lines.map((line) => line.text)).toEqual(["a", "b"]);
    expect(parseDiff("")).toEqual([]);
  });
});

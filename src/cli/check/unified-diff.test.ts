import fc from "fast-check";
import { expect, it } from "vitest";
import { unifiedDiff } from "./unified-diff.ts";

/** Applies a diff as `patch` does. */
function patched(before: string, diff: string): string {
  const old = before.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const now: string[] = [];
  let at = 0;
  const lines = diff.split("\n").slice(2, -1);
  for (const [index, line] of lines.entries()) {
    const hunk = /^@@ -(\d+),(\d+) /.exec(line);
    const isLast = lines[index + 1]?.startsWith("\\") === true;
    const text = `${line.slice(1)}${isLast ? "" : "\n"}`;
    if (hunk !== null) {
      const start = Number(hunk[1]) - (hunk[2] === "0" ? 0 : 1);
      now.push(...old.slice(at, start));
      at = start;
    } else if (line.startsWith(" ") || line.startsWith("-")) {
      expect(old[at]).toBe(text);
      at += 1;
    }
    if (line.startsWith(" ") || (line.startsWith("+") && hunk === null)) now.push(text);
  }
  return [...now, ...old.slice(at)].join("");
}

it("makes the one text of the other, whatever differs", () => {
  const line = fc.constantFrom("a\n", "b\n", "c\n", "d\n", "\n");
  const text = fc
    .tuple(fc.array(line, { maxLength: 40 }), fc.constantFrom("", "end"))
    .map(([all, end]) => all.join("") + end);
  fc.assert(
    fc.property(text, text, (before, after) => {
      const diff = unifiedDiff("x", before, after);
      expect(diff === "" ? before : patched(before, diff)).toBe(after);
    }),
  );
});

it("is nothing where nothing differs, and shows three lines around what does", () => {
  expect(unifiedDiff("x", "a\n", "a\n")).toBe("");
  const lines = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
  const before = `${lines.join("\n")}\n`;
  expect(unifiedDiff("x", before, before.replace("5", "five"))).toBe(
    "--- x\n+++ x\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
  );
});

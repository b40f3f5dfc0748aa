import { expect, it } from "vitest";
import type { Recognition } from "../open-set.ts";
import { recognitionWords } from "./recognition-words.ts";

it("says what a set was recognised by", () => {
  const cases: readonly (readonly [Recognition, string])[] = [
    [{ kind: "members", names: ["version", "refs"] }, "its “version” and “refs” keys"],
    [
      { kind: "record-size", size: 1000, isConsolidated: true },
      "the “record_size” of 1000 in .zmetadata, which has “zarr_consolidated_format” too, as Zarr stores do",
    ],
    [
      { kind: "record-size", size: undefined, isConsolidated: false },
      "the “record_size”, which is not a whole number from 1 on, in .zmetadata",
    ],
    [{ kind: "metadata-documents", names: [".zarray", ".zgroup"] }, "its metadata documents (.zarray or .zgroup)"],
    [{ kind: "file", name: "repo", writer: "a 1.0" }, "the file repo, written by a 1.0"],
  ];
  for (const [recognition, words] of cases) expect(recognitionWords(recognition)).toBe(words);
});

import { expect, it } from "vitest";
import type { RepairOffer } from "../repair-offer.ts";
import { allFixes, testedWords } from "./fix-all.ts";

/** JSON text of a reference, as edits have it. */
const FIXED = '["f", 0, 9]';

const offer = (key: string, more: Partial<RepairOffer> = {}): RepairOffer => ({
  change: { kind: "length", length: 9 },
  certainty: "safe",
  evidence: [],
  key,
  array: "a",
  before: '["f", 0, 1]',
  after: FIXED,
  edits: [{ kind: "set-reference", key, value: FIXED }],
  chunks: [{ coordinates: [0] }],
  ...more,
});

it("takes what is proven, once a reference, and says of the others why not", () => {
  const removed = offer("a/9", { change: { kind: "remove" }, edits: [{ kind: "remove-reference", key: "a/9" }] });
  const metadata = offer("a/.zarray", { edits: [{ kind: "set-reference", key: "a/.zarray", value: "{}" }] });
  const likely = offer("a/2", { certainty: "likely" });
  const choice = offer("a/3", { certainty: "needs-you" });
  const parquet = offer("a/4", { refused: "not-a-document", edits: [] });
  const again = offer("a/0", { after: '["f", 0, 8]' });
  const all = allFixes([offer("a/0"), removed, metadata, likely, choice, parquet, again, offer("a/1")]);
  expect(all.taken.map(({ key }) => key)).toEqual(["a/0", "a/9", "a/.zarray", "a/1"]);
  expect(all.left.map(([{ key }]) => key)).toEqual(["a/2", "a/3", "a/4", "a/0"]);
  expect(all.left.map(([, why]) => why).join(" ")).toMatch(/not proven.*several.*only Kerchunk JSON.*same reference/);
  expect(all.edits).toEqual([
    {
      kind: "set-references",
      values: [
        ["a/0", FIXED],
        ["a/1", FIXED],
      ],
    },
    ...metadata.edits,
    { kind: "remove-references", keys: ["a/9"] },
  ]);
});

it("says on how many chunks a fix was tested", () => {
  expect(testedWords(offer("a/0"))).toBe("Tested on 1 of 1 chunk.");
  expect(testedWords(offer("a/0", { alike: { references: 27, read: 12 } }))).toBe("Tested on 12 of 27 chunks.");
  expect(testedWords(offer("a/9", { change: { kind: "remove" }, chunks: [] }))).toContain("no chunk had to be read");
});

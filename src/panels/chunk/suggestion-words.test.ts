import { expect, it } from "vitest";
import type { Evidence, Repair, Suggestions, Trial } from "../../core/check/lab.ts";
import { evidenceWords, repairTitle, searchWords } from "./DecodeTab.tsx";

it("titles of repairs say what is done", () => {
  const cases: readonly (readonly [Repair, Trial, string])[] = [
    [{ kind: "length" }, { lengthen: 4 }, "Read 4 bytes more"],
    [{ kind: "length" }, { lengthen: -9 }, "Read 9 bytes fewer"],
    [{ kind: "offset" }, { shift: -20 }, "Read 20 bytes earlier"],
    [{ kind: "offset" }, { shift: 1, lengthen: -1000 }, "Read 1 byte later, and 1,000 bytes fewer"],
    [{ kind: "codec-not-applied", codecs: ["zlib", "shuffle"] }, {}, "Read this chunk without zlib and shuffle"],
    [{ kind: "codec-order", codecs: ["a", "b", "c"] }, {}, "Decode in the order a, b and c"],
    [{ kind: "codec-undeclared", codec: "zlib" }, {}, "Declare zlib"],
    [{ kind: "codec-undeclared", codec: "zlib", detail: { kind: "with-shuffle" } }, {}, "Declare zlib and shuffle"],
    [
      { kind: "codec-undeclared", codec: "crc32", detail: { kind: "checksum", place: "start" } },
      {},
      "Declare crc32: the first 4 bytes are its checksum",
    ],
    [
      { kind: "codec-undeclared", codec: "shuffle", detail: { kind: "element-size", size: 4 } },
      {},
      "Declare shuffle, 4-byte elements",
    ],
    [{ kind: "element-size", size: 4, declared: 2 }, {}, "Shuffle with 4-byte elements instead of 2-byte ones"],
    [{ kind: "byte-order", byteOrder: "big" }, { byteOrder: "big" }, "Read the elements as big-endian"],
  ];
  for (const [repair, trial, title] of cases) expect(repairTitle({ repair, trial })).toBe(title);
});

it("evidence is a sentence", () => {
  const cases: readonly (readonly [Evidence, string])[] = [
    [{ kind: "checksum-holds", codecs: ["zlib"] }, "It verifies the checksum of zlib."],
    [{ kind: "checksum-holds", codecs: ["zlib", "crc32"] }, "It verifies the checksums of zlib and crc32."],
    [
      { kind: "is-checksum", codec: "fletcher32", place: "end", of: 1200 },
      "The last 4 bytes are the fletcher32 checksum of the 1,200 bytes before them.",
    ],
    [
      { kind: "fewer-absurd", of: "characters", share: 0, declared: 0.5 },
      "As declared, 50% of the values that are not zero are characters that Unicode does not have; this way 0% are.",
    ],
    [
      { kind: "more-order", bits: 1.234, declared: 4 },
      "The bytes of the elements have far more order this way: 1.23 bits of entropy per byte, against 4.00 as declared.",
    ],
    [{ kind: "exact-size", bytes: 16_384 }, "It gives exactly 16,384 bytes, as the chunk should have."],
  ];
  for (const [evidence, words] of cases) expect(evidenceWords(evidence)).toBe(words);
});

it("what the search came to is a sentence", () => {
  const none: Suggestions = { suggestions: [], declared: "fails", expected: 16_384, tried: 1 };
  const one = { repair: { kind: "length" }, trial: {}, evidence: [], score: 1 } as const;
  expect(searchWords(none)).toBe("1 other reading was tried; none gives 16,384 bytes.");
  expect(searchWords({ ...none, tried: 7, expected: 0 })).toBe(
    "7 other readings were tried; none gives the chunk's elements.",
  );
  expect(searchWords({ ...none, suggestions: [one, one], tried: 7 })).toBe(
    "The chunk does not decode as declared; 7 other readings were tried, and 2 give 16,384 bytes.",
  );
  expect(searchWords({ ...none, declared: "decodes" })).toBe(
    "The chunk decodes as declared, and no other reading is more plausible.",
  );
  expect(searchWords({ ...none, suggestions: [one], declared: "decodes" })).toContain("another reading is far more");
  expect(searchWords({ ...none, declared: "no-reference" })).toContain("no reference");
  expect(searchWords({ ...none, declared: "no-bytes" })).toContain("could not be read");
});

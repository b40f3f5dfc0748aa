import { describe, expect, it } from "vitest";
import { alikeWords, certaintyWords, evidenceLines, repairLine, repairTitle } from "./repair.ts";
import type { RepairChange, RepairEvidence } from "./repair.ts";
import type { RepairOffer } from "./repair-offer.ts";

const titled = (change: RepairChange) => repairTitle({ change, certainty: "safe" });

describe("repairs in words", () => {
  it.each<readonly [RepairChange, string]>([
    [{ kind: "move", shift: 1, lengthen: 0 }, "Read 1 byte later"],
    [{ kind: "move", shift: -8_589_937_949, lengthen: 0 }, "Move by -8,589,937,949 bytes"],
    [{ kind: "codec-not-applied", codecs: ["zlib", "shuffle"] }, "Read without zlib and shuffle"],
    [{ kind: "codec-order", codecs: ["a", "b", "c"] }, "Decode in the order a, b and c"],
    [{ kind: "codec-undeclared", codec: "zlib" }, "Declare zlib"],
    [{ kind: "codec-undeclared", codec: "zlib", detail: { kind: "with-shuffle" } }, "Declare zlib and shuffle"],
    [
      { kind: "codec-undeclared", codec: "crc32", detail: { kind: "checksum", place: "start" } },
      "Declare crc32: the first 4 bytes are its checksum",
    ],
    [
      { kind: "codec-undeclared", codec: "shuffle", detail: { kind: "element-size", size: 4 } },
      "Declare shuffle, 4-byte elements",
    ],
    [{ kind: "element-size", size: 4, declared: 2 }, "Shuffle with 4-byte elements instead of 2-byte ones"],
    [{ kind: "byte-order", byteOrder: "big" }, "Read the elements as big-endian"],
    [{ kind: "length", length: 12_300 }, "Read 12,300 bytes"],
    [{ kind: "range", offset: 253_285, length: 16_055 }, "Read 16,055 bytes at 253,285"],
    [{ kind: "target", target: null }, "Point to the target given when opening"],
    [{ kind: "target", target: "s3://b/x/one.nc" }, "Point to one.nc"],
    [{ kind: "separator", from: "/", to: ".", references: 1 }, "Write 1 key with “.”"],
    [{ kind: "move", shift: -4, lengthen: 1 }, "Read 4 bytes earlier, 1 byte more"],
    [{ kind: "move", shift: 0, lengthen: -9 }, "Read 9 bytes fewer"],
    [{ kind: "prefix", from: "s3n://", to: "s3://" }, "Replace s3n:// with s3://"],
    [{ kind: "metadata", member: "shape", to: [12, 8] }, "Set shape to 12 × 8"],
    [{ kind: "metadata", member: "chunks", to: [4] }, "Set chunk shape to 4"],
  ])("%j", (change, words) => {
    expect(titled(change)).toBe(words);
  });

  it("ask where something else may be meant, and name the array of its keys", () => {
    expect(repairTitle({ change: { kind: "remove" }, certainty: "needs-you" })).toBe("Remove the reference?");
    const change = { kind: "separator", from: "/", to: ".", references: 2 } as const;
    const offer = { change, certainty: "safe", array: "", key: "0/0", evidence: [] } as unknown as RepairOffer;
    expect(repairLine(offer)).toBe("Write 2 keys with “.” in /");
  });

  it("of many say how many were read", () => {
    const shift = { kind: "move", shift: -7, lengthen: 0 } as const;
    const alike = { references: 300, read: 24 };
    expect(repairTitle({ change: shift, certainty: "likely", alike })).toBe("Read 7 bytes earlier in 300 references");
    expect(alikeWords({ change: shift, alike })).toBe(
      "It changes 300 references. A spread sample of 24 was read this way, and each decodes. The others were not read.",
    );
    expect(alikeWords({ change: shift, alike: { references: 24, read: 24 } })).toMatch(
      /\. Each was read this way and decodes/,
    );
    const removal = { change: { kind: "remove" }, certainty: "needs-you", alike: { references: 30, read: 0 } } as const;
    expect(repairTitle(removal)).toBe("Remove 30 references?");
    expect(alikeWords(removal)).toBe("It removes 30 references. Nothing had to be read.");
    expect(certaintyWords({ ...removal, certainty: "safe" })).toBe("No reader requests these keys.");
    const shape = { kind: "metadata", member: "shape", to: [12] } as const;
    expect(certaintyWords({ change: shape, certainty: "likely" })).toMatch(/^The references suggest this/);
    expect(evidenceLines({ evidence: [{ kind: "checksum-holds", codecs: ["zlib"] }], alike })).toEqual([
      "Their checksums match (zlib)",
    ]);
  });

  it.each<readonly [RepairEvidence, string]>([
    [{ kind: "begins-behind", key: "a/0" }, "It begins where a/0 ends"],
    [{ kind: "even-distance", bytes: 8 }, "Chunks are spaced every 8 bytes, and so is this one"],
    [{ kind: "same-layout", key: "a/1", target: "x/two.nc" }, "a/1 begins at the same offset in two.nc"],
    [{ kind: "near-name", name: "x/two.nc" }, "two.nc has nearly the same name"],
    [{ kind: "wrong-rank", rank: 1 }, "The array has 1 dimension: no reader requests this key"],
    [{ kind: "stream-whole", codecs: ["zstd"] }, "zstd decodes completely"],
    [{ kind: "checksum-holds", codecs: ["zlib"] }, "The checksum of zlib matches"],
    [{ kind: "checksum-holds", codecs: ["zlib", "crc32"] }, "The checksums of zlib and crc32 match"],
    [
      { kind: "is-checksum", codec: "fletcher32", place: "end", of: 1200 },
      "The last 4 bytes are the fletcher32 checksum of the 1,200 bytes before them",
    ],
    [
      { kind: "fewer-absurd", of: "characters", share: 0, declared: 0.5 },
      "As declared, 50% of the non-zero values are invalid Unicode characters; with the fix 0% are",
    ],
    [
      { kind: "more-order", bits: 1.234, declared: 4 },
      "The elements' bytes have far lower entropy: 1.23 bits per byte, compared with 4.00 as declared",
    ],
    [{ kind: "exact-size", bytes: 16_384 }, "It decodes to exactly 16,384 bytes"],
  ])("what speaks for them: %j", (evidence, words) => {
    expect(evidenceLines({ evidence: [evidence] })).toEqual([words]);
  });
});

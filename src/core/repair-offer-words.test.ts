import { describe, expect, it } from "vitest";
import { evidenceLine, repairLine, repairTitle } from "./repair-offer-words.ts";
import type { RepairChange, RepairEvidence, RepairOffer } from "./repairs.ts";

const titled = (change: RepairChange) => repairTitle({ change, certainty: "safe" });

describe("repairs in words", () => {
  it.each<readonly [RepairChange, string]>([
    [{ kind: "shift", bytes: 1 }, "Read 1 byte later"],
    [{ kind: "shift", bytes: -8_589_937_949 }, "Move by -8,589,937,949 bytes"],
    [{ kind: "length", length: 12_300 }, "Read 12,300 bytes"],
    [{ kind: "range", offset: 253_285, length: 16_055 }, "Use 253,285 + 16,055"],
    [{ kind: "target", target: null }, "Point at the target given when opening"],
    [{ kind: "target", target: "s3://b/x/one.nc" }, "Point at one.nc"],
    [{ kind: "separator", from: "/", to: ".", references: 1 }, "Write 1 key with “.”"],
  ])("%j", (change, words) => {
    expect(titled(change)).toBe(words);
  });

  it("ask where something else may be meant, and name the array of its keys", () => {
    expect(repairTitle({ change: { kind: "remove" }, certainty: "needs-you" })).toBe("Remove the reference?");
    const change = { kind: "separator", from: "/", to: ".", references: 2 } as const;
    const offer = { change, certainty: "safe", array: "", key: "0/0", evidence: [] } as unknown as RepairOffer;
    expect(repairLine(offer)).toBe("Write 2 keys with “.” in /");
  });

  it.each<readonly [RepairEvidence, string | undefined]>([
    [{ kind: "begins-behind", key: "a/0" }, "It begins where a/0 ends"],
    [{ kind: "even-distance", bytes: 8 }, "Chunks follow each other every 8 bytes, and so does this one"],
    [{ kind: "same-layout", key: "a/1", target: "x/two.nc" }, "a/1 begins at the same offset in two.nc"],
    [{ kind: "near-name", name: "x/two.nc" }, "two.nc is nearly the same name"],
    [{ kind: "wrong-rank", rank: 1 }, "The array has 1 dimension: no reader asks for this key"],
    [{ kind: "stream-whole", codecs: ["zstd"] }, "A whole zstd stream is there"],
    [{ kind: "nan-spreads" }, undefined],
  ])("what speaks for them: %j", (evidence, words) => {
    expect(evidenceLine(evidence)).toBe(words);
  });
});

import { describe, expect, it } from "vitest";
import { countedWords, headTexts, ratioText, signatureMark, stageLines } from "./stage-words.ts";

it("says how much a stage made of its bytes, and nothing where it kept their number", () => {
  expect(ratioText(6851, 20_480)).toBe(" · 3.0×");
  expect(ratioText(100, 50)).toBe(" · 0.50×");
  expect(ratioText(10, 12_345)).toBe(" · 1235×");
  expect(ratioText(1004, 1000)).toBe(" · 0.996×");
  expect(ratioText(20_480, 20_480)).toBe("");
  expect(ratioText(0, 10)).toBe("");
});

describe("what bytes look like", () => {
  const stage = (id: string, rest = {}) => ({ id, label: id, configuration: "", bytesIn: 4, ...rest });

  it("shows the first eight bytes", () => {
    expect(headTexts(Uint8Array.from([0x78, 0x5e, 0, 65, 66, 67, 255, 32, 1]))).toEqual({
      hex: "78 5e 00 41 42 43 ff 20",
      ascii: "x^.ABC. ",
    });
  });

  it("says over how many bytes the entropy is", () => {
    expect(countedWords({ entropy: 1, counted: 5 }, 5)).toBe("all 5 bytes");
    expect(countedWords({ entropy: 1, counted: 1000 }, 5000)).toBe("the first 1,000 bytes");
  });

  it("marks the signature's bytes, where their number is known", () => {
    const marked = (name: string, first = 0) =>
      signatureMark({
        look: { entropy: 1, counted: 1, signature: { name, label: "L", facts: [] } },
        head: Uint8Array.of(first),
      });
    expect(marked("zlib")).toEqual({ from: 0, to: 2, title: "L" });
    expect(marked("hdf5", 0x89)?.to).toBe(8);
    expect(marked("hdf5", 0x54)?.to).toBe(4); // TREE
    expect(marked("zeros")).toBeUndefined();
    expect(signatureMark({})).toBeUndefined();
  });

  it("lists the codecs that were not reached after the one that failed", () => {
    const codecs = [stage("zlib"), stage("shuffle")];
    const failed = [stage("stored", { bytesOut: 4 }), stage("zlib", { error: { code: "x", doing: "y" } })];
    expect(stageLines(failed, codecs).map(({ id, stage: one }) => [id, one !== undefined])).toEqual([
      ["stored", true],
      ["zlib", true],
      ["shuffle", false],
    ]);
    expect(stageLines([], codecs).map(({ id }) => id)).toEqual(["stored", "zlib", "shuffle"]);
    expect(stageLines([stage("stored"), ...codecs], codecs)).toHaveLength(3);
  });
});

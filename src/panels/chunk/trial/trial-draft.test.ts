import { describe, expect, it } from "vitest";
import {
  declaredDraft,
  draftOf,
  draftProblem,
  insertedStep,
  isOfOneChunk,
  movedStep,
  stageOfStep,
  trialOf,
  trialWords,
  withoutStep,
  withStep,
} from "./trial-draft.ts";

const CODECS = [
  { id: "zlib", configuration: '{"level":4}' },
  { id: "shuffle", configuration: '{"elementsize":2}' },
  { id: "fletcher32", configuration: "" },
];
const DRAFT = declaredDraft(CODECS);
const ids = ({ steps }: typeof DRAFT) => steps.map(({ id }) => id);

describe("a draft", () => {
  it("that changes nothing is not a trial, however empty configurations are written", () => {
    expect(trialOf(DRAFT, CODECS)).toBeUndefined();
    expect(trialOf(withStep(DRAFT, 2, { configuration: " {} " }), CODECS)).toBeUndefined();
    expect(trialOf(movedStep(movedStep(DRAFT, 0, 1), 0, -1), CODECS)).toBeUndefined();
  });

  it("gives only what differs", () => {
    expect(trialOf({ ...DRAFT, shift: -4 }, CODECS)).toEqual({ shift: -4 });
    expect(trialOf({ ...DRAFT, byteOrder: "big", lengthen: 1 }, CODECS)).toEqual({ byteOrder: "big", lengthen: 1 });
    expect(trialOf(withStep(DRAFT, 1, { off: true }), CODECS)).toEqual({
      steps: [CODECS[0], { ...CODECS[1], off: true }, CODECS[2]],
    });
  });

  it("made of a trial says the same trial", () => {
    const steps = [
      { id: "shuffle", configuration: '{"elementsize":4}' },
      { id: "zlib", configuration: "", off: true },
    ];
    for (const trial of [{ steps }, { steps: [] }, { shift: 3 }, { byteOrder: "little", steps }] as const)
      expect(trialOf(draftOf(trial, CODECS), CODECS)).toEqual(trial);
  });

  it("moves, inserts and removes steps, which keep their keys", () => {
    expect(ids(movedStep(DRAFT, 2, -1))).toEqual(["zlib", "fletcher32", "shuffle"]);
    expect(movedStep(DRAFT, 0, -1)).toBe(DRAFT);
    expect(movedStep(DRAFT, 2, 1)).toBe(DRAFT);
    const inserted = insertedStep(withoutStep(DRAFT, 1), 1, { id: "zstd", configuration: "" });
    expect(ids(inserted)).toEqual(["zlib", "zstd", "fletcher32"]);
    expect(new Set(inserted.steps.map(({ key }) => key)).size).toBe(3);
  });

  it("knows the stage of each step that is on", () => {
    const draft = withStep(DRAFT, 1, { off: true });
    expect([0, 1, 2].map((key) => stageOfStep(draft, key))).toEqual([1, undefined, 2]);
  });

  it("says which step is wrong; one that is off may be", () => {
    const wrong = withStep(DRAFT, 1, { configuration: "{" });
    expect(draftProblem(DRAFT)).toBeUndefined();
    expect(draftProblem(wrong)).toMatch(/^shuffle: This is not JSON/);
    expect(draftProblem(withStep(wrong, 1, { off: true }))).toBeUndefined();
  });
});

describe("a trial in words", () => {
  it("names the chain, the order and the move", () => {
    expect(trialWords({ shift: 12, lengthen: -1 }, CODECS)).toBe("12 bytes later, 1 byte shorter");
    const [zlib, shuffle, fletcher32] = CODECS as [(typeof CODECS)[0], (typeof CODECS)[0], (typeof CODECS)[0]];
    expect(trialWords({ steps: [shuffle, fletcher32], byteOrder: "big" }, CODECS)).toBe(
      "without zlib, big-endian elements",
    );
    expect(trialWords({ steps: [] }, CODECS)).toBe("without zlib, shuffle, fletcher32");
    expect(trialWords({ steps: [zlib, { ...shuffle, configuration: '{"elementsize":4}' }, fletcher32] }, CODECS)).toBe(
      'shuffle {"elementsize":4}',
    );
    expect(trialWords({ steps: [shuffle, { ...zlib, off: true }, fletcher32, { ...zlib, off: true }] }, CODECS)).toBe(
      "without zlib",
    );
    expect(trialWords({ steps: [shuffle, zlib, fletcher32] }, CODECS)).toBe("decode with shuffle → zlib → fletcher32");
    expect(trialWords({ steps: [{ id: "zstd", configuration: "" }] }, CODECS)).toBe("decode with zstd");
  });

  it("concerns one chunk only where it changes its range", () => {
    expect([{ shift: 1 }, { steps: [] }, { byteOrder: "big" } as const].map(isOfOneChunk)).toEqual([
      true,
      false,
      false,
    ]);
  });
});

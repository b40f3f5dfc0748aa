/** Bins of what is kept of chunks: pure. */
import { expect, it } from "vitest";
import { openField } from "../testing/field-set.ts";
import { CHUNK_DECODED, CHUNK_FAILED } from "../value-facts.ts";
import { MAX_BINS, valueProfile, type KeptProfile } from "./set-profiles.ts";

const { hierarchy } = await openField();
const node = hierarchy.nodes.get("v");
if (node?.kind !== "array") throw new Error("No array v.");

/** A long grid, two chunks wide; what is kept of a chunk follows from its ordinal. */
function keptOf(length: number, change: Partial<KeptProfile> = {}): KeptProfile {
  const count = length * 2;
  const column = (of: (ordinal: number) => number) => Float64Array.from({ length: count }, (_, at) => of(at));
  const none = new Float32Array(count).fill(NaN);
  return {
    node: node as KeptProfile["node"],
    grid: [length, 2, 1],
    axis: 0,
    of: count,
    scaling: undefined,
    ordinals: column((at) => at),
    files: Uint32Array.from({ length: count }, (_, at) => Math.floor(at / 2)),
    states: new Uint8Array(count).fill(CHUNK_DECODED),
    minimum: column((at) => at),
    maximum: column((at) => at + 1),
    mean: column((at) => at + 0.5),
    count: column(() => 10),
    missing: column((at) => (at % 2) * 5),
    spread: none,
    step: none,
    rough: none,
    ...change,
  };
}

const about = { fileName: (file: number) => `file ${file}` };

it("of more places than there are bins the ends of all are kept, and none is left out", () => {
  const length = 3 * MAX_BINS + 1;
  const { bins, perBin, columns } = valueProfile(keptOf(length), undefined, about);
  expect(bins).toBeLessThanOrEqual(MAX_BINS);
  expect(columns.read.reduce((sum, one) => sum + one, 0)).toBe(length * 2);
  expect([columns.minimum[0], columns.maximum[0]]).toEqual([0, perBin * 2]);
  expect(columns.maximum[bins - 1]).toBe(length * 2);
});

it("means count by the elements that have values", () => {
  const { columns } = valueProfile(keptOf(2), undefined, about);
  expect(columns.mean[0]).toBeCloseTo((0.5 * 10 + 1.5 * 5) / 15, 12);
  expect(columns.missing[0]).toBe(0.25);
});

it("through a chunk only those are told that differ from it along the axis", () => {
  const { columns, isLine } = valueProfile(keptOf(3), [2, 1, 0], about);
  expect(isLine).toBe(true);
  expect([...columns.minimum]).toEqual([1, 3, 5]);
  expect([...columns.missing]).toEqual([0.5, 0.5, 0.5]);
});

it("failed chunks are counted, and have no values", () => {
  const states = new Uint8Array(6).fill(CHUNK_DECODED);
  states.set([CHUNK_FAILED, CHUNK_FAILED], 2);
  const { columns } = valueProfile(keptOf(3, { states }), undefined, about);
  expect([...columns.failed]).toEqual([0, 2, 0]);
  expect([...columns.read]).toEqual([2, 0, 2]);
  expect(columns.mean[1]).toBeNaN();
});

it("files that share a place have no borders along the axis", () => {
  const files = Uint32Array.from([0, 1, 0, 1, 0, 1]);
  expect(valueProfile(keptOf(3, { files }), undefined, about)).toMatchObject({ files: [], fileCount: 2 });
  expect(valueProfile(keptOf(3), undefined, about).files).toEqual(
    [0, 1, 2].map((at) => ({ name: `file ${at}`, bin: at })),
  );
});

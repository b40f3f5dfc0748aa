import { expect, it } from "vitest";
import { removeDuplicates, type Settled } from "./duplicates.ts";
import { KeyPool } from "./pools.ts";
import { slots } from "./slots.ts";

const settled = (ordinals: readonly number[]): Settled => ({
  rows: ordinals.length,
  blocks: [
    {
      array: new Uint16Array(65_536),
      ordinal: new Uint32Array(65_536),
      target: new Uint32Array(65_536),
      offset: new Float64Array(65_536),
      length: new Uint32Array(65_536),
    },
  ],
  slots: slots(),
  strays: { keys: new KeyPool(), reasons: [] },
  bad: new Map(),
  bigLengths: new Map(),
  wideOrdinals: new Map(ordinals.entries()),
});

it("keys that are repeated beyond a limit are an error that names it", () => {
  expect(removeDuplicates(settled([7, 8, 7, 7]), 4, 2).rows).toBe(2);
  expect(() => removeDuplicates(settled([7, 8, 7, 7, 8]), 5, 2)).toThrow(
    expect.objectContaining({
      code: "too-many-repeated-keys",
      finding: expect.objectContaining({ facts: { limit: 2 } }) as unknown,
    }) as Error,
  );
});

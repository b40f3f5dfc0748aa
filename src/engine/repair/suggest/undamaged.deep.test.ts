/** Chunks that are as they should be get no suggestion, however odd their values are. */
import { describe, expect, it } from "vitest";
import { ODD, REAL } from "./testing/data.ts";
import { CHAINS, DELTA_CHAIN, DELTA_TYPES, madeSet, sampleSet } from "./testing/made-sets.ts";
import { suggestedFor } from "./testing/score.ts";

describe("undamaged chunks", () => {
  it("of the sample get no suggestion", async () => {
    expect(await suggestedFor(sampleSet())).toEqual([]);
  });

  it.each(CHAINS)("of made arrays with codecs $name get none", async (chain) => {
    const kinds = ["none", "shuffle", "shuffle_zlib", "blosc_zstd"].includes(chain.name) ? [...REAL, ...ODD] : REAL;
    expect(await suggestedFor(await madeSet(kinds, [chain]))).toEqual([]);
  });

  const shapes = [
    [1, 5],
    [1, 24],
    [8, 8],
    [1, 365],
    [3, 200],
  ] as const;
  it.each(shapes)("in chunks of %i × %i get none", async (rows, columns) => {
    const chains = CHAINS.filter(({ name }) => ["none", "shuffle_zlib"].includes(name));
    expect(await suggestedFor(await madeSet([...REAL, ...ODD], chains, [rows, columns]))).toEqual([]);
  });

  it("of arrays with delta get none", async () => {
    const kinds = [...REAL, ...ODD].filter(({ dtype }) => DELTA_TYPES.has(dtype));
    expect(await suggestedFor(await madeSet(kinds, [DELTA_CHAIN]))).toEqual([]);
  });
});

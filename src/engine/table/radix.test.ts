import fc from "fast-check";
import { expect, it } from "vitest";
import { CONTEXT } from "../fixtures/plain-table.ts";
import { startPace } from "../pace.ts";
import { radixSort } from "./radix.ts";

const word = fc.oneof(
  fc.integer({ min: 0, max: 3 }),
  fc.integer({ min: 0, max: 0xffff_ffff }),
  fc.constant(0xffff_ffff),
);
const keys = fc.array(fc.tuple(word, word), { maxLength: 200 });

it("sorts stably by 32 and 64 bits, up and down", async () => {
  const property = async (pairs: readonly (readonly [number, number])[], wide: boolean, descending: boolean) => {
    const valueOf = (at: number): bigint =>
      BigInt(pairs[at]?.[0] ?? 0) + (wide ? BigInt(pairs[at]?.[1] ?? 0) << 32n : 0n);
    const columns = {
      entries: Uint32Array.from(pairs.keys()),
      low: Uint32Array.from(pairs, ([low]) => low),
      high: wide ? Uint32Array.from(pairs, ([, high]) => high) : undefined,
      count: pairs.length,
    };
    const sorted = await radixSort(columns, descending, startPace(CONTEXT, "Sorting", pairs.length));
    const order = (a: number, b: number): number => (valueOf(a) < valueOf(b) ? -1 : Number(valueOf(a) > valueOf(b)));
    const expected = [...pairs.keys()].sort((a, b) => (descending ? order(b, a) : order(a, b)));
    expect([...sorted]).toEqual(expected);
  };
  await fc.assert(fc.asyncProperty(keys, fc.boolean(), fc.boolean(), property), { numRuns: 500 });
});

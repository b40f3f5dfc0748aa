import { expect, it } from "vitest";
import { CONTEXT } from "../fixtures/plain-table.ts";
import { rangeOrder } from "./range-order.ts";
import { madeSet } from "./testing/made-set.ts";

const CHUNKS = 60;
const LARGE = 5_000_000_000;

/** Of each target its ranges by offset: the key's number, offset and length. */
async function ordered(sizes?: { readonly pass: number; readonly window: number }) {
  const zarray = { zarr_format: 2, shape: [CHUNKS], chunks: [1], dtype: "|u1", fill_value: 0, order: "C" };
  const chunks = Array.from({ length: CHUNKS }, (_, at): readonly [string, readonly unknown[]] => {
    const length = at === 7 ? LARGE : at === 9 ? 0 : 10 + at;
    return [`a/${at}`, [`${(at * 7) % 5}.bin`, (at * 37) % 101, length]];
  });
  const metadata = { "a/.zarray": { ...zarray, compressor: null, filters: null } };
  const { index } = await madeSet({ ...metadata, ...Object.fromEntries(chunks) });
  const found: (readonly [target: number, row: number, offset: number, length: number])[] = [];
  const kept: number[] = [];
  const order = await rangeOrder(
    index,
    new Uint8Array(index.table.arrays.length).fill(1),
    ({ starts, base, rows, offsets, lengths, targets: [from, to] }) => {
      for (let target = from; target < to; target += 1)
        for (let at = (starts[target] as number) - base; at < (starts[target + 1] as number) - base; at += 1) {
          found.push([target, rows[at] as number, offsets[at] as number, lengths[at] as number]);
          kept.push(base + at);
        }
      return true;
    },
    CONTEXT,
    sizes,
  );
  expect(kept.map((place) => order.rowAt(place))).toEqual(found.map(([, row]) => row));
  return found;
}

it("is the same in one window and in many, in one pass and in several", async () => {
  const whole = await ordered();
  expect(whole).toHaveLength(CHUNKS - 1);
  expect(whole.map(([, , , length]) => length)).toContain(LARGE);
  const sorted = whole.toSorted(([one, , a], [other, , b]) => one - other || a - b);
  expect(whole).toEqual(sorted);
  for (const sizes of [
    { pass: 1000, window: 1 },
    { pass: 1000, window: 30 },
    { pass: 20, window: 20 },
    { pass: 1, window: 1 },
  ])
    expect(await ordered(sizes)).toEqual(whole);
});

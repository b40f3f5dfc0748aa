import { expect, it } from "vitest";
import { madeSet } from "../check/testing/made-set.ts";
import { CONTEXT } from "../fixtures/plain-table.ts";
import { claimsOfTarget, eachWindow, targetAt, targetRanges } from "./target-ranges.ts";

const CHUNKS = 60;
const LARGE = 5_000_000_000;

async function ranges() {
  const zarray = { zarr_format: 2, shape: [CHUNKS], chunks: [1], dtype: "|u1", fill_value: 0, order: "C" };
  const chunks = Array.from({ length: CHUNKS }, (_, at): readonly [string, readonly unknown[]] => {
    const length = at === 7 ? LARGE : at === 9 ? 0 : 10 + at;
    return [`a/${at}`, at === 11 ? ["1.bin"] : [`${(at * 7) % 5}.bin`, (at * 37) % 101, length]];
  });
  const metadata = { "a/.zarray": { ...zarray, compressor: null, filters: null } };
  return targetRanges((await madeSet({ ...metadata, ...Object.fromEntries(chunks) })).index, CONTEXT);
}

it("are the same in one window and in many", async () => {
  const order = await ranges();
  const columnsOf = async (most?: number) => {
    const found: (readonly [offset: number, length: number])[] = [];
    const see = ({ offsets, lengths }: { readonly offsets: Float64Array; readonly lengths: Float64Array }) =>
      void found.push(...Array.from(offsets, (offset, at) => [offset, lengths[at] as number] as const));
    await eachWindow(order, see, CONTEXT, undefined, most);
    return found;
  };
  const whole = await columnsOf();
  expect(whole).toHaveLength(CHUNKS);
  expect(whole.map(([, length]) => length)).toContain(LARGE);
  for (const most of [1, 20, 30]) expect(await columnsOf(most)).toEqual(whole);
});

it("come before what names no bytes or all of the target, in the order of their bytes", async () => {
  const order = await ranges();
  const counts = { ranges: 0, others: 0 };
  for (let id = 0; id < order.nullId; id += 1) {
    const { count, from, to } = claimsOfTarget(order, id);
    counts.ranges += count;
    counts.others += (order.starts[id + 1] as number) - (order.ends[id] as number);
    expect([...from]).toEqual([...from].toSorted((a, b) => a - b));
    expect(to.every((end, at) => end > (from[at] as number))).toBe(true);
    for (let place = order.starts[id] as number; place < (order.starts[id + 1] as number); place += 1)
      expect(targetAt(order, place)).toBe(id);
  }
  expect(counts).toEqual({ ranges: CHUNKS - 2, others: 2 });
});

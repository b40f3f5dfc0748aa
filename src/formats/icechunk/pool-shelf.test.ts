import fc from "fast-check";
import { expect, it } from "vitest";
import { bytePoolWriter, type BytePoolWriter } from "#core/byte-pool.ts";
import { poolShelf } from "./pool-shelf.ts";

const location = (at: number): Uint8Array => Buffer.from(`s3://bucket/run_${at}.grib`);
const RUNS = Array.from({ length: 400 }, (_, at) => at);
const MORE = Array.from({ length: 600 }, (_, at) => at);

function intern(writer: BytePoolWriter, all: readonly number[]) {
  const ids = all.map((at) => writer.intern(1, location(at), 0, location(at).length));
  const pool = writer.finish();
  return { ids, pool, texts: ids.map((id) => Buffer.from(pool.bytes(id)).toString()) };
}

it("gives the pool that came before where all is the same", () => {
  const shelf = poolShelf();
  const first = intern(shelf.writer(), RUNS);
  expect(intern(shelf.writer(), RUNS).pool).toBe(first.pool);
  expect(intern(shelf.writer(), RUNS.slice(1)).pool).not.toBe(first.pool);
  expect(intern(shelf.writer(), []).pool.count).toBe(0);
});

const without = (...lacking: readonly number[]) => RUNS.filter((at) => !lacking.includes(at));

it("puts a few entries that a pool lacks between its own, and gives parts of what comes out", () => {
  const shelf = poolShelf();
  const first = intern(shelf.writer(), without(0, 20, 21, 300, 399));
  const second = intern(shelf.writer(), without(5, 300));
  const merged = second.pool.part?.of;
  expect(merged?.count).toBe(399);
  expect(second.ids).toEqual([...second.ids.keys()]);
  const all = Array.from({ length: 399 }, (_, at) => Buffer.from(merged!.bytes(at)).toString());
  expect(all).toEqual(without(300).map((at) => `s3://bucket/run_${at}.grib`));
  expect(intern(shelf.writer(), without(300)).pool).toBe(merged);
  expect(intern(shelf.writer(), without(0, 20, 21, 300, 399)).pool.part?.of).toBe(merged);
  expect(first.texts).toEqual(without(0, 20, 21, 300, 399).map((at) => `s3://bucket/run_${at}.grib`));
});

it("finds entries that come again, or out of order", () => {
  const shelf = poolShelf();
  const { pool } = intern(shelf.writer(), RUNS);
  const mixed = [...RUNS.slice(0, 8), 300, 300, 100, 1000, 4, 1000, ...RUNS.slice(8, 200), 1000, 399, 399];
  const guided = intern(shelf.writer(), mixed);
  const plain = intern(bytePoolWriter(), mixed);
  expect(guided.ids).toEqual(plain.ids);
  expect(guided.texts).toEqual(plain.texts);
  expect(guided.pool.part?.of.count).toBe(pool.count + 1);
  const reversed = [3, ...RUNS.toReversed()];
  expect(intern(shelf.writer(), reversed).texts).toEqual(intern(bytePoolWriter(), reversed).texts);
});

it("makes no large pool anew for a few entries", () => {
  const shelf = poolShelf();
  intern(shelf.writer(), RUNS);
  const few = intern(shelf.writer(), [1, 2, 1000, 3]);
  expect(few.texts).toEqual([1, 2, 1000, 3].map((at) => `s3://bucket/run_${at}.grib`));
  expect(few.pool.part).toBeUndefined();
  const others = [1, ...Array.from({ length: 500 }, (_, at) => 1000 + at)];
  expect(intern(shelf.writer(), others).pool).toMatchObject({ count: 501 });
});

it("gives what a writer without guides gives", () => {
  const parts = fc.array(fc.tuple(fc.nat(450), fc.nat(300), fc.constantFrom(1, 2)), { maxLength: 4 });
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 4 }), (manifests) => {
      const shelf = poolShelf();
      intern(shelf.writer(), RUNS);
      for (const ranges of manifests) {
        const all = ranges.flatMap(([from, count, step]) =>
          MORE.slice(from, from + count).filter((at) => at % step === 0),
        );
        const [guided, plain] = [intern(shelf.writer(), all), intern(bytePoolWriter(), all)];
        expect(guided.ids).toEqual(plain.ids);
        expect(guided.texts).toEqual(plain.texts);
        expect(guided.pool.count).toBe(plain.pool.count);
      }
    }),
    { numRuns: 30 },
  );
});

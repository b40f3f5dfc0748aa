import fc from "fast-check";
import { expect, it } from "vitest";
import { bytePoolWriter, type BytePoolWriter } from "./byte-pool.ts";
import { poolShelf } from "./pool-shelf.ts";

const location = (at: number): Uint8Array => Buffer.from(`s3://bucket/run_${at}.grib`);
const RUNS = Array.from({ length: 400 }, (_, at) => at);

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

it("gives what a writer without guides gives", () => {
  const parts = fc.array(fc.tuple(fc.nat(350), fc.nat(300), fc.constantFrom(1, 2)), { maxLength: 4 });
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 4 }), (manifests) => {
      const shelf = poolShelf();
      intern(shelf.writer(), RUNS);
      for (const ranges of manifests) {
        const all = ranges.flatMap(([from, count, step]) =>
          RUNS.slice(from, from + count).filter((at) => at % step === 0),
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

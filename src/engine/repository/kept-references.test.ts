import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tableBuilder } from "#core/table/table-builder.ts";
import type { Extents } from "#formats/icechunk/index.ts";
import { openManifest } from "#formats/icechunk/references.ts";
import {
  bytesOf,
  coordinates,
  id12,
  manifestFile,
  table,
  text,
  u32,
  u64,
  type FlatNode,
} from "#formats/icechunk/testing/flat-writer.ts";
import { testZstd } from "#formats/icechunk/testing/objects.ts";
import { arrayPagesOf } from "./array-pages-of.ts";
import { smallNumbers } from "./kept-references.ts";
import { finding, targetAt, WHOLE_SET } from "#core/findings/finding.ts";

const CONTEXT = { signal: new AbortController().signal, report: () => undefined };

/** An array along one dimension whose references are in one manifest. */
async function loaded(refs: readonly FlatNode[], cells: number, extents: Extents = []) {
  const manifest = await openManifest(manifestFile(refs), "M", testZstd);
  const grid = [cells];
  const node = { kind: "array", path: "t", metadata: { shape: grid, chunks: [1], separator: "/" } } as never;
  const id = manifest.arrays[0]!.node;
  const configuration = { stored: null, containers: [] };
  const open = () => Promise.resolve(manifest);
  const pages = arrayPagesOf({ node, id, manifests: [{ id: "M", extents }] }, open, configuration);
  const builder = tableBuilder();
  const array = builder.addArray("t", grid, "/");
  builder.addBad(array, 0, { reason: finding("reference-not-kept", WHOLE_SET, {}), written: "" });
  const findings = await pages.load(0, { table: builder, array }, CONTEXT);
  return { kept: pages.kept, live: builder.live(), findings };
}

const native = (at: number, id: number, offset = 0) => table(coordinates(at), undefined, u64(offset), u64(9), id12(id));
const virtual = (at: number, location: string, etag?: string, seconds = 0) =>
  table(
    coordinates(at),
    undefined,
    u64(5),
    u64(6),
    undefined,
    text(location),
    etag === undefined ? undefined : text(etag),
    u32(seconds),
  );

describe("what is kept beside the table", () => {
  it("are chunk files and checksums, of the chunks that have them", async () => {
    const inline = table(coordinates(3), bytesOf(Buffer.from("abc")));
    const refs = [native(1, 7), virtual(2, "s3://a/b", '"e"'), inline, native(5, 8, 40), virtual(6, "s3://a/c")];
    const { kept } = await loaded([...refs, virtual(9, "s3://a/b", undefined, 1_714_979_289)], 10);
    const offsets = Array.from({ length: 11 }, (_, at) => kept.nativeAt(at)?.offset);
    expect(offsets).toEqual([undefined, 0, undefined, undefined, undefined, 40, ...Array(5).fill(undefined)]);
    expect(kept.nativeAt(5)).toEqual({ chunk: "1040G2081040G2081040", offset: 40, length: 9 });
    expect(kept.checksumAt(2)).toEqual({ kind: "etag", etag: '"e"' });
    expect(kept.checksumAt(9)).toMatchObject({ kind: "last-modified", seconds: 1_714_979_289 });
    expect([1, 3, 4, 5, 6, 10].map((at) => kept.checksumAt(at))).toEqual(Array(6).fill(undefined));
  });

  it("are found where chunks repeat or have no order: the first counts", async () => {
    const refs = [virtual(4, "s3://a/b", "x"), native(0, 1), virtual(2, "s3://a/b", "y"), native(4, 2), native(77, 3)];
    const { kept } = await loaded(refs, 5);
    expect(kept.checksumAt(4)).toEqual({ kind: "etag", etag: "x" });
    expect(kept.checksumAt(2)).toEqual({ kind: "etag", etag: "y" });
    expect(kept.nativeAt(0)?.chunk).toBe("040G2081040G2081040G");
    expect(kept.nativeAt(4)).toBeUndefined();
  });

  it("take few bytes: 100,000 references to a file each with its time take less than 32 each", async () => {
    const count = 100_000;
    const name = (at: number) =>
      `s3://bucket/model/${2000 + Math.floor(at / 5000)}/file_${String(at).padStart(7, "0")}.nc`;
    const refs = Array.from({ length: count }, (_, at) => virtual(at, name(at), undefined, 1_700_000_000 + at * 61));
    const { kept, live } = await loaded(refs, count);
    expect(live.targets.count).toBe(count);
    expect(live.byteLength / count).toBeLessThan(32);
    for (const at of [99_999, 0, 63, 64, 65, 50_001, 49_999]) {
      expect(live.targets.text(at)).toBe(name(at));
      expect(kept.checksumAt(at)).toMatchObject({ seconds: 1_700_000_000 + at * 61 });
    }
  });

  it("is nothing where the table says all", async () => {
    const { kept, live } = await loaded([virtual(0, "s3://a/b")], 1);
    expect(kept.checksumAt(0)).toBeUndefined();
    expect(live.byteLength).toBeLessThan(256 * 22 + 200);
  });
});

it("references out of order or outside the extents are findings about their manifest", async () => {
  const place = targetAt("manifests/M");
  const turned = await loaded([native(1, 1), native(0, 2)], 2);
  expect(turned.findings).toMatchObject([{ code: "icechunk-manifest-unordered", place }]);
  const outside = await loaded([native(0, 1), native(3, 2), native(4, 3)], 5, [{ from: 0, to: 3 }]);
  expect(outside.findings).toMatchObject([{ code: "icechunk-outside-extents", place, count: 2 }]);
});

it("small numbers are what they were, in as few bytes as they need", () => {
  const numbers = fc.array(fc.oneof(fc.nat(3), fc.nat(70_000), fc.maxSafeNat()), { minLength: 1, maxLength: 50 });
  fc.assert(
    fc.property(numbers, (all) => {
      const small = smallNumbers(Float64Array.from(all));
      expect(all.map((_, index) => small.at(index))).toEqual(all);
    }),
  );
  const bytes = (all: readonly number[]) => smallNumbers(Float64Array.from(all)).byteLength;
  expect(
    [
      [7, 7, 7],
      [5, 6, 7],
      [1000, 1255, 1001],
      [0, 256, 9],
      [0, 2 ** 16, 9],
      [0, 2 ** 32, 9],
    ].map(bytes),
  ).toEqual([0, 0, 3, 6, 12, 24]);
});

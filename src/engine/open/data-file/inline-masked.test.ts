import { describe, expect, it } from "vitest";
import { columnsWriter, type SourceArray } from "#core/source-file.ts";
import { withoutMasks } from "./inline-masked.ts";

const CONTEXT = { signal: new AbortController().signal, report: () => undefined };

const source = (bytes: Uint8Array<ArrayBuffer>) => ({
  name: "a.h5",
  size: bytes.length,
  read: (range: { offset: number; length: number } | undefined) =>
    Promise.resolve({
      bytes: bytes.slice(range?.offset, (range?.offset ?? 0) + (range?.length ?? 0)),
      request: { url: "a.h5", attempts: 1, bytesReceived: 0, milliseconds: 0 },
      findings: [],
    }),
  stream: () => Promise.reject(new Error("It is read by ranges.")),
});

function arrayOf(filter: string, lengths: readonly number[], more: Partial<SourceArray> = {}): SourceArray {
  const writer = columnsWriter(1);
  for (const [at, length] of lengths.entries()) writer.add(at, 0, length);
  const references = { ...writer.columns(), skipped: new Uint32Array(lengths.length).fill(1) };
  const shape = { shape: [8 * lengths.length], chunks: [8], dimensions: ["x"] };
  return {
    path: "x",
    attributes: new Map(),
    ...shape,
    dtype: '"|u1"',
    fill: "0",
    filters: [filter],
    references,
    inline: new Map(),
    ...more,
  };
}

const inlined = async (array: SourceArray, bytes: Uint8Array<ArrayBuffer>) =>
  withoutMasks({ label: "HDF5", groups: [], arrays: [array], findings: [], structures: [] }, source(bytes), CONTEXT);

describe("chunks that lack a filter", () => {
  const bytes = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8);

  it("are written without any, with all of their array, where the filter cannot be written", async () => {
    const { arrays, findings } = await inlined(arrayOf('{"id":"bz2","level":9}', [8]), bytes);
    expect(arrays[0]).toMatchObject({ filters: [], inline: new Map([[0, bytes]]), references: { count: 0 } });
    expect(findings).toEqual([]);
  });

  it("have their array left out, and named, where these are too many bytes", async () => {
    const { arrays, findings } = await inlined(arrayOf('{"id":"bz2","level":9}', [8, 2 ** 27]), bytes);
    expect([arrays, findings]).toMatchObject([[], [{ code: "hdf5-mask-unwritten", place: { path: "x" } }]]);
  });
});

describe("strings that are not filled up with zeros", () => {
  it.each([
    ["space", "a  b    cd", "a  b\0   cd"],
    ["null", "ab\0cdefg\0h", "ab\0\0\0efg\0\0"],
  ] as const)("end where their padding says: %s", async (kind, stored, wanted) => {
    const text = new TextEncoder().encode(stored);
    const array = arrayOf("", [10], { filters: [], padding: { bytes: 5, strings: [{ kind, at: 0, bytes: 5 }] } });
    const { skipped: _, ...references } = array.references;
    const { arrays } = await inlined({ ...array, dtype: '"|S5"', references, shape: [2], chunks: [2] }, text);
    const whole = new TextDecoder().decode(arrays[0]?.inline.get(0));
    expect(whole).toBe(wanted);
  });

  it("are left as they are, and named, where they are too many", async () => {
    const padding = { bytes: 5, strings: [{ kind: "null", at: 0, bytes: 5 }] } as const;
    const { skipped: _, ...references } = arrayOf("", [10]).references;
    const array = { ...arrayOf("", [10], { filters: [], padding }), dtype: '"|S5"', references };
    const large = { ...array, shape: [20_000], chunks: [20_000] };
    const { arrays, findings } = await inlined(large, new Uint8Array(10));
    expect(arrays).toEqual([large]);
    expect(findings).toMatchObject([{ code: "hdf5-padding-kept", place: { path: "x" } }]);
  });
});

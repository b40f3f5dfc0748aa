/**
 * Tests that data which is right as declared is not called misread, however little its neighbours agree; nor odd, or
 * upside down.
 */
import { expect, it } from "vitest";
import { deflateSync } from "node:zlib";
import { inThread } from "#engine/chunk/chunk-decoder.ts";
import { context } from "#engine/repair/suggest/testing/damaged-set.ts";
import { madeSet } from "#engine/check/testing/made-set.ts";
import { checkValues } from "../check-values.ts";

type Numbers = Float64Array<ArrayBuffer> | BigInt64Array<ArrayBuffer> | Uint16Array<ArrayBuffer>;

/** Twelve chunks along time, of rows and columns. */
async function codes(dtype: string, [rows, columns]: readonly [number, number], values: (chunk: number) => Numbers) {
  const zarray = { shape: [12, rows, columns], chunks: [1, rows, columns], dtype, fill_value: null, filters: null };
  const references: Record<string, string> = {
    "v/.zarray": JSON.stringify({ zarr_format: 2, order: "C", compressor: { id: "zlib", level: 4 }, ...zarray }),
    "v/.zattrs": JSON.stringify({ _ARRAY_DIMENSIONS: ["time", "y", "x"] }),
  };
  for (let chunk = 0; chunk < 12; chunk += 1)
    references[`v/${chunk}.0.0`] = `base64:${deflateSync(new Uint8Array(values(chunk).buffer)).toString("base64")}`;
  const { findings } = await checkValues(await madeSet(references), { chunks: "all", decoder: inThread }, context());
  return findings.map(({ code }) => code);
}

/** From 0 to 1, the same each time. */
function noise(seed: number): number {
  let bits = Math.imul((seed + 1) ^ 0x9e37_79b9, 0x85eb_ca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2_ae35);
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
}

it.each<readonly [string, string, readonly [number, number], (at: number) => number]>([
  ["small integers of noise", "<i8", [6, 8], (at) => Math.round(20 * noise(at)) - 10],
  ["flags of bits", "<u2", [6, 8], (at) => [256, 512, 4096][Math.floor(3 * noise(at))] ?? 0],
  ["codes of classes", "<u2", [8, 8], (at) => [1, 3, 7, 20, 255][Math.floor(5 * noise(at))] ?? 0],
  ["noise of many magnitudes", "<f8", [8, 8], (at) => 10 ** (12 * noise(at) - 6)],
  ["showers", "<f8", [8, 8], (at) => (noise(at) < 0.1 ? 50 * noise(at + 7) : 0)],
  ["a value a chunk", "<f8", [1, 1], (at) => [20, 20, 3, 7][at % 4] ?? 0],
])("nothing is said of %s", async (_, dtype, size, value) => {
  const length = size[0] * size[1];
  const at = (chunk: number) => Array.from({ length }, (_one, place) => value(chunk * length + place));
  const numbers = (chunk: number): Numbers => {
    if (dtype === "<i8") return BigInt64Array.from(at(chunk), BigInt);
    return dtype === "<u2" ? Uint16Array.from(at(chunk)) : Float64Array.from(at(chunk));
  };
  expect(await codes(dtype, size, numbers)).toEqual([]);
});

it("a codec's number that is written as text is told, not what the bytes may be instead", async () => {
  const zarray = { shape: [2, 64], chunks: [1, 64], dtype: "<f4", fill_value: null, compressor: null, order: "C" };
  const found = async (elementsize: unknown) => {
    const filters = [{ id: "shuffle", elementsize }];
    const references: Record<string, unknown> = { "v/.zarray": { zarr_format: 2, ...zarray, filters } };
    for (const chunk of [0, 1]) {
      const bytes = new Uint8Array(Float32Array.from({ length: 64 }, (_, at) => 280 + Math.sin(at / 9 + chunk)).buffer);
      const shuffled = bytes.map((_, at) => bytes[(at % 64) * 4 + Math.floor(at / 64)] ?? 0);
      references[`v/${chunk}.0`] = `base64:${Buffer.from(shuffled).toString("base64")}`;
    }
    return (await checkValues(await madeSet(references), { chunks: "all", decoder: inThread }, context())).findings;
  };
  expect(await found(4)).toEqual([]);
  expect(await found("4")).toMatchObject([{ code: "codec-configuration", facts: { member: "elementsize" }, count: 2 }]);
});

it("bytes of a format that no codec is declared for are named, with the codec where they decode", async () => {
  const zarray = { shape: [3, 8], chunks: [1, 8], dtype: "<f4", fill_value: null, filters: null, compressor: null };
  const found = async (bytes: (chunk: number) => Uint8Array) => {
    const references: Record<string, string> = {
      "v/.zarray": JSON.stringify({ zarr_format: 2, order: "C", ...zarray }),
    };
    for (let chunk = 0; chunk < 3; chunk += 1)
      references[`v/${chunk}.0`] = `base64:${Buffer.from(bytes(chunk)).toString("base64")}`;
    return (await checkValues(await madeSet(references), { chunks: "all", decoder: inThread }, context())).findings;
  };
  const zipped = (chunk: number) => deflateSync(new Uint8Array(new Float32Array(8).fill(chunk / 7).buffer));
  expect(await found(zipped)).toMatchObject([
    { code: "chunks-of-other-format", count: 3, facts: { format: "zlib", change: { codec: "zlib" } } },
  ]);
  const file = () =>
    new Uint8Array([0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a, ...Array.from({ length: 40 }, () => 1)]);
  expect(await found(file)).toMatchObject([
    { code: "chunks-of-other-format", facts: { format: "hdf5", looks: "HDF5", change: undefined } },
  ]);
  const some = await found((chunk) => (chunk === 1 ? new Uint8Array(32).fill(7) : zipped(chunk)));
  expect(some.map(({ code }) => code)).toEqual(["chunk-codecs-other"]);
});

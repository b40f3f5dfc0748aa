/** Messages put together from parts of others: what no writer here makes, or what the recorded ones are constant in. */
import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { joinBytes } from "#core/bytes.ts";
import { crc32 } from "../checksums/checksums.ts";
import { decodePublished, smallCases, type PublishedCase } from "../testing/published-grib.ts";
import { view } from "./numbers.ts";
import { walk } from "./walk.ts";

const { cases, messageOf } = smallCases();
const [COLUMNS, ROWS] = [36, 19];

function sectionsOf(id: string): Map<number, Uint8Array> {
  const example = cases.find((one) => one.id === id);
  if (example === undefined) throw new Error(`no message ${id}`);
  return new Map(walk(messageOf(example)).sections.map(({ number, bytes }) => [number, bytes.slice()]));
}

function messageFrom(sections: ReadonlyMap<number, Uint8Array>): Uint8Array<ArrayBuffer> {
  const body = [1, 2, 3, 4, 5, 6, 7].flatMap((number) => sections.get(number) ?? []);
  const length = 20 + body.reduce((sum, bytes) => sum + bytes.length, 0);
  const head = new Uint8Array(16);
  head.set(new TextEncoder().encode("GRIB"));
  head[7] = 2;
  view(head).setUint32(12, length);
  return joinBytes([head, ...body, new TextEncoder().encode("7777")]);
}

async function read(message: Uint8Array<ArrayBuffer>, shape: readonly number[], configuration: object = {}) {
  const codecs = [{ name: "gribberish", configuration: { var: "TMP", ...configuration } }];
  const example: PublishedCase = {
    id: "",
    kind: "",
    file: "",
    codecs,
    array: { data_type: "float64", chunk_shape: shape },
  };
  const { bytes, error, stages } = await decodePublished(example, message);
  if (bytes === undefined) throw new Error(error?.code, { cause: error });
  const remarks = stages.flatMap((stage) => stage.remarks ?? []).map(({ facts }) => facts["problem"]);
  return { values: [...new Float64Array(bytes.slice().buffer)], remarks };
}

/** The varying field of one message on the grid of another. */
function onGrid(id: string, change: (data: DataView) => void = () => undefined): Uint8Array<ArrayBuffer> {
  const field = sectionsOf("grib-ll-sn-none");
  const section3 = sectionsOf(id).get(3) ?? new Uint8Array();
  const data = view(section3);
  data.setUint32(6, COLUMNS * ROWS);
  data.setUint32(30, COLUMNS);
  data.setUint32(34, ROWS);
  change(data);
  return messageFrom(field.set(3, section3));
}

function reversed(values: readonly number[]): readonly number[] {
  return Array.from({ length: ROWS }, (_, row) => values.slice(row * COLUMNS, (row + 1) * COLUMNS))
    .toReversed()
    .flat();
}

describe("rows of projected grids", () => {
  const BOTH = { north_up: true, adjust_longitude_range: true };
  const SHAPE = [ROWS, COLUMNS];

  it.each(["grib-lambert-levels-5d", "grib-polar-both", "grib-mercator-both"])(
    "%s: north_up turns them over where they go north; longitudes stay",
    async (id) => {
      const message = onGrid(id);
      const stored = (await read(message, SHAPE)).values;
      expect(new Set(stored).size).toBeGreaterThan(100);
      expect((await read(message, SHAPE, BOTH)).values).toEqual(reversed(stored));
      expect((await read(message, SHAPE, { adjust_longitude_range: true })).values).toEqual(stored);
      const scan = id.includes("mercator") ? 59 : 64;
      const south = onGrid(id, (data) => data.setUint8(scan, 0));
      expect((await read(south, SHAPE, BOTH)).values).toEqual(stored);
    },
  );

  it("rows that lie upon each other are not turned over", async () => {
    const message = onGrid("grib-polar-both", (data) => data.setUint32(59, 0));
    expect((await read(message, SHAPE, BOTH)).values).toEqual((await read(message, SHAPE)).values);
  });

  it("coordinates go with them", async () => {
    const message = onGrid("grib-lambert-levels-5d");
    for (const name of ["latitude", "longitude"]) {
      const stored = (await read(message, SHAPE, { var: name })).values;
      expect((await read(message, SHAPE, { var: name, north_up: true })).values).toEqual(reversed(stored));
    }
  });

  it("an earth that gribberish does not compute: values are read, and it is said; coordinates are refused", async () => {
    const message = onGrid("grib-lambert-levels-5d", (data) => data.setUint8(14, 4));
    const plain = await read(message, SHAPE);
    expect(plain.remarks).toEqual([]);
    expect(await read(message, SHAPE, BOTH)).toEqual({ values: reversed(plain.values), remarks: ["earth"] });
    await expect(read(message, SHAPE, { var: "latitude" })).rejects.toThrow("grib-grid-unsupported");
  });

  it("a first point that is no place, and parallels without a cone, are named", async () => {
    const outside = onGrid("grib-mercator-both", (data) => data.setInt32(38, 100_000_000));
    const cone = onGrid("grib-lambert-levels-5d", (data) => {
      data.setUint32(65, 30_000_000);
      data.setUint32(69, 0x80000000 + 30_000_000);
    });
    await expect(read(cone, SHAPE, { var: "latitude" })).rejects.toThrow("decode-failed");
    await expect(read(outside, SHAPE, { var: "latitude" })).rejects.toThrow("decode-failed");
  });
});

function pngChunk(name: string, body: Uint8Array): Uint8Array {
  const named = joinBytes([new TextEncoder().encode(name), body]);
  const [length, sum] = [new Uint8Array(4), new Uint8Array(4)];
  view(length).setUint32(0, body.length);
  view(sum).setUint32(0, crc32(named) >>> 0);
  return joinBytes([length, named, sum]);
}

/** Grey pixels of few bits: rows filled up to whole bytes, each the difference to the row above (filter 2). */
function png(pixels: readonly number[], width: number, depth: number): Uint8Array {
  const header = new Uint8Array(13);
  view(header).setUint32(0, width);
  view(header).setUint32(4, pixels.length / width);
  header[8] = depth;
  const row = Math.ceil((width * depth) / 8);
  const raw = new Uint8Array((row + 1) * (pixels.length / width));
  const plain = new Uint8Array(row * (pixels.length / width));
  for (const [i, pixel] of pixels.entries()) {
    const bit = (i % width) * depth;
    plain[Math.floor(i / width) * row + (bit >> 3)]! |= pixel << (8 - depth - (bit & 7));
  }
  for (let y = 0; y < pixels.length / width; y++) {
    raw[y * (row + 1)] = 2;
    for (let x = 0; x < row; x++) raw[y * (row + 1) + 1 + x] = plain[y * row + x]! - (plain[(y - 1) * row + x] ?? 0);
  }
  const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 0x1a, 10);
  const parts = [pngChunk("IHDR", header), pngChunk("IDAT", deflateSync(raw)), pngChunk("IEND", new Uint8Array())];
  return joinBytes([signature, ...parts]);
}

describe("PNG of few bits", () => {
  it.each([
    [1, 1],
    [2, 2],
    [3, 4],
    [4, 4],
    [4, 8],
    [7, 8],
  ])("%i bits a value in pixels of %i", async (bits, depth) => {
    const numbers = Array.from({ length: COLUMNS * ROWS }, (_, i) => (i * 7 + (i >> 3)) % 2 ** bits);
    const sections = sectionsOf("grib-png-8");
    const section5 = sections.get(5) ?? new Uint8Array();
    section5[19] = bits;
    view(section5).setUint16(15, 0);
    const packed = png(numbers, COLUMNS, depth);
    const section7 = new Uint8Array(5 + packed.length);
    view(section7).setUint32(0, section7.length);
    section7[4] = 7;
    section7.set(packed, 5);
    const { values, remarks } = await read(messageFrom(sections.set(7, section7)), [ROWS, COLUMNS]);
    expect(values).toEqual(numbers.map((number) => number + 275));
    expect(remarks).toEqual(["png"]);
  });
});

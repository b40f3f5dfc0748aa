import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadCodec } from "#codecs/find-codec.ts";
import eccodes from "#codecs/grib/fixtures/eccodes.json" with { type: "json" };
import { gridAxes } from "#codecs/grib/grid.ts";
import { LOCAL, REMOTE } from "#core/file-bytes.ts";
import { parseJson } from "#core/json/parse-json.ts";
import { isJsonObject } from "#core/json/json.ts";
import type { SourceArray, SourceFile } from "#core/source-file.ts";
import { codesOfDamaged, fileOfBytes } from "#core/testing/file-of-bytes.ts";
import recorded from "./fixtures/expected.json" with { type: "json" };
import { compareIndex, readGrib } from "./index.ts";

interface Field {
  readonly name: string;
  readonly units: string;
  readonly levelType: string;
  readonly level: number;
  readonly date: number;
  readonly time: number;
  readonly validDate: number;
  readonly validTime: number;
  readonly shape: readonly number[];
  readonly member?: number;
  readonly sha256: string;
  readonly latitudes: readonly number[];
  readonly longitudes: readonly number[];
}

interface Message {
  readonly offset: number;
  readonly length: number;
  readonly fields: readonly Field[];
}

const RECORDED = Object.entries(recorded as unknown as Readonly<Record<string, readonly Message[]>>);
const bytesOf = (name: string) => new Uint8Array(readFileSync(join(import.meta.dirname, "fixtures", name)));
const textOf = (name: string) => readFileSync(join(import.meta.dirname, "fixtures", name), "utf8");
const indexed = (name: string, bytes = bytesOf(name), options = LOCAL) =>
  readGrib(fileOfBytes(name, bytes, options), { axes: gridAxes });

/** Kerchunk's codec, as it decodes a chunk of the array. */
async function decoded({ filters, shape, chunks }: SourceArray, stored: Uint8Array) {
  const configuration = parseJson(filters[0] ?? "").value;
  const codec = await loadCodec("grib");
  if (!isJsonObject(configuration) || codec === undefined) throw new Error("The array has no filter.");
  const elements = chunks.reduce((all, size) => all * size, 1);
  const dataType = { kind: "float", itemSize: 8, byteOrder: "little", text: "<f8" } as const;
  const step = codec.prepare(configuration, { dataType, chunkShape: shape, elements, fillValue: null });
  return step.decode(stored.slice(), elements * 8, new AbortController().signal);
}

const secondsOf = (date: number, time: number): number =>
  Date.UTC(Math.floor(date / 10_000), (Math.floor(date / 100) % 100) - 1, date % 100, Math.floor(time / 100)) / 1000;

/** A value of a coordinate of the array, at a message. */
function coordinate({ arrays }: SourceFile, { attributes }: SourceArray, name: string, message: number) {
  const names = JSON.stringify(parseJson(attributes.get("coordinates") ?? "").value)
    .slice(1, -1)
    .split(" ");
  const one = arrays.find(({ path }) => names.includes(path) && path.replace(/_\d+$/, "") === name);
  const bytes = one?.inline.get(0)?.slice();
  if (one === undefined || bytes === undefined) return undefined;
  const all = one.dtype.includes("f8")
    ? new Float64Array(bytes.buffer)
    : Array.from(new BigInt64Array(bytes.buffer), Number);
  return { first: all[message], last: all.at(-1) };
}

describe("GRIB files", () => {
  it.each(RECORDED)("%s: messages, fields, coordinates and decoded values are eccodes'", async (name, messages) => {
    const bytes = bytesOf(name);
    const file = await indexed(name, bytes);
    expect(file.structures.map(({ offset, length }) => [offset, length])).toEqual(
      messages.map(({ offset, length }) => [offset, length]),
    );
    const next = new Map<string, number>();
    for (const { field, offset } of messages.flatMap((one) =>
      one.fields.map((field) => ({ field, offset: one.offset })),
    )) {
      const array = file.arrays.find(
        (one) =>
          parseJson(one.filters[0] ?? "{}").value !== null &&
          one.filters[0]?.includes(`"${field.name}"`) === true &&
          one.attributes.get("GRIB_typeOfLevel") === JSON.stringify(field.levelType) &&
          one.shape.slice(-2).join() === field.shape.join(),
      );
      if (array === undefined) throw new Error(`There is no array for ${field.name}.`);
      const number = next.get(array.path) ?? 0;
      next.set(array.path, number + 1);
      const { ordinal, offset: offsets, length, count } = array.references;
      const row = ordinal.subarray(0, count).indexOf(number);
      const stored = array.inline.get(number) ?? bytes.subarray(offsets[row], (offsets[row] ?? 0) + (length[row] ?? 0));
      if (row >= 0) expect(offsets[row]).toBe(offset);
      // Second-order packing of ECMWF's own (5.50002) has no decoder.
      const values = await decoded(array, stored).catch(() => undefined);
      if (values === undefined) expect([name, number]).toEqual(["packings.grib2", 6]);
      else
        expect(createHash("sha256").update(values).digest("hex"), `${name} ${field.name} ${number}`).toBe(field.sha256);
      expect(parseJson(array.attributes.get("units") ?? "null").value).toBe(field.units);
      const at = (wanted: string) => coordinate(file, array, wanted, number)?.first;
      expect(at("time")).toBe(secondsOf(field.date, field.time));
      expect(at("valid_time")).toBe(secondsOf(field.validDate, field.validTime));
      expect(at(field.levelType)).toBe(field.level);
      expect(at("number")).toBe(field.member);
      const latitude = coordinate(file, array, "latitude", 0);
      if (latitude !== undefined) expect([latitude.first, latitude.last]).toEqual(field.latitudes);
      const longitude = coordinate(file, array, "longitude", 0);
      if (longitude !== undefined) expect([longitude.first, longitude.last]).toEqual(field.longitudes);
    }
  });

  it("have one dimension for the messages of arrays that are alike", async () => {
    const { arrays } = await indexed("pressure_steps.grib2");
    const dimensions = arrays.filter(({ filters }) => filters.length > 0).map((array) => array.dimensions.join());
    expect(dimensions).toEqual(["message,latitude,longitude", "message,latitude,longitude"]);
  });

  it("refer to the coordinates of a projected grid as to any field", async () => {
    const file = await indexed("lambert.grib2");
    const latitude = file.arrays.find(({ path }) => path === "latitude") as SourceArray;
    const values = await decoded(latitude, bytesOf("lambert.grib2").subarray(0, latitude.references.length[0]));
    expect(new Float64Array(values.slice().buffer)[0]).toBe(recorded["lambert.grib2"][0]?.fields[0]?.latitudes[0]);
  });

  it("write fields behind the first of a message inline, a message each, and say so", async () => {
    const { findings, arrays } = await indexed("submessages.grib2");
    expect(findings).toMatchObject([{ code: "grib-several-fields", facts: { messages: 1, fields: 3 } }]);
    expect(arrays.filter(({ inline, filters }) => inline.size > 0 && filters.length > 0)).toHaveLength(2);
  });

  it("may be larger than 4 GiB, and are read in a few requests", async () => {
    const bytes = bytesOf("big_grid.grib2");
    // The length of section 7 and of the message, as if far more had been packed.
    const more = 4 * 1024 ** 3 - 6000;
    const view = new DataView(bytes.buffer);
    view.setBigUint64(8, BigInt(bytes.length + more));
    const section7 = (recorded["big_grid.grib2"][0]?.sections ?? []).find(([number]) => number === 7) ?? [];
    view.setUint32(section7[1] ?? 0, (section7[2] ?? 0) + more);
    const tail = 0x37;
    const size = bytes.length + more;
    const file = fileOfBytes("huge.grib2", bytes.slice(0, -4), REMOTE, size, [size - 4, tail]);
    const { structures } = await readGrib(file, { axes: gridAxes });
    expect(structures).toEqual([{ offset: 0, length: size, kind: "message" }]);
    expect(file.traffic.requests).toBeLessThanOrEqual(3);
  });

  it("of edition 1 have what theirs say, beyond 8 MiB too", async () => {
    const one = eccodes.find(({ name }) => name === "edition-1-thirds");
    const bytes = Uint8Array.from(atob(one?.message ?? ""), (letter) => letter.charCodeAt(0));
    const file = await indexed("one.grib1", bytes);
    expect(file).toMatchObject({ label: "GRIB edition 1", findings: [{ code: "kerchunk-would-write" }] });
    const array = file.arrays[0] as SourceArray;
    expect([array.path, array.shape, array.dimensions]).toEqual(["t2m", [7, 10], ["latitude", "longitude"]]);
    const values = new Float64Array((await decoded(array, bytes)).slice().buffer);
    expect(one?.values.at.map((place) => values[place])).toEqual(one?.values.are);
    // The length counts 120 bytes, and the last section how many are too many.
    const large = new Uint8Array(64);
    large.set([0x47, 0x52, 0x49, 0x42, 0x82, 0, 0, 1, 0, 0, 28, 2]);
    large.set([0, 0, 20], 36);
    const size = 0x20000 * 120 - 20 + 4;
    const { structures } = await readGrib(fileOfBytes("large.grib1", large, LOCAL, size, [size - 4, 0x37]), {
      axes: gridAxes,
    });
    expect(structures).toEqual([{ offset: 0, length: size, kind: "message" }]);
  });

  it("are held against the index beside them", async () => {
    const surface = await indexed("surface.grib2");
    expect(compareIndex(surface, textOf("surface.grib2.idx"), "surface.grib2.idx")).toEqual([]);
    expect(compareIndex(surface, textOf("surface.index"), "surface.index")).toEqual([]);
    const several = await indexed("submessages.grib2");
    expect(compareIndex(several, textOf("submessages.grib2.idx"), "submessages.grib2.idx")).toEqual([]);
    const junk = await indexed("junk_between.grib2");
    expect(compareIndex(junk, textOf("junk_between.index"), "junk_between.index")).toEqual([]);
    expect(compareIndex(junk, textOf("junk_between.grib2.idx"), "junk_between.grib2.idx")).toEqual([]);
    expect(compareIndex(junk, textOf("surface.index"), "surface.index")).toMatchObject([
      { code: "grib-index-stale", facts: { entries: 4, wrong: 4, offset: 0, unlisted: 2 } },
    ]);
  });

  it("are cut, or damaged, by name, and what is whole is read", async () => {
    const whole = bytesOf("surface.grib2");
    const cut = await indexed("surface.grib2", whole.slice(0, 1900));
    expect(cut.findings).toMatchObject([{ code: "data-file-cut", facts: { says: 2012, size: 1900 } }]);
    expect(cut.structures).toHaveLength(3);
    const damaged = whole.slice();
    damaged[503 + 16 + 4] = 9;
    const read = await indexed("surface.grib2", damaged);
    expect(read.findings).toMatchObject([{ code: "data-file-damaged", facts: { structure: "section", offset: 519 } }]);
    expect(read.structures).toHaveLength(3);
    await expect(indexed("none.grib2", new Uint8Array(100))).rejects.toMatchObject({ code: "data-file-damaged" });
    const files = RECORDED.map(([name]) => [name, bytesOf(name)] as const);
    const { codes, longest } = await codesOfDamaged(files, 600, (file) => readGrib(file, { axes: gridAxes }));
    expect(codes).toEqual(["data-file-cut", "data-file-damaged", "fine"]);
    expect(longest).toBeLessThan(1000);
  });
});

describe("a field of edition 1 whose rows have lengths of their own, on a rotated grid", () => {
  const shapesOf = ({ arrays }: SourceFile) => arrays.map(({ path, shape }) => [path, shape]);

  it("has as many points as the rows together, as eccodes counts them", async () => {
    const file = await indexed("reduced_rotated.grib");
    for (const name of ["t", "latitude", "longitude"]) expect(shapesOf(file)).toContainEqual([name, [6114]]);
    expect(file.findings).not.toContainEqual(expect.objectContaining({ code: "grib-points-unknown" }));
  });

  it("is left out by name where the lengths are not there", async () => {
    const bytes = bytesOf("reduced_rotated.grib");
    // The place of the list in section 2, which stands behind sections 0 and 1.
    bytes[8 + 52 + 4] = 255;
    const file = await indexed("without", bytes);
    expect(file.findings).toContainEqual(
      expect.objectContaining({ code: "grib-points-unknown", place: { kind: "node", path: "t" } }),
    );
    for (const [path, shape] of shapesOf(file))
      expect([path, shape]).toEqual([expect.not.stringMatching(/tude|^t$/), []]);
  });
});

describe("Gaussian grids of edition 1 on a part of the earth, which list the lengths of whole parallels", () => {
  it("have the points between their longitudes, as eccodes counts them, and the values that are stored", async () => {
    const bytes = bytesOf("reduced_parts.grib");
    const { arrays } = await indexed("reduced_parts.grib");
    const found: Record<string, unknown>[] = [];
    for (const array of arrays.filter(({ path }) => /^t(?:_\d)?$/.test(path)))
      for (let at = 0; at < array.references.count; at += 1) {
        const offset = array.references.offset[at] ?? 0;
        const values = await decoded(array, bytes.slice(offset, offset + (array.references.length[at] ?? 0)));
        const numbers = new Float64Array(values.slice().buffer);
        found.push({ points: array.shape.at(-1), first: [...numbers.subarray(0, 3)], last: numbers.at(-1) });
      }
    expect(found).toEqual([
      { points: 678, first: [5, 5, 5], last: 5 },
      { points: 678, first: [0, 0.5, 1], last: 338.5 },
      { points: 530, first: [5, 5, 5], last: 5 },
    ]);
  });
});

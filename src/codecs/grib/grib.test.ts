/** GRIB messages read as eccodes reads them; damaged and hostile ones end in an error, in bounded memory. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { RefscopeError } from "#core/findings/finding.ts";
import type { JsonValue } from "#core/json/json.ts";
import { findCodec } from "../find-codec.ts";
import { LOADED } from "../testing/loaded-codecs.ts";
import { gribSections } from "./sections.ts";

interface Recorded {
  readonly name: string;
  readonly message: string;
  readonly values: string;
  readonly latitudes?: string;
  readonly longitudes?: string;
}

const folder = resolve(import.meta.dirname, "fixtures");
const recorded = JSON.parse(readFileSync(resolve(folder, "messages.json"), "utf8")) as readonly Recorded[];
const soil = new Uint8Array(readFileSync(resolve(folder, "gec00_soilw.grib")));
const outline = {
  dataType: { kind: "float", itemSize: 8, byteOrder: "little", text: "<f8" },
  chunkShape: [1],
  elements: 1,
} as const;

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, "base64"));
}

function decode(message: Uint8Array, configuration: Record<string, JsonValue> = {}, limit = 1e9, id = "grib") {
  const members = new Map<string, JsonValue>([["var", "t"], ["dtype", "float64"], ...Object.entries(configuration)]);
  const codec = LOADED.findV2(id);
  if (codec === undefined) throw new Error(`no codec ${id}`);
  return codec.prepare(members, outline).decode(new Uint8Array(message), limit, new AbortController().signal);
}

async function errorOf(run: () => unknown): Promise<RefscopeError> {
  try {
    await run();
  } catch (error) {
    if (error instanceof RefscopeError) return error;
    throw error;
  }
  throw new Error("expected a RefscopeError");
}

/** A copy with some bytes changed. */
function changed(message: Uint8Array, at: number, ...bytes: readonly number[]): Uint8Array {
  const copy = new Uint8Array(message);
  copy.set(bytes, at);
  return copy;
}

function sectionAt(message: Uint8Array, number: number): number {
  const section = gribSections(message).sections.find((one) => one.number === number);
  if (section === undefined) throw new Error(`no section ${number}`);
  return section.offset;
}

function float64s(bytes: Uint8Array): Float64Array {
  return new Float64Array(new Uint8Array(bytes).buffer);
}

describe("what eccodes reads, bit for bit", () => {
  it.each(recorded)("$name", async ({ message, values, latitudes, longitudes }) => {
    const bytes = fromBase64(message);
    // kerchunk's codec makes NaN of 9999, also where it is a value.
    const read = float64s(await decode(bytes)).map((value) => (value === 9999 ? NaN : value));
    expect(Buffer.from(read.buffer).toString("base64")).toBe(values);
    if (latitudes === undefined || longitudes === undefined) return;
    expect(Buffer.from(await decode(bytes, { var: "latitude" })).toString("base64")).toBe(latitudes);
    expect(Buffer.from(await decode(bytes, { var: "longitude" })).toString("base64")).toBe(longitudes);
  });

  it("a real message: soil moisture, second-order differences, bit-map", async () => {
    const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
    const values = await decode(soil);
    expect(hash(values)).toBe("978915017eff631bff45ec69964a5caa29403660bba915acb977d2b02cd40fcc");
    expect(float64s(values).filter((value) => Number.isNaN(value)).length).toBe(171_941);
    expect(hash(await decode(soil, { var: "latitude" }))).toBe(
      "531a3cbb9b447d6920a15011c4538ab3d0cacffe91472aa506cff5aca6b4b2ca",
    );
  });

  it("the first field of a message with several, and nothing after the message's end", async () => {
    const one = recorded.find(({ name }) => name.startsWith("simple, 32"));
    if (one === undefined) throw new Error("the fixture is gone");
    const bytes = fromBase64(one.message);
    const [from, end] = [sectionAt(bytes, 4), bytes.length - 4];
    const several = new Uint8Array([...bytes.subarray(0, end), ...bytes.subarray(from, end), ...bytes.subarray(end)]);
    new DataView(several.buffer).setUint32(12, several.length);
    expect(Buffer.from(await decode(several)).toString("base64")).toBe(one.values);
    expect(gribSections(several).sections.map(({ number }) => number)).toEqual([0, 1, 3, 4, 5, 6, 7, 4, 5, 6, 7, 8]);
    const followed = new Uint8Array([...bytes, ...bytes.subarray(0, 50)]);
    expect(Buffer.from(await decode(followed)).toString("base64")).toBe(one.values);
  });
});

interface Flagged {
  readonly name: string;
  readonly configuration: Record<string, JsonValue>;
  readonly message: string;
  readonly shape?: readonly number[];
  readonly sha256?: string;
  readonly error?: string;
}

const flagged = JSON.parse(readFileSync(resolve(folder, "gribberish.json"), "utf8")) as readonly Flagged[];

describe("north_up and adjust_longitude_range, as gribberish has them", () => {
  it.each(flagged)("$name", async ({ message, configuration, shape, sha256, error }) => {
    const read = () => decode(fromBase64(message), { dtype: null, ...configuration }, 1e6, "gribberish");
    if (error !== undefined) {
      expect((await errorOf(read)).code).toBe("grib-grid-unsupported");
      return;
    }
    const values = await read();
    expect(values.length).toBe((shape ?? []).reduce((product, length) => product * length, 8));
    expect(createHash("sha256").update(values).digest("hex")).toBe(sha256);
  });

  it("numbers of points that lie take no memory", async () => {
    const global = flagged.find(({ name }) => name === "ll-sn-both");
    if (global === undefined) throw new Error("the fixture is gone");
    const bytes = fromBase64(global.message);
    const lying = changed(bytes, sectionAt(bytes, 3) + 30, 255, 255, 255, 255);
    const flags = { north_up: true, adjust_longitude_range: true };
    expect((await errorOf(() => decode(lying, flags, 1e6, "gribberish"))).message).toContain("4294967295 × 19 points");
    const axis = { ...flags, var: "longitude" };
    expect((await errorOf(() => decode(lying, axis, 1e6, "gribberish"))).code).toBe("decode-too-large");
  });
});

/** A field of edition 2 in IEEE packing, whose values are known. */
function ieeeMessage(values: readonly number[]): Uint8Array {
  const packed = new Uint8Array(values.length * 8);
  values.forEach((value, i) => new DataView(packed.buffer).setFloat64(i * 8, value));
  const section = (number: number, ...body: readonly number[]) => {
    const head = new Uint8Array(5);
    new DataView(head.buffer).setUint32(0, body.length + 5);
    return [...head.subarray(0, 4), number, ...body];
  };
  const body = [
    ...soil.subarray(16, 37),
    ...section(3, 0, 0, 0, 0, values.length, 0, 0, 0, 30),
    ...section(4, 0, 0, 0, 0, 0, 0),
    ...section(5, 0, 0, 0, values.length, 0, 4, 2),
    ...section(6, 255),
    ...section(7, ...packed),
    ...Buffer.from("7777"),
  ];
  return new Uint8Array([...soil.subarray(0, 8), 0, 0, 0, 0, 0, 0, 0, 16 + body.length, ...body]);
}

describe("what readers with eccodes make otherwise", () => {
  const modes = JSON.parse(readFileSync(resolve(folder, "scanning.json"), "utf8")) as readonly {
    readonly name: string;
    readonly message: string;
    readonly stored: readonly number[];
    readonly turned: readonly number[];
    readonly latitudes: readonly number[];
    readonly longitudes: readonly number[];
  }[];
  const problemsOf = async (bytes: Uint8Array, id: string) => {
    const message = new Uint8Array(bytes);
    const step = LOADED.findV2(id)?.prepare(new Map([["var", "t"]]), outline);
    await step?.decode(message, 1e9, new AbortController().signal);
    return (await step?.remarks?.(message))?.map(({ code, facts }) => [code, facts["problem"], facts["values"]]);
  };

  it.each(modes)("$name: rows in one direction, as their coordinates", async (mode) => {
    const bytes = fromBase64(mode.message);
    expect([...float64s(await decode(bytes))]).toEqual(mode.turned);
    expect([...float64s(await decode(bytes, { var: "latitude" }))]).toEqual(mode.latitudes);
    expect([...float64s(await decode(bytes, { var: "longitude" }))]).toEqual(mode.longitudes);
    const isOther = mode.stored.join() !== mode.turned.join();
    const remarks = isOther ? [["grib-codec-differs", "alternating-rows", 0]] : [];
    for (const id of ["grib", "gribscan.rawgrib"]) expect(await problemsOf(bytes, id)).toEqual(remarks);
  });

  it("a measured 9999", async () => {
    const message = ieeeMessage([1.5, 9999, 9999, 2]);
    for (const id of ["grib", "gribscan.rawgrib"])
      expect(await problemsOf(message, id)).toEqual([["grib-codec-differs", "missing-number", 2]]);
    expect(await problemsOf(ieeeMessage([1.5, 9998, 10_000, 2]), "grib")).toEqual([]);
  });
});

describe("what the configuration says", () => {
  const message = ieeeMessage([1.5, -2.75, 9999, 1e10]);

  it("types as NumPy's astype turns values into them", async () => {
    expect([...float64s(await decode(message))]).toEqual([1.5, -2.75, 9999, 1e10]);
    const single = await decode(message, { dtype: "float32" });
    expect([...new Float32Array(single.buffer)]).toEqual([1.5, -2.75, 9999, 1e10]);
    const absent = await decode(message, { dtype: null });
    expect(absent).toEqual(single);
    const big = await decode(message, { dtype: ">f8" });
    expect(new DataView(big.buffer).getFloat64(0)).toBe(1.5);
    const whole = await decode(ieeeMessage([1.5, -2.75]), { dtype: "int32" });
    expect([...new Int32Array(whole.buffer)]).toEqual([1, -2]);
    expect((await errorOf(() => decode(message, { dtype: "int16" }))).code).toBe("decode-failed");
    expect((await errorOf(() => decode(message, { dtype: "object" }))).code).toBe("codec-configuration");
  });

  it("gribberish keeps a value of 9999, and takes the array's type", async () => {
    expect([...float64s(await decode(message, { dtype: null }, 1e9, "gribberish"))]).toEqual([1.5, -2.75, 9999, 1e10]);
    const refused = await errorOf(() => decode(message, { north_up: "yes" }, 1e9, "gribberish"));
    expect(refused.code).toBe("codec-configuration");
  });

  it("is found by the names of Zarr v2 and v3", () => {
    expect(findCodec("numcodecs.grib")).toBe(findCodec("grib"));
    expect(findCodec("gribberish")?.id).toBe("gribberish");
  });
});

describe("what is not read is named", () => {
  it.each([
    [50, "spectral"],
    [1, "matrix values"],
    [51_000, "not a known packing"],
  ])("packing template 5.%i: %s", async (template, name) => {
    const error = await errorOf(() => decode(changed(soil, sectionAt(soil, 5) + 9, template >> 8, template & 255)));
    expect(error.code).toBe("grib-packing-unsupported");
    expect(error.message).toContain(`5.${template}`);
    expect(error.message).toContain(name);
  });

  it.each([
    [20, "polar stereographic"],
    [31, "Albers equal area"],
    [40, "Gaussian"],
  ])("coordinates of grid template 3.%i: %s", async (template, name) => {
    const message = changed(soil, sectionAt(soil, 3) + 12, 0, template);
    const error = await errorOf(() => decode(message, { var: "longitude" }));
    expect(error.code).toBe("grib-grid-unsupported");
    expect(error.message).toContain(name);
    expect((await decode(message)).length).toBe(259_920 * 8);
  });

  it("bit-maps that are elsewhere", async () => {
    const at = sectionAt(soil, 6) + 5;
    expect((await errorOf(() => decode(changed(soil, at, 3)))).code).toBe("grib-bitmap-unsupported");
    expect((await errorOf(() => decode(changed(soil, at, 254)))).message).toContain("section 6 (bit-map)");
  });
});

describe("damage", () => {
  it("bytes that are not a message", async () => {
    for (const text of ["", "GRIB....", "\x89HDF\r\n\x1a\n", "GRIB\0\0\0\x03 and so on"]) {
      const error = await errorOf(() => decode(Buffer.from(text, "latin1")));
      expect(error.code).toBe("grib-not-a-message");
      expect(gribSections(Buffer.from(text, "latin1")).edition).toBeUndefined();
    }
    expect((await errorOf(() => decode(Buffer.from("GRIB....")))).code).toBe("grib-not-a-message");
  });

  it("cut off anywhere: the section is named", async () => {
    const cuts: readonly (readonly [number, string])[] = [
      [12, "section 0 (indicator)"],
      [30, "section 1 (identification)"],
      [100, "section 3 (grid definition)"],
      [5000, "section 6 (bit-map)"],
      [90_000, "section 7 (data)"],
      [soil.length - 4, "section 8 (end)"],
      [soil.length - 1, "section 8 (end)"],
    ];
    for (const [length, name] of cuts) {
      const error = await errorOf(() => decode(soil.subarray(0, length)));
      expect(error.code).toBe("decode-failed");
      expect(error.message, String(length)).toContain(name);
      expect(gribSections(soil.subarray(0, length)).problem).toContain(name);
    }
  });

  it("lengths that lie", async () => {
    const at = (number: number) => sectionAt(soil, number);
    expect((await errorOf(() => decode(changed(soil, 14, 0, 9)))).message).toContain("section 0 (indicator)");
    expect((await errorOf(() => decode(changed(soil, at(4), 0, 0, 0, 3)))).message).toContain("section 4");
    expect((await errorOf(() => decode(changed(soil, at(6), 255)))).message).toContain("section 6");
    expect((await errorOf(() => decode(changed(soil, at(6) + 4, 9)))).message).toContain("section number 9");
  });

  it("numbers of values that no chunk has take no memory", async () => {
    const many = [255, 255, 255, 255];
    const limit = 259_920 * 8;
    for (const [message, code] of [
      [changed(soil, sectionAt(soil, 5) + 5, ...many), "decode-too-large"],
      [changed(soil, sectionAt(soil, 3) + 6, ...many), "decode-failed"],
      [changed(soil, sectionAt(soil, 5) + 31, ...many), "decode-failed"],
      [changed(soil, sectionAt(soil, 5) + 42, ...many), "decode-failed"],
    ] as const) {
      expect((await errorOf(() => decode(message, {}, limit))).code).toBe(code);
    }
    expect((await errorOf(() => decode(soil, {}, limit - 1))).code).toBe("decode-too-large");
    const grid = changed(soil, sectionAt(soil, 3) + 6, ...many);
    expect((await errorOf(() => decode(grid, { var: "latitude" }, limit))).code).toBe("decode-too-large");
  });

  it("of any byte ends in values or an error that says so; the listing never throws", async () => {
    let seed = 1;
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    for (const { message } of recorded) {
      const bytes = fromBase64(message);
      for (let round = 0; round < 60; round++) {
        const copy = changed(bytes, random(bytes.length), random(256)).subarray(
          0,
          bytes.length - random(2) * random(40),
        );
        for (const name of ["t", "longitude"]) {
          try {
            const values = await decode(copy, { var: name }, 100_000);
            expect(values.length).toBeLessThanOrEqual(100_000);
          } catch (error) {
            expect(error).toBeInstanceOf(RefscopeError);
          }
        }
        expect(gribSections(copy).sections.length).toBeLessThan(300);
      }
    }
  });
});

describe("the listing of sections", () => {
  it("says what a message is", () => {
    const { edition, sections, problem } = gribSections(soil);
    expect([edition, problem]).toEqual([2, undefined]);
    expect(sections.map(({ number, offset, length }) => [number, offset, length])).toEqual([
      [0, 0, 16],
      [1, 16, 21],
      [3, 37, 72],
      [4, 109, 37],
      [5, 146, 49],
      [6, 195, 32_496],
      [7, 32_691, 62_648],
      [8, 95_339, 4],
    ]);
    const facts = Object.fromEntries(sections.flatMap((one) => one.facts.map(({ label, value }) => [label, value])));
    expect(facts).toMatchObject({
      discipline: "2, land surface products",
      "reference time": "2025-01-01T00:00:00, start of forecast",
      "grid template": "3.0, latitude/longitude",
      points: "259920",
      "columns × rows": "720 × 361",
      "first point": "latitude 90, longitude 0",
      "packing template": "5.3, grid point data, complex packing and spatial differencing",
      "bits a value": "11",
      "differences of order": "2",
      "bit-map": "here, a bit a point",
    });
  });

  it("of edition 1, and of bytes after the message", () => {
    const one = recorded.find(({ name }) => name.startsWith("edition 1"));
    if (one === undefined) throw new Error("the fixture is gone");
    const { edition, sections } = gribSections(new Uint8Array([...fromBase64(one.message), 1, 2, 3]));
    expect(edition).toBe(1);
    expect(sections.at(-1)?.name).toBe("section 5 (end)");
  });
});

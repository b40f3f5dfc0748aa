/** Coordinates that the codec `grib` computes of grids other than regular latitude/longitude, as eccodes does. */
import { describe, expect, it } from "vitest";
import { RefscopeError } from "#core/findings/finding.ts";
import { LOADED } from "../testing/loaded-codecs.ts";
import { smallCases } from "../testing/published-grib.ts";
import { gaussianLatitude, nearestParallel } from "./gaussian.ts";
import { view } from "./numbers.ts";
import { unrotate } from "./rotation.ts";
import { walk } from "./walk.ts";

const { cases, messageOf } = smallCases();
const outline = {
  dataType: { kind: "float", itemSize: 8, byteOrder: "little", text: "<f8" },
  chunkShape: [1],
  elements: 1,
} as const;

function message(file: string): Uint8Array<ArrayBuffer> {
  const example = cases.find((one) => one.file === `grib/${file}.grib2`);
  if (example === undefined) throw new Error(`no message ${file}`);
  return messageOf(example);
}

async function coordinates(name: "latitude" | "longitude", bytes: Uint8Array<ArrayBuffer>): Promise<Float64Array> {
  const step = LOADED.findV2("grib")?.prepare(new Map([["var", name]]), outline);
  const decoded = await step?.decode(bytes, 1e6, new AbortController().signal);
  return new Float64Array((decoded ?? new Uint8Array()).slice().buffer);
}

/** A copy whose section 3 is another. */
function changed(file: string, change: (section3: DataView) => void): Uint8Array<ArrayBuffer> {
  const bytes = message(file);
  const section = walk(bytes).sections.find(({ number }) => number === 3);
  if (section === undefined) throw new Error("no grid");
  change(view(section.bytes));
  return bytes;
}

async function codeOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  try {
    await coordinates("latitude", bytes);
  } catch (error) {
    if (error instanceof RefscopeError) return error.code;
  }
  throw new Error("expected an error with a name");
}

describe("projected grids", () => {
  const recorded = cases.filter(({ samples, id }) => samples !== undefined && !id.includes("lambert-ns"));

  it.each(recorded.map((one) => ({ name: one.id, one })))(
    "$name: longitudes from 0 on, rows as stored",
    async ({ one }) => {
      const what = one.id.endsWith("latitude") ? "latitude" : "longitude";
      const found = await coordinates(what, messageOf(one));
      const [rows = 0, columns = 0] = one.array.chunk_shape;
      expect(found.length).toBe(rows * columns);
      // Recorded with the northernmost row first.
      for (const [row, column, value] of one.samples ?? []) {
        const expected = what === "longitude" && value < 0 ? value + 360 : value;
        expect(found[(rows - 1 - row) * columns + column]).toBeCloseTo(expected, 8);
      }
    },
  );

  it("are refused where eccodes would give the coordinates of other points", async () => {
    expect(await codeOf(changed("lambert-levels-5d", (grid) => grid.setUint8(64, 0)))).toBe("grib-grid-unsupported");
    expect(await codeOf(changed("mercator-both", (grid) => grid.setUint8(59, 64 + 32)))).toBe("grib-grid-unsupported");
    expect(await codeOf(changed("polar-both", (grid) => grid.setUint8(63, 128)))).toBe("grib-grid-unsupported");
    expect(await codeOf(changed("polar-both", (grid) => grid.setUint8(14, 5)))).toBe("grib-grid-unsupported");
    expect(await codeOf(changed("lambert-levels-5d", (grid) => grid.setUint8(14, 200)))).toBe("grib-grid-unsupported");
  });

  it.each([2, 4, 5, 8])("on an earth of shape %i the first point is the first point", async (shape) => {
    const bytes = changed("lambert-levels-5d", (grid) => grid.setUint8(14, shape));
    expect((await coordinates("latitude", bytes))[0]).toBeCloseTo(21.138123, 8);
    expect((await coordinates("longitude", bytes))[0]).toBeCloseTo(237.280472, 8);
  });

  it("on an earth that the message itself measures", async () => {
    const bytes = changed("lambert-levels-5d", (grid) => {
      grid.setUint8(14, 3);
      grid.setUint8(20, 1);
      grid.setUint32(21, 63_781_37);
      grid.setUint8(25, 1);
      grid.setUint32(26, 63_567_52);
    });
    expect((await coordinates("latitude", bytes))[0]).toBeCloseTo(21.138123, 8);
    const none = changed("lambert-levels-5d", (grid) => grid.setUint8(14, 7));
    expect(await codeOf(none)).toBe("grib-grid-unsupported");
  });
});

describe("Gaussian grids", () => {
  it("latitudes are the zeros of Legendre's polynomials", () => {
    expect([0, 1, 2, 3].map((index) => gaussianLatitude(4, index).toFixed(6))).toEqual([
      "73.799214",
      "52.812943",
      "31.704092",
      "10.569882",
    ]);
    expect(gaussianLatitude(4, 7)).toBe(-gaussianLatitude(4, 0));
    // eccodes' tables.
    expect(gaussianLatitude(1280, 0)).toBeCloseTo(89.946187715665616, 11);
    expect(gaussianLatitude(640, 1)).toBeCloseTo(89.753004943174034, 11);
    for (const index of [0, 1, 7, 8, 15]) expect(nearestParallel(8, gaussianLatitude(8, index))).toBe(index);
  });

  it("stand row by row; longitudes as in other grids", async () => {
    // The northern half of 32 parallels.
    const half = changed("gaussian-plain", (grid) => grid.setUint32(67, 16));
    const [north, east] = [await coordinates("latitude", half), await coordinates("longitude", half)];
    expect(north.length).toBe(32 * 16);
    expect(north[0]).toBeCloseTo(85.760587, 6);
    expect([north[31], north[511]]).toEqual([north[0], gaussianLatitude(16, 15)]);
    expect([...east.subarray(0, 4)]).toEqual([0, 11.25, 22.5, 33.75]);
  });

  it("a first latitude that is none of them, or more rows than there are, is named", async () => {
    expect(await codeOf(changed("gaussian-plain", (grid) => grid.setUint32(46, 80_000_000)))).toBe("decode-failed");
    expect(await codeOf(changed("gaussian-plain", (grid) => grid.setUint32(67, 7)))).toBe("decode-failed");
    expect(await codeOf(changed("gaussian-plain", (grid) => grid.setUint32(67, 1e9)))).toBe("grib-grid-unsupported");
    expect(await codeOf(changed("gaussian-plain", (grid) => grid.setUint8(71, 32)))).toBe("grib-grid-unsupported");
  });
});

describe("rotated grids", () => {
  const pole = { latitude: -30, longitude: 10, angle: 0 };

  it("the grid's own poles and origin lie where the pole puts them", () => {
    expect(unrotate(-90, 0, pole)).toEqual({ latitude: -30, longitude: 10 });
    expect(unrotate(90, 0, pole)).toEqual({ latitude: 30, longitude: -170 });
    expect(unrotate(0, 0, pole)).toEqual({ latitude: 60, longitude: 10 });
  });

  it("each point is turned", async () => {
    const [north, east] = [
      await coordinates("latitude", message("rotated-plain")),
      await coordinates("longitude", message("rotated-plain")),
    ];
    expect(north.length).toBe(24 * 15);
    expect([north[0], east[0]]).toEqual([50, 10]);
    // Five rows on, 10° further north on the same meridian.
    expect(north[24 * 5]).toBeCloseTo(60, 5);
  });
});

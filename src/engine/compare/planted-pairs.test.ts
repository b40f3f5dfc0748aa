/** Pairs of one field with a planted difference: what comparing by value says of each. */
import { expect, it } from "vitest";
import { runs } from "#core/testing/runs.ts";
import type { ArrayValues } from "#core/set-differences.ts";
import { inThread } from "../chunk/chunk-decoder.ts";
import { CONTEXT } from "../fixtures/plain-table.ts";
import { openDocument } from "../testing/open-document.ts";
import { compareSets, sharedArrays } from "./compare-sets.ts";
import { compareValues } from "./compare-values.ts";

const SHAPE = { time: 4, lat: 5, lon: 6 };
type Dimension = keyof typeof SHAPE;
const ORDER: readonly Dimension[] = ["time", "lat", "lon"];
const PLACES = SHAPE.time * SHAPE.lat * SHAPE.lon;
const FILL = -32768;

/** Numbers that follow from a seed (Numerical Recipes' generator). */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** How a field in °C is stored. */
interface Stored {
  readonly order: readonly Dimension[];
  readonly isTurned: boolean;
  readonly chunks: readonly number[];
  readonly dtype: "<i2" | "<f4" | "<f8";
  readonly scale: number;
  readonly offset: number;
  readonly units: "degC" | "K";
  readonly epoch: 2000 | 2001;
  readonly without: ReadonlySet<string>;
  readonly extra: Readonly<Record<string, string>>;
}

const PACKED: Stored = {
  order: ORDER,
  isTurned: false,
  chunks: [2, 3, 4],
  dtype: "<i2",
  scale: 0.01,
  offset: 10,
  units: "degC",
  epoch: 2000,
  without: new Set(),
  extra: {},
};

/** Celsius by place in the order time, lat, lon; NaN is missing. */
type Field = readonly number[];

function packedElement(celsius: number, { dtype, scale, offset, units }: Stored): number {
  if (dtype !== "<i2") return units === "K" ? celsius + 273.15 : celsius;
  const value = units === "K" ? celsius + 273.15 : celsius;
  return Number.isNaN(value) ? FILL : Math.round((value - offset) / scale);
}

const SIZES = { "<i2": 2, "<f4": 4, "<f8": 8 };

function bytesOf(numbers: readonly number[], dtype: Stored["dtype"]): string {
  const view = new DataView(new ArrayBuffer(numbers.length * SIZES[dtype]));
  for (const [at, number] of numbers.entries()) {
    if (dtype === "<i2") view.setInt16(at * 2, number, true);
    else if (dtype === "<f4") view.setFloat32(at * 4, number, true);
    else view.setFloat64(at * 8, number, true);
  }
  return `base64:${Buffer.from(view.buffer).toString("base64")}`;
}

const arrayText = (shape: readonly number[], chunks: readonly number[], dtype: string, fill: number | "NaN" | null) =>
  JSON.stringify({
    zarr_format: 2,
    shape,
    chunks,
    dtype,
    fill_value: fill,
    compressor: null,
    filters: null,
    order: "C",
  });

function coordinate(name: string, numbers: readonly number[], attributes: object) {
  return {
    [`${name}/.zarray`]: arrayText([numbers.length], [numbers.length], "<f8", null),
    [`${name}/.zattrs`]: JSON.stringify({ _ARRAY_DIMENSIONS: [name], ...attributes }),
    [`${name}/0`]: bytesOf(numbers, "<f8"),
  };
}

function documentOf(field: Field, stored: Stored): Record<string, unknown> {
  const { order, chunks, dtype, scale, offset, units, epoch, isTurned } = stored;
  const lats = Array.from({ length: SHAPE.lat }, (_, at) => 50 - 2.5 * at);
  const days = Array.from({ length: SHAPE.time }, (_, at) => at + (epoch === 2000 ? 366 : 0));
  const shape = order.map((name) => SHAPE[name]);
  const refs: Record<string, unknown> = {
    ".zgroup": '{"zarr_format":2}',
    ...coordinate("time", days, { units: `days since ${epoch}-01-01`, calendar: "standard" }),
    ...coordinate("lat", isTurned ? lats.toReversed() : lats, { units: "degrees_north" }),
    ...coordinate(
      "lon",
      Array.from({ length: SHAPE.lon }, (_, at) => at * 3 - 30),
      { units: "degrees_east" },
    ),
    "sst/.zarray": arrayText(shape, chunks, dtype, null),
    "sst/.zattrs": JSON.stringify({
      _ARRAY_DIMENSIONS: order,
      units,
      ...(dtype === "<i2" ? { scale_factor: scale, add_offset: offset, _FillValue: FILL } : {}),
    }),
    ...stored.extra,
  };
  if (stored.without.size > 0) refs["sst/.zarray"] = arrayText(shape, chunks, dtype, dtype === "<i2" ? FILL : "NaN");
  const grid = shape.map((length, each) => Math.ceil(length / (chunks[each] ?? 1)));
  const each = (counts: readonly number[], visit: (at: readonly number[]) => void, before: readonly number[] = []) => {
    if (before.length === counts.length) return visit(before);
    for (let at = 0; at < (counts[before.length] ?? 0); at += 1) each(counts, visit, [...before, at]);
  };
  each(grid, (chunk) => {
    const numbers: number[] = [];
    each(chunks, (inside) => {
      const place = inside.map((at, dimension) => (chunk[dimension] ?? 0) * (chunks[dimension] ?? 1) + at);
      const of = (name: Dimension) => place[order.indexOf(name)] ?? 0;
      const lat = isTurned ? SHAPE.lat - 1 - of("lat") : of("lat");
      const isInside = place.every((at, dimension) => at < (shape[dimension] ?? 0));
      const celsius = isInside ? field[(of("time") * SHAPE.lat + lat) * SHAPE.lon + of("lon")] : undefined;
      numbers.push(packedElement(celsius ?? NaN, stored));
    });
    const key = `sst/${chunk.join(".")}`;
    if (!stored.without.has(key)) refs[key] = bytesOf(numbers, dtype);
  });
  return refs;
}

async function compared(a: Record<string, unknown>, b: Record<string, unknown>) {
  const sets = { a: await openDocument(a), b: await openDocument(b) };
  const found = new Map<string, ArrayValues>();
  for (const nodes of sharedArrays(sets)) {
    const wish = { sets, nodes, mode: "cf", chunks: "all", decoder: inThread } as const;
    found.set(nodes.a.path, await compareValues(wish, CONTEXT));
  }
  const sst = found.get("sst");
  if (sst === undefined) throw new Error("no sst");
  return { sst, found, sets: await compareSets(sets, CONTEXT) };
}

const KINDS = ["values", "packing", "units", "order", "keys", "missing"] as const;

it.each(Array.from({ length: runs(200) }, (_, seed) => [KINDS[seed % KINDS.length] ?? "values", seed] as const))(
  "%s, seed %i: the verdict is right",
  async (kind, seed) => {
    const pick = numbersFrom(seed * 7919 + 1);
    const field = Array.from({ length: PLACES }, () => (pick(12) === 0 ? NaN : (pick(4000) - 2000) * 0.01 + 10));
    const chunks = [1 + pick(4), 1 + pick(5), 1 + pick(6)];
    const a = pick(2) === 0 ? PACKED : ({ ...PACKED, dtype: "<f8" } as const);
    await PLANTED[kind]({ pick, field, a, chunks });
  },
);

interface Planting {
  readonly pick: (below: number) => number;
  readonly field: Field;
  readonly a: Stored;
  readonly chunks: readonly number[];
}

const PLANTED: Readonly<Record<(typeof KINDS)[number], (planting: Planting) => Promise<void>>> = {
  async values({ pick, field, a, chunks }) {
    const other = [...field];
    const changed = new Map<number, number>();
    for (let left = 1 + pick(5); left > 0; left -= 1) {
      const at = pick(PLACES);
      const by = (3 + pick(300)) * 0.01 * (pick(2) === 0 ? 1 : -1);
      changed.set(at, by);
      other[at] = (Number.isNaN(field[at]) ? 12 : (field[at] ?? 0)) + by;
    }
    const { sst } = await compared(documentOf(field, a), documentOf(other, { ...a, chunks }));
    const { elements, verdict, first } = sst;
    expect([verdict, elements?.differing, elements?.compared]).toEqual(["differ", changed.size, PLACES]);
    const lost = [...changed.keys()].filter((at) => Number.isNaN(field[at]));
    expect(elements?.missing).toEqual({ a: lost.length, b: 0 });
    expect(sst.tolerance?.absolute).toBe(a.dtype === "<i2" ? 0.005 : 0);
    const indices = (at: number) => [Math.floor(at / 30), Math.floor(at / 6) % 5, at % 6];
    expect(first?.element).toEqual(indices(Math.min(...changed.keys())));
    const found = [...changed].filter(([at]) => !lost.includes(at));
    if (found.length === 0) return;
    const [, most] = found.toSorted(([, one], [, two]) => Math.abs(two) - Math.abs(one))[0] ?? [0, 0];
    expect(Math.abs(elements?.largest?.difference ?? 0)).toBeCloseTo(Math.abs(most), 9);
    const both = field.filter((value) => !Number.isNaN(value)).length;
    // Chunks of the same bytes are not read where the grids are one.
    if (sst.sameSource === 0) expect(elements?.mean).toBeCloseTo(-found.reduce((sum, [, by]) => sum + by, 0) / both, 9);
    const at = elements?.largest?.element ?? [];
    expect(changed.has(((at[0] ?? 0) * 5 + (at[1] ?? 0)) * 6 + (at[2] ?? 0))).toBe(true);
  },
  async packing({ pick, field, a, chunks }) {
    const others = [
      { dtype: "<i2", scale: 0.02, offset: 0 },
      { dtype: "<i2", scale: 0.005, offset: 3.2 },
      { dtype: "<f4" },
      { dtype: "<f8" },
    ] as const;
    const other = others[a.dtype === "<i2" ? pick(4) : pick(2)];
    const { sst } = await compared(documentOf(field, a), documentOf(field, { ...a, ...other, chunks }));
    expect(["same", "within"]).toContain(sst.verdict);
    expect(sst.beside).toContain("packing");
    expect(sst.tolerance).toMatchObject({ from: "packing" });
    expect(sst.elements).toMatchObject({ compared: PLACES, differing: 0, missing: { a: 0, b: 0 } });
  },
  async units({ pick, field, a, chunks }) {
    const others = [
      { units: "K", dtype: "<f8" },
      { units: "K", dtype: "<f4" },
      { units: "K", dtype: "<i2", scale: 0.01, offset: 283.15 },
    ] as const;
    const other = { ...a, ...others[pick(3)], epoch: 2001, chunks } as const;
    const { sst, found } = await compared(documentOf(field, a), documentOf(field, other));
    expect(["same", "within"]).toContain(sst.verdict);
    expect(sst.beside).toContain("units");
    expect(sst.elements).toMatchObject({ compared: PLACES, differing: 0 });
    expect(found.get("time")).toMatchObject({ verdict: "same", beside: ["units"] });
    // The name alone of another unit makes other values of the same numbers.
    const named = documentOf(field, { ...a, dtype: "<f8" });
    const asK = { ...named, "sst/.zattrs": String(named["sst/.zattrs"]).replace("degC", "K") };
    expect((await compared(named, asK)).sst.verdict).toBe("differ");
  },
  async order({ pick, field, a, chunks }) {
    const orders: readonly (readonly Dimension[])[] = [
      ["lon", "lat", "time"],
      ["lat", "time", "lon"],
      ["time", "lon", "lat"],
    ];
    const isTurned = pick(2) === 0;
    const order = isTurned && pick(2) === 0 ? ORDER : (orders[pick(3)] ?? ORDER);
    const own = order.map((name) => Math.min(chunks[order.indexOf(name)] ?? 1, SHAPE[name]));
    const { sst, found } = await compared(
      documentOf(field, a),
      documentOf(field, { ...a, order, isTurned, chunks: own }),
    );
    expect(sst.verdict).toBe("same");
    expect(sst.beside).toContain("order");
    expect(sst.elements).toMatchObject({ compared: PLACES, differing: 0, within: 0 });
    expect(found.get("lat")?.verdict).toBe("same");
    expect(found.get("lat")?.beside).toEqual(isTurned ? ["order"] : []);
  },
  async keys({ pick, field, a }) {
    const key = ["sst/9.0.0", "sst/notes.txt", "readme"][pick(3)] ?? "readme";
    const extra = { [key]: "text" };
    const { sst, sets } = await compared(documentOf(field, a), documentOf(field, { ...a, extra }));
    expect(sst).toMatchObject({ verdict: "same", beside: [], compared: 0 });
    expect(sets.keys.listed).toMatchObject([{ key, kind: "onlyB" }]);
  },
  async missing({ pick, field, a }) {
    const chunk = [pick(2), pick(2), pick(2)];
    const without = new Set([`sst/${chunk.join(".")}`]);
    // Both declare the same fill value.
    const whole = { ...a, without: new Set(["none"]) };
    const { sst } = await compared(documentOf(field, whole), documentOf(field, { ...a, without }));
    const lost = field.filter((value, at) => {
      const inside = [Math.floor(at / 60), Math.floor((Math.floor(at / 6) % 5) / 3), Math.floor((at % 6) / 4)];
      return !Number.isNaN(value) && String(inside) === String(chunk);
    }).length;
    expect(sst).toMatchObject({ verdict: lost > 0 ? "differ" : "same", different: lost > 0 ? 1 : 0 });
    expect(sst.elements).toMatchObject({ differing: lost, missing: { a: 0, b: lost } });
    expect(sst.beside).toEqual(["lacking"]);
  },
};

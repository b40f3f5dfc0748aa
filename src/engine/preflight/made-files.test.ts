/**
 * Tests of cases without recordings: bounds, packing by one offset, months, dimensions without coordinates, braces,
 * damage.
 */
import { describe, expect, it } from "vitest";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { type Asked, barrierOf, stopsCombining } from "#core/check/preflight.ts";
import { explained } from "#core/findings/explain.ts";
import { finding } from "#core/findings/finding.ts";
import { WHOLE_SET } from "#core/findings/fact.ts";
import { wholeDimension } from "#core/plane/selection.ts";
import type { JsonObject } from "#core/json/json.ts";
import { columnsWriter, type SourceArray } from "#core/source-file.ts";
import { arrayNode, type EngineSet } from "../engine-set.ts";
import { readPart } from "../many/array-part.ts";
import { inThread } from "../chunk/chunk-decoder.ts";
import { openAny } from "../open/open-any.ts";
import { metadataDocuments } from "../open/data-file/source-set.ts";
import { combine } from "./combine.ts";
import { examine, examineFiles } from "./preflight.ts";
import { type GivenFile, sourcedFile } from "./sourced-file.ts";

const CONTEXT = { signal: new AbortController().signal, report: () => undefined };
const network = { http: { fetch: () => Promise.reject(new Error("There is no network.")), attempts: 1 } };

interface Made {
  readonly dimensions: readonly string[];
  readonly shape?: readonly number[];
  readonly chunks?: readonly number[];
  readonly values?: readonly number[];
  readonly attributes?: Readonly<Record<string, string>>;
  readonly filters?: readonly string[];
  readonly dtype?: string;
  readonly fill?: string;
}

async function opened(text: string): Promise<EngineSet> {
  const source = { kind: "text" as const, text, name: "made.json" };
  const set = await openAny(source, { locations: NO_LOCATIONS, network, options: {}, context: CONTEXT });
  if (set.kind !== "set") throw new Error(set.title);
  return set.set;
}

/** A data file of float64: values that are given are inline, all else is missing. */
async function made(name: string, of: Readonly<Record<string, Made>>, isDamaged = false): Promise<GivenFile> {
  const arrays = Object.entries(of).map(([path, one]): SourceArray => {
    const { dimensions, values = [], attributes = {}, filters = [] } = one;
    const shape = one.shape ?? [values.length];
    const inline = new Map(values.length === 0 ? [] : [[0, new Uint8Array(Float64Array.from(values).buffer)]]);
    const texts = new Map(Object.entries(attributes));
    const { chunks = shape, dtype = "<f8", fill = "null" } = one;
    const stored = { shape, chunks, dtype: JSON.stringify(dtype), fill, filters };
    return { path, dimensions, attributes: texts, ...stored, references: columnsWriter(0).columns(), inline };
  });
  const damage = finding("data-file-damaged", WHOLE_SET, {
    format: "hdf5",
    structure: "object header",
    offset: 0,
    why: "checksum",
  } as never);
  const findings = isDamaged ? [damage] : [];
  const sourceFile = { label: "made", groups: [{ path: "", attributes: new Map() }], arrays, findings, structures: [] };
  const refs = Object.fromEntries(Array.from(metadataDocuments(sourceFile).values(), ({ key, text }) => [key, text]));
  for (const { path, shape, inline } of arrays)
    for (const bytes of inline.values())
      refs[`${path}/${shape.map(() => 0).join(".")}`] = `base64:${Buffer.from(bytes).toString("base64")}`;
  const set = await opened(JSON.stringify({ version: 1, refs }));
  return { name, set: Object.create(set, { sourceFile: { value: sourceFile } }) as EngineSet };
}

const time = (values: readonly number[], units = "days since 2020-01-01", more: Made["attributes"] = {}): Made => ({
  dimensions: ["time"],
  values,
  attributes: { units: JSON.stringify(units), ...more },
});

async function answerOf(files: readonly Promise<GivenFile>[], asked: Asked | string = {}) {
  const { answer } = await examine(
    await Promise.all(files),
    typeof asked === "string" ? { along: asked } : asked,
    inThread,
    CONTEXT,
  );
  return { ...answer, barriers: answer.findings.map((one) => barrierOf(one, explained)) };
}

/** Combined set of files that nothing stops from being combined. */
async function combinedSet(files: readonly GivenFile[], along?: string): Promise<EngineSet> {
  const found = await examine(files, { along }, inThread, CONTEXT);
  expect(found.answer.findings.filter(stopsCombining)).toEqual([]);
  return opened([...(await combine(found, inThread, CONTEXT)).text()].join(""));
}

const attributesOf = (set: EngineSet, path: string) => arrayNode(set, path).attributes as JsonObject;

async function numbersOf(set: EngineSet, path: string): Promise<readonly number[]> {
  const node = arrayNode(set, path);
  const selection = node.metadata.shape.map(wholeDimension);
  const part = await readPart({ set, node, selection, cf: false, decoder: inThread }, CONTEXT);
  return Array.from({ length: part.bytes.length / 8 }, (_, at) => Number(part.json(at)));
}

describe("combining", () => {
  it("writes bounds in the units of their coordinate", async () => {
    const file = (name: string, units: string) =>
      made(name, {
        time: time([0.5, 1.5], units, { bounds: '"time_bnds"' }),
        time_bnds: { dimensions: ["time", "nv"], shape: [2, 2], chunks: [1, 2], values: [0, 1, 1, 2].slice(0, 2) },
      });
    const files = [await file("a.nc", "days since 2020-01-01"), await file("b.nc", "days since 2020-01-03")];
    const found = await examine(files, {}, inThread, CONTEXT);
    expect(found.answer).toMatchObject({ verdict: "if", along: "time", how: "concatenate" });
    const { text, notes } = await combine(found, inThread, CONTEXT);
    const set = await opened([...text()].join(""));
    expect(await numbersOf(set, "time")).toEqual([0.5, 1.5, 2.5, 3.5]);
    expect((await numbersOf(set, "time_bnds")).slice(4, 6)).toEqual([2, 3]);
    expect(notes[1]).toBe("time_bnds is written into the references, all in “days since 2020-01-01”.");
  });

  it("decodes bounds by their own packing and missing values before it counts them anew", async () => {
    const file = (name: string, units: string) =>
      made(name, {
        time: time([0.5], units, { bounds: '"time_bnds"' }),
        time_bnds: {
          dimensions: ["time", "nv"],
          shape: [1, 2],
          values: [2, -9],
          attributes: { scale_factor: "0.5", missing_value: "-9.0" },
        },
      });
    const files = [await file("a.nc", "days since 2020-01-01"), await file("b.nc", "days since 2020-01-03")];
    const set = await combinedSet(files);
    expect(await numbersOf(set, "time_bnds")).toEqual([1, NaN, 3, NaN]);
    expect(attributesOf(set, "time_bnds")).toEqual(new Map([["_ARRAY_DIMENSIONS", ["time", "nv"]]]));
  });

  it("counts times in whole numbers, in the first unit that holds all of them", async () => {
    const sets = [
      [time([100, 200], "microseconds since 2020-01-01"), time([1], "milliseconds since 2020-01-01")],
      [time([1_051_896], "hours since 1900-01-01"), time([3601], "seconds since 2020-01-01")],
      [time([0, 0.5]), time([36], "hours since 2020-01-01")],
    ];
    const found = [];
    for (const [one, other] of sets as [Made, Made][]) {
      const set = await combinedSet([await made("a.nc", { time: one }), await made("b.nc", { time: other })], "time");
      const [node, units] = [arrayNode(set, "time"), attributesOf(set, "time").get("units")];
      found.push([node.metadata.dataType.kind, units, await numbersOf(set, "time")]);
    }
    expect(found).toEqual([
      ["int", "microseconds since 2020-01-01", [100, 200, 1000]],
      ["int", "seconds since 2020-01-01", [0, 3601]],
      ["float", "days since 2020-01-01", [0, 0.5, 1.5]],
    ]);
  });

  it("gives no fill value where every chunk is stored: readers would mask what equals it", async () => {
    const file = (name: string, at: number) =>
      made(name, { time: time([at]), x: { dimensions: ["x"], values: [0, 1], fill: "0.0" } });
    const set = await combinedSet([await file("a.nc", 0), await file("b.nc", 1)]);
    expect(arrayNode(set, "x").metadata.fillValue).toBeNull();
    const half = { dimensions: ["y"], shape: [4], chunks: [2], values: [0, 1], fill: "0.0" };
    const absent = await combinedSet([await made("a.nc", { time: time([0]), half })], "time");
    expect(arrayNode(absent, "half").metadata.fillValue).not.toBeNull();
  });

  it("keeps braces and texts that look like base64 as they are", async () => {
    const attributes = { template: '"{{x}} and }}"' };
    const values = [...new Float64Array(new TextEncoder().encode("base64:{{a}}0000").buffer)];
    const one = await made("a.nc", { x: { dimensions: ["x"], values, attributes } });
    const found = await examine([one], { along: "x" }, inThread, CONTEXT);
    const set = await opened([...(await combine(found, inThread, CONTEXT)).text()].join(""));
    expect(await numbersOf(set, "x")).toEqual(values);
    expect(set.hierarchy.nodes.get("x")).toMatchObject({
      attributes: new Map<string, unknown>([
        ["_ARRAY_DIMENSIONS", ["x"]],
        ["template", "{{x}} and }}"],
      ]),
    });
  });
});

describe("pre-flight", () => {
  it("holds what is taken once by what it reads as, not by its bytes", async () => {
    const lat = { dimensions: ["lat"], values: [1, 2] };
    const barriersWith = async (other: Partial<Made>) => {
      const files = [{}, other].map((more, at) => made(`${at}.nc`, { time: time([at]), lat: { ...lat, ...more } }));
      return (await answerOf(files)).barriers.map(({ barrier }) => barrier);
    };
    const identical = ["identical-coordinate-differs"];
    expect(await barriersWith({ attributes: { scale_factor: "0.5" } })).toEqual(identical);
    expect(await barriersWith({ attributes: { missing_value: "2.0" } })).toEqual(identical);
    expect(await barriersWith({ attributes: { missing_value: "3.0" } })).toEqual([]);
    expect(await barriersWith({ values: [2, 4], attributes: { scale_factor: "0.5" } })).toEqual([]);
  });

  it("tells apart values that readers take for other types, units and texts", async () => {
    const bytes = { dimensions: ["time"], shape: [500_001], dtype: "|i1" };
    const barriersOf = async (one: Partial<Made>, other: Partial<Made>) => {
      const at = [
        { ...bytes, ...one },
        { ...bytes, ...other },
      ].map((v, index) => made(`${index}.nc`, { v }));
      return (await answerOf(at, "time")).barriers;
    };
    const [unsigned] = await barriersOf({}, { attributes: { _Unsigned: '"true"' } });
    expect(unsigned?.barrier).toBe("dtype-differs");
    expect(unsigned?.message).toContain("v is |i1 in 0.nc and |i1 read as unsigned in 1.nc");
    expect(await barriersOf({ attributes: { dtype: '"bool"' } }, {})).toMatchObject([
      { barrier: "dtype-differs" },
      { barrier: "attributes-differ", severity: "info" },
    ]);
    const encoding = (name: string) => ({ dtype: "|S1", attributes: { _Encoding: `"${name}"` } });
    const encodings = await barriersOf(encoding("utf-8"), encoding("latin-1"));
    expect(encodings).toMatchObject([{ barrier: "attributes-differ", severity: "warning", variables: ["v"] }]);
    expect(await barriersOf({ fill: "0" }, { fill: "0" })).toEqual([]);
  });

  it("refuses a coordinate that counts no dates in two units", async () => {
    const files = [time([0, 6], "hours"), time([7, 8], "days")].map((lead, at) => made(`${at}.nc`, { time: lead }));
    const { barriers } = await answerOf(files, "time");
    expect(barriers[0]).toMatchObject({ barrier: "attributes-differ", severity: "warning" });
  });

  it("says by how much values packed with another offset would be wrong, and which files belong together", async () => {
    const file = (name: string, at: number, offset: string) =>
      made(name, {
        time: time([at]),
        tas: { dimensions: ["time", "x"], shape: [1, 2], attributes: { scale_factor: "0.1", add_offset: offset } },
      });
    const { barriers, verdict } = await answerOf([
      file("a.nc", 0, "273.15"),
      file("b.nc", 1, "0.0"),
      file("c.nc", 2, "273.15"),
    ]);
    expect(verdict).toBe("no");
    expect(barriers).toMatchObject([
      { barrier: "packing-differs", severity: "error", files: ["b.nc"], variables: ["tas"] },
    ]);
    expect(barriers[0]?.message).toBe(
      "tas is packed with add_offset 273.15 in a.nc and c.nc and add_offset 0 in b.nc: read with the packing of the others, values of b.nc are 273.15 too high.",
    );
    expect(barriers[0]?.advice).toContain(
      "Combine each group separately: add_offset 273.15: a.nc and c.nc; add_offset 0: b.nc.",
    );
  });

  it("takes months for regular, and finds the one that is missing", async () => {
    const starts = [0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335];
    const files = (those: readonly number[]) => those.map((at) => made(`m${at}.nc`, { time: time([at]) }));
    expect((await answerOf(files(starts))).barriers).toEqual([]);
    const { barriers, verdict } = await answerOf(files(starts.filter((at) => at !== 152)));
    expect(verdict).toBe("yes");
    expect(barriers.map(({ message }) => message)).toEqual(["time has a gap between 2020-05-01 and 2020-07-01."]);
  });

  it("names chunk lengths that fit all files", async () => {
    const file = (name: string, at: number, length: number, filters: readonly string[] = []) =>
      made(name, {
        time: time(Array.from({ length }, (_, index) => at + index)),
        tas: { dimensions: ["time", "x"], shape: [length, 2], chunks: [length, 2], filters },
      });
    const whole = await answerOf([file("a.nc", 0, 12), file("b.nc", 12, 8)]);
    expect(whole.barriers[0]?.advice).toContain("Chunks of 4 along time fit all. The values are not compressed");
    expect(whole.barriers[0]?.advice).toContain("A rectilinear chunk grid (Zarr v3) takes");
    const blosc = (level: number) => [
      JSON.stringify({ id: "blosc", cname: level > 4 ? "zstd" : "lz4", clevel: level }),
    ];
    const levels = await answerOf([file("a.nc", 0, 4, blosc(1)), file("b.nc", 4, 4, blosc(9))]);
    expect(levels.barriers).toMatchObject([{ barrier: "codec-level-differs", severity: "info" }]);
  });

  it("asks for the dimension where nothing tells it, and takes no file but data files", async () => {
    const file = (name: string) => made(name, { tas: { dimensions: ["x"], shape: [3] } });
    await expect(answerOf([file("a.nc"), file("b.nc")])).rejects.toThrow("say it with --along");
    const files = await Promise.all(
      ["a1.nc", "a2.nc"].map(async (name) => sourcedFile(await file(name), inThread, CONTEXT)),
    );
    const { answer } = await examineFiles(files, {}, "run", inThread, CONTEXT);
    expect(answer).toMatchObject({ verdict: "yes", how: "stack", along: "run" });
    const set = await opened('{"version":1,"refs":{".zgroup":"{\\"zarr_format\\":2}"}}');
    await expect(examine([{ name: "a.json", set }], { along: "x" }, inThread, CONTEXT)).rejects.toThrow(
      "is not a data file",
    );
  });

  it("holds lengths of dimensions against each other where variables are put side by side", async () => {
    const file = (name: string, path: string, length: number) =>
      made(name, { [path]: { dimensions: ["x"], shape: [length] } });
    const { how, barriers } = await answerOf([file("a.nc", "tas", 3), file("b.nc", "pr", 4)]);
    expect(how).toBe("merge");
    expect(barriers.map(({ message }) => message)).toEqual(["The dimension x has the length 3 in a.nc and 4 in b.nc."]);
  });

  it("trusts no damaged file", async () => {
    const answer = await answerOf([made("a.nc", { time: time([0]) }), made("b.nc", { time: time([1]) }, true)]);
    expect(answer.barriers).toMatchObject([{ barrier: "file-damaged", files: ["b.nc"] }]);
  });

  it("refuses units of a coordinate too long to be written anew", async () => {
    const text = (name: string, units: string) =>
      made(name, { time: { dimensions: ["time"], shape: [5_000_000], attributes: { units: `"${units}"` } } });
    const { barriers } = await answerOf(
      [text("a.nc", "days since 2020-01-01"), text("b.nc", "days since 2021-01-01")],
      "time",
    );
    expect(barriers).toMatchObject([{ barrier: "attributes-differ", severity: "warning" }]);
  });
});

describe("each barrier", () => {
  const tas = (more: Partial<Made> = {}): Made => ({ dimensions: ["time", "x"], shape: [2, 2], ...more });
  const two = (one: Readonly<Record<string, Made>>, other: Readonly<Record<string, Made>>) => [
    made("a.nc", { time: time([0, 1]), ...one }),
    made("b.nc", { time: time([2, 3]), ...other }),
  ];
  const times = (...each: readonly (readonly number[])[]) =>
    each.map((values, at) => made(`${at}.nc`, { time: time(values) }));
  const calendar = (name: string) => time([0, 1], undefined, { calendar: `"${name}"` });
  const zlib = ['{"id":"zlib","level":4}'];
  const CASES: Readonly<Record<string, () => readonly Promise<GivenFile>[]>> = {
    "chunk-shape-differs": () => two({ tas: tas({ chunks: [1, 2] }) }, { tas: tas() }),
    "codec-differs": () => two({ tas: tas({ filters: zlib }) }, { tas: tas() }),
    "fill-differs": () => two({ tas: tas({ attributes: { missing_value: "1.0" } }) }, { tas: tas() }),
    "dims-differ": () => two({ tas: tas() }, { tas: tas({ dimensions: ["time", "y"] }) }),
    "shape-differs": () => two({ tas: tas() }, { tas: tas({ shape: [2, 3] }) }),
    "identical-variable-differs": () =>
      two({ v: { dimensions: ["n"], values: [1] } }, { v: { dimensions: ["n"], values: [2] } }),
    "identical-coordinate-differs": () =>
      two(
        { tas: tas({ attributes: { coordinates: '"v"' } }), v: { dimensions: ["n"], values: [1] } },
        { tas: tas(), v: { dimensions: ["n"], values: [2] } },
      ),
    "calendar-differs": () => two({ time: calendar("noleap") }, { time: calendar("360_day") }),
    "coordinate-interleaved": () => times([0, 2], [1, 3]),
    "coordinate-descending": () => times([1, 0], [3, 2]),
    "coordinate-unsorted": () => times([1, 0, 2], [3, 4]),
    "coordinate-nan": () => times([0, NaN], [3, 4]),
    "empty-file": () => [...times([0, 1], [2, 3]), made("c.nc", { time: { ...time([]), shape: [0] } })],
  };

  it.each(Object.entries(CASES))("%s is found, and told with its files and what to do", async (code, files) => {
    const { barriers } = await answerOf(files(), "time");
    const found = barriers.find(({ barrier }) => barrier === code) ?? expect.fail(JSON.stringify(barriers));
    expect(found.files.length).toBeGreaterThan(0);
    expect(`${found.message} ${found.advice}`).toMatch(/^[^{}]*[.)] [A-Z][^{}]*\.$/);
  });

  it("coordinate-from-name-fails where names give no number", async () => {
    const files = ["a_x1.nc", "b_y2.nc"].map((name) => made(name, { tas: { dimensions: ["x"], shape: [3] } }));
    expect((await answerOf(files, "run")).barriers).toMatchObject([{ barrier: "coordinate-from-name-fails" }]);
  });
});

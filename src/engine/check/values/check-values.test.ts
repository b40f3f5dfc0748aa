/** Faults planted into a smooth field in eight files, each named by its own code, at its place, and nothing besides. */
import { describe, expect, it } from "vitest";
import type { CheckPart } from "#core/check/check.ts";
import { sampleSize } from "#core/check/sample-size.ts";
import { explained } from "#core/findings/explain.ts";
import { nodeOf } from "#core/findings/fact.ts";
import { deflateSync, inflateSync } from "node:zlib";
import { context, openMade } from "#engine/repair/suggest/testing/damaged-set.ts";
import { inThread } from "#engine/chunk/chunk-decoder.ts";
import { checkValues } from "./check-values.ts";
import { arrayAt, madeSet } from "../testing/made-set.ts";
import { field, fileName, fieldSet, FILES, openField, STEPS, type Made } from "./testing/field-set.ts";
import type { ArrayFacts } from "./value-facts.ts";
import { valuesCost } from "./values-cost.ts";

const check = async (made?: Made, chunks: "all" | number = "all"): Promise<CheckPart> =>
  checkValues(await openField(made), { chunks, decoder: inThread }, context());

const codes = ({ findings }: CheckPart) => findings.map(({ code }) => code);

const swappedBytes = (bytes: Uint8Array<ArrayBuffer>, size: number) =>
  bytes.map((_, at) => bytes[at - (at % size) + size - 1 - (at % size)] as number);

it("integers of time in the other byte order are not files in disorder", async () => {
  const turned: NonNullable<Made["change"]> = ({ references, files }) => {
    const zarray = { ...(JSON.parse(String(references["time/.zarray"])) as object), dtype: "<i8" };
    const times = Array.from({ length: FILES }, (_, file) => {
      const bytes = Buffer.alloc(8 * STEPS);
      for (let at = 0; at < STEPS; at += 1) bytes.writeBigInt64BE(BigInt(7290 + file * STEPS + at), 8 * at);
      return [`time/${file}`, `base64:${bytes.toString("base64")}`] as const;
    });
    return {
      references: { ...references, "time/.zarray": JSON.stringify(zarray), ...Object.fromEntries(times) },
      files,
    };
  };
  const { findings } = await check({ metadata: { dtype: ">f4" }, change: turned });
  expect(findings.map(({ code, place, count }) => [code, nodeOf(place), count])).toEqual([
    ["values-misread", "v", FILES],
    ["values-misread", "time", FILES],
  ]);
  // Alone it is what it seems to be.
  expect(codes(await check({ change: turned }))).toEqual(["coordinate-files-unordered"]);
});

describe("of undamaged fields", () => {
  const same: readonly (readonly [string, Made])[] = [
    ["as they are", {}],
    ["compressed", { isCompressed: true }],
    ["with land", { value: (one, { y, x }) => (y < 3 && x < 4 ? NaN : one) }],
    ["with a storm", { value: (one, { time }) => (time === 7 ? one + 30 : one) }],
    ["of noise", { value: (_, { time, y, x }) => Math.abs(Math.sin(12_345.678 * (time * 97 + y * 13 + x))) }],
    ["that are constant", { value: () => 5 }],
    ["in time that runs backwards", { time: (at) => 100 - at }],
    ["in months of unequal length", { time: (at) => Math.round(at * 30.44) }],
  ];
  it.each(same)("%s nothing is said", async (_, made) => {
    const part = await check(made);
    expect(codes(part)).toEqual([]);
    expect(part.chunks).toEqual({ of: 16, decoded: 16, failed: 0 });
  });
});

type Change = NonNullable<Made["change"]>;
type Stored = NonNullable<Made["stored"]>;

const first =
  (made: Stored, only = 3): Stored =>
  (bytes, file) =>
    file === only ? made(bytes, file) : bytes;

/** Name of the damage, the set, the code, and a chunk or file that must be named. */
const PLANTED: readonly (readonly [string, Made, string, string])[] = [
  [
    "bytes of each number turned round in a file",
    { stored: first((bytes) => swappedBytes(bytes, 4)) },
    "values-misread",
    "3,0,0",
  ],
  ["and in all files", { metadata: { dtype: ">f4" } }, "values-misread", "0,0,0"],
  ["floats declared as integers", { metadata: { dtype: "<u4" } }, "values-of-other-type", "0,0,0"],
  ["chunks in C order declared F", { metadata: { order: "F" } }, "values-of-other-order", "0,0,0"],
  ["a chunk of zeros", { stored: first((bytes) => bytes.fill(0)) }, "chunk-zeroed", "3,0,0"],
  ["a chunk of NaN", { value: (one, { file }) => (file === 3 ? NaN : one) }, "chunk-all-missing", "3,0,0"],
  ["a constant chunk", { value: (one, { file }) => (file === 3 ? 280 : one) }, "chunk-constant", "3,0,0"],
  [
    "another mark of missing values",
    { value: (one, { file, x }) => (file === 3 && x === 2 ? 1e20 : one) },
    "fill-undeclared",
    "3,0,0",
  ],
  ["a bit turned", { stored: first((bytes) => bytes.with(203, (bytes[203] ?? 0) ^ 0x40)) }, "value-wild", "3,0,0"],
  [
    "a number beyond all",
    { value: (one, { time, y, x }) => (time === 6 && y === 2 && x === 2 ? 1.7e9 : one) },
    "value-wild",
    "3,0,0",
  ],
  [
    "rows upside down in a file",
    { value: (one, { time, y, x, file }) => (file === 3 ? field(time, 5 - y, x) : one) },
    "rows-turned",
    "3,0,0",
  ],
  ["two files exchanged", { order: (file) => (file === 2 ? 5 : file === 5 ? 2 : file) }, "files-swapped", "2,0,0"],
  [
    "another scale in a file",
    { value: (one, { file }) => (file === 3 ? one * 10 : one) },
    "steps-read-otherwise",
    "3,0,0",
  ],
  [
    "another offset from a file on",
    { value: (one, { file }) => (file > 4 ? one - 273.15 : one) },
    "packing-changes",
    "5,0,0",
  ],
  [
    "noise in a file",
    {
      value: (one, { time, y, x, file }) =>
        file === 3 ? 285 + 12 * Math.sin(12_345.678 * (time * 97 + y * 13 + x)) : one,
    },
    "chunk-unlike-others",
    "3,0,0",
  ],
  ["values outside the valid range", { attributes: { valid_range: [0, 290] } }, "values-outside-valid-range", "5,0,0"],
  ["a page in place of a file", { stored: first((bytes) => textAs(bytes)) }, "values-are-text", "3,0,0"],
];

const textAs = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: bytes.length }, (_, at) =>
    "<html><body>Please sign in.</body></html>\n".charCodeAt(at % 42),
  );

describe("of values", () => {
  it.each(PLANTED)("%s", async (_, made, code, chunk) => {
    const { findings } = await check(made);
    expect(findings.map((one) => one.code)).toEqual([code]);
    const [found] = findings;
    const places = found === undefined ? [] : (found.places ?? [found.place]);
    const chunks = places.flatMap((one) =>
      one.kind === "chunk" ? one : one.kind === "target" ? (one.chunk ?? []) : [],
    );
    expect(chunks.map(({ coordinates }) => coordinates.join(","))).toContain(chunk);
    expect(found === undefined ? "" : explained(found).message).toMatch(/^[A-Z\d].*\.$/s);
  });
});

/** Times by file, the code, and a text that the message must have. */
const TIMES: readonly (readonly [string, Made, string, RegExp])[] = [
  ["no values", { time: () => NaN }, "coordinate-missing-values", /All 16 values/],
  ["an origin in every file", { time: (at) => at % 2 }, "coordinate-restarts", /7 files begin near 0/],
  [
    "another unit from a file on",
    { time: (at, file) => (file > 4 ? at * 24 : at) },
    "coordinate-unit-changes",
    /24 times the expected value/,
  ],
  [
    "another unit from the third of eight files on",
    { time: (at, file) => (file > 1 ? at * 24 : at) },
    "coordinate-unit-changes",
    /./,
  ],
  [
    "another unit in one file",
    { time: (at, file) => (file === 4 ? at * 24 : at) },
    "coordinate-unit-changes",
    /sea_2004/,
  ],
  [
    "files exchanged",
    {
      time: (at, file) => (file === 2 ? at + 4 : file === 4 ? at - 4 : at),
      order: (file) => (file === 2 ? 4 : file === 4 ? 2 : file),
    },
    "coordinate-files-unordered",
    /sea_2004.*|sea_2002/,
  ],
  [
    "a value twice",
    { time: (at) => (at === 5 ? 4 : at) },
    "coordinate-repeated",
    /Positions 4 and 5 both have the value 4/,
  ],
  [
    "a file twice",
    { time: (at, file) => (file === 5 ? at - 4 : at), order: (file) => (file === 5 ? 3 : file) },
    "file-repeated",
    /sea_2003.*sea_2005/,
  ],
  [
    "two values exchanged",
    { time: (at) => (at === 3 ? 9 : at === 9 ? 3 : at) },
    "coordinate-unordered",
    /9 at position 3 and 3 at position 9.*are swapped/,
  ],
  [
    "a file left out",
    { time: (at, file) => (file > 4 ? at + 6 : at) },
    "coordinate-gap",
    /jumps from 9 to 16.*7 steps of 1/,
  ],
];

describe("of coordinates", () => {
  it.each(TIMES)("%s", async (_, made, code, words) => {
    const { findings } = await check(made);
    expect(findings.map((one) => one.code)).toEqual([code]);
    expect(findings.map((one) => explained(one).message).join(" ")).toMatch(words);
  });
});

describe("of chunks that do not decode", () => {
  const compressed = { isCompressed: true } as const;
  const move =
    (offset: number, length: number): Change =>
    (set) => {
      const [url, from, size] = set.references["v/3.0.0"] as readonly [string, number, number];
      return { ...set, references: { ...set.references, "v/3.0.0": [url, from + offset, size + length] } };
    };
  it.each([
    ["another offset", { ...compressed, change: move(7, 0) }, "range-offset-wrong", /7 bytes before the offset/],
    ["a length too short", { ...compressed, change: move(0, -20) }, "range-length-wrong", /20 bytes too short/],
    [
      "a codec not applied",
      { ...compressed, stored: first(() => plainChunk(3)) },
      "chunk-codec-skipped",
      /stored without zlib/,
    ],
    [
      "a codec not declared",
      { ...compressed, metadata: { compressor: null } },
      "chunks-of-other-format",
      /zlib was applied/,
    ],
  ] as const)("%s", async (_, made, code, words) => {
    const part = await check(made);
    expect(codes(part)).toEqual([code]);
    expect(part.findings.map((one) => explained(one).message).join(" ")).toMatch(words);
    expect(part.chunks?.failed).toBeGreaterThan(0);
  });

  it("of one file and several arrays are the file's", async () => {
    const change: Change = (set) => {
      const refs = { ...set.references };
      for (const key of Object.keys(set.references))
        if (key.startsWith("v/")) refs[key.replace("v/", "w/")] = set.references[key] as string;
      const files = new Map(set.files);
      files.set(
        fileName(3),
        Uint8Array.from({ length: files.get(fileName(3))?.length ?? 0 }, (_, at) => (at * 7919) & 255),
      );
      return { references: refs, files };
    };
    const { findings } = await check({ isCompressed: true, change });
    expect(findings).toMatchObject([
      { code: "target-unfit", place: { kind: "target", target: fileName(3) }, facts: { failed: 2, chunks: 3 } },
    ]);
  });
});

const plainChunk = (file: number): Uint8Array<ArrayBuffer> => {
  const { references, files } = fieldSet();
  const [url, offset, length] = references[`v/${file}.0.0`] as readonly [string, number, number];
  return new Uint8Array(files.get(url)?.subarray(offset, offset + length) ?? []);
};

it("what is known of each chunk is handed out as columns", async () => {
  const known: ArrayFacts[] = [];
  const set = await openField();
  await checkValues(set, { chunks: "all", decoder: inThread, onFacts: (facts) => known.push(...facts) }, context());
  const own = known.find(({ node }) => node.path === "v");
  expect(own?.ordinals).toHaveLength(8);
  expect(own?.columns.count.every((count) => count === 108)).toBe(true);
  expect(own?.columns.minimum.every((least) => least > 260 && least < 300)).toBe(true);
  expect(set.met.results.get("v")?.size).toBe(8);
});

it("a sample is spread over the files, its cost is told before, and what was not read is said", async () => {
  const set = await openField();
  expect(await valuesCost(set, { chunks: "all" }, context())).toEqual({
    chunks: 16,
    of: 16,
    bytes: 8 * (16 + 432),
    ofUnknownLength: 0,
    requests: 16,
  });
  expect(await valuesCost(set, { chunks: 4, array: "v" }, context())).toMatchObject({ chunks: 4, of: 8, requests: 4 });
  // Costs of very many chunks are estimated from counts.
  expect(await valuesCost(set, { chunks: 4 }, context(), 10)).toEqual({
    chunks: 4,
    of: 16,
    bytes: 2 * (16 + 432),
    ofUnknownLength: 0,
    requests: 4,
    isAbout: true,
  });
  expect(await valuesCost(set, { chunks: 4, array: "v" }, context(), 10)).not.toHaveProperty("isAbout");
  const part = await checkValues(set, { chunks: 4, decoder: inThread }, context());
  expect(part.chunks).toEqual({ of: 16, decoded: 4, failed: 0, drawn: 2 });
  expect(part.rules[0]).toMatchObject({ rule: "decode", of: 16, lookedAt: 4, sampled: 4 });
});

it("a sample of stated confidence has enough chunks of each array, and its coordinates whole", async () => {
  const many = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`many/${at}`, "base64:AAAAAA=="] as const));
  const few = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`t/${at}`, "base64:AAAAAA=="] as const));
  const set = await madeSet({
    ...arrayAt("many", { shape: [400], chunks: [1], dimensions: ["x"] }),
    ...many,
    ...arrayAt("t", { shape: [30], chunks: [1], dimensions: ["t"] }),
    ...few,
  });
  const least = sampleSize(400, 0.05);
  const { chunks, of } = await valuesCost(set, { chunks: { share: 0.05 } }, context());
  expect(of).toBe(430);
  expect(chunks).toBe(30 + Math.ceil(least / 0.8));
  const part = await checkValues(set, { chunks: { share: 0.05 }, decoder: inThread }, context());
  expect(part.chunks?.decoded).toBe(chunks);
});

it("says nothing of arrays of which no chunk is asked for", async () => {
  const only = new Map([["v", new Set([0])]]);
  const part = await checkValues(await openField(), { chunks: "all", only, decoder: inThread }, context());
  expect(codes(part)).toEqual([]);
  expect(part.chunks).toEqual({ of: 16, decoded: 1, failed: 0 });
});

it("what a sample costs is the same by counts as by chunks", async () => {
  const set = await openField();
  const request = { chunks: { share: 0.3 } };
  const exact = await valuesCost(set, request, context());
  const about = await valuesCost(set, request, context(), 0);
  expect([about.chunks, about.of, about.isAbout]).toEqual([exact.chunks, exact.of, true]);
});

it("of a few values a chunk it is not said that one is rough", async () => {
  const unlike = async (side: number) => {
    // One chunk turns up and down from value to value, the others rise.
    const value = (chunk: number, at: number): number => (chunk === 2 ? (at % 2) * side : at % side);
    const chunks = Array.from({ length: 6 }, (_, chunk) =>
      Float64Array.from({ length: side * side }, (_, at) => value(chunk, at)),
    );
    const shape = [6 * side, side];
    const plain = { zarr_format: 2, dtype: "<f8", fill_value: null, order: "C", compressor: null, filters: null };
    const references = {
      "v/.zarray": JSON.stringify({ ...plain, shape, chunks: [side, side] }),
      ...Object.fromEntries(
        chunks.map(({ buffer }, at) => [`v/${at}.0`, `base64:${Buffer.from(buffer).toString("base64")}`]),
      ),
    };
    return codes(await checkValues(await madeSet(references), { chunks: "all", decoder: inThread }, context()));
  };
  expect(await unlike(16)).toEqual(["chunk-unlike-others"]);
  expect(await unlike(6)).toEqual([]);
});

describe("of right data of which little tells that they are right", () => {
  const shuffled = (bytes: Uint8Array, size: number) =>
    bytes.map((_, at) => bytes[(at % (bytes.length / size)) * size + Math.floor(at / (bytes.length / size))] as number);
  /** One file, °C with a few rows and columns: all exponents are alike, and neighbours say little. */
  const few = (value: (at: number) => number) => {
    const [times, side] = [31, 2];
    const floats = Float32Array.from({ length: times * side * side }, (_, at) => value(at));
    const stored = new Uint8Array(deflateSync(shuffled(new Uint8Array(floats.buffer), 4)));
    const metadata = {
      zarr_format: 2,
      shape: [times, side, side],
      chunks: [times, side, side],
      dtype: "<f4",
      order: "C",
    };
    const filters = [{ id: "shuffle", elementsize: 4 }];
    return openMade({
      references: {
        ".zgroup": '{"zarr_format": 2}',
        "v/.zarray": JSON.stringify({ ...metadata, filters, compressor: { id: "zlib", level: 4 }, fill_value: null }),
        "v/.zattrs": JSON.stringify({ _ARRAY_DIMENSIONS: ["time", "y", "x"], units: "degC" }),
        "v/0.0.0": ["a.bin", 0, stored.length],
      },
      files: new Map([["a.bin", stored]]),
    });
  };
  const noise = (at: number) => Math.abs(Math.sin(12_345.678 * (at + 1)));

  it("a file whose chunks were stored without their filter is not said to be another one", async () => {
    // HDF5 leaves a filter out where it makes nothing smaller.
    const stored = (bytes: Uint8Array<ArrayBuffer>, file: number) =>
      file === 3 ? new Uint8Array(inflateSync(bytes)) : bytes;
    const twice: Change = ({ references, files }) => {
      const copied = Object.entries(references).map(([key, value]) => [key.replace(/^v\//, "w/"), value] as const);
      return { references: { ...references, ...Object.fromEntries(copied) }, files };
    };
    const part = await check({ isCompressed: true, stored, change: twice });
    expect(codes(part)).toEqual(["chunk-codec-skipped"]);
  });

  it.each([
    ["noise", (at: number) => 21.7 + 5.5 * noise(at)],
    ["rounded", (at: number) => Math.round(10 * (21.7 + 5.5 * noise(at))) / 10],
    ["a season", (at: number) => 24.4 + 2.7 * Math.sin(at / 20) + 0.1 * noise(at)],
  ])("%s is not claimed to be misread", async (_, value) => {
    const part = await checkValues(await few(value), { chunks: "all", decoder: inThread }, context());
    expect(codes(part)).toEqual([]);
  });
});

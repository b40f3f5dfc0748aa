/**
 * Every codec, data type and memory order reads in a real browser, under the page's Content-Security-Policy, as Python
 * reads it (src/codecs/fixtures). One reference set holds an array for each case; a link opens its first chunk.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test, type Page } from "@playwright/test";
import { build } from "vite";
import type { decodeCase, RecordedCase } from "../src/codecs/testing/recorded-cases.ts";
import { chunk, idle, openPage, statistic, storedStatistic } from "./support/app.ts";
import { startRangeServer, type RangeServer } from "./support/range-server.ts";

interface Case {
  readonly name: string;
  readonly array: string;
  readonly zarray: {
    readonly shape: readonly number[];
    readonly chunks: readonly number[];
    readonly dtype: unknown;
    readonly compressor: { readonly id: string } | null;
    readonly filters: readonly { readonly id: string }[] | null;
    readonly order: string;
  };
  /** Chunk references by chunk name: text or `base64:…`. */
  readonly chunks: Readonly<Record<string, string>>;
  /** In Zarr v3: what replaces `.zarray`, which then only says what is asked here. */
  readonly zarrJson?: string;
  /** The values of the first chunk inside the array, or that it cannot be read. */
  readonly values: readonly unknown[] | "fails";
}

interface RecordedCodec {
  readonly name: string;
  readonly id: string;
  readonly configuration: object;
  readonly stored: string;
  readonly decoded: string;
}

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(resolve(import.meta.dirname, "../src/codecs/fixtures", name), "utf8"));

/** Whole arrays as zarr-python reads them; those whose first chunk is missing have nothing to decode. */
function arrayCases(): Case[] {
  const all = (fixture("cases.json") as RecordedCase[]).filter(({ group }) => group !== "v3");
  return all.flatMap(({ name, refs, array, shape, expected, error }, at) => {
    const zarray = JSON.parse(refs[`${array}/.zarray`]!) as Case["zarray"];
    const keys = Object.keys(refs).filter((key) => /^\d/.test(key.slice(array.length + 1)));
    const chunks = Object.fromEntries(keys.map((key) => [key.slice(array.length + 1), refs[key]!]));
    const hasFirst = keys.some((key) => /^0([./]0)*$/.test(key.slice(array.length + 1)));
    if (!hasFirst || (expected === undefined && error !== true)) return [];
    // Pickle is code, and refused.
    const isRefused = error === true || codecsOf({ zarray }).some(({ id }) => id === "pickle");
    const values = isRefused ? "fails" : firstChunk(shape, zarray.chunks, expected!);
    return [{ name, array: `case${at}`, zarray, chunks, values }];
  });
}

interface ZarrJson {
  readonly shape: readonly number[];
  readonly data_type: string;
  readonly chunk_grid: { readonly configuration: { readonly chunk_shape: readonly number[] } };
  readonly codecs: readonly { readonly name: string }[];
}

/** Types of Zarr v3 as Zarr v2 calls them; of others the extremes are not looked at. */
const V2_TYPES = new Map([
  ...["int", "uint", "float"].flatMap((kind) =>
    [16, 32, 64].map((bits) => [`${kind}${bits}`, `<${kind.slice(0, 1)}${bits / 8}`] as const),
  ),
  ["uint8", "|u1"],
  ["bool", "|b1"],
]);

function casesV3(): Case[] {
  const all = (fixture("cases.json") as RecordedCase[]).filter(({ group }) => group === "v3");
  return all.flatMap(({ name, refs, array, shape, expected, error }, at) => {
    const zarrJson = refs[`${array}/zarr.json`]!;
    const { data_type, chunk_grid, codecs } = JSON.parse(zarrJson) as ZarrJson;
    const keys = Object.keys(refs).filter((key) => key !== `${array}/zarr.json`);
    if (!keys.some((key) => /^(c[./]?)?(0[./]?)*$/.test(key.slice(array.length + 1)))) return [];
    const chunks = Object.fromEntries(keys.map((key) => [key.slice(array.length + 1), refs[key]!]));
    const lengths = chunk_grid.configuration.chunk_shape;
    const values = error === true ? "fails" : firstChunk(shape, lengths, expected!);
    const filters = codecs.map(({ name: id }) => ({ id }));
    const dtype = V2_TYPES.get(data_type) ?? data_type;
    const zarray = { shape, chunks: lengths, dtype, compressor: null, filters, order: "C" };
    return [{ name, array: `v3case${at}`, zarray, chunks, values, zarrJson }];
  });
}

/** `values`: of the whole array, C order. */
function firstChunk(shape: readonly number[], chunks: readonly number[], values: readonly unknown[]): unknown[] {
  return values.filter((_, index) => {
    let rest = index;
    return [...shape.keys()].toReversed().every((dimension) => {
      const coordinate = rest % shape[dimension]!;
      rest = Math.floor(rest / shape[dimension]!);
      return coordinate < chunks[dimension]!;
    });
  });
}

function ofBytes(
  name: string,
  array: string,
  codec: object,
  stored: Buffer,
  decoded: Buffer | "fails",
  size?: number,
): Case {
  const shape = [size ?? decoded.length];
  const zarray = {
    shape,
    chunks: shape,
    dtype: "|u1",
    compressor: null,
    filters: [codec as { id: string }],
    order: "C",
  };
  const chunks = { "0": `base64:${stored.toString("base64")}` };
  return { name, array, zarray, chunks, values: decoded === "fails" ? decoded : [...decoded] };
}

const COMPRESSORS = ["blosc", "gzip", "lz4", "zlib", "zstd"];

/** Compressors as numcodecs decodes them: arrays of bytes. */
function codecCases(): Case[] {
  const recorded = fixture("numcodecs.json") as RecordedCodec[];
  const all = recorded.filter(({ id, decoded }) => COMPRESSORS.includes(id) && decoded !== "");
  return all.map(({ name, id, configuration, stored, decoded }, at) => {
    const bytes = [Buffer.from(stored, "base64"), Buffer.from(decoded, "base64")] as const;
    return ofBytes(name, `codec${at}`, { ...configuration, id }, ...bytes);
  });
}

const digits = Buffer.from("123456789");
/** CRC-32C of the nine digits: e3069283 (RFC 3720 §B.4's polynomial, the catalogue's check value). */
const summed = Buffer.from([...digits, 0x83, 0x92, 0x06, 0xe3]);
const zstdOfNothing = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x20, 0, 1, 0, 0]);

function plain(name: string, array: string, dtype: string, stored: Buffer, values: readonly unknown[]): Case {
  const shape = [values.length];
  const zarray = { shape, chunks: shape, dtype, compressor: null, filters: null, order: "C" };
  return { name, array, zarray, chunks: { "0": `base64:${stored.toString("base64")}` }, values };
}

function ownCases(): Case[] {
  const words = (...values: bigint[]) =>
    Buffer.from(BigInt64Array.from(values.map((n) => BigInt.asIntN(64, n))).buffer);
  const [least, most, largest] = [-(2n ** 63n), 2n ** 63n - 1n, 2n ** 64n - 1n];
  const halves = Buffer.from([0x7b, 0xff, 0xfb, 0xff, 0x00, 0x01]);
  return [
    ofBytes("crc32c", "own0", { id: "crc32c" }, summed, digits),
    ofBytes("crc32c of other bytes", "own1", { id: "crc32c" }, Buffer.from(summed).fill(0x30, 0, 1), "fails", 9),
    ofBytes("zstd cut off", "own2", { id: "zstd" }, zstdOfNothing.subarray(0, 8), "fails", 9),
    ofBytes("zstd that is gzip", "own3", { id: "zstd" }, Buffer.from("1f8b0800000000000003", "hex"), "fails", 9),
    ofBytes("blosc of other bytes", "own4", { id: "blosc" }, Buffer.from("HDF5 or anything else"), "fails", 9),
    plain("int64, least and greatest", "own5", "<i8", words(least, 0n, most), [String(least), 0, String(most)]),
    plain("uint64, greatest", "own6", "<u8", words(largest, 1n), [String(largest), 1]),
    // 7bff is 65504, fbff its opposite, 0001 the least above 0; big-endian.
    plain("float16, greatest", "own7", ">f2", halves, [65_504, -65_504, 2 ** -24]),
  ];
}

const CASES: readonly Case[] = [...arrayCases(), ...casesV3(), ...codecCases(), ...ownCases()];

let server: RangeServer;

const setOf = ({ zarrJson }: Case) => (zarrJson === undefined ? "/cases.json" : "/cases-v3.json");

test.beforeAll(async () => {
  const refs: Record<string, string> = { ".zgroup": '{"zarr_format": 2}' };
  const refsV3: Record<string, string> = { "zarr.json": '{"zarr_format": 3, "node_type": "group", "attributes": {}}' };
  for (const { array, zarray, chunks, zarrJson } of CASES) {
    const into = zarrJson === undefined ? refs : refsV3;
    if (zarrJson === undefined) {
      refs[`${array}/.zarray`] = JSON.stringify({ zarr_format: 2, fill_value: null, ...zarray });
    } else refsV3[`${array}/zarr.json`] = zarrJson;
    for (const [name, reference] of Object.entries(chunks)) into[`${array}/${name}`] = reference;
  }
  const files = {
    "/cases.json": JSON.stringify({ version: 1, refs }),
    "/cases-v3.json": JSON.stringify({ version: 1, refs: refsV3 }),
  };
  server = await startRangeServer({ files });
});

test.afterAll(() => server.stop());

/** As the type has it: the page writes the shortest text that is the same number in its own type. */
function asType(text: string, dtype: string): number | bigint {
  if (dtype.endsWith("i8") || dtype.endsWith("u8")) return BigInt(text);
  if (dtype === "|b1" && /^(true|false)$/i.test(text)) return text.toLowerCase() === "true" ? 1 : 0;
  if (dtype.endsWith("f2")) return halfFloat(Number(text));
  return dtype.endsWith("f4") ? Math.fround(Number(text)) : Number(text);
}

/** The nearest float16: 11 significant bits, exponents from -14 up. */
function halfFloat(value: number): number {
  const unit = 2 ** (Math.max(Math.floor(Math.log2(Math.abs(value))), -14) - 10);
  return Math.round(value / unit) * unit;
}

function extremes(values: readonly unknown[], dtype: string): readonly (number | bigint)[] {
  const numbers = values.map((value) => asType(String(value), dtype)).toSorted((a, b) => (a < b ? -1 : Number(a > b)));
  return [numbers[0]!, numbers.at(-1)!];
}

async function check(page: Page, one: Case): Promise<void> {
  const { array, zarray, values } = one;
  const name = zarray.shape.length === 0 ? "0" : zarray.shape.map(() => 0).join(".");
  await page.evaluate((hash) => (location.hash = hash), `#url=${server.url(setOf(one))}&array=${array}&chunk=${name}`);
  await expect(chunk(page).getByRole("heading", { name: `${array} / ${name}`, exact: true })).toBeVisible();
  await idle(page);
  if (values === "fails") {
    await expect(chunk(page).getByRole("alert")).toBeVisible();
    await expect(chunk(page).locator("dt", { hasText: /^Minimum$/ })).toHaveCount(0);
    return;
  }
  await expect.poll(() => statistic(page, "Count")).toBe(values.length.toLocaleString("en"));
  await expect(chunk(page).getByRole("alert")).toHaveCount(0);
  const { dtype } = zarray;
  if (typeof dtype !== "string" || !/^[<>|][iufb]\d$/.test(dtype)) return;
  const found = [await storedStatistic(page, "Minimum"), await storedStatistic(page, "Maximum")].map((text) =>
    asType(text, dtype),
  );
  expect(found).toEqual(extremes(values, dtype));
}

function codecsOf({ zarray }: Pick<Case, "zarray">) {
  return [...(zarray.filters ?? []), ...(zarray.compressor === null ? [] : [zarray.compressor])];
}

test("the cases hold every codec of today", () => {
  const held = new Set(CASES.flatMap((one) => codecsOf(one).map(({ id }) => id)));
  const compressors = "zlib gzip zstd lz4 blosc bz2 lzma imagecodecs_lzw imagecodecs_deflate imagecodecs_packbits";
  const filters = "shuffle delta fixedscaleoffset bitround quantize astype packbits categorize base64";
  const predictors = "imagecodecs_delta imagecodecs_floatpred grib";
  const checksums = "fletcher32 crc32c crc32 adler32 jenkins_lookup3";
  const objects = "vlen-utf8 vlen-bytes vlen-array json2 msgpack2 pickle";
  const today = [compressors, filters, predictors, checksums, objects].flatMap((ids) => ids.split(" "));
  expect([...held]).toEqual(expect.arrayContaining(today));
  const innerCodecs = CASES.flatMap(codecsOf).map((codec) => (codec as { cname?: string }).cname);
  expect(innerCodecs).toEqual(expect.arrayContaining(["blosclz", "lz4", "lz4hc", "snappy", "zlib", "zstd"]));
  expect(CASES.filter(({ values }) => values === "fails").length).toBeGreaterThan(10);
});

/** The first of each chain of codecs, kind of type and outcome: on the page; value for value all are compared below. */
const SHOWN = CASES.filter((one, at) => CASES.findIndex((other) => kindOf(other) === kindOf(one)) === at);

function kindOf(one: Case): string {
  const { dtype } = one.zarray;
  const type = typeof dtype === "string" ? dtype.replace(/\d+$/, "") : "structured";
  return JSON.stringify([codecsOf(one).map(({ id }) => id), one.zarrJson === undefined, type, one.values === "fails"]);
}

// In parts, so that they share the workers.
const PARTS = 4;
for (let part = 0; part < PARTS; part++) {
  test(`first chunks are what Python reads (part ${part + 1} of ${PARTS})`, { tag: "@deep" }, async ({ page }) => {
    const complaints: string[] = [];
    page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
    await openPage(page, `#url=${server.url("/cases.json")}`);
    for (const [at, one] of SHOWN.entries()) {
      if (at % PARTS === part) await test.step(one.name, () => check(page, one));
    }
    expect(complaints).toEqual([]);
  });
}

const MODULE = "/recorded-cases.js";

/** The decoder as one module, as a browser can import it. */
async function decoderModule(): Promise<string> {
  const entry = resolve(import.meta.dirname, "../src/codecs/testing/recorded-cases.ts");
  const built = await build({
    configFile: false,
    publicDir: false,
    logLevel: "silent",
    build: {
      write: false,
      target: "es2023",
      lib: { entry, formats: ["es"], fileName: "module" },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  return (built as { output: { code: string }[] }[])[0]!.output[0]!.code;
}

test("all recorded cases, value for value", async ({ page }) => {
  const body = await decoderModule();
  await page.route(`**${MODULE}`, (route) => route.fulfill({ contentType: "text/javascript", body }));
  await openPage(page);
  const recorded = fixture("cases.json") as RecordedCase[];
  const decoded = await page.evaluate(
    async ([path, cases]) => {
      const module = (await import(path)) as { readonly decodeCase: typeof decodeCase };
      return Promise.all(cases.map((one) => module.decodeCase(one)));
    },
    [MODULE, recorded] as const,
  );
  for (const [at, { name, expected, error }] of recorded.entries()) {
    const { values, errors } = decoded[at]!;
    // Pickle is code, and refused.
    if (error === true || name === "o:pickle") expect(errors.length, name).toBeGreaterThan(0);
    else expect({ values, errors }, name).toEqual({ values: expected, errors: [] });
  }
});

/** Images of JPEG 2000 against what OpenJPEG decodes (fixtures/README.md), and damaged ones. */
import { FLAGSHIP } from "../core/testing/flagship.ts";
import { oneChunk } from "./testing/one-chunk.ts";
import { isDeep, damagedRounds, MOST_MILLISECONDS } from "../core/testing/runs.ts";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { type Finding, RefscopeError } from "../core/findings/finding.ts";
import { parseArrayMetadataV2 } from "../core/metadata/parse-array-metadata.ts";
import { decodeJpeg2000 } from "./jpeg2000/image-bytes.ts";
import { runPipeline } from "./pipeline.ts";

interface Example {
  readonly id: string;
  readonly shape: readonly number[];
  readonly dtype: string;
  /** `null`: refused, though imagecodecs reads it. */
  readonly sha256: string | null;
  readonly stored: Uint8Array<ArrayBuffer>;
}

const read = (path: string) => JSON.parse(readFileSync(path, "utf8")) as unknown;
const recorded = read(resolve(import.meta.dirname, "fixtures/jpeg2000.json")) as (Omit<Example, "stored"> & {
  readonly stored: string;
})[];
const all = recorded.map((one): Example => ({ ...one, stored: new Uint8Array(Buffer.from(one.stored, "base64")) }));
const ours = all.filter(({ sha256 }) => sha256 !== null);
const byId = (id: string): Example => all.find((one) => one.id === id)!;

const isPresent = existsSync(join(FLAGSHIP, "cases.json"));

interface SharedCase {
  readonly id: string;
  readonly kind: string;
  readonly file: string;
  readonly expected: Omit<Example, "id" | "stored">;
}

function sharedExamples(): readonly Example[] {
  if (!isPresent) return [];
  const cases = (read(join(FLAGSHIP, "cases.json")) as readonly SharedCase[]).filter(({ kind }) => kind === "jpeg2000");
  return cases.map(({ id, file, expected }) => ({
    ...expected,
    id,
    stored: new Uint8Array(readFileSync(join(FLAGSHIP, file))),
  }));
}

const { signal } = new AbortController();
const SOURCE = { codec: "imagecodecs_jpeg2k" };

function decode(stored: Uint8Array, limit = 1e8, isPlanar = false): Promise<Uint8Array<ArrayBuffer>> {
  return decodeJpeg2000(SOURCE, stored, { isPlanar, limit, signal });
}

/** Lossy ones too: the wavelet is computed as OpenJPEG computes it. */
async function check({ stored, shape, dtype, sha256 }: Example): Promise<void> {
  const bytes = await decode(stored);
  const size = dtype.endsWith("8") ? 1 : 2;
  expect(bytes).toHaveLength(shape.reduce((product, length) => product * length, size));
  expect(createHash("sha256").update(bytes).digest("hex")).toBe(sha256);
}

async function errorOf(stored: Uint8Array, limit?: number): Promise<Finding | undefined> {
  try {
    await decode(stored, limit);
  } catch (error) {
    if (error instanceof RefscopeError) return error.finding;
    throw error;
  }
  return undefined;
}

describe("images that OpenJPEG decodes", () => {
  it.each(ours)("$id", check);

  it("plane by plane", async () => {
    const { stored } = byId("u8-4");
    const [pixels, planes] = [await decode(stored), await decode(stored, 1e8, true)];
    const count = pixels.length / 4;
    expect([...planes]).toEqual(
      [0, 1, 2, 3].flatMap((c) => Array.from({ length: count }, (_, i) => pixels[i * 4 + c])),
    );
  });

  it("as sYCC, turned into RGB", async () => {
    const { stored } = byId("u8-3-jp2");
    const at = stored.findIndex((_, i) => Buffer.from(stored.subarray(i, i + 4)).toString("latin1") === "colr");
    expect(stored[at + 10]).toBe(16);
    const sycc = stored.with(at + 10, 18);
    const [[y, b, r], rgb] = [
      [...(await decode(stored)).subarray(0, 3)] as [number, number, number],
      await decode(sycc),
    ];
    const within = (value: number) => Math.max(0, Math.min(255, value));
    expect(rgb[0]).toBe(within(y + Math.trunc(1.402 * (r - 128))));
    expect(rgb[1]).toBe(within(y - Math.trunc(0.344 * (b - 128) + 0.714 * (r - 128))));
    expect(rgb[2]).toBe(within(y + Math.trunc(1.772 * (b - 128))));
  });
});

describe.skipIf(!isPresent)(`images beside the project (${isPresent ? "" : "skipped: no folder "}${FLAGSHIP})`, () => {
  it.each(sharedExamples())("$id", check);
});

describe("the codec", () => {
  const { stored, sha256 } = byId("s16-1");
  const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

  it("reads chunks of Zarr v2, as a compressor or as a filter", async () => {
    const codec = '{"id": "imagecodecs_jpeg2k"}';
    for (const [compressor, filters] of [
      [codec, "null"],
      ["null", `[${codec}]`],
    ]) {
      const text = `{"zarr_format": 2, "shape": [28, 34], "chunks": [28, 34], "dtype": "<i2", "order": "C", "fill_value": 0, "compressor": ${compressor}, "filters": ${filters}}`;
      const { bytes, error } = await runPipeline(parseArrayMetadataV2(text).metadata, stored, signal);
      expect(error).toBeUndefined();
      expect(hash(bytes!)).toBe(sha256);
    }
  });

  it("reads chunks of Zarr v3", async () => {
    const codecs = [{ name: "bytes", configuration: { endian: "little" } }, { name: "imagecodecs_jpeg2k" }];
    const metadata = oneChunk({ shape: [28, 34], type: "int16", codecs });
    const { bytes, error } = await runPipeline(metadata, stored, signal);
    expect(error).toBeUndefined();
    expect(hash(bytes!)).toBe(sha256);
  });
});

/** Numbers that come out the same each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => (state = (state * 48_271) % 2_147_483_647) % below;
}

describe("damaged images", () => {
  const { stored } = byId("u8-1");
  const found = async (bytes: Uint8Array) => (await errorOf(bytes))?.facts?.["found"];
  /** SIZ begins after SOC and its own marker. */
  const SIZ = 4;
  const withShort = (at: number, value: number) => stored.with(at, value >> 8).with(at + 1, value & 255);

  it("are refused by what is wrong in them", async () => {
    expect(await errorOf(new Uint8Array())).toMatchObject({ code: "decode-failed", facts: { section: "the file" } });
    expect(await errorOf(Uint8Array.of(0xff, 0x4f, 1, 2))).toMatchObject({ facts: { found: "ff 4f 01 02" } });
    expect(await found(withShort(SIZ + 2, 0x4000))).toContain("Part 15");
    expect(await found(stored.with(SIZ + 38, 99))).toBe("100 bits");
    expect(await found(stored.with(SIZ + 39, 0))).toBe("a distance of 0");
    expect(await errorOf(stored.subarray(0, stored.length - 40))).toMatchObject({ facts: { section: "tile 0" } });
    expect(await errorOf(stored.subarray(0, 60))).toMatchObject({ code: "decode-failed" });
    const jp2 = byId("u8-3-jp2").stored;
    expect(await errorOf(jp2.subarray(0, 60))).toMatchObject({ code: "decode-failed", facts: { section: "the file" } });
  });

  it("components of several sizes are refused, and what readers make of halved chroma from an odd place on", async () => {
    expect(await found(byId("refused-420d").stored)).toBe("1, 1");
    const { stored } = byId("u16-3");
    expect(await found(stored.with(SIZ + 39, 3))).toContain(
      "16 bits, one in 3 × 1 pixels; 16 bits, one in 1 × 1 pixels",
    );
    const { stored: halved } = byId("sycc-420");
    expect(await errorOf(halved, 16 * 12 * 3 - 1)).toMatchObject({ code: "decode-too-large" });
  });

  it("take no memory beyond the budget", async () => {
    const wide = stored
      .with(SIZ + 4, 1)
      .with(SIZ + 8, 1)
      .with(SIZ + 20, 1)
      .with(SIZ + 24, 1);
    expect(await errorOf(wide, 1e6)).toMatchObject({ code: "decode-too-large", facts: { limit: 1e6 } });
    expect(await errorOf(stored, 37 * 53 - 1)).toMatchObject({ code: "decode-too-large" });
    expect(await decode(stored, 37 * 53)).toHaveLength(37 * 53);
    // Tiles of one pixel: as many as pixels, and far too few bytes.
    const small = stored
      .with(SIZ + 23, 1)
      .with(SIZ + 27, 1)
      .with(SIZ + 22, 0)
      .with(SIZ + 26, 0);
    expect(await errorOf(small)).toMatchObject({ code: "decode-failed" });
  });

  it("parts are kept in proportion to the data", async () => {
    // Tiles of 16,384 components without samples, in 14 bytes each.
    const tiles = 2000;
    const components = 16_384;
    const long = (value: number) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
    const short = (value: number) => [value >> 8, value & 255];
    const siz = [
      ...short(0),
      ...[tiles + 1, 2, 1, 1, 1, 1, 1, 1].flatMap(long),
      ...short(components),
      ...Array.from({ length: components }, () => [7, 255, 255]).flat(),
    ];
    const segment = (marker: number, body: readonly number[]) => [0xff, marker, ...short(body.length + 2), ...body];
    const cod = segment(0x52, [0, 0, 0, 1, 0, 32, 4, 4, 0, 1]);
    const qcd = segment(0x5c, [0x40, ...Array.from({ length: 97 }, () => 0x48)]);
    const parts = Array.from({ length: tiles }, (_, tile) => [
      ...segment(0x90, [...short(tile), ...long(14), 0, 1]),
      0xff,
      0x93,
    ]);
    const stream = Uint8Array.from([0xff, 0x4f, ...segment(0x51, siz), ...cod, ...qcd, ...parts.flat(), 0xff, 0xd9]);
    const start = performance.now();
    expect(await errorOf(stream)).toMatchObject({ facts: { found: "too many" } });
    expect(performance.now() - start).toBeLessThan(MOST_MILLISECONDS);
  });

  it("progressions change a few times at most", async () => {
    const poc = [0xff, 0x5f, 0, 2 + 7 * 33, ...Array.from({ length: 7 * 33 }, () => 0)];
    const end = SIZ + 41;
    expect(stored[end]).toBe(0xff);
    const changed = Uint8Array.from([...stored.subarray(0, end), ...poc, ...stored.subarray(end)]);
    expect(await errorOf(changed)).toMatchObject({ facts: { section: "POC", found: "33" } });
  });

  it("cut short anywhere: a named error", async () => {
    for (const { stored } of ours) {
      const step = Math.max(1, Math.floor(stored.length / 50));
      // The end marker may be missing.
      for (let length = 0; length < stored.length - 2; length += step) {
        expect((await errorOf(stored.subarray(0, length)))?.code).toBe("decode-failed");
      }
    }
  });

  const rounds = damagedRounds(1000);

  it(
    `changed anywhere, ${rounds} times: samples of the image's size, or a named error`,
    { timeout: 600_000 },
    async () => {
      const random = numbers(11);
      const limit = 100_000;
      let slowest = 0;
      const codes = new Set<string>();
      for (let round = 0; round < rounds; round++) {
        const { stored } = ours[round % ours.length]!;
        const damaged = stored.slice();
        for (let i = 0; i <= round % 4; i++) {
          // The headers say the most, so every other damage is there.
          const at = random(2) === 0 ? random(damaged.length) : random(Math.min(damaged.length, 140));
          damaged[at] = random(2) === 0 ? random(256) : (damaged[at] ?? 0) ^ (1 << random(8));
        }
        const start = performance.now();
        try {
          expect((await decode(damaged, limit)).length).toBeLessThanOrEqual(limit);
          codes.add("samples");
        } catch (error) {
          if (!(error instanceof RefscopeError)) throw error;
          codes.add(error.code);
        }
        slowest = Math.max(slowest, performance.now() - start);
      }
      expect(slowest).toBeLessThan(MOST_MILLISECONDS);
      expect(codes).toContain("samples");
      expect(["decode-failed", "decode-too-large", "samples"]).toEqual(expect.arrayContaining([...codes]));
    },
  );
});

it.runIf(isDeep)("the compiled decoder of blocks is up to date", async () => {
  if (!existsSync(new URL("../../node_modules/assemblyscript", import.meta.url))) {
    console.log("Skipped: assemblyscript is not installed.");
    return;
  }
  const tool = new URL("../../tools/build-wasm.mjs", import.meta.url);
  const { compileJpeg2000 } = (await import(tool.href)) as { compileJpeg2000: () => Promise<string> };
  const committed = readFileSync(new URL("jpeg2000/blocks.generated.ts", import.meta.url), "utf8");
  expect(committed).toBe(await compileJpeg2000());
});

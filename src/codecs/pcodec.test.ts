/** Files of pco against the values that were compressed (fixtures/README.md), and damaged ones. */
import { FLAGSHIP } from "../core/testing/flagship.ts";
import { oneChunk } from "./testing/one-chunk.ts";
import { MOST_MILLISECONDS } from "../core/testing/runs.ts";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { RefscopeError } from "../core/findings/finding.ts";
import { fromFloat16 } from "../core/values/float16.ts";
import { parseArrayMetadataV2 } from "../core/metadata/parse-array-metadata.ts";
import { findCodec } from "./find-codec.ts";
import { decodePcodec } from "./pcodec/decode.ts";
import { randomBits } from "./pcodec/testing/made-file.ts";
import { runPipeline } from "./pipeline.ts";

interface Example {
  readonly id: string;
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly sha256: string;
  readonly stored: Uint8Array<ArrayBuffer>;
}

/** One of cases.json in the flagship fixtures beside the project. */
interface SharedCase {
  readonly id: string;
  readonly kind: string;
  readonly file: string;
  readonly expected: Pick<Example, "dtype" | "shape" | "sha256">;
}

const read = (path: string) => JSON.parse(readFileSync(path, "utf8")) as unknown;
const recorded = read(resolve(import.meta.dirname, "fixtures/pcodec.json")) as (Omit<Example, "stored"> & {
  readonly stored: string;
})[];
const ours = recorded.map((one): Example => ({ ...one, stored: new Uint8Array(Buffer.from(one.stored, "base64")) }));

const isPresent = existsSync(FLAGSHIP);

function sharedExamples(): readonly Example[] {
  if (!isPresent) return [];
  const cases = (read(resolve(FLAGSHIP, "cases.json")) as readonly SharedCase[]).filter(
    ({ kind }) => kind === "pcodec",
  );
  return cases.map(({ id, file, expected: { dtype, shape, sha256 } }) => ({
    id,
    dtype,
    shape,
    sha256,
    stored: new Uint8Array(readFileSync(resolve(FLAGSHIP, file))),
  }));
}

/** Hash of the values, which treats all NaNs alike. */
function hash(bytes: Uint8Array<ArrayBuffer>, dtype: string): string {
  const same = bytes.slice();
  const view = new DataView(same.buffer);
  const size = Number(/\d+/.exec(dtype)?.[0]) / 8;
  for (let at = 0; dtype.startsWith("float") && at < same.length; at += size) {
    if (size === 2 && Number.isNaN(fromFloat16(view.getUint16(at, true)))) view.setUint16(at, 0x7e00, true);
    if (size === 4 && Number.isNaN(view.getFloat32(at, true))) view.setUint32(at, 0x7fc0_0000, true);
    if (size === 8 && Number.isNaN(view.getFloat64(at, true))) view.setBigUint64(at, 0x7ff8_0000_0000_0000n, true);
  }
  return createHash("sha256").update(same).digest("hex");
}

function check({ dtype, shape, sha256, stored }: Example): void {
  const bytes = decodePcodec(stored, 0, 1_000_000);
  const size = Number(/\d+/.exec(dtype)?.[0]) / 8;
  expect(bytes.length).toBe(shape.reduce((product, length) => product * length, size));
  expect(hash(bytes, dtype)).toBe(sha256);
}

const byId = (id: string): Example => ours.find((one) => one.id === id)!;

function errorOf(stored: Uint8Array, limit = 1_000_000): unknown {
  try {
    decodePcodec(stored, 0, limit);
  } catch (error) {
    return (error as RefscopeError).finding;
  }
  return undefined;
}

describe("files of pco", () => {
  it.each(ours)("$id", check);
});

describe.skipIf(!isPresent)(
  `files of pco beside the project (${isPresent ? "" : "skipped: no folder "}${FLAGSHIP})`,
  () => {
    it.each(sharedExamples())("$id", check);
  },
);

const { signal } = new AbortController();

describe("the codec", () => {
  const { stored, sha256 } = byId("i32-classic");

  it("reads chunks of Zarr v2, as a compressor or as a filter", async () => {
    const pcodec = '{"id": "pcodec", "level": 8, "mode_spec": "auto"}';
    for (const [compressor, filters] of [
      [pcodec, "null"],
      ["null", `[${pcodec}]`],
    ]) {
      const text = `{"zarr_format": 2, "shape": [1500], "chunks": [1500], "dtype": "<i4", "order": "C", "fill_value": 0, "compressor": ${compressor}, "filters": ${filters}}`;
      const { metadata } = parseArrayMetadataV2(text);
      const { bytes, error } = await runPipeline(metadata, stored, signal);
      expect(error).toBeUndefined();
      expect(hash(bytes!, "int32")).toBe(sha256);
    }
  });

  it.each(["numcodecs.pcodec", "pcodec"])("reads chunks of Zarr v3 as %s", async (name) => {
    const metadata = oneChunk({ shape: [30, 50], type: "int32", codecs: [{ name, configuration: { level: 8 } }] });
    const { bytes, error } = await runPipeline(metadata, stored, signal);
    expect(error).toBeUndefined();
    expect(hash(bytes!, "int32")).toBe(sha256);
  });

  it("is imagecodecs' as well", () => {
    expect(findCodec("imagecodecs_pcodec")?.id).toBe("pcodec");
  });
});

describe("damaged files of pco", () => {
  const { stored } = byId("three");
  const changed = (at: number, value: number) => stored.map((byte, index) => (index === at ? value : byte));

  it("are refused by what is wrong in them", () => {
    expect(errorOf(changed(0, 0x50))).toMatchObject({
      code: "decode-failed",
      facts: { codec: "pcodec", section: "the header", expected: "“pco!”", found: "50 63 6f 21" },
    });
    expect(errorOf(new Uint8Array())).toMatchObject({ facts: { found: "nothing" } });
    expect(errorOf(changed(4, 9))).toMatchObject({ facts: { found: "version 9", section: "the header" } });
    expect(errorOf(changed(5, 99))).toMatchObject({ facts: { found: "99", section: "the header" } });
    expect(errorOf(changed(5, 1))).toMatchObject({
      facts: { expected: "numbers of one type, uint32", found: "uint16" },
    });
    expect(errorOf(stored.subarray(0, -1))).toMatchObject({ facts: { expected: "more data" } });
  });

  it("may be followed by other bytes, which pco does not look at", () => {
    expect(decodePcodec(Uint8Array.of(...stored, 1, 2, 3), 0, 100)).toEqual(decodePcodec(stored, 0, 100));
  });

  it("stop at the limit before memory is taken", () => {
    const constant = byId("u32-constant");
    expect(errorOf(constant.stored, 5999)).toMatchObject({ code: "decode-too-large", facts: { limit: 5999 } });
    expect(decodePcodec(constant.stored, 0, 6000)).toHaveLength(6000);
  });

  it.each(ours.filter(({ stored }) => stored.length > 0))("$id: cut short anywhere", ({ stored }) => {
    const step = Math.max(1, Math.floor(stored.length / 40));
    for (let length = 0; length < stored.length; length += step) {
      expect(errorOf(stored.subarray(0, length))).toMatchObject({ code: "decode-failed" });
    }
  });

  it("give a result or a named error, within their budget", () => {
    const random = randomBits(7);
    const limit = 200_000;
    let slowest = 0;
    for (let round = 0; round < 1000; round++) {
      const { stored } = ours[round % ours.length]!;
      const damaged = stored.slice();
      for (let i = 0; i <= round % 3; i++) {
        // The first bytes say the most, so every other damage is there.
        const at = random(30) % (random(1) === 0 ? damaged.length : Math.min(damaged.length, 60));
        damaged[at] = random(8);
      }
      const start = process.cpuUsage().user;
      try {
        expect(decodePcodec(damaged, 0, limit).length).toBeLessThanOrEqual(limit);
      } catch (error) {
        expect(error).toBeInstanceOf(RefscopeError);
      }
      slowest = Math.max(slowest, (process.cpuUsage().user - start) / 1000);
    }
    expect(slowest).toBeLessThan(MOST_MILLISECONDS);
  });
});

/** LERC against what Esri's library decodes (fixtures/README.md), and damaged blobs. */
import { damagedRounds, MOST_MILLISECONDS } from "../core/testing/runs.ts";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { type Finding, RefscopeError } from "../core/findings/finding.ts";
import { parseArrayMetadataV2 } from "../core/metadata/parse-array-metadata.ts";
import { decodeLerc } from "./lerc/decode.ts";
import { runPipeline } from "./pipeline.ts";

interface Example {
  readonly id: string;
  readonly dtype: string;
  readonly shape: readonly number[];
  /** `null`: what the package in use does not decode. */
  readonly sha256: string | null;
  readonly stored: Uint8Array<ArrayBuffer>;
}

const recorded = JSON.parse(readFileSync(resolve(import.meta.dirname, "fixtures/lerc.json"), "utf8")) as (Omit<
  Example,
  "stored"
> & { readonly stored: string })[];
const all = recorded.map((one): Example => ({ ...one, stored: new Uint8Array(Buffer.from(one.stored, "base64")) }));
const read = all.filter(({ sha256 }) => sha256 !== null);
const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

const ID = "imagecodecs_lerc";

async function errorOf(stored: Uint8Array<ArrayBuffer>, limit = 1e6): Promise<Finding | undefined> {
  try {
    await decodeLerc(ID, stored, limit);
  } catch (error) {
    if (error instanceof RefscopeError) return error.finding;
    throw error;
  }
  return undefined;
}

describe("what Esri's library decodes, bit for bit", () => {
  it.each(read)("$id $shape", async ({ stored, dtype, shape, sha256 }) => {
    const bytes = await decodeLerc(ID, stored, 1e6);
    const size = Number(/\d+/.exec(dtype)?.[0]) / 8;
    expect(bytes).toHaveLength(shape.reduce((product, length) => product * length, size));
    expect(hash(bytes)).toBe(sha256);
  });

  it("as a compressor of Zarr v2", async () => {
    const { stored, shape, sha256 } = read.find(({ dtype }) => dtype === "uint8")!;
    const sizes = JSON.stringify(shape);
    const text = `{"zarr_format": 2, "shape": ${sizes}, "chunks": ${sizes}, "dtype": "|u1", "order": "C", "fill_value": 0, "compressor": {"id": "${ID}"}, "filters": null}`;
    const { bytes, error } = await runPipeline(
      parseArrayMetadataV2(text).metadata,
      stored,
      new AbortController().signal,
    );
    expect(error).toBeUndefined();
    expect(hash(bytes!)).toBe(sha256);
  });
});

describe("damaged blobs", () => {
  const { stored } = read.find(({ id }) => id === "uint8-100")!;

  it("are refused by what is wrong in them", async () => {
    expect(await errorOf(new Uint8Array())).toMatchObject({ code: "decode-failed", facts: { found: "nothing" } });
    expect(await errorOf(stored.with(0, 0))).toMatchObject({ facts: { found: expect.stringMatching(/^00 65/u) } });
    expect(await errorOf(stored.with(6, 9))).toMatchObject({ facts: { found: "version 9" } });
    expect(await errorOf(stored.subarray(0, 20))).toMatchObject({ facts: { found: "20 bytes" } });
    expect(await errorOf(stored.subarray(0, -1))).toMatchObject({ facts: { found: `${stored.length - 1} bytes` } });
    const last = stored.length - 1;
    expect(await errorOf(stored.with(last, (stored[last] ?? 0) ^ 1))).toMatchObject({
      facts: { expected: expect.stringContaining("the right checksum") },
    });
  });

  it("masks of several bands, with several values a pixel, are refused by name", async () => {
    const { stored } = all.find(({ sha256 }) => sha256 === null)!;
    expect(await errorOf(stored)).toMatchObject({ facts: { found: "masks of several bands, which are not read" } });
  });

  it("take no memory beyond the budget", async () => {
    const bytes = await decodeLerc(ID, stored, 1e6);
    expect(await errorOf(stored, bytes.length - 1)).toMatchObject({ code: "decode-too-large" });
    const wide = stored.slice();
    new DataView(wide.buffer).setInt32(18, 2 ** 30, true);
    expect(await errorOf(wide)).toMatchObject({ code: "decode-too-large" });
  });

  const rounds = damagedRounds(1000);

  it(`changed anywhere, ${rounds} times: values, or a named error`, { timeout: 600_000 }, async () => {
    let state = 5;
    const random = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below;
    let slowest = 0;
    for (let round = 0; round < rounds; round++) {
      const damaged = all[round % all.length]!.stored.slice();
      for (let i = 0; i <= round % 4; i++) {
        const at = random(2) === 0 ? random(damaged.length) : random(Math.min(damaged.length, 100));
        damaged[at] = random(256);
      }
      // Most would end at the checksum: a true one lets the decoder go on.
      if (round % 3 > 0) putChecksum(damaged);
      const start = performance.now();
      const error = await errorOf(damaged, 100_000);
      slowest = Math.max(slowest, performance.now() - start);
      if (error !== undefined) expect(["checksum-mismatch", "decode-failed", "decode-too-large"]).toContain(error.code);
    }
    expect(slowest).toBeLessThan(MOST_MILLISECONDS);
  });
});

/** Fletcher's, over what follows it in the first blob (Lerc2.cpp, `ComputeChecksumFletcher32`). */
function putChecksum(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer);
  const version = view.getInt32(6, true);
  const size = version < 3 || bytes.length < 40 ? 0 : view.getInt32(version >= 4 ? 34 : 30, true);
  if (size < 14 || size > bytes.length) return;
  let [one, two] = [0xffff, 0xffff];
  for (let at = 14; at < size; at += 2) {
    one = (one + (bytes[at] ?? 0) * 256 + (at + 1 < size ? (bytes[at + 1] ?? 0) : 0)) % 0xffff;
    two = (two + one) % 0xffff;
  }
  view.setUint32(10, (two << 16) | one, true);
}

/** WebP against what imagecodecs decodes (fixtures/README.md), and damaged files. */
import { damagedRounds, MOST_MILLISECONDS } from "../core/testing/runs.ts";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { type Finding, RefscopeError } from "../core/findings/finding.ts";
import { parseArrayMetadataV2 } from "../core/metadata/parse-array-metadata.ts";
import { runPipeline } from "./pipeline.ts";
import { decodeWebp } from "./webp/decode.ts";

interface Example {
  readonly id: string;
  readonly hasAlpha: boolean | null;
  readonly shape: readonly number[];
  readonly sha256: string;
  readonly stored: Uint8Array<ArrayBuffer>;
}

const recorded = JSON.parse(readFileSync(resolve(import.meta.dirname, "fixtures/webp.json"), "utf8")) as (Omit<
  Example,
  "stored"
> & { readonly stored: string })[];
const all = recorded.map((one): Example => ({ ...one, stored: new Uint8Array(Buffer.from(one.stored, "base64")) }));
const byId = (id: string) => all.find((one) => one.id === id)!;
const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const ID = "imagecodecs_webp";

async function errorOf(stored: Uint8Array<ArrayBuffer>, limit = 1e6): Promise<Finding | undefined> {
  try {
    await decodeWebp(ID, stored, { hasAlpha: undefined, limit });
  } catch (error) {
    if (error instanceof RefscopeError) return error.finding;
    throw error;
  }
  return undefined;
}

describe("what imagecodecs decodes, byte for byte", () => {
  it.each(all)("$id", async ({ stored, hasAlpha, shape, sha256 }) => {
    const configuration = JSON.stringify({ id: ID, hasalpha: hasAlpha, lossless: true, level: null });
    const sizes = JSON.stringify(shape);
    const text = `{"zarr_format": 2, "shape": ${sizes}, "chunks": ${sizes}, "dtype": "|u1", "order": "C", "fill_value": 0, "compressor": ${configuration}, "filters": null}`;
    const { metadata } = parseArrayMetadataV2(text);
    const { bytes, error } = await runPipeline(metadata, stored, new AbortController().signal);
    expect(error).toBeUndefined();
    expect(hash(bytes!)).toBe(sha256);
  });
});

describe("configurations that are not read", () => {
  it.each([
    ["index", 3],
    ["hasalpha", "yes"],
  ])("%s", async (member, value) => {
    const configuration = JSON.stringify({ id: ID, [member]: value });
    const text = `{"zarr_format": 2, "shape": [1], "chunks": [1], "dtype": "|u1", "order": "C", "fill_value": 0, "compressor": ${configuration}, "filters": null}`;
    const { metadata } = parseArrayMetadataV2(text);
    const { error } = await runPipeline(metadata, byId("one").stored, new AbortController().signal);
    expect(error).toMatchObject({ code: "codec-configuration", facts: { codec: ID, member } });
  });
});

describe("damaged files", () => {
  const { stored } = byId("lossless-rgb");

  it("are refused by what is wrong in them", async () => {
    expect(await errorOf(new Uint8Array())).toMatchObject({ code: "decode-failed", facts: { found: "nothing" } });
    expect(await errorOf(stored.subarray(0, 20))).toMatchObject({ facts: { found: "20 bytes" } });
    expect(await errorOf(stored.subarray(0, -1))).toMatchObject({ facts: { found: `${stored.length - 1} bytes` } });
    expect(await errorOf(stored.with(12, 0x57))).toMatchObject({ facts: { found: '"WP8L"' } });
    const animated = byId("lossy-rgba").stored;
    expect(await errorOf(animated.with(20, (animated[20] ?? 0) | 2))).toMatchObject({
      facts: { found: "an animation" },
    });
    expect(await errorOf(stored.slice().fill(0xff, 40, 200))).toMatchObject({ facts: { found: "damaged data" } });
  });

  it("take no memory beyond the budget", async () => {
    const { stored } = byId("lossy-rgb");
    expect(await errorOf(stored, 40 * 52 * 3)).toBeUndefined();
    expect(await errorOf(stored, 40 * 52 * 3 - 1)).toMatchObject({ code: "decode-too-large" });
    const wide = stored.with(27, 0x3f).with(29, 0x3f);
    expect(await errorOf(wide)).toMatchObject({ code: "decode-too-large", facts: { limit: 1e6 } });
  });

  const rounds = damagedRounds(1000);

  it(`changed anywhere, ${rounds} times: samples, or a named error`, { timeout: 600_000 }, async () => {
    let state = 9;
    const random = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below;
    let slowest = 0;
    for (let round = 0; round < rounds; round++) {
      const damaged = all[round % all.length]!.stored.slice();
      for (let i = 0; i <= round % 4; i++) {
        const at = random(2) === 0 ? random(damaged.length) : random(Math.min(damaged.length, 60));
        damaged[at] = random(256);
      }
      const start = performance.now();
      const error = await errorOf(damaged, 100_000);
      slowest = Math.max(slowest, performance.now() - start);
      if (error !== undefined) expect(["decode-failed", "decode-too-large"]).toContain(error.code);
    }
    expect(slowest).toBeLessThan(MOST_MILLISECONDS);
  });
});

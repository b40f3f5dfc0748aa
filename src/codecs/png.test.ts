/** PNG against what imagecodecs decodes (fixtures/README.md), and damaged pictures. */
import { damagedRounds } from "../core/testing/runs.ts";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { type Finding, RefscopeError } from "../core/findings/finding.ts";
import { parseArrayMetadataV2 } from "../core/metadata/parse-array-metadata.ts";
import { crc32 } from "./checksums/checksums.ts";
import { runPipeline } from "./pipeline.ts";
import { decodePng } from "./png/decode.ts";

interface Example {
  readonly id: string;
  readonly shape: readonly number[];
  readonly dtype: string;
  /** `null`: refused. */
  readonly sha256: string | null;
  readonly stored: Uint8Array<ArrayBuffer>;
}

const recorded = JSON.parse(readFileSync(resolve(import.meta.dirname, "fixtures/png.json"), "utf8")) as (Omit<
  Example,
  "stored"
> & { readonly stored: string })[];
const all = recorded.map((one): Example => ({ ...one, stored: new Uint8Array(Buffer.from(one.stored, "base64")) }));
const byId = (id: string) => all.find((one) => one.id === id)!;
const ID = "imagecodecs_png";

function errorOf(stored: Uint8Array, limit = 1e6): Finding | undefined {
  try {
    decodePng(ID, stored, limit);
  } catch (error) {
    if (error instanceof RefscopeError) return error.finding;
    throw error;
  }
  return undefined;
}

describe("what imagecodecs decodes, byte for byte", () => {
  it.each(all.filter(({ sha256 }) => sha256 !== null))("$id", async ({ stored, shape, dtype, sha256 }) => {
    const sizes = JSON.stringify(shape);
    const type = dtype === "uint16" ? "<u2" : "|u1";
    const text = `{"zarr_format": 2, "shape": ${sizes}, "chunks": ${sizes}, "dtype": "${type}", "order": "C", "fill_value": 0, "compressor": {"id": "${ID}", "level": 5}, "filters": null}`;
    const { metadata } = parseArrayMetadataV2(text);
    const { bytes, error } = await runPipeline(metadata, stored, new AbortController().signal);
    expect(error).toBeUndefined();
    expect(createHash("sha256").update(bytes!).digest("hex")).toBe(sha256);
  });
});

describe("damaged pictures", () => {
  const { stored } = byId("type2-8");

  it("are refused by what is wrong in them", () => {
    expect(errorOf(new Uint8Array())).toMatchObject({ code: "decode-failed", facts: { found: "other bytes" } });
    expect(errorOf(stored.subarray(0, -12))).toMatchObject({ facts: { expected: "a PNG picture up to its IEND" } });
    expect(errorOf(stored.with(50, 0x77))).toMatchObject({ facts: { expected: "the checksum of the PNG chunk IDAT" } });
    expect(errorOf(byId("type2-8-interlaced").stored)).toMatchObject({
      facts: { found: "colour type 2 of 8 bits, interlaced" },
    });
    const { stored: coloured } = byId("palette-trns");
    expect(errorOf(summed(coloured.with(36, 3)))).toMatchObject({ code: "decode-failed" });
  });

  it("take no memory beyond the budget", () => {
    expect(errorOf(stored, 11 * 13 * 3)).toBeUndefined();
    expect(errorOf(stored, 11 * 13 * 3 - 1)).toMatchObject({ code: "decode-too-large" });
    expect(errorOf(summed(stored.with(16, 0xff).with(20, 0xff)))).toMatchObject({ code: "decode-too-large" });
    expect(errorOf(summed(stored.slice().fill(0, 16, 20)))).toMatchObject({ facts: { found: "0 × 11 pixels" } });
  });

  const rounds = damagedRounds(1000);

  it(`changed anywhere, ${rounds} times: samples, or a named error`, { timeout: 600_000 }, () => {
    let state = 9;
    const random = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below;
    for (let round = 0; round < rounds; round++) {
      const damaged = all[round % all.length]!.stored.slice();
      for (let i = 0; i <= round % 4; i++) damaged[8 + random(damaged.length - 8)] = random(256);
      const error = errorOf(round % 4 > 0 ? summed(damaged) : damaged, 100_000);
      if (error !== undefined) {
        expect(["checksum-mismatch", "decode-failed", "decode-too-large"]).toContain(error.code);
      }
    }
  });
});

/** With true checksums, so that what comes after them is looked at. */
function summed(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const view = new DataView(bytes.buffer);
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = view.getUint32(at);
    if (length > bytes.length - at - 12) break;
    view.setUint32(at + 8 + length, crc32(bytes.subarray(at + 4, at + 8 + length)));
    at += length + 12;
  }
  return bytes;
}

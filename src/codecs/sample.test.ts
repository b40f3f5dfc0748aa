/** The sample's chunks, cut from its HDF5 files, against what Python read from them (hashes and statistics). */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { insideShape, parseChunkName } from "../core/metadata/chunk-grid.ts";
import { parseArrayMetadataV2 } from "../core/metadata/parse-array-metadata.ts";
import { statistics } from "../core/values/statistics.ts";
import { decodeValues, toLittleEndianC } from "../core/values/values.ts";
import { runPipeline } from "./pipeline.ts";

interface Chunk {
  readonly sha256: string;
  readonly count: number;
  readonly finite: number;
  readonly min?: number;
  readonly max?: number;
  readonly mean?: number;
  readonly missing?: boolean;
}

const root = resolve(import.meta.dirname, "../..");
const folder = resolve(root, process.env["REFSCOPE_SHARED"] ?? "../shared", "fixtures/sample");
const isPresent = existsSync(folder);

function bytesOf(reference: unknown): Uint8Array<ArrayBuffer> {
  if (typeof reference === "string") {
    return new Uint8Array(
      reference.startsWith("base64:") ? Buffer.from(reference.slice(7), "base64") : Buffer.from(reference),
    );
  }
  const [target, offset, length] = reference as [string, number, number];
  return new Uint8Array(readFileSync(resolve(folder, target)).subarray(offset, offset + length));
}

describe.skipIf(!isPresent)(`the sample (${isPresent ? "" : "skipped: no folder "}${folder})`, () => {
  it.each(["ocean-a.v1", "ocean.v1"])("%s", async (name) => {
    const { refs } = JSON.parse(readFileSync(resolve(folder, `${name}.json`), "utf8")) as {
      refs: Record<string, unknown>;
    };
    const truth = JSON.parse(readFileSync(resolve(folder, `${name}.truth.json`), "utf8")) as {
      arrays: Record<string, { chunks_read: Record<string, Chunk> }>;
    };
    let compared = 0;
    for (const [path, { chunks_read }] of Object.entries(truth.arrays)) {
      const { metadata } = parseArrayMetadataV2(String(refs[`${path}/.zarray`]));
      for (const [key, expected] of Object.entries(chunks_read)) {
        const reference = refs[`${path}/${key}`];
        if (expected.missing === true) {
          expect(reference).toBeUndefined();
          continue;
        }
        const { bytes, error } = await runPipeline(metadata, bytesOf(reference), new AbortController().signal);
        expect(error).toBeUndefined();
        const hash = createHash("sha256").update(toLittleEndianC(bytes!, metadata)).digest("hex");
        expect(`${path}/${key} ${hash}`).toBe(`${path}/${key} ${expected.sha256}`);
        const coordinates = parseChunkName(key, metadata.shape.length, metadata.separator)!;
        const inside = insideShape(metadata.shape, metadata.chunks, coordinates);
        const found = statistics(decodeValues(bytes!, metadata), inside, {
          fillValue: metadata.fillValue,
          scaled: false,
        });
        expect(found.count).toBe(expected.count);
        compared++;
        if (expected.finite === undefined) continue;
        expect(found.count - found.missing).toBe(expected.finite);
        expect(found.minimum && Number(found.minimum)).toBe(expected.min);
        expect(found.maximum && Number(found.maximum)).toBe(expected.max);
        expect(`${path}/${key} ${Number(found.mean)}`).toBe(`${path}/${key} ${expected.mean}`);
      }
    }
    expect(compared).toBeGreaterThan(40);
  });
});

/** GRIB messages as gribscan's references have them: eccodes' values, missing ones 9999, in both versions of Zarr. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parseArrayMetadataV2 } from "#core/metadata/parse-array-metadata.ts";
import { codecLabels, runPipeline, undecodable } from "../pipeline.ts";
import { FLAGSHIP } from "#core/testing/flagship.ts";
import { isWholeHere, metadataOf, smallCases } from "../testing/published-grib.ts";

interface GribscanCase {
  readonly id: string;
  readonly kind: string;
  readonly file: string;
  readonly array: { readonly shape: readonly number[] };
  readonly expected: { readonly sha256: string };
}

const { signal } = new AbortController();
const { messages, cases } = JSON.parse(
  readFileSync(resolve(import.meta.dirname, "fixtures/gribscan.json"), "utf8"),
) as {
  readonly messages: Readonly<Record<string, string>>;
  readonly cases: readonly GribscanCase[];
};

function messageOf({ file }: GribscanCase): Uint8Array<ArrayBuffer> {
  const own = messages[file.replace("grib/", "")];
  if (own !== undefined) return new Uint8Array(Buffer.from(own, "base64"));
  return smallCases().messageOf({ file } as Parameters<ReturnType<typeof smallCases>["messageOf"]>[0]);
}

/** Metadata as gribscan writes it: Zarr v2, a compressor. */
const v2 = ({ array }: GribscanCase) =>
  parseArrayMetadataV2(JSON.stringify({ zarr_format: 2, chunks: array.shape, order: "C", ...array })).metadata;

/** Metadata as viewers convert it to Zarr v3. */
const v3 = ({ array }: GribscanCase) =>
  metadataOf({
    codecs: [{ name: "bytes", configuration: { endian: "little" } }, { name: "numcodecs.gribscan.rawgrib" }],
    array: { data_type: "float64", chunk_shape: array.shape },
  });

async function hashOf(metadata: ReturnType<typeof v2>, message: Uint8Array<ArrayBuffer>): Promise<string> {
  const { bytes, error } = await runPipeline(metadata, message, signal);
  return bytes === undefined ? (error?.code ?? "") : createHash("sha256").update(bytes).digest("hex");
}

describe("gribscan.rawgrib", () => {
  it.each(cases)("$id", async (one) => {
    expect(await hashOf(v2(one), messageOf(one))).toBe(one.expected.sha256);
    expect(await hashOf(v3(one), messageOf(one))).toBe(one.expected.sha256);
  });

  it("says what it gives for missing values, and refuses what is no message by name", async () => {
    const [one] = cases;
    if (one === undefined) throw new Error("no case");
    expect((await codecLabels(v2(one))).map(({ label }) => label)).toEqual([
      "GRIB message, values as float64, missing ones 9999",
    ]);
    expect(await undecodable(v3(one))).toBeUndefined();
    expect(await hashOf(v2(one), new Uint8Array(80))).toBe("grib-not-a-message");
  });

  it.skipIf(!isWholeHere)(`the whole collection (${FLAGSHIP})`, async () => {
    const all = JSON.parse(readFileSync(join(FLAGSHIP, "cases.json"), "utf8")) as readonly GribscanCase[];
    const own = all.filter(({ kind }) => kind === "gribscan-rawgrib");
    expect(own).toHaveLength(14);
    for (const one of own) {
      const hash = await hashOf(v2(one), new Uint8Array(readFileSync(join(FLAGSHIP, one.file))));
      expect(hash, one.id).toBe(one.expected.sha256);
    }
  });
});

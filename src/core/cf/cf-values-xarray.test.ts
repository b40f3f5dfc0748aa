/** The CF view beside what xarray gave for the same bytes and attributes: `../fixtures/xarray-cf.json`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scalingOf } from "./cf.ts";
import { cfValues, type CfValues } from "./cf-values.ts";
import { parseArrayMetadataV2 } from "../metadata/parse-array-metadata.ts";
import { decodeValues, type ChunkValues } from "../values/values.ts";

interface Case {
  readonly dtype: string;
  /** Bytes in hexadecimal. */
  readonly bytes: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly decoded:
    | { readonly kind: "dates"; readonly values: readonly string[] }
    | { readonly kind: "numbers"; readonly dtype: string; readonly values: readonly (number | "NaN")[] };
}

const { cases } = JSON.parse(readFileSync(join(import.meta.dirname, "../fixtures/xarray-cf.json"), "utf8")) as {
  readonly cases: readonly Case[];
};

/** Values of the CF view; the stored values if both are the same. */
function decoded({ dtype, bytes, attributes }: Case): CfValues | ChunkValues {
  const raw = new Uint8Array(Buffer.from(bytes, "hex"));
  const length = raw.length / Number(dtype.slice(2));
  const members = { zarr_format: 2, shape: [length], chunks: [length], compressor: null, filters: null, order: "C" };
  const { metadata } = parseArrayMetadataV2(JSON.stringify({ ...members, dtype, fill_value: null }));
  const scaling = scalingOf(metadata, new Map(Object.entries(attributes)) as never);
  const values = decodeValues(raw, metadata);
  return scaling === undefined ? values : cfValues(values, scaling);
}

function texts(found: CfValues | ChunkValues): readonly (string | number)[] {
  if ("kind" in found && found.kind === "dates") return [...found.nanoseconds].map(String);
  if ("kind" in found && found.kind === "texts") return found.texts.map((text) => text ?? "NaT");
  return [...(found.numbers ?? [])].map((value) => (Number.isNaN(Number(value)) ? "NaN" : Number(value)));
}

it("has more than a hundred cases", () => {
  expect(cases.length).toBeGreaterThanOrEqual(100);
});

it.each(cases.map((one, at): [number, string, Case] => [at, `${one.dtype} ${JSON.stringify(one.attributes)}`, one]))(
  "%i: %s",
  (_, __, one) => {
    expect(texts(decoded(one))).toEqual(one.decoded.values);
  },
);

/** Section 7 of an edition 2 message: from packed bytes to values, by the packing that section 5 says. */
import { unpackGroups } from "./complex.ts";
import { damaged } from "./failure.ts";
import { bitReader, takeScaled, view } from "./numbers.ts";
import type { Packing, ScaledPacking } from "./packing.ts";
import { unpackPng } from "./png.ts";
import type { ReadOptions } from "./read-options.ts";
import { unpackRuns } from "./run-length.ts";
import { applyScale, scaleSteps } from "./scale.ts";

export interface PackedField {
  readonly packing: Packing;
  /** Section 7 without its head. */
  readonly data: Uint8Array;
  /** Values in it; the caller has kept it within bounds. */
  readonly count: number;
}

/** A value for each that is stored. Throws `decode-failed`, `checksum-mismatch`, `codec-unavailable`. */
export async function unpackField(field: PackedField, options: ReadOptions): Promise<Float64Array<ArrayBuffer>> {
  const { packing, data, count } = field;
  if (packing.kind === "ieee") return unpackIeee(options.codec, data, packing.bytes, count);
  if (packing.kind === "run-length") return unpackRuns(options.codec, data, packing.runs, count);
  const { bits, scale } = packing;
  // A field without bits is constant, and eccodes does not scale its reference value; groups have bits of their own.
  const isConstant = packing.kind === "complex" ? packing.groups.count === 0 : bits === 0;
  const values = isConstant
    ? new Float64Array(count).fill(scale.reference)
    : await unpackValues(packing, field, options);
  if (packing.kind === "logarithms") raise(values, packing.offset);
  return values;
}

async function unpackValues(
  packing: ScaledPacking,
  field: PackedField,
  options: ReadOptions,
): Promise<Float64Array<ArrayBuffer>> {
  if (packing.kind === "simple" || packing.kind === "logarithms") return unpackSimple(packing, field, options);
  const values = await unpackNumbers(packing, field, options);
  applyScale(values, packing.scale, options.reader);
  return values;
}

/** The stored whole numbers, before they are scaled. A decoder that is large is imported here, when its packing is met. */
async function unpackNumbers(
  packing: Exclude<ScaledPacking, { readonly kind: "simple" | "logarithms" }>,
  { data, count }: PackedField,
  { codec, reader }: ReadOptions,
): Promise<Float64Array<ArrayBuffer>> {
  const { bits } = packing;
  switch (packing.kind) {
    case "complex":
      return unpackGroups(codec, data, { bits, groups: packing.groups, count, signedFirst: reader === "gribberish" });
    case "png":
      return unpackPng(codec, data, bits, count);
    case "ccsds": {
      const { decodeCcsdsPacking } = await import("./ccsds.ts");
      return decodeCcsdsPacking(codec, data, { bits, ccsds: packing.ccsds, count });
    }
    case "jpeg2000": {
      const { decodeJpeg2000Packing } = await import("./jpeg2000.ts");
      return decodeJpeg2000Packing(codec, data, count);
    }
  }
}

/** Template 7.0: one number after another, scaled. */
function unpackSimple(
  { bits, scale }: ScaledPacking,
  { data, count }: PackedField,
  { codec, reader }: ReadOptions,
): Float64Array<ArrayBuffer> {
  const needed = Math.ceil((bits * count) / 8);
  if (needed > data.length) {
    throw damaged(codec, 7, `${needed} bytes for ${count} values of ${bits} bits`, `${data.length} bytes`);
  }
  const out = new Float64Array(count);
  takeScaled(bitReader(data, 0), bits, { out, at: 0, count }, scaleSteps(scale, reader));
  return out;
}

/** What eccodes' inverse of its preprocessing does. */
function raise(values: Float64Array, offset: number): void {
  for (let i = 0; i < values.length; i++) values[i] = Math.exp(values[i] as number) - offset;
}

/** Template 7.4: big-endian floats, not scaled. */
function unpackIeee(codec: string, data: Uint8Array, size: 4 | 8, count: number): Float64Array<ArrayBuffer> {
  if (count * size > data.length) {
    throw damaged(codec, 7, `${count * size} bytes for ${count} values of ${size} bytes`, `${data.length} bytes`);
  }
  const bytes = view(data);
  return Float64Array.from({ length: count }, (_, i) =>
    size === 4 ? bytes.getFloat32(i * 4) : bytes.getFloat64(i * 8),
  );
}

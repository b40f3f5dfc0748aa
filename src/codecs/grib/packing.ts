/** How the values of an edition 2 message are packed: section 5, by its template (FM 92, code table 5.0). */
import { damaged, packingUnsupported } from "./failure.ts";
import { MAX_BITS, signed16, view } from "./numbers.ts";
import { packingName } from "./tables.ts";
import type { AecParameters } from "../aec/decode.ts";

/** A stored whole number x represents (reference + x × 2^binary) × 10^-decimal. */
export interface Scale {
  readonly reference: number;
  readonly binary: number;
  readonly decimal: number;
}

export interface Groups {
  readonly count: number;
  /** 0: none; 1: primary; 2: primary and secondary missing values among the packed ones. */
  readonly missing: 0 | 1 | 2;
  readonly widthReference: number;
  readonly widthBits: number;
  readonly lengthReference: number;
  readonly lengthIncrement: number;
  readonly lastLength: number;
  readonly lengthBits: number;
  /** Template 5.3. */
  readonly hasDifferences: boolean;
  /** Order of spatial differencing; 0 = none. */
  readonly order: 0 | 1 | 2;
  /** Bytes of each of the numbers that differencing begins with. */
  readonly extraBytes: number;
}

/** Values that are stored as whole numbers; `bits`: of each, or of the reference of each group. */
export type ScaledPacking = { readonly scale: Scale; readonly bits: number } & (
  | { readonly kind: "simple" }
  | { readonly kind: "png" | "jpeg2000" }
  | { readonly kind: "complex"; readonly groups: Groups }
  | { readonly kind: "ccsds"; readonly ccsds: Ccsds }
  /** Logarithms, in simple packing: e to the power of a stored value, less `offset`, is the value (template 5.61). */
  | { readonly kind: "logarithms"; readonly offset: number }
);

export type Packing =
  | ScaledPacking
  /** `bytes`: 4 or 8 for each value. */
  | { readonly kind: "ieee"; readonly bytes: 4 | 8 }
  | { readonly kind: "run-length"; readonly runs: RunLength };

/** Few levels, each stored once for a run of points (template 5.200). */
export interface RunLength {
  /** Bits of each stored number. */
  readonly bits: number;
  /** Greatest number of a level; greater numbers count repetitions of a level. */
  readonly maximum: number;
  /** Values by level number; the first one, 0, is "missing" (NaN). */
  readonly levels: Float64Array;
}

/** How CCSDS 121.0-B was used (template 5.42). */
export type Ccsds = Pick<AecParameters, "flags" | "blockSize" | "interval">;

/** Bytes of section 5 that each template needs. */
const LENGTHS: ReadonlyMap<number, number> = new Map([
  [0, 21],
  [2, 47],
  [3, 49],
  [4, 12],
  [40, 21],
  [41, 21],
  [42, 25],
  [61, 24],
  [200, 17],
  [40_000, 21],
  [40_010, 21],
]);

export const templateNumber = (section5: Uint8Array): number => view(section5).getUint16(9);

/** Values that section 5 says section 7 holds. */
export const codedCount = (section5: Uint8Array): number => view(section5).getUint32(5);

/** "data representation template 5.3, grid point data, complex packing and spatial differencing". */
export function packingText(section5: Uint8Array): string {
  const template = templateNumber(section5);
  return `data representation template 5.${template}, ${packingName(template)}`;
}

/** Throws `grib-packing-unsupported`, `decode-failed`. */
export function readPacking(codec: string, section5: Uint8Array): Packing {
  const template = templateNumber(section5);
  const length = LENGTHS.get(template);
  if (length === undefined) throw packingUnsupported(codec, 2, packingText(section5));
  if (section5.length < length) {
    throw damaged(codec, 5, `${length} bytes for template 5.${template}`, `${section5.length} bytes`);
  }
  const data = view(section5);
  if (template === 4) return { kind: "ieee", bytes: precision(codec, data.getUint8(11)) };
  if (template === 200) return { kind: "run-length", runs: readRunLength(codec, data) };
  const scale = readScale(codec, data);
  const bits = data.getUint8(19);
  if (bits > MAX_BITS) throw damaged(codec, 5, `at most ${MAX_BITS} bits for each value`, `${bits} bits`);
  const kind = KINDS.get(template) ?? "complex";
  if (kind === "complex") return { kind, scale, bits, groups: readGroups(codec, data, template === 3) };
  if (kind === "logarithms") return { kind, scale, bits, offset: data.getFloat32(20) };
  return kind === "ccsds" ? { kind, scale, bits, ccsds: readCcsds(data) } : { kind, scale, bits };
}

const KINDS: ReadonlyMap<number, ScaledPacking["kind"]> = new Map([
  [0, "simple"],
  [40, "jpeg2000"],
  [41, "png"],
  [42, "ccsds"],
  [61, "logarithms"],
  [40_000, "jpeg2000"],
  [40_010, "png"],
]);

function readCcsds(data: DataView): Ccsds {
  return { flags: data.getUint8(21), blockSize: data.getUint8(22), interval: data.getUint16(23) };
}

const MISSING_LEVEL = Number.NaN;

function readRunLength(codec: string, data: DataView): RunLength {
  const [bits, maximum, count, decimal] = [
    data.getUint8(11),
    data.getUint16(12),
    data.getUint16(14),
    data.getUint8(16),
  ];
  if (17 + count * 2 > data.byteLength) {
    throw damaged(codec, 5, `${count} levels of 2 bytes`, `${data.byteLength - 17} bytes`);
  }
  // A number is one or more above the largest level, or it could not count.
  if (bits > 24 || maximum > count || 2 ** bits - 1 <= maximum) {
    const found = `${maximum} levels used of ${count}, ${bits} bits for each number`;
    throw damaged(codec, 5, "levels that are listed, and bits to count beyond them", found);
  }
  // The factor's sign is in its first bit, as in eccodes.
  const factor = 10 ** -(decimal > 127 ? 128 - decimal : decimal);
  const levels = Float64Array.from({ length: count + 1 }, (_, level) =>
    level === 0 ? MISSING_LEVEL : data.getUint16(15 + level * 2) * factor,
  );
  return { bits, maximum, levels };
}

function precision(codec: string, code: number): 4 | 8 {
  if (code === 1) return 4;
  if (code === 2) return 8;
  throw damaged(codec, 5, "a precision of 32 or 64 bits (1 or 2)", `precision ${code}`);
}

export function readScale(codec: string, data: DataView): Scale {
  const reference = data.getFloat32(11);
  if (!Number.isFinite(reference)) throw damaged(codec, 5, "a finite reference value", String(reference));
  return { reference, binary: signed16(data, 15), decimal: signed16(data, 17) };
}

function readGroups(codec: string, data: DataView, hasDifferences: boolean): Groups {
  const missing = data.getUint8(22);
  if (missing !== 0 && missing !== 1 && missing !== 2) {
    throw damaged(codec, 5, "missing value management 0, 1 or 2", String(missing));
  }
  const order = hasDifferences ? data.getUint8(47) : 0;
  if (order !== 0 && order !== 1 && order !== 2) {
    throw damaged(codec, 5, "spatial differencing of order 1 or 2", `order ${order}`);
  }
  const extraBytes = hasDifferences ? data.getUint8(48) : 0;
  if (extraBytes > 6) throw damaged(codec, 5, "at most 6 bytes for each first value", `${extraBytes} bytes`);
  return {
    count: data.getUint32(31),
    missing,
    widthReference: data.getUint8(35),
    widthBits: data.getUint8(36),
    lengthReference: data.getUint32(37),
    lengthIncrement: data.getUint8(41),
    lastLength: data.getUint32(42),
    lengthBits: data.getUint8(46),
    hasDifferences,
    order,
    extraBytes,
  };
}

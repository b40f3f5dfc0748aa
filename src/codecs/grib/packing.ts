/** How the values of an edition 2 message are packed: section 5, by its template (FM 92, code table 5.0). */
import { damaged, packingUnsupported } from "./failure.ts";
import { MAX_BITS, signed16, view } from "./numbers.ts";
import { packingName } from "./tables.ts";

/** A stored whole number x stands for (reference + x × 2^binary) × 10^-decimal. */
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
  /** Order of spatial differencing; 0 = none. */
  readonly order: 0 | 1 | 2;
  /** Bytes of each of the numbers that differencing begins with. */
  readonly extraBytes: number;
}

export type Packing =
  | { readonly kind: "simple" | "png"; readonly scale: Scale; readonly bits: number }
  | { readonly kind: "ccsds"; readonly scale: Scale; readonly bits: number; readonly ccsds: Ccsds }
  | { readonly kind: "complex"; readonly scale: Scale; readonly bits: number; readonly groups: Groups }
  /** `bytes`: 4 or 8 for each value. */
  | { readonly kind: "ieee"; readonly bytes: 4 | 8 };

/** How CCSDS 121.0-B was used (template 5.42). */
export interface Ccsds {
  /** As libaec has them. */
  readonly flags: number;
  /** Samples in a block. */
  readonly blockSize: number;
  /** Blocks from one reference sample to the next. */
  readonly interval: number;
}

/** Bytes of section 5 that each template needs. */
const LENGTHS: ReadonlyMap<number, number> = new Map([
  [0, 21],
  [2, 47],
  [3, 49],
  [4, 12],
  [41, 21],
  [42, 25],
  [40_010, 21],
]);

export function templateNumber(section5: Uint8Array): number {
  return view(section5).getUint16(9);
}

/** Values that section 5 says section 7 holds. */
export function codedCount(section5: Uint8Array): number {
  return view(section5).getUint32(5);
}

/** Throws `grib-packing-unsupported`, `decode-failed`. */
export function readPacking(codec: string, section5: Uint8Array): Packing {
  const template = templateNumber(section5);
  const length = LENGTHS.get(template);
  const name = `data representation template 5.${template}, ${packingName(template)}`;
  if (length === undefined) throw packingUnsupported(codec, 2, name);
  if (section5.length < length) {
    throw damaged(codec, 5, `${length} bytes for template 5.${template}`, `${section5.length} bytes`);
  }
  const data = view(section5);
  if (template === 4) return { kind: "ieee", bytes: precision(codec, data.getUint8(11)) };
  const scale = readScale(codec, data);
  const bits = data.getUint8(19);
  if (bits > MAX_BITS) throw damaged(codec, 5, `at most ${MAX_BITS} bits for each value`, `${bits} bits`);
  if (template === 0) return { kind: "simple", scale, bits };
  if (template === 41 || template === 40_010) return { kind: "png", scale, bits };
  if (template === 42) return { kind: "ccsds", scale, bits, ccsds: readCcsds(data) };
  return { kind: "complex", scale, bits, groups: readGroups(codec, data, template === 3) };
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

function readCcsds(data: DataView): Ccsds {
  return { flags: data.getUint8(21), blockSize: data.getUint8(22), interval: data.getUint16(23) };
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
    order,
    extraBytes,
  };
}

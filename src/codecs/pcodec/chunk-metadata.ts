/** Reads a chunk's header: mode, delta encoding, and the bins of each latent variable. */
import { fromFloat16 } from "#core/values/float16.ts";
import { readBinTable, type BinTable } from "./bin-table.ts";
import { takeLow } from "#core/bits.ts";
import { align, needBytes, readLatent, readLong, type BitReader, type Long } from "./bits.ts";
import { invalid, typeName, type NumberType } from "./format.ts";

/** How numbers are made of latents. */
export type Mode =
  | { readonly kind: "classic" }
  | { readonly kind: "int-mult"; readonly base: Long }
  | { readonly kind: "float-mult"; readonly base: number }
  | { readonly kind: "float-quant"; readonly bits: number }
  | { readonly kind: "dict"; readonly lo: Int32Array; readonly hi: Int32Array };

/** How latents are made of differences. `state`: latents that each page begins with. */
export type Delta =
  | { readonly kind: "none"; readonly state: 0 }
  | { readonly kind: "consecutive"; readonly state: number }
  | { readonly kind: "lookback"; readonly state: number; readonly window: number }
  | {
      readonly kind: "conv1";
      readonly state: number;
      readonly weights: Float64Array;
      /** The lowest 16 bits, and what is above. */
      readonly biasLow: number;
      readonly biasHigh: number;
      readonly shift: number;
    };

export interface LatentVariable {
  readonly table: BinTable;
  readonly delta: Delta;
}

export interface ChunkMetadata {
  readonly mode: Mode;
  /** How far back each latent's difference reaches, where the delta encoding is lookback. */
  readonly lookbacks: LatentVariable | undefined;
  readonly primary: LatentVariable;
  readonly secondary: LatentVariable | undefined;
}

const SECTION = "the metadata of a chunk";
const NO_DELTA: Delta = { kind: "none", state: 0 };

/** `version`: the major one of the format. */
export function readChunkMetadata(reader: BitReader, version: number, type: NumberType): ChunkMetadata {
  const mode = readMode(reader, version, type);
  const { delta, ofSecondary } = readDelta(reader, version);
  const width = mode.kind === "dict" ? 32 : type.width;
  if (delta.kind === "conv1") checkConvolution(delta, width);
  const lookbacks = delta.kind === "lookback" ? readBinTable(reader, 32, SECTION) : undefined;
  const primary = readBinTable(reader, width, SECTION);
  const isSplit = mode.kind !== "classic" && mode.kind !== "dict";
  const secondary = isSplit ? readBinTable(reader, type.width, SECTION) : undefined;
  align(reader, SECTION);
  return {
    mode,
    lookbacks: lookbacks && { table: lookbacks, delta: NO_DELTA },
    primary: { table: primary, delta },
    secondary: secondary && { table: secondary, delta: ofSecondary ? delta : NO_DELTA },
  };
}

function readMode(reader: BitReader, version: number, type: NumberType): Mode {
  const variant = takeLow(reader, 4);
  const isFloat = type.kind === "float";
  if (variant === 0) return { kind: "classic" };
  if (variant === 1 && !isFloat) {
    if (version === 0) throw invalid("format version 1 or later for multiples of integers", "version 0", SECTION);
    const base = readLatent(reader, type.width);
    if (base.lo === 0 && base.hi === 0) throw invalid("multiples of a base above 0", "0", SECTION);
    return { kind: "int-mult", base };
  }
  if (variant === 2 && isFloat) {
    const base = floatOf(readLatent(reader, type.width), type.width);
    if (!Number.isFinite(base) || base === 0) throw invalid("multiples of a finite base", String(base), SECTION);
    return { kind: "float-mult", base };
  }
  if (variant === 3 && isFloat) {
    const bits = takeLow(reader, 8);
    const most = type.width === 64 ? 52 : type.width === 32 ? 23 : 10;
    if (bits < 1 || bits > most) throw invalid(`1 to ${most} quantized bits of ${typeName(type)}`, `${bits}`, SECTION);
    return { kind: "float-quant", bits };
  }
  if (variant === 4) return readDictionary(reader, type);
  throw invalid(`a mode of ${typeName(type)}`, `mode ${variant}`, SECTION);
}

/** The float of an ordered latent. */
function floatOf({ lo, hi }: Long, width: number): number {
  const view = new DataView(new ArrayBuffer(8));
  if (width === 64) {
    const flip = ~(hi >> 31);
    view.setInt32(0, lo ^ flip, true);
    view.setInt32(4, hi ^ (flip | 0x8000_0000), true);
    return view.getFloat64(0, true);
  }
  if (width === 16) return fromFloat16((lo & 0x8000) === 0 ? ~lo & 0xffff : lo ^ 0x8000);
  view.setInt32(0, lo ^ (~(lo >> 31) | 0x8000_0000), true);
  return view.getFloat32(0, true);
}

function readDictionary(reader: BitReader, { width }: NumberType): Mode {
  const length = takeLow(reader, 25);
  align(reader, SECTION);
  needBytes(reader, (length * width) / 8);
  const lo = new Int32Array(length);
  const hi = new Int32Array(width === 64 ? length : 0);
  for (let i = 0; i < length; i++) {
    lo[i] = takeLow(reader, Math.min(width, 32));
    if (width === 64) hi[i] = takeLow(reader, 32);
  }
  return { kind: "dict", lo, hi };
}

interface ReadDelta {
  readonly delta: Delta;
  readonly ofSecondary: boolean;
}

const MAX_WINDOW_LOG = 24;

function readDelta(reader: BitReader, version: number): ReadDelta {
  if (version < 3) {
    const order = takeLow(reader, 3);
    return { delta: order === 0 ? NO_DELTA : { kind: "consecutive", state: order }, ofSecondary: false };
  }
  const variant = takeLow(reader, 4);
  if (variant === 0) return { delta: NO_DELTA, ofSecondary: false };
  if (variant === 1) {
    const state = takeLow(reader, 3);
    if (state === 0) throw invalid("differences of order 1 to 7", "order 0", SECTION);
    return { delta: { kind: "consecutive", state }, ofSecondary: takeLow(reader, 1) === 1 };
  }
  if (variant === 2) {
    const windowLog = 1 + takeLow(reader, 5);
    const stateLog = takeLow(reader, 4);
    const most = `a window of at most 2^${MAX_WINDOW_LOG} numbers, and no more of them at the beginning`;
    if (windowLog > MAX_WINDOW_LOG || stateLog > windowLog) {
      throw invalid(most, `2^${windowLog} and 2^${stateLog}`, SECTION);
    }
    const delta = { kind: "lookback", state: 1 << stateLog, window: 2 ** windowLog } as const;
    return { delta, ofSecondary: takeLow(reader, 1) === 1 };
  }
  if (variant === 3) return { delta: readConvolution(reader), ofSecondary: false };
  throw invalid("a delta encoding from 0 to 3", String(variant), SECTION);
}

function readConvolution(reader: BitReader): Delta {
  const shift = takeLow(reader, 5);
  const { lo, hi } = readLong(reader);
  const state = 1 + takeLow(reader, 5);
  const weights = new Float64Array(state);
  for (let i = 0; i < state; i++) weights[i] = takeLow(reader, 32) ^ 0x8000_0000;
  const biasHigh = (hi ^ 0x8000_0000) * 65_536 + (lo >>> 16);
  return { kind: "conv1", state, weights, biasLow: lo & 0xffff, biasHigh, shift };
}

/** Sums of which pco would overflow its integers of twice the width are not written. */
function checkConvolution(delta: Delta & { readonly kind: "conv1" }, width: number): void {
  if (width === 64) throw invalid("a convolution of at most 32 bits", "64 bits", SECTION);
  if (delta.shift > width * 2 - 1) throw invalid(`a shift of at most ${width * 2 - 1}`, String(delta.shift), SECTION);
  const weights = delta.weights.reduce((sum, weight) => sum + Math.abs(weight), 0);
  const most = Math.abs(delta.biasHigh * 65_536 + delta.biasLow) + 2 ** width * weights;
  if (most >= 2 ** (width * 2 - 1)) throw invalid(`sums below 2^${width * 2 - 1}`, `sums up to ${most}`, SECTION);
}

/** The numbers of a chunk: in a standalone file each chunk is one page. */
import { fromFloat16, toFloat16 } from "#core/values/float16.ts";
import { takeLow } from "#core/bits.ts";
import { align, type BitReader, needBytes } from "./bits.ts";
import type { ChunkMetadata, Delta, LatentVariable, Mode } from "./chunk-metadata.ts";
import { invalid, type NumberType, type Width, BATCH, type Latents, newLatents } from "./format.ts";
import { turnOf, writeNumbers, type Written } from "./output-numbers.ts";
import { readLatents, readNumbers, WORD_BITS } from "./symbols.ts";

/** Room for a batch, taken once a file. */
export interface BatchRoom {
  readonly lookbacks: Latents;
  readonly primary: Latents;
  readonly secondary: Latents;
  readonly symbols: Uint16Array<ArrayBuffer>;
}

export function newBatchRoom(): BatchRoom {
  return {
    lookbacks: newLatents(),
    primary: newLatents(),
    secondary: newLatents(),
    symbols: new Uint16Array(BATCH),
  };
}

/** A latent variable while its page is read. */
interface Reading {
  readonly variable: LatentVariable;
  readonly latents: Latents;
  /** States of the four coders. */
  readonly states: Int32Array;
  readonly delta: DeltaState;
}

const SECTION = "the numbers of a chunk";

/** Numbers `at` to `at + count` of the output. */
export function readPage(
  reader: BitReader,
  chunk: ChunkMetadata,
  type: NumberType,
  room: BatchRoom,
  written: Written,
  at: number,
  count: number,
): void {
  const begin = (variable: LatentVariable, latents: Latents) => beginVariable(reader, variable, latents, count);
  const lookbacks = chunk.lookbacks && begin(chunk.lookbacks, room.lookbacks);
  const primary = begin(chunk.primary, room.primary);
  const secondary = chunk.secondary && begin(chunk.secondary, room.secondary);
  align(reader, SECTION);
  const { state } = chunk.primary.delta;
  for (const one of [lookbacks, primary, secondary]) {
    if (one?.variable.table.bins === 0 && count > state) throw invalid("bins to take numbers from", "none", SECTION);
  }
  if (isDirect(chunk)) {
    const turn = turnOf(type);
    const { table } = chunk.primary;
    for (let done = 0; done < count; done += BATCH) {
      const size = Math.min(BATCH, count - done);
      readNumbers(reader, table, primary.states, room.symbols, turn, written, at + done, size);
    }
    align(reader, SECTION);
    return;
  }
  const write = writer(chunk, type, room, written);
  for (let done = 0; done < count; done += BATCH) {
    const left = count - done;
    const size = Math.min(BATCH, left);
    if (lookbacks !== undefined) {
      const stored = Math.max(0, Math.min(size, left - state));
      readLatents(reader, lookbacks.variable.table, lookbacks.states, room.symbols, lookbacks.latents, stored);
    }
    readVariable(reader, primary, room, left);
    if (secondary !== undefined) readVariable(reader, secondary, room, left);
    write(at + done, size);
  }
  align(reader, SECTION);
}

/** Makes numbers of the latents of a batch, and writes them from `at` on. */
type Write = (at: number, count: number) => void;

function writer({ mode, secondary }: ChunkMetadata, type: NumberType, room: BatchRoom, written: Written): Write {
  const { width } = type;
  if (mode.kind === "float-mult" && width >= 32) {
    const output = floatOutput(width, written);
    const all = { ...room, base: mode.base, isExact: secondary !== undefined && isCentred(secondary) };
    return width === 64
      ? (at, count) => writeFloatMult64(all, output, at, count)
      : (at, count) => writeFloatMult32(all, output, at, count);
  }
  return (at, count) => {
    join(mode, width, room.primary, room.secondary, count);
    writeNumbers(type, room.primary, written, at, count);
  };
}

/** True if all latents are the middle of their range, which represents 0. */
function isCentred({ table, delta }: LatentVariable): boolean {
  const { width, bins, maxOffsetBits, lowerLo, lowerHi } = table;
  if (bins !== 1 || maxOffsetBits > 0 || delta.kind !== "none") return false;
  const middle = 0x8000_0000 | 0;
  return width === 64 ? lowerLo[0] === 0 && lowerHi[0] === middle : lowerLo[0] === middle;
}

/** True if the stored latents are the numbers themselves, and short ones. */
function isDirect({ mode, primary: { table, delta } }: ChunkMetadata): boolean {
  return mode.kind === "classic" && delta.kind === "none" && table.width < 64 && table.maxOffsetBits <= WORD_BITS;
}

function beginVariable(reader: BitReader, variable: LatentVariable, latents: Latents, count: number): Reading {
  const { table, delta } = variable;
  const { width, sizeLog } = table;
  needBytes(reader, Math.floor((delta.state * width) / 8));
  const lo = new Int32Array(delta.state);
  const hi = new Int32Array(width === 64 ? delta.state : 0);
  for (let i = 0; i < delta.state; i++) {
    lo[i] = takeLow(reader, Math.min(width, 32));
    if (width === 64) hi[i] = takeLow(reader, 32);
  }
  const states = new Int32Array(4);
  for (let i = 0; i < 4; i++) states[i] = takeLow(reader, sizeLog);
  return { variable, latents, states, delta: newDeltaState(delta, lo, hi, width, count) };
}

/** `left`: numbers of the page that are not read yet. */
function readVariable(reader: BitReader, { variable, latents, states, delta }: Reading, room: BatchRoom, left: number) {
  const { width } = variable.table;
  const stored = Math.max(0, Math.min(BATCH, left - variable.delta.state));
  readLatents(reader, variable.table, states, room.symbols, latents, stored);
  undoDelta(delta, latents, room.lookbacks.lo, width, stored, Math.min(BATCH, left));
}

// Latents made numbers: what each mode does to those of a batch, in place. They stay unsigned and ordered. Multiples of
// floats, but for half ones, are written at once (float-mult.ts).

function join(mode: Mode, width: Width, primary: Latents, secondary: Latents, count: number): void {
  if (mode.kind === "classic") return;
  if (mode.kind === "dict") lookUp(mode, primary, count);
  else if (mode.kind === "int-mult") joinIntMult(mode.base, width, primary, secondary, count);
  else if (mode.kind === "float-quant") joinQuantized(mode.bits, width, primary, secondary, count);
  else joinFloatMult16(mode.base, primary.lo, secondary.lo, count);
}

function lookUp(dictionary: Mode & { readonly kind: "dict" }, { lo, hi }: Latents, count: number): void {
  const { length } = dictionary.lo;
  const isWide = dictionary.hi.length > 0;
  for (let i = 0; i < count; i++) {
    const at = (lo[i] as number) >>> 0;
    if (at >= length) throw invalid(`one of the ${length} numbers listed`, `number ${at}`, "the numbers of a chunk");
    lo[i] = dictionary.lo[at] as number;
    if (isWide) hi[i] = dictionary.hi[at] as number;
  }
}

function joinIntMult(
  { lo: base, hi: baseHi }: { readonly lo: number; readonly hi: number },
  width: Width,
  { lo, hi }: Latents,
  secondary: Latents,
  count: number,
): void {
  if (width < 64) {
    for (let i = 0; i < count; i++) lo[i] = Math.imul(lo[i] as number, base) + (secondary.lo[i] as number);
    return;
  }
  const baseLow = base & 0xffff;
  const baseMiddle = base >>> 16;
  for (let i = 0; i < count; i++) {
    const low = lo[i] as number;
    // 32 by 32 bits in halves of 16, of which no sum exceeds 2^53.
    const cross =
      (low & 0xffff) * baseMiddle + (low >>> 16) * baseLow + Math.floor(((low & 0xffff) * baseLow) / 65_536);
    const product = Math.imul(low, base);
    const upper = (low >>> 16) * baseMiddle + Math.floor(cross / 65_536);
    const more = secondary.lo[i] as number;
    const sum = (product + more) | 0;
    const carry = ((product & more) | ((product | more) & ~sum)) >>> 31;
    const across = Math.imul(low, baseHi) + Math.imul(hi[i] as number, base);
    lo[i] = sum;
    hi[i] = (upper | 0) + across + (secondary.hi[i] as number) + carry;
  }
}

/** The secondary latents are the lowest bits, counted from the other end where the number is negative. */
function joinQuantized(bits: number, width: Width, { lo, hi }: Latents, secondary: Latents, count: number): void {
  if (width === 64) {
    joinQuantizedWide(bits, lo, hi, secondary, count);
    return;
  }
  const mask = width === 32 ? -1 : (1 << width) - 1;
  const cutoff = 2 ** (width - 1 - bits);
  const most = (1 << bits) - 1;
  for (let i = 0; i < count; i++) {
    const upper = (lo[i] as number) & mask;
    const lowest = secondary.lo[i] as number;
    lo[i] = (upper << bits) + (upper >>> 0 >= cutoff ? lowest : most - lowest);
  }
}

function joinQuantizedWide(bits: number, lo: Int32Array, hi: Int32Array, secondary: Latents, count: number): void {
  const cutoff = 2 ** (63 - bits);
  const mostLo = bits >= 32 ? -1 : (1 << bits) - 1;
  const mostHi = bits > 32 ? (1 << (bits - 32)) - 1 : 0;
  for (let i = 0; i < count; i++) {
    const low = lo[i] as number;
    const high = hi[i] as number;
    const isNegative = (high >>> 0) * 4_294_967_296 + (low >>> 0) < cutoff;
    const moreLo = secondary.lo[i] as number;
    const moreHi = secondary.hi[i] as number;
    const lowestLo = isNegative ? (mostLo - moreLo) | 0 : moreLo;
    const borrow = mostLo >>> 0 < moreLo >>> 0 ? 1 : 0;
    const lowestHi = isNegative ? mostHi - moreHi - borrow : moreHi;
    const upperLo = bits < 32 ? low << bits : 0;
    const upperHi = bits < 32 ? (high << bits) | ((low >>> 1) >>> (31 - bits)) : low << (bits - 32);
    const sum = (upperLo + lowestLo) | 0;
    const carry = ((upperLo & lowestLo) | ((upperLo | lowestLo) & ~sum)) >>> 31;
    lo[i] = sum;
    hi[i] = upperHi + lowestHi + carry;
  }
}

// Multiples of a base, which floating-point errors moved by some units in the last place: the primary latents are the
// multiples (all floats without a fraction, in their order), the secondary ones how far each is off. Not-a-numbers keep
// their bits through a multiplication on the processors that pco runs on, but for the one that tells quiet ones, which
// is then set. JavaScript promises nothing of them: their bits are made here.

/** The output, of floats of 32 or 64 bits, and the same memory as bits. */
interface FloatOutput {
  readonly floats: Float32Array | Float64Array;
  readonly bits: Int32Array;
}

function floatOutput(width: Width, { buffer, length }: Written): FloatOutput {
  const floats = width === 64 ? new Float64Array(buffer, 0, length / 2) : new Float32Array(buffer, 0, length);
  return { floats, bits: new Int32Array(buffer, 0, length) };
}

/** A batch of both latent variables. */
interface Multiples {
  readonly base: number;
  readonly primary: Latents;
  readonly secondary: Latents;
  /** True if no number differs from its multiple. */
  readonly isExact: boolean;
}

/** The bits of a double from which on all doubles are whole (2^53), less 2^53: upper half. */
const WHOLE_64 = 0x4320_0000;

/** Writes the numbers `at` to `at + count` of the output. */
function writeFloatMult64(all: Multiples, { floats, bits }: FloatOutput, at: number, count: number): void {
  const { base } = all;
  const { lo, hi } = all.primary;
  let isExact = all.isExact;
  for (let i = 0; i < count; i++) {
    const high = hi[i] as number;
    const flip = ~(high >> 31);
    const upper = (high ^ flip) & 0x7fff_ffff;
    const lower = (lo[i] as number) ^ flip;
    let whole = upper * 4_294_967_296 + (lower >>> 0);
    if (upper >= 0x20_0000) {
      bits[(at + i) * 2] = lower;
      bits[(at + i) * 2 + 1] = upper + WHOLE_64;
      whole = floats[at + i] as number;
      isExact = false;
    }
    floats[at + i] = (flip === 0 ? whole : -whole) * base;
  }
  if (!isExact) correct64(all, { floats, bits }, at, count);
}

function correct64({ primary, secondary }: Multiples, { floats, bits }: FloatOutput, at: number, count: number): void {
  const { lo, hi } = secondary;
  for (let i = 0; i < count; i++) {
    const to = (at + i) * 2;
    let low = bits[to] as number;
    let high = bits[to + 1] as number;
    if ((high & 0x7ff0_0000) === 0x7ff0_0000 && Number.isNaN(floats[at + i])) {
      const latent = primary.hi[i] as number;
      const flip = ~(latent >> 31);
      low = (primary.lo[i] as number) ^ flip;
      high = ((((latent ^ flip) & 0x7fff_ffff) + WHOLE_64) ^ (flip & 0x8000_0000)) | 0x8_0000;
    }
    // The same mapping orders latents and restores floats.
    const sign = high >> 31;
    const ordered = low ^ sign;
    const more = lo[i] as number;
    const sum = (ordered + more) | 0;
    const carry = ((ordered & more) | ((ordered | more) & ~sum)) >>> 31;
    // The middle of the range was added to the secondary latent; it wraps.
    const sumHigh = ((high ^ (sign | 0x8000_0000)) + (hi[i] as number) + carry + 0x8000_0000) | 0;
    const below = ~(sumHigh >> 31);
    bits[to] = sum ^ below;
    bits[to + 1] = sumHigh ^ (below | 0x8000_0000);
  }
}

/** The bits of a single from which on all singles are whole (2^24), less 2^24. */
const WHOLE_32 = 0x4b80_0000 - 2 ** 24;

/** Writes like `writeFloatMult64`, for 32 bits. */
function writeFloatMult32(all: Multiples, { floats, bits }: FloatOutput, at: number, count: number): void {
  const { base } = all;
  const { lo } = all.primary;
  let isExact = all.isExact;
  for (let i = 0; i < count; i++) {
    const latent = lo[i] as number;
    const flip = ~(latent >> 31);
    let whole = (latent ^ flip) & 0x7fff_ffff;
    if (whole >= 0x100_0000) {
      bits[at + i] = whole + WHOLE_32;
      whole = floats[at + i] as number;
      isExact = false;
    }
    floats[at + i] = (flip === 0 ? whole : -whole) * base;
  }
  if (!isExact) correct32(all, { floats, bits }, at, count);
}

function correct32({ primary, secondary }: Multiples, { floats, bits }: FloatOutput, at: number, count: number): void {
  for (let i = 0; i < count; i++) {
    let product = bits[at + i] as number;
    if ((product & 0x7f80_0000) === 0x7f80_0000 && Number.isNaN(floats[at + i])) {
      const latent = primary.lo[i] as number;
      const flip = ~(latent >> 31);
      product = ((((latent ^ flip) & 0x7fff_ffff) + WHOLE_32) ^ (flip & 0x8000_0000)) | 0x40_0000;
    }
    const ordered = product ^ ((product >> 31) | 0x8000_0000);
    const sum = (ordered + (secondary.lo[i] as number) + 0x8000_0000) | 0;
    bits[at + i] = sum ^ (~(sum >> 31) | 0x8000_0000);
  }
}

/** The same of half floats. */
const WHOLE_16 = 0x6800 - 2 ** 11;

function joinFloatMult16(base: number, lo: Int32Array, off: Int32Array, count: number): void {
  for (let i = 0; i < count; i++) {
    const latent = lo[i] as number;
    const isNegative = (latent & 0x8000) === 0;
    const whole = (isNegative ? ~latent : latent) & 0x7fff;
    const wholeBits = whole + WHOLE_16;
    const size = whole < 0x800 ? whole : fromFloat16(wholeBits & 0xffff);
    const sign = isNegative ? 0x8000 : 0;
    const bits = Number.isNaN(size) ? (wholeBits ^ sign) | 0x200 : toFloat16(size * (isNegative ? -base : base));
    lo[i] = ((bits & 0x8000) === 0 ? bits ^ 0x8000 : ~bits) + (off[i] as number) + 0x8000;
  }
}

// Differences made latents again, a batch at a time. What comes out lags behind what goes in: the first latents of a
// page are the state that it begins with, so the last differences of a batch may be ones that are not there, and are
// not used.

/** State carried from batch to batch of a page. */
type DeltaState =
  | { readonly kind: "none" }
  | { readonly kind: "consecutive"; readonly lo: Int32Array; readonly hi: Int32Array }
  | { readonly kind: "lookback"; readonly lookback: Lookback }
  | { readonly kind: "conv1"; readonly convolution: Convolution };

/** `lo`, `hi`: the state as the page has it. `count`: numbers of the page. */
function newDeltaState(delta: Delta, lo: Int32Array, hi: Int32Array, width: Width, count: number): DeltaState {
  if (delta.kind === "none") return delta;
  if (delta.kind === "consecutive") return { kind: "consecutive", lo, hi };
  if (delta.kind === "lookback") return { kind: "lookback", lookback: newLookback(delta.window, lo, hi, width, count) };
  return { kind: "conv1", convolution: newConvolution(delta, lo, width) };
}

/** `stored`: how many differences there are; `count`: how many latents are wanted. */
function undoDelta(
  state: DeltaState,
  latents: Latents,
  lookbacks: Int32Array | undefined,
  width: Width,
  stored: number,
  count: number,
): void {
  if (state.kind === "none") return;
  if (state.kind === "lookback") undoLookback(state.lookback, latents, lookbacks, stored, count);
  else if (state.kind === "conv1") undoConvolution(state.convolution, latents.lo, stored, count);
  else if (width === 64) sumWide(state.lo, state.hi, latents, count);
  else sumNarrow(state.lo, latents.lo, 1 << (width - 1), count);
}

/** The differences are stored with the middle of their range added; so it is once more, which wraps. */
function sumNarrow(moments: Int32Array, lo: Int32Array, middle: number, count: number): void {
  for (let order = moments.length - 1; order >= 0; order--) {
    const more = order === moments.length - 1 ? middle : 0;
    let moment = moments[order] as number;
    for (let i = 0; i < count; i++) {
      const next = (moment + (lo[i] as number) + more) | 0;
      lo[i] = moment;
      moment = next;
    }
    moments[order] = moment;
  }
}

function sumWide(momentsLo: Int32Array, momentsHi: Int32Array, { lo, hi }: Latents, count: number): void {
  for (let order = momentsLo.length - 1; order >= 0; order--) {
    const more = order === momentsLo.length - 1 ? 0x8000_0000 | 0 : 0;
    let low = momentsLo[order] as number;
    let high = momentsHi[order] as number;
    for (let i = 0; i < count; i++) {
      const delta = lo[i] as number;
      const sum = (low + delta) | 0;
      const carry = ((low & delta) | ((low | delta) & ~sum)) >>> 31;
      const sumHigh = (high + (hi[i] as number) + more + carry) | 0;
      lo[i] = low;
      hi[i] = high;
      low = sum;
      high = sumHigh;
    }
    momentsLo[order] = low;
    momentsHi[order] = high;
  }
}

// Differences from a weighted sum of the latents just before (`conv1`). The sums have up to 63 bits: they are kept in
// two doubles, one for the lower and one for the upper 16 bits of the latents, of which neither can become inexact.

interface Convolution {
  readonly delta: Delta & { readonly kind: "conv1" };
  /** The last latents, as many as there are weights, and room for a batch after them. */
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly middle: number;
  readonly mask: number;
}

function newConvolution(delta: Delta & { readonly kind: "conv1" }, state: Int32Array, width: Width): Convolution {
  const length = delta.state + BATCH;
  const mask = width === 32 ? -1 : (1 << width) - 1;
  const all = { delta, low: new Float64Array(length), high: new Float64Array(length), middle: 1 << (width - 1), mask };
  for (let i = 0; i < state.length; i++) put(all, i, (state[i] as number) & mask);
  return all;
}

function put({ low, high }: Convolution, at: number, latent: number): void {
  low[at] = latent & 0xffff;
  high[at] = latent >>> 16;
}

function undoConvolution(all: Convolution, lo: Int32Array, stored: number, count: number): void {
  const { low, high, middle, mask, delta } = all;
  const { weights, biasLow, biasHigh, shift, state } = delta;
  const upperScale = shift < 16 ? 2 ** (16 - shift) : 2 ** -(shift - 16);
  for (let i = 0; i < stored; i++) {
    let sumLow = biasLow;
    let sumHigh = biasHigh;
    for (let j = 0; j < state; j++) {
      const weight = weights[j] as number;
      sumLow += weight * (low[i + j] as number);
      sumHigh += weight * (high[i + j] as number);
    }
    const carry = Math.floor(sumLow / 65_536);
    const upper = sumHigh + carry;
    let predicted = 0;
    if (upper >= 0) {
      const rest = shift < 16 ? (sumLow - carry * 65_536) >> shift : 0;
      // The lowest 32 bits of the product, which may pass 2^53 but is exact.
      predicted = (Math.floor(upper * upperScale) | 0) + rest;
    }
    put(all, i + state, ((lo[i] as number) + middle + predicted) & mask);
  }
  for (let i = 0; i < count; i++) lo[i] = (low[i] as number) | ((high[i] as number) << 16);
  low.copyWithin(0, count, count + state);
  high.copyWithin(0, count, count + state);
}

// Differences from any of the latents before, as far back as each says.

type Numbers = Int8Array | Int16Array | Int32Array;

/** The latents before: all of the page, or where it is long at least `window` of them. */
interface Lookback {
  readonly window: number;
  readonly lo: Numbers;
  readonly hi: Int32Array;
  /** Latents that came first and are not given out yet. */
  readonly state: number;
  readonly middle: number;
  readonly isWide: boolean;
  /** Position of the next number. */
  position: number;
}

function newLookback(window: number, lo: Int32Array, hi: Int32Array, width: Width, count: number): Lookback {
  const length = Math.min(lo.length + count, window * 2 + BATCH);
  const isWide = width === 64;
  const all = {
    window,
    lo: width === 8 ? new Int8Array(length) : width === 16 ? new Int16Array(length) : new Int32Array(length),
    hi: new Int32Array(isWide ? length : 0),
    state: lo.length,
    middle: isWide ? 0 : 1 << (width - 1),
    isWide,
    position: lo.length,
  };
  all.lo.set(lo);
  all.hi.set(hi);
  return all;
}

function undoLookback(
  before: Lookback,
  latents: Latents,
  lookbacks: Int32Array | undefined,
  stored: number,
  count: number,
): void {
  makeRoom(before, count);
  const { lo, hi, window, position, middle, isWide } = before;
  for (let i = 0; i < stored; i++) {
    const back = (lookbacks?.[i] ?? 0) >>> 0;
    if (back === 0 || back > window)
      throw invalid(`differences from 1 to ${window} numbers back`, `${back} back`, "the numbers of a chunk");
    const at = position + i;
    const from = at - back;
    // Before the first latent all are 0.
    const other = from < 0 ? 0 : (lo[from] as number);
    const delta = latents.lo[i] as number;
    const sum = (other + delta + middle) | 0;
    lo[at] = sum;
    if (isWide) {
      const carry = ((other & delta) | ((other | delta) & ~sum)) >>> 31;
      hi[at] = (from < 0 ? 0 : (hi[from] as number)) + (latents.hi[i] as number) + 0x8000_0000 + carry;
    }
  }
  const first = position - before.state;
  for (let i = 0; i < count; i++) latents.lo[i] = lo[first + i] as number;
  if (isWide) for (let i = 0; i < count; i++) latents.hi[i] = hi[first + i] as number;
  before.position = position + count;
}

/** If a page is longer than the room, moves the last part of the window to its front. */
function makeRoom(before: Lookback, count: number): void {
  const { lo, hi, window, position } = before;
  if (position + count <= lo.length) return;
  lo.copyWithin(0, position - window, position);
  hi.copyWithin(0, position - window, position);
  before.position = window;
}

/**
 * For tests: the same format read as docs/format.md of pcodec says it, with bigints and one number after the other. Slow,
 * and written apart from the decoder, so that what both give for made-up files says something. Whole files only.
 */

import { fromFloat16, toFloat16 } from "#core/values/float16.ts";

const TYPES = new Map([
  [1, ["u", 32]],
  [2, ["u", 64]],
  [3, ["i", 32]],
  [4, ["i", 64]],
  [5, ["f", 32]],
  [6, ["f", 64]],
  [7, ["u", 16]],
  [8, ["i", 16]],
  [9, ["f", 16]],
  [10, ["u", 8]],
  [11, ["i", 8]],
] as const);

/** Bits of a file, read and written. */
export class Bits {
  private readonly bytes: number[];
  private end: number;
  private at = 0;
  private readonly random: ((count: number) => number) | undefined;

  /** `random`: where bits past the end come from; they become part of the file. */
  constructor(bytes: Iterable<number>, random?: (count: number) => number) {
    this.bytes = [...bytes];
    this.end = this.bytes.length * 8;
    this.random = random;
  }

  put(value: bigint | number, count: number): this {
    for (let i = 0; i < count; i++) this.putBit(Number((BigInt(value) >> BigInt(i)) & 1n));
    return this;
  }

  private putBit(bit: number): void {
    if (this.end % 8 === 0) this.bytes.push(0);
    this.bytes[this.end >> 3]! |= bit << (this.end & 7);
    this.end++;
  }

  putZeros(): this {
    this.end = this.bytes.length * 8;
    return this;
  }

  take(count: number): bigint {
    let value = 0n;
    for (let i = 0; i < count; i++, this.at++) {
      if (this.at >= this.end) this.putRandom();
      if (((this.bytes[this.at >> 3]! >> (this.at & 7)) & 1) === 1) value |= 1n << BigInt(i);
    }
    return value;
  }

  private putRandom(): void {
    if (this.random === undefined) throw new Error("the end");
    this.putBit(this.random(1));
  }

  align(): void {
    this.at = Math.ceil(this.at / 8) * 8;
    if (this.at > this.end) this.putZeros();
  }

  done(): Uint8Array<ArrayBuffer> {
    return Uint8Array.from(this.bytes);
  }
}

interface Bin {
  weight: number;
  lower: bigint;
  offsetBits: number;
}

interface Variable {
  width: number;
  sizeLog: number;
  states: { bin: Bin; base: number; read: number }[];
}

function readVariable(bits: Bits, width: number): Variable {
  const sizeLog = Number(bits.take(4));
  const bins = Array.from({ length: Number(bits.take(15)) }, () => ({
    weight: Number(bits.take(sizeLog)) + 1,
    lower: bits.take(width),
    offsetBits: Number(bits.take(Math.log2(width) + 1)),
  }));
  if (bins.length === 0) bins.push({ weight: 1, lower: 0n, offsetBits: 0 });
  const size = 2 ** sizeLog;
  let stride = Math.floor((3 * size) / 5);
  if (stride % 2 === 0) stride++;
  const order: Bin[] = [];
  let step = 0;
  for (const bin of bins) for (let i = 0; i < bin.weight; i++) order[(step++ * stride) % size] = bin;
  const seen = new Map<Bin, number>();
  const states = order.map((bin) => {
    const times = seen.get(bin) ?? 0;
    seen.set(bin, times + 1);
    let next = bin.weight + times;
    let read = 0;
    while (next < size) {
      next *= 2;
      read++;
    }
    return { bin, base: next - size, read };
  });
  return { width, sizeLog, states };
}

interface Delta {
  kind: number;
  state: number;
  window: number;
  ofSecondary: boolean;
  shift: bigint;
  bias: bigint;
  weights: bigint[];
}

function readDelta(bits: Bits, version: number): Delta {
  const none = { kind: 0, state: 0, window: 0, ofSecondary: false, shift: 0n, bias: 0n, weights: [] };
  const kind = version < 3 ? 1 : Number(bits.take(4));
  if (kind === 1) {
    const state = Number(bits.take(3));
    return { ...none, kind: state === 0 ? 0 : 1, state, ofSecondary: version >= 3 && bits.take(1) === 1n };
  }
  if (kind === 2) {
    const window = 2 ** Number(bits.take(5) + 1n);
    return { ...none, kind, window, state: 2 ** Number(bits.take(4)), ofSecondary: bits.take(1) === 1n };
  }
  if (kind !== 3) return none;
  const shift = bits.take(5);
  const bias = bits.take(64) - (1n << 63n);
  const weights = Array.from({ length: Number(bits.take(5)) + 1 }, () => bits.take(32) - (1n << 31n));
  return { ...none, kind, state: weights.length, shift, bias, weights };
}

/** Latents of one batch of a variable. */
function readBatch(bits: Bits, variable: Variable, at: number[], count: number): bigint[] {
  const bins = Array.from({ length: count }, (_, i) => {
    const { bin, base, read } = variable.states[at[i % 4]!]!;
    at[i % 4] = base + Number(bits.take(read));
    return bin;
  });
  return bins.map(({ lower, offsetBits }) => BigInt.asUintN(variable.width, lower + bits.take(offsetBits)));
}

function undoDelta(delta: Delta, state: bigint[], stored: bigint[], lookbacks: bigint[], width: number): bigint[] {
  const wrap = (value: bigint) => BigInt.asUintN(width, value);
  const differences = stored.map((one) => wrap(one + (1n << BigInt(width - 1))));
  if (delta.kind === 1) {
    let values = differences;
    for (const first of state.toReversed()) {
      const sums = [first];
      for (const one of values) sums.push(wrap(sums.at(-1)! + one));
      values = sums;
    }
    return values;
  }
  const all = [...state];
  differences.forEach((difference, i) => {
    if (delta.kind === 2) {
      if (lookbacks[i]! < 1n || lookbacks[i]! > BigInt(delta.window)) throw new Error("lookback");
      all.push(wrap(difference + (all[all.length - Number(lookbacks[i])] ?? 0n)));
      return;
    }
    const sum = delta.weights.reduce((sum, w, j) => sum + w * all[all.length - delta.state + j]!, delta.bias);
    all.push(wrap(difference + ((sum < 0n ? 0n : sum) >> delta.shift)));
  });
  return all;
}

function floatOf(bits: bigint, width: number): number {
  if (width === 16) return fromFloat16(Number(bits));
  const view = new DataView(new ArrayBuffer(8));
  if (width === 64) {
    view.setBigUint64(0, bits);
    return view.getFloat64(0);
  }
  view.setUint32(0, Number(bits));
  return view.getFloat32(0);
}

function bitsOfFloat(value: number, width: number): bigint {
  if (width === 16) return BigInt(toFloat16(value));
  const view = new DataView(new ArrayBuffer(8));
  if (width === 64) {
    view.setFloat64(0, value);
    return view.getBigUint64(0);
  }
  view.setFloat32(0, value);
  return BigInt(view.getUint32(0));
}

/** Not-a-numbers keep their bits, as on the processors that pco runs on, but become quiet ones. */
function floatMultiple(latent: bigint, off: bigint, base: number, width: number): bigint {
  const middle = 1n << BigInt(width - 1);
  const isNegative = latent < middle;
  const size = isNegative ? middle - 1n - latent : latent - middle;
  const precision = width === 64 ? 53n : width === 32 ? 24n : 11n;
  const firstWhole = 1n << precision;
  const wholeBits =
    size < firstWhole ? bitsOfFloat(Number(size), width) : bitsOfFloat(Number(firstWhole), width) + (size - firstWhole);
  const whole = size < firstWhole ? Number(size) : floatOf(wholeBits, width);
  const product = bitsOfFloat((isNegative ? -whole : whole) * base, width);
  const quiet = 1n << (precision - 2n);
  const bits = Number.isNaN(whole) ? (wholeBits ^ (isNegative ? middle : 0n)) | quiet : product;
  const ordered = (bits & middle) === 0n ? bits ^ middle : BigInt.asUintN(width, ~bits);
  return BigInt.asUintN(width, ordered + off + middle);
}

interface Mode {
  kind: number;
  parameter: bigint;
  dictionary: bigint[];
}

function joined(mode: Mode, l0: bigint, l1: bigint, width: number): bigint {
  const wrap = (value: bigint) => BigInt.asUintN(width, value);
  const { kind, parameter } = mode;
  if (kind === 0) return l0;
  if (kind === 1) return wrap(l0 * parameter + l1);
  if (kind === 2) {
    const middle = 1n << BigInt(width - 1);
    const bits = (parameter & middle) === 0n ? wrap(~parameter) : parameter ^ middle;
    return floatMultiple(l0, l1, floatOf(bits, width), width);
  }
  if (kind === 3) {
    const isPositive = l0 >= 1n << (BigInt(width - 1) - parameter);
    return wrap((l0 << parameter) + (isPositive ? l1 : (1n << parameter) - 1n - l1));
  }
  const found = mode.dictionary[Number(l0)];
  if (found === undefined) throw new Error("dictionary");
  return found;
}

function readChunk(bits: Bits, version: number, kind: string, width: number, count: number): bigint[] {
  const mode: Mode = { kind: Number(bits.take(4)), parameter: 0n, dictionary: [] };
  if (mode.kind === 1 || mode.kind === 2) mode.parameter = bits.take(width);
  if (mode.kind === 3) mode.parameter = bits.take(8);
  if (mode.kind === 4) {
    const length = Number(bits.take(25));
    bits.align();
    mode.dictionary = Array.from({ length }, () => bits.take(width));
  }
  const delta = readDelta(bits, version);
  const none = { ...delta, kind: 0, state: 0 };
  const variables = [
    ...(delta.kind === 2 ? [{ ...readVariable(bits, 32), delta: none }] : []),
    { ...readVariable(bits, mode.kind === 4 ? 32 : width), delta },
    ...([1, 2, 3].includes(mode.kind)
      ? [{ ...readVariable(bits, width), delta: delta.ofSecondary ? delta : none }]
      : []),
  ];
  bits.align();
  const pages = variables.map((variable) => ({
    variable,
    state: Array.from({ length: variable.delta.state }, () => bits.take(variable.width)),
    at: Array.from({ length: 4 }, () => Number(bits.take(variable.sizeLog))),
    stored: [] as bigint[],
  }));
  bits.align();
  const isShort = (index: number) => delta.kind === 2 && index === 0;
  for (let left = count; left > 0; left -= 256) {
    pages.forEach(({ variable, stored, at }, index) => {
      const state = isShort(index) ? delta.state : variable.delta.state;
      stored.push(...readBatch(bits, variable, at, Math.max(0, Math.min(256, left - state))));
    });
  }
  bits.align();
  const lookbacks = delta.kind === 2 ? pages[0]!.stored : [];
  const [primary, secondary] = pages
    .slice(delta.kind === 2 ? 1 : 0)
    .map(({ variable, state, stored }) =>
      variable.delta.kind === 0 ? stored : undoDelta(variable.delta, state, stored, lookbacks, variable.width),
    );
  const middle = 1n << BigInt(width - 1);
  return Array.from({ length: count }, (_, i) => {
    const ordered = joined(mode, primary![i]!, secondary?.[i] ?? 0n, width);
    if (kind === "u") return ordered;
    if (kind === "i") return ordered ^ middle;
    return (ordered & middle) === 0n ? BigInt.asUintN(width, ~ordered) : ordered ^ middle;
  });
}

/** The bits of the numbers of a chunk, after its type and number of numbers. Throws where it is damaged. */
export function plainChunk(bits: Bits, version: number, typeByte: number, count: number): bigint[] {
  const [kind, width] = TYPES.get(typeByte as 1)!;
  return readChunk(bits, version, kind, width, count);
}

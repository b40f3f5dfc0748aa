/** The decoder of code-blocks (`blocks.as.ts`, in WebAssembly) and the memory it works in. */
import { failure, WHOLE_SET } from "#core/findings/finding.ts";
import { BLOCKS_WASM } from "./blocks.generated.ts";

// The tables that decoding code-blocks goes by (ITU-T T.800 Annexes C and D), as `blocks.as.ts` reads them.

/**
 * T.800 Table C.2: the probability, the states after a more and a less probable symbol, whether the symbols change
 * places.
 */
const STATES: readonly (readonly [qe: number, more: number, less: number, changes: 0 | 1])[] = [
  [0x5601, 1, 1, 1],
  [0x3401, 2, 6, 0],
  [0x1801, 3, 9, 0],
  [0x0ac1, 4, 12, 0],
  [0x0521, 5, 29, 0],
  [0x0221, 38, 33, 0],
  [0x5601, 7, 6, 1],
  [0x5401, 8, 14, 0],
  [0x4801, 9, 14, 0],
  [0x3801, 10, 14, 0],
  [0x3001, 11, 17, 0],
  [0x2401, 12, 18, 0],
  [0x1c01, 13, 20, 0],
  [0x1601, 29, 21, 0],
  [0x5601, 15, 14, 1],
  [0x5401, 16, 14, 0],
  [0x5101, 17, 15, 0],
  [0x4801, 18, 16, 0],
  [0x3801, 19, 17, 0],
  [0x3401, 20, 18, 0],
  [0x3001, 21, 19, 0],
  [0x2801, 22, 19, 0],
  [0x2401, 23, 20, 0],
  [0x2201, 24, 21, 0],
  [0x1c01, 25, 22, 0],
  [0x1801, 26, 23, 0],
  [0x1601, 27, 24, 0],
  [0x1401, 28, 25, 0],
  [0x1201, 29, 26, 0],
  [0x1101, 30, 27, 0],
  [0x0ac1, 31, 28, 0],
  [0x09c1, 32, 29, 0],
  [0x08a1, 33, 30, 0],
  [0x0521, 34, 31, 0],
  [0x0441, 35, 32, 0],
  [0x02a1, 36, 33, 0],
  [0x0221, 37, 34, 0],
  [0x0141, 38, 35, 0],
  [0x0111, 39, 36, 0],
  [0x0085, 40, 37, 0],
  [0x0049, 41, 38, 0],
  [0x0025, 42, 39, 0],
  [0x0015, 43, 40, 0],
  [0x0009, 44, 41, 0],
  [0x0005, 45, 42, 0],
  [0x0001, 45, 43, 0],
  [0x5601, 46, 46, 0],
];

/** An entry a state and symbol: the probability, then the entry after the more and after the less probable symbol. */
function arithmeticTable(): Uint32Array {
  return Uint32Array.from({ length: STATES.length * 2 }, (_, at) => {
    const [qe, more, less, changes] = STATES[at >> 1] ?? [0, 0, 0, 0];
    const symbol = at & 1;
    return (qe | ((more * 2 + symbol) << 16) | ((less * 2 + (symbol ^ changes)) << 24)) >>> 0;
  });
}

const bits = (value: number, ...masks: readonly number[]) => masks.filter((mask) => (value & mask) !== 0).length;

/**
 * Contexts by significant neighbours, 256 for each of LL, HL, LH, HH (Table D.1). Flags are those of `blocks.as.ts`.
 */
function zeroCodingTable(): Uint8Array {
  return Uint8Array.from({ length: 1024 }, (_, at) => {
    const vertical = bits(at, 1, 2);
    const horizontal = bits(at, 4, 8);
    const diagonal = bits(at, 16, 32, 64, 128);
    const orientation = at >> 8;
    if (orientation === 3) return diagonalContext(diagonal, horizontal + vertical);
    return orientation === 1
      ? straightContext(vertical, horizontal, diagonal)
      : straightContext(horizontal, vertical, diagonal);
  });
}

function straightContext(along: number, across: number, diagonal: number): number {
  if (along === 2) return 8;
  if (along === 1) return across > 0 ? 7 : diagonal > 0 ? 6 : 5;
  return across > 0 ? 2 + across : Math.min(2, diagonal);
}

function diagonalContext(diagonal: number, straight: number): number {
  if (diagonal >= 3) return 8;
  if (diagonal === 2) return straight > 0 ? 7 : 6;
  return diagonal * 3 + Math.min(2, straight);
}

/**
 * Contexts of signs, with 128 where the sign comes out the other way round, by the significance (bits 0 to 3) and the signs
 * (bits 4 to 7) of the neighbours above, below, left and right (Tables D.2 and D.3).
 */
function signCodingTable(): Uint8Array {
  const part = (at: number, bit: number) => ((at & bit) === 0 ? 0 : (at & (bit << 4)) === 0 ? 1 : -1);
  return Uint8Array.from({ length: 256 }, (_, at) => {
    const vertical = Math.sign(part(at, 1) + part(at, 2));
    const horizontal = Math.sign(part(at, 4) + part(at, 8));
    const isTurned = horizontal < 0 || (horizontal === 0 && vertical < 0);
    const [along, across] = isTurned ? [-horizontal, -vertical] : [horizontal, vertical];
    const context = along === 0 ? 9 + across : 12 + across;
    return context | (isTurned ? 128 : 0);
  });
}

/** A part of a block's data that is decoded on its own (T.800 §D.4). */
export interface Segment {
  readonly passes: number;
  /** Parts of the block's data in the order of their packets. */
  readonly parts: readonly Uint8Array[];
}

export interface BlockToDecode {
  /** At most 4096 coefficients. */
  readonly width: number;
  readonly height: number;
  /** 0 LL, 1 HL, 2 LH, 3 HH. */
  readonly orientation: number;
  /** Bit planes that were coded, 1 to 30. */
  readonly planes: number;
  /** T.800 Table A.19. */
  readonly style: number;
  readonly segments: readonly Segment[];
}

export interface BlockDecoder {
  /** Twice the coefficients in rows, with half a step where planes are left out. A view: good until the next block. */
  decode(block: BlockToDecode): Int32Array;
}

interface BlockExports {
  readonly memory: WebAssembly.Memory;
  decodeBlock(width: number, height: number, orientation: number, planes: number, style: number, count: number): void;
}

// Offsets in memory, equal to those in blocks.as.ts.
const MQ_TABLE = 0;
const ZERO_CODING = 1024;
const SIGN_CODING = 2048;
const MAGNITUDES = 36_864;
const SEGMENTS = 53_248;
const DATA = 57_344;
const MOST_SEGMENTS = (DATA - SEGMENTS) / 8;
const PAGE = 65_536;
/** WebAssembly's memory never shrinks: a larger one is given up after use. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024;
/** The decoder takes these for the end of a segment. */
const END = Uint8Array.of(0xff, 0xff);

let compiled: Promise<WebAssembly.Module> | undefined;
let kept: BlockDecoder | undefined;

/**
 * Decoding a block never waits, so one decoder serves all. Throws RefscopeError `codec-unavailable` where WebAssembly
 * is refused.
 */
export async function openBlockDecoder(codec: string): Promise<BlockDecoder> {
  if (kept !== undefined) return kept;
  let exports: BlockExports;
  try {
    compiled ??= WebAssembly.compile(Uint8Array.from(atob(BLOCKS_WASM), (letter) => letter.charCodeAt(0)));
    // The module is ours: its exports are as blocks.as.ts writes them.
    exports = (await WebAssembly.instantiate(await compiled, {})).exports as unknown as BlockExports;
  } catch (cause) {
    throw failure("codec-unavailable", WHOLE_SET, { codec, problem: "no-wasm" }, { cause });
  }
  const { memory } = exports;
  new Uint32Array(memory.buffer, MQ_TABLE).set(arithmeticTable());
  new Uint8Array(memory.buffer, ZERO_CODING).set(zeroCodingTable());
  new Uint8Array(memory.buffer, SIGN_CODING).set(signCodingTable());
  kept = {
    decode: ({ width, height, orientation, planes, style, segments }) => {
      const count = placeSegments(memory, segments);
      exports.decodeBlock(width, height, orientation, planes, style, count);
      if (memory.buffer.byteLength > MAX_KEPT_BYTES) kept = undefined;
      return new Int32Array(memory.buffer, MAGNITUDES, width * height);
    },
  };
  return kept;
}

function placeSegments(memory: WebAssembly.Memory, segments: readonly Segment[]): number {
  const used = segments.slice(0, MOST_SEGMENTS);
  let needed = DATA;
  for (const { parts } of used) for (const part of parts) needed += part.length;
  needed += used.length * END.length;
  const more = Math.ceil(needed / PAGE) - memory.buffer.byteLength / PAGE;
  if (more > 0) memory.grow(more);
  const bytes = new Uint8Array(memory.buffer);
  const table = new Uint32Array(memory.buffer, SEGMENTS, MOST_SEGMENTS * 2);
  let at = DATA;
  for (const [index, { passes, parts }] of used.entries()) {
    table.set([at, passes], index * 2);
    for (const part of parts) {
      bytes.set(part, at);
      at += part.length;
    }
    bytes.set(END, at);
    at += END.length;
  }
  return used.length;
}

/** The decoder of code-blocks (`blocks.as.ts`, in WebAssembly) and the memory it works in. */
import { failure } from "../../core/findings/failure.ts";
import { WHOLE_SET } from "../../core/findings/place.ts";
import { arithmeticTable, signCodingTable, zeroCodingTable } from "./block-tables.ts";
import { BLOCKS_WASM } from "./blocks.generated.ts";

/** A part of a block's data that is decoded on its own (T.800 §D.4). */
export interface Segment {
  readonly passes: number;
  /** In the order in which packets brought them. */
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

// As in blocks.as.ts.
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

/** Decoding a block never waits, so one decoder serves all. Throws RefscopeError `codec-unavailable` where WebAssembly is refused. */
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

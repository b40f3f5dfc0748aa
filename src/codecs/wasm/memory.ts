/**
 * The decoders in WebAssembly (`decode.as.ts`, SIMD) and the memory they work in. They are the fast path only: whatever
 * they cannot do, or find wrong, is done again by the plain decoders beside them, which also say what is wrong.
 */
import { DECODE_WASM } from "./decode.generated.ts";

/** All arguments are addresses and sizes, 32 bits, but for what their names say. */
export interface DecodeExports {
  /** 1: done, then the two below say where; 0: not. */
  inflate(work: number, from: number, end: number, to: number, room: number, limit: number): number;
  inflateEnd(): number;
  inflateOut(): number;
  blosclz(from: number, end: number, to: number, stop: number): number;
  lz4(from: number, end: number, to: number, stop: number): number;
  adler32(from: number, length: number): number;
  crc(table: number, from: number, length: number, start: number): number;
  crcFold(at: number, length: number, a: number, b: number, c: number): number;
  crcTables(table: number, polynomial: number): void;
  unshuffleBits(from: number, length: number, elementSize: number, between: number, to: number): void;
  unshuffleBytes(from: number, length: number, elementSize: number, to: number): void;
}

/** Memory to decode in, from one `place` to the next: decoding never waits, so nothing comes between. */
export interface DecodeMemory {
  readonly run: DecodeExports;
  /**
   * Room for buffers of these sizes, each with slack after it; gives their addresses. What was placed before is gone.
   * `undefined` where there is no such memory.
   */
  readonly place: (sizes: readonly number[]) => readonly number[] | undefined;
  /** Until memory is taken again. */
  readonly view: (at: number, length: number) => Uint8Array<ArrayBuffer>;
  /** To be called when a decoding is over: memory that has become large is given up. */
  readonly done: () => void;
}

/** Memory of the decoders' own. */
export interface OwnMemory extends DecodeMemory {
  /** Rises with every `place`: what was placed before another is gone. */
  readonly placed: number;
}

/** Addresses in the decoders' own memory; `inflate.as.ts` says how large its work area is. */
export const INFLATE_WORK = 0;
const CRC32_TABLE = 49_152;
const CRC32C_TABLE = 65_536;
const HEAP = 81_920;
/** Buffers end below this. */
export const MAX_ADDRESS = 2 ** 32 - 2 ** 17;

const PAGE = 65_536;
/** Decoders read and write this far past the ends of their buffers. */
const SLACK = 576;
/** WebAssembly's memory never shrinks: a larger one is given up after use. */
export const MAX_KEPT_BYTES = 64 * 1024 * 1024;

/** A checksum whose polynomial divides x^8c + x^8(c-a) + x^8(c-b) + 1, where folds are [a, b, c] (`sums.as.ts`). */
export interface FoldedCrc {
  readonly table: number;
  readonly folds: readonly [number, number, number];
}

// The shortest such multiples of the two polynomials, found by trying; a test divides them.
export const CRC32: FoldedCrc = { table: CRC32_TABLE, folds: [140, 791, 3006] };
export const CRC32C: FoldedCrc = { table: CRC32C_TABLE, folds: [767, 2524, 5275] };

const CRC32_POLYNOMIAL = 0xedb8_8320;
const CRC32C_POLYNOMIAL = 0x82f6_3b78;

let isOn = true;
let compiled: WebAssembly.Module | "refused" | undefined;
let own: OwnMemory | undefined;

/** Tests run all decoders without WebAssembly, too. */
export function useWasm(on: boolean): void {
  isOn = on;
}

/** The decoders in memory of their own; `undefined` where WebAssembly (or its SIMD) is refused. */
export function decodeMemory(): OwnMemory | undefined {
  if (!isOn) return undefined;
  own ??= openOwn();
  return own;
}

/** The decoders in the memory of another module, whose `malloc` says what is free. */
export function decodersIn(memory: WebAssembly.Memory): DecodeExports | undefined {
  const module = isOn ? compile() : undefined;
  return module === undefined ? undefined : exportsOf(module, memory);
}

/** At once, not in the background: it takes a millisecond, and decoders need not wait then. */
function compile(): WebAssembly.Module | undefined {
  try {
    compiled ??= new WebAssembly.Module(Uint8Array.from(atob(DECODE_WASM), (letter) => letter.charCodeAt(0)));
  } catch {
    compiled = "refused";
  }
  return compiled === "refused" ? undefined : compiled;
}

function exportsOf(module: WebAssembly.Module, memory: WebAssembly.Memory): DecodeExports {
  const env = { memory, abort: () => undefined };
  // The module is ours: its exports are as `decode.as.ts` writes them.
  return new WebAssembly.Instance(module, { env }).exports as unknown as DecodeExports;
}

function openOwn(): OwnMemory | undefined {
  const module = compile();
  if (module === undefined) return undefined;
  const memory = new WebAssembly.Memory({ initial: 2 });
  const run = exportsOf(module, memory);
  run.crcTables(CRC32_TABLE, CRC32_POLYNOMIAL);
  run.crcTables(CRC32C_TABLE, CRC32C_POLYNOMIAL);
  let placed = 0;
  return {
    run,
    get placed() {
      return placed;
    },
    place: (sizes) => {
      placed += 1;
      let at = HEAP;
      const places = sizes.map((size) => {
        const here = at;
        at = Math.ceil((at + size + SLACK) / 64) * 64;
        return here;
      });
      return grow(memory, at) ? places : undefined;
    },
    view: (at, length) => new Uint8Array(memory.buffer, at >>> 0, length),
    done: () => {
      if (memory.buffer.byteLength > MAX_KEPT_BYTES) own = undefined;
    },
  };
}

function grow(memory: WebAssembly.Memory, end: number): boolean {
  if (end > MAX_ADDRESS) return false;
  const more = Math.ceil(end / PAGE) - memory.buffer.byteLength / PAGE;
  if (more <= 0) return true;
  try {
    memory.grow(more);
    return true;
  } catch {
    return false;
  }
}

/**
 * Zstandard (RFC 8878) step by step: Facebook's decoder in WebAssembly, from the package zstddec, called directly. The
 * package's own loop overlooks the decoder's errors and wants all input at once, so only its module is used. Windows
 * reach to 128 MB, the decoder's own limit for streams. Complete data whose size is known are decoded in one go, which
 * spares the copying through a window.
 */
import { failure, WHOLE_SET } from "#core/findings/finding.ts";
import { decodersIn, type DecodeMemory } from "../wasm/memory.ts";

export interface ZstdDecoder {
  /**
   * Takes some of `input` (from its start; at most 256 KiB at a time, none needed where output is left) and gives some
   * output, at most to the end of a frame. Skippable frames give none.
   */
  step(input: Uint8Array): ZstdStep | ZstdFault;
  /** Forgets a frame that was left unfinished or failed; to be called before other data than the step before had. */
  restart(): void;
  /**
   * Frames in one go, for the parts of one decoding, in this decoder's memory. `undefined` where the memory does not do:
   * step by step then says what is wrong.
   */
  readonly whole: WholeFrames | undefined;
  /** Bytes that the instance holds: they grow with the largest window met and never shrink. */
  memoryBytes(): number;
}

export interface WholeFrames extends DecodeMemory {
  /** Decodes all frames in [from, end), addresses as `place` gave them, into exactly all of [to, stop). */
  decode(from: number, end: number, to: number, stop: number): boolean;
}

export interface ZstdStep {
  readonly kind: "step";
  readonly consumed: number;
  /** A view of the decoder's memory: good until the next step. */
  readonly output: Uint8Array<ArrayBuffer>;
  /** True if the frame is complete and all its output was given; else it needs more input or another step. */
  readonly frameEnded: boolean;
  /** True if output may be left that had no room in this step. */
  readonly outputLeft: boolean;
}

/** Exports of the module (zstd.h). Pointers and sizes are 32-bit numbers. */
interface ZstdExports {
  readonly memory: WebAssembly.Memory;
  /** 0: there is no memory left. */
  malloc(size: number): number;
  free(pointer: number): void;
  /** Decodes all frames; an error code where they do not fit exactly, or are not whole. */
  ZSTD_decompress(output: number, room: number, input: number, size: number): number;
  ZSTD_createDCtx(): number;
  ZSTD_freeDCtx(context: number): number;
  /** 0 at the end of a frame, else a hint of the bytes wanted next, or an error code near 2^32. */
  ZSTD_decompressStream(context: number, output: number, input: number): number;
}

const IN_BYTES = 256 * 1024;
const OUT_BYTES = 1024 * 1024;

/** A decoder with memory of its own. Throws RefscopeError `decompress-unavailable`. */
export async function openZstdDecoder(): Promise<ZstdDecoder> {
  const zstd = await instance();
  const [inData, outData] = [allocate(zstd, IN_BYTES), allocate(zstd, OUT_BYTES)];
  // ZSTD_inBuffer and ZSTD_outBuffer: pointer, size, position, 32 bits each.
  const buffers = { input: allocate(zstd, 12), output: allocate(zstd, 12) };
  let context = zstd.ZSTD_createDCtx();
  let isFresh = true;
  return {
    step(input) {
      isFresh = false;
      const taken = input.subarray(0, IN_BYTES);
      new Uint8Array(zstd.memory.buffer, inData, taken.length).set(taken);
      new Uint32Array(zstd.memory.buffer, buffers.input, 3).set([inData, taken.length, 0]);
      new Uint32Array(zstd.memory.buffer, buffers.output, 3).set([outData, OUT_BYTES, 0]);
      const result = zstd.ZSTD_decompressStream(context, buffers.output, buffers.input) >>> 0;
      const fault = faultOf(result);
      if (fault !== undefined) return fault;
      isFresh = result === 0;
      const [consumed, written] = [positionIn(zstd, buffers.input), positionIn(zstd, buffers.output)];
      if (consumed === 0 && written === 0 && taken.length > 0) return faultOf("no progress");
      const output = new Uint8Array(zstd.memory.buffer, outData, written);
      return { kind: "step", consumed, output, frameEnded: isFresh, outputLeft: !isFresh && written === OUT_BYTES };
    },
    restart() {
      if (isFresh) return;
      zstd.ZSTD_freeDCtx(context);
      context = zstd.ZSTD_createDCtx();
      isFresh = true;
    },
    whole: wholeFrames(zstd),
    memoryBytes: () => zstd.memory.buffer.byteLength,
  };
}

/** Bytes that decoders may read and write past a buffer (`wasm/memory.ts`). */
const SLACK = 576;

function wholeFrames(zstd: ZstdExports): WholeFrames | undefined {
  const run = decodersIn(zstd.memory);
  if (run === undefined) return undefined;
  let placed: readonly number[] = [];
  const done = () => {
    for (const pointer of placed) zstd.free(pointer);
    placed = [];
  };
  return {
    run,
    place: (sizes) => {
      done();
      placed = sizes.map((size) => zstd.malloc(size + SLACK) >>> 0);
      return placed.every((pointer) => pointer !== 0) ? placed : undefined;
    },
    view: (at, length) => new Uint8Array(zstd.memory.buffer, at, length),
    done,
    decode: (from, end, to, stop) => zstd.ZSTD_decompress(to, stop - to, from, end - from) >>> 0 === stop - to,
  };
}

function allocate(zstd: ZstdExports, size: number): number {
  const pointer = zstd.malloc(size);
  if (pointer !== 0) return pointer;
  throw failure("decompress-unavailable", WHOLE_SET, { problem: "no-memory", reason: undefined });
}

function positionIn(zstd: ZstdExports, buffer: number): number {
  return new Uint32Array(zstd.memory.buffer, buffer, 3)[2] ?? 0;
}

let compiled: Promise<WebAssembly.Module> | undefined;

async function instance(): Promise<ZstdExports> {
  compiled ??= compile();
  const imports = { env: { emscripten_notify_memory_growth: () => undefined } };
  return (await WebAssembly.instantiate(await compiled, imports)).exports as unknown as ZstdExports;
}

/** The package keeps its module to itself, but hands it to this method once, when it is first started. */
async function compile(): Promise<WebAssembly.Module> {
  const { ZSTDDecoder } = await import("zstddec/stream");
  let found: WebAssembly.Module | undefined;
  class Catching extends ZSTDDecoder {
    override _init(result: WebAssembly.WebAssemblyInstantiatedSource): void {
      found = result.module;
      // eslint-disable-next-line no-underscore-dangle -- the package's name
      super._init(result);
    }
  }
  try {
    await new Catching().init();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw failure("decompress-unavailable", WHOLE_SET, { problem: "blocked", reason }, { cause });
  }
  if (found !== undefined) return found;
  throw failure("decompress-unavailable", WHOLE_SET, { problem: "started-elsewhere", reason: undefined });
}

/** Why the Zstandard decoder stopped, for people: its error codes (zstd_errors.h, zstd 1.5.7). */
export interface ZstdFault {
  readonly kind: "fault";
  readonly reason: "not-zstd" | "checksum" | "damaged" | "unsupported" | "memory";
  /** Words to follow "found:". */
  readonly found: string;
}

/** Codes are given as results close below 2^32; 120 is the highest (ZSTD_error_maxCode). */
const FIRST_ERROR = 2 ** 32 - 120;

const BY_CODE: ReadonlyMap<number, Omit<ZstdFault, "kind">> = new Map([
  [10, { reason: "not-zstd", found: "a frame begins with bytes that are not Zstandard's" }],
  [14, { reason: "unsupported", found: "the frame uses a feature the decoder does not know" }],
  [16, { reason: "unsupported", found: "the window is larger than 128 MB (it was made with --long=28 or more)" }],
  [20, { reason: "damaged", found: "the data is corrupted" }],
  [22, { reason: "checksum", found: "the checksum does not match" }],
  [24, { reason: "damaged", found: "the literals' header is corrupted" }],
  [30, { reason: "damaged", found: "the dictionary is corrupted" }],
  [32, { reason: "unsupported", found: "the frame needs a dictionary" }],
  [64, { reason: "memory", found: "there is not enough memory for the window" }],
]);

/** Fault that a result of the decoder stands for; `undefined` if it is not an error. */
export function faultOf(result: "no progress"): ZstdFault;
export function faultOf(result: number): ZstdFault | undefined;
export function faultOf(result: number | "no progress"): ZstdFault | undefined {
  if (result === "no progress") return { kind: "fault", reason: "damaged", found: "the decoder makes no progress" };
  if (result <= FIRST_ERROR) return undefined;
  const code = 2 ** 32 - result;
  const known = BY_CODE.get(code) ?? { reason: "damaged", found: `the decoder stopped with error ${code}` };
  return { kind: "fault", ...known };
}

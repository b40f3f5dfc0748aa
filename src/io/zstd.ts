/**
 * Zstandard (RFC 8878) as a stream: Facebook's decoder in WebAssembly, from the package zstddec, called directly. The
 * package's own loop overlooks the decoder's errors and wants all input at once, so only its module is used. Frames may
 * follow each other, skippable ones included; windows reach to 128 MB (the decoder's own limit for streams).
 */
import { RefscopeError } from "../core/errors.ts";
import type { Pieces } from "./byte-stream.ts";

type Bytes = Uint8Array<ArrayBuffer>;

interface ZstdExports {
  readonly memory: WebAssembly.Memory;
  malloc(size: number): number;
  ZSTD_createDCtx(): number;
  /** 0 at the end of a frame, else a hint of the bytes wanted next, or an error code near 2^32. */
  ZSTD_decompressStream(context: number, output: number, input: number): number;
}

const IN_SIZE = 256 * 1024;
const OUT_SIZE = 1024 * 1024;

/** Each stream has an instance of its own, so that its window is freed with it. */
export async function unzstd(compressed: Pieces): Promise<Pieces> {
  const zstd = await instance();
  const decoder = openDecoder(zstd);
  let input: Bytes = new Uint8Array(0);
  let inFrame = false;
  let outputFull = false;
  const step = (): Bytes => {
    const done = decoder(input.subarray(0, IN_SIZE));
    input = input.subarray(done.consumed);
    outputFull = done.output.byteLength === OUT_SIZE;
    inFrame = done.result !== 0;
    return done.output;
  };
  const next = async (): Promise<Bytes | undefined> => {
    for (;;) {
      if (input.byteLength === 0 && !outputFull) {
        const piece = await compressed.next();
        if (piece === undefined && inFrame) throw new Error("the data ends in the middle of a frame");
        if (piece === undefined) return undefined;
        input = piece;
      }
      const output = step();
      if (output.byteLength > 0) return output;
    }
  };
  return { next, close: (reason) => compressed.close(reason) };
}

interface Step {
  readonly consumed: number;
  /** A view of the decoder's memory: good until the next step. */
  readonly output: Bytes;
  readonly result: number;
}

function openDecoder(zstd: ZstdExports): (input: Bytes) => Step {
  const context = zstd.ZSTD_createDCtx();
  const [inData, outData] = [zstd.malloc(IN_SIZE), zstd.malloc(OUT_SIZE)];
  // ZSTD_inBuffer and ZSTD_outBuffer: pointer, size, position, 32 bits each.
  const [inBuffer, outBuffer] = [zstd.malloc(12), zstd.malloc(12)];
  const describe = (buffer: number, data: number, size: number): void => {
    new Uint32Array(zstd.memory.buffer, buffer, 3).set([data, size, 0]);
  };
  const position = (buffer: number): number => new Uint32Array(zstd.memory.buffer, buffer, 3)[2] ?? 0;
  return (input) => {
    new Uint8Array(zstd.memory.buffer, inData, input.byteLength).set(input);
    describe(inBuffer, inData, input.byteLength);
    describe(outBuffer, outData, OUT_SIZE);
    const result = zstd.ZSTD_decompressStream(context, outBuffer, inBuffer) >>> 0;
    if (result > 2 ** 32 - 120) throw new Error(errorName(2 ** 32 - result));
    const output = new Uint8Array(zstd.memory.buffer, outData, position(outBuffer));
    return { consumed: position(inBuffer), output, result };
  };
}

/** The decoder's error codes (zstd_errors.h). */
function errorName(code: number): string {
  const names: Readonly<Record<number, string>> = {
    10: "a frame begins with bytes that are not Zstandard's",
    14: "the frame uses a feature the decoder does not know",
    16: "the window is larger than 128 MB (the file was made with --long=28 or more)",
    20: "the data is corrupted",
    22: "the checksum does not match",
    24: "the literals' header is corrupted",
    30: "the dictionary is corrupted",
    32: "the frame needs a dictionary",
    64: "there is not enough memory for the window",
  };
  return names[code] ?? `the decoder stopped with error ${code}`;
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
  await new Catching().init();
  if (found !== undefined) return found;
  throw new RefscopeError({
    code: "decompress-unavailable",
    doing: "Starting the Zstandard decoder",
    found: "that another part of the program has started it already",
    advice: "This is a fault of the program: please report it.",
  });
}

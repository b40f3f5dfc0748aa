/**
 * Writes Zstandard (RFC 8878), piece by piece into a single frame: some readers stop after the first. Facebook's encoder
 * in WebAssembly, from the package @hpcc-js/wasm-zstd, which is loaded when it is first needed.
 */
import { failure } from "../../core/findings/failure.ts";
import { WHOLE_SET } from "../../core/findings/place.ts";

type Bytes = Uint8Array<ArrayBuffer>;

export interface ZstdEncoder {
  /** What can be given out so far; may be empty. */
  add(piece: Bytes): Bytes;
  /** The rest of the frame. */
  finish(): Bytes;
  /** Gives the encoder back: the next one waits for it. Must be called, also after a failure. */
  close(): void;
}

/** The encoder's own default: about a tenth of a reference document's size is left. */
const LEVEL = 3;

let inUse: Promise<void> = Promise.resolve();

/** The package has one encoder only, so one frame is written at a time. Throws RefscopeError `compress-unavailable`. */
export async function openZstdEncoder(): Promise<ZstdEncoder> {
  const before = inUse;
  let close = (): void => undefined;
  inUse = new Promise((resolve) => {
    close = resolve;
  });
  try {
    const zstd = await load();
    await before;
    zstd.reset();
    zstd.setCompressionLevel(LEVEL);
    return {
      // The package copies out of its memory, into a buffer of its own.
      add: (piece) => zstd.compressChunk(piece) as Bytes,
      finish: () => zstd.compressEnd() as Bytes,
      close,
    };
  } catch (error) {
    void before.then(close);
    throw error;
  }
}

async function load() {
  try {
    const { Zstd } = await import("@hpcc-js/wasm-zstd");
    return await Zstd.load();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw failure("compress-unavailable", WHOLE_SET, { reason }, { cause });
  }
}

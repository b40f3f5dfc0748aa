/** Zstandard frames (RFC 8878 §3.1) in one piece, decoded without a pause, so that one decoder serves all. */
import { unsignedAt, hexBytes } from "#core/bytes.ts";
import { failure, RefscopeError, WHOLE_SET } from "#core/findings/finding.ts";
import { append, decodeFailed, decodeTooLarge, makeRoom, type Output, reserve } from "../codec.ts";
import { openZstdDecoder, type WholeFrames, type ZstdDecoder, type ZstdStep, type ZstdFault } from "./zstd-decoder.ts";

/** Decodes all frames of `input`, in one go, and appends them to `output`. */
export type DecodeFrames = (input: Uint8Array, output: Output) => void;

/** A decoder that met a large window or chunk is given up with its memory: WebAssembly's memory never shrinks. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;

let warm: Promise<ZstdDecoder> | undefined;

/**
 * Loads the decoder, once. What it gives works without waiting, so that no two decodings are ever mixed; it is for one
 * decoding (or the parts of one), which asks again for the next. As numcodecs reads: frames follow each other, skippable
 * ones give nothing, anything else after a frame is an error, and so is a frame that is cut off.
 * It throws RefscopeError `decode-failed`, `decode-too-large`, `checksum-mismatch`.
 */
export async function readyZstd(): Promise<DecodeFrames> {
  const { decoder, use } = await readyDecoder();
  return (input, output) => {
    use(() => {
      if (decodeWhole(decoder, input, output)) return;
      decoder.restart();
      makeRoom(output, Math.min(contentSize(input) ?? blocksSize(input), reachable(input)));
      decodeFrames(decoder, input, output);
    });
  };
}

/** Several parts decoded by one call, in one go each; gives `undefined` where that cannot be or fails. */
export async function readyWholeFrames(): Promise<<T>(act: (frames: WholeFrames) => T) => T | undefined> {
  const { decoder, use } = await readyDecoder();
  return (act) => {
    const { whole } = decoder;
    return whole === undefined ? undefined : use(() => act(whole));
  };
}

async function readyDecoder() {
  warm ??= openZstdDecoder();
  const mine = warm;
  const decoder = await mine.catch((cause: unknown) => {
    if (warm === mine) warm = undefined;
    throw cause;
  });
  const use = <T>(act: () => T): T => {
    let isSound = false;
    try {
      const result = act();
      isSound = true;
      return result;
    } catch (cause) {
      isSound = cause instanceof RefscopeError;
      throw cause;
    } finally {
      decoder.whole?.done();
      const isKept = isSound && decoder.memoryBytes() <= MAX_KEPT_BYTES;
      if (!isKept && warm === mine) warm = undefined;
    }
  };
  return { decoder, use };
}

/**
 * Decodes `input` in one call if the first frame says its size and all of `input` gives just that many bytes. False:
 * did nothing.
 */
function decodeWhole({ whole }: ZstdDecoder, input: Uint8Array, output: Output): boolean {
  const size = whole === undefined ? undefined : contentSize(input);
  if (whole === undefined || size === undefined || size === 0 || size > output.limit - output.length) return false;
  if (size > reachable(input)) return false;
  const [from, to] = whole.place([input.length, size]) ?? [];
  if (from === undefined || to === undefined) return false;
  whole.view(from, input.length).set(input);
  if (!whole.decode(from, from + input.length, to, to + size)) return false;
  append(output, whole.view(to, size));
  return true;
}

function decodeFrames(decoder: ZstdDecoder, input: Uint8Array, output: Output): void {
  let at = 0;
  let frame = 0;
  let last: ZstdStep | undefined;
  while (at < input.length || last?.outputLeft === true) {
    const step = decoder.step(input.subarray(at));
    if (step.kind === "fault") throw failed(output.codec, step, input, frame);
    reserve(output, step.output.length);
    output.bytes.set(step.output, output.length);
    output.length += step.output.length;
    at += step.consumed;
    if (step.frameEnded) frame = at;
    last = step;
  }
  if (last?.frameEnded === false) {
    const found = `data cut off after ${input.length} bytes, in the frame that begins at byte ${frame}`;
    throw decodeFailed(output.codec, "zstd data of whole frames", found);
  }
}

const EXPECTED = {
  damaged: "whole and undamaged zstd data",
  unsupported: "zstd frames without a dictionary, with windows of at most 128 MB",
  memory: "zstd frames whose windows fit in memory",
} as const;

function failed(codec: string, { reason, found }: ZstdFault, input: Uint8Array, frame: number): RefscopeError {
  const where = `in the frame that begins at byte ${frame}`;
  if (reason === "not-zstd") {
    const start = `${hexBytes(input.subarray(frame, frame + 4))} at byte ${frame}`;
    return decodeFailed(codec, "a zstd frame, which begins 28 b5 2f fd", start);
  }
  if (reason !== "checksum") return decodeFailed(codec, EXPECTED[reason], `${found}, ${where}`);
  return failure("checksum-mismatch", WHOLE_SET, { codec, stored: undefined, computed: undefined, frame });
}

const MAGIC = 0xfd2f_b528;
const MAX_BLOCK_BYTES = 128 * 1024;

/** Throws `decode-too-large` where the first frame's header says more than `limit`, before memory is taken. */
export function refuseLarger(codec: string, input: Uint8Array, limit: number): void {
  const size = contentSize(input);
  if (size !== undefined && size > limit) throw decodeTooLarge(codec, limit, `${size} bytes, as the zstd header says`);
}

/** A block of a few bytes gives 128 KiB at most: no memory is taken for a size that cannot be reached. */
const reachable = (input: Uint8Array): number => Math.ceil(input.length / 4) * MAX_BLOCK_BYTES;

/** Blocks rarely give more for each of their bytes. */
const MOST_RATIO = 64;

/** Size of the first frame's blocks if they are full, as writers leave all but the last. */
function blocksSize(input: Uint8Array): number {
  const descriptor = input[4] ?? 0;
  let at = 5 + ((descriptor & 32) === 0 ? 1 : 0) + ([0, 1, 2, 4][descriptor & 3] ?? 0);
  let size = 0;
  for (let isLast = false; !isLast && at + 3 <= input.length;) {
    const header = unsignedAt(input, at, 3);
    isLast = (header & 1) === 1;
    const isRun = ((header >> 1) & 3) === 1;
    size += ((header >> 1) & 3) === 2 ? MAX_BLOCK_BYTES : header >> 3;
    at += 3 + (isRun ? 1 : header >> 3);
  }
  return Math.min(size, input.length * MOST_RATIO);
}

/** Content size of the first frame, where its header says it (RFC 8878 §3.1.1.1). */
function contentSize(input: Uint8Array): number | undefined {
  if (input.length < 5 || unsignedAt(input, 0, 4) !== MAGIC) return undefined;
  const descriptor = input[4] ?? 0;
  const isSingle = (descriptor & 32) !== 0;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] ?? 0;
  const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
  const at = 5 + (isSingle ? 0 : 1) + dictionaryBytes;
  if (sizeBytes === 0 || at + sizeBytes > input.length) return undefined;
  return unsignedAt(input, at, sizeBytes) + (sizeBytes === 2 ? 256 : 0);
}

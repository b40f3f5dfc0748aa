/** Frames and their blocks (RFC 8878 §3.1). */
import { unsignedAt } from "../../core/unsigned-at.ts";
import { hexBytes } from "../../core/hex-bytes.ts";
import { damaged, tooLarge } from "./fault.ts";
import { readLiterals } from "./literals.ts";
import { runSequences } from "./sequences.ts";
import { beginFrame, MAX_BLOCK_BYTES, reserve, write, type State } from "./state.ts";
import { xxHash64Low } from "./xxhash64.ts";

const MAGIC = 0xfd2f_b528;
/** The last four bits are free. */
const SKIPPABLE = 0x184d_2a50;

interface Header {
  /** Where the blocks begin. */
  readonly at: number;
  /** Bytes of data, where the header says it. */
  readonly size: number | undefined;
  readonly mostBlockBytes: number;
  readonly hasChecksum: boolean;
}

/** Decodes the frame at `at`, or skips it; gives where it ended. Throws `decode-failed`, `decode-too-large`. */
export function decodeFrame(state: State, at: number): number {
  const { input, end } = state;
  const magic = end - at < 4 ? 0 : unsignedAt(input, at, 4);
  if (magic - (magic % 16) === SKIPPABLE && end - at >= 8) {
    const stop = at + 8 + unsignedAt(input, at + 4, 4);
    if (stop > end) throw cutOff(end, at);
    return stop;
  }
  if (magic !== MAGIC) {
    const found = at === end ? "no bytes" : `${hexBytes(input.subarray(at, Math.min(at + 4, end)))} at byte ${at}`;
    throw damaged(found, "a zstd frame, which begins 28 b5 2f fd");
  }
  const header = readHeader(state, at);
  beginFrame(state);
  makeRoom(state, header.size);
  let from = header.at;
  for (let isLast = false; !isLast;) {
    if (from + 3 > end) throw cutOff(end, at);
    const block = unsignedAt(input, from, 3);
    isLast = (block & 1) === 1;
    from = decodeBlock(state, from + 3, block >>> 1, header);
  }
  const size = state.written - state.frameStart;
  if (header.size !== undefined && header.size !== size) {
    throw damaged(`${size} bytes in the frame at byte ${at}, whose header says ${header.size}`);
  }
  if (!header.hasChecksum) return from;
  if (from + 4 > end) throw cutOff(end, at);
  verify(state, unsignedAt(input, from, 4));
  return from + 4;
}

function cutOff(end: number, at: number): Error {
  return damaged(`data cut off after ${end} bytes, in the frame that begins at byte ${at}`);
}

/** RFC 8878 §3.1.1.1. */
function readHeader({ input, end, dictionary }: State, start: number): Header {
  if (start + 5 > end) throw cutOff(end, start);
  const descriptor = input[start + 4] as number;
  if ((descriptor & 8) !== 0) throw damaged(`the reserved bit set in the frame header at byte ${start}`);
  const isSingle = (descriptor & 32) !== 0;
  const idBytes = [0, 1, 2, 4][descriptor & 3] as number;
  const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][descriptor >>> 6] as number;
  const idAt = start + (isSingle ? 5 : 6);
  const sizeAt = idAt + idBytes;
  const at = sizeAt + sizeBytes;
  if (at > end) throw cutOff(end, start);
  const id = unsignedAt(input, idAt, idBytes);
  if (id !== 0 && id !== dictionary.id) throw wrongDictionary(id, dictionary.id, dictionary.content.length);
  const said = unsignedAt(input, sizeAt, sizeBytes) + (sizeBytes === 2 ? 256 : 0);
  const size = sizeBytes === 0 ? undefined : said;
  const exponent = input[start + 5] as number;
  const window = isSingle ? said : 2 ** (10 + (exponent >>> 3)) * (1 + (exponent & 7) / 8);
  // Facebook's decoder takes no larger ones.
  if (!isSingle && exponent >>> 3 > 21) throw damaged(`a window of ${window} bytes, which no decoder takes`);
  return { at, size, mostBlockBytes: Math.min(window, MAX_BLOCK_BYTES), hasChecksum: (descriptor & 4) !== 0 };
}

function wrongDictionary(wanted: number, id: number, bytes: number): Error {
  const none = bytes === 0 ? "no dictionary" : "a dictionary without a number";
  return damaged(id === 0 ? none : `the dictionary ${id}`, `the dictionary ${wanted}, as the frame says`);
}

/** Takes what the header says, as far as it is likely: no memory for a size that a few bytes only claim. */
function makeRoom(state: State, size: number | undefined): void {
  const maximum = state.limit - state.written;
  if (size !== undefined && size > maximum)
    throw tooLarge(state.limit, `${state.written + size} bytes, as the header says`);
  state.stop = state.written + (size ?? maximum);
  const likely = Math.max(1024, state.end * 64);
  if (state.output.length === 0) state.output = new Uint8Array(Math.min(size ?? state.end * 4, likely, maximum));
}

/** `kind`: type of the block and its size << 2. */
function decodeBlock(state: State, at: number, kind: number, header: Header): number {
  const { input, end } = state;
  const size = kind >>> 2;
  const type = kind & 3;
  const stop = at + (type === 1 ? 1 : size);
  if (type === 3) throw damaged(`a block of no known type before byte ${at}`);
  if (stop > end) throw damaged(`data cut off after ${end} bytes, in the block of ${size} bytes at byte ${at}`);
  if (size > header.mostBlockBytes) throw damaged(`a block of ${size} bytes at byte ${at}, more than its frame allows`);
  if (type === 2) {
    decodeCompressed(state, at, stop, header);
    return stop;
  }
  reserve(state, size);
  if (type === 0) write(state, input, at, size);
  else {
    state.output.fill(input[at] as number, state.written, state.written + size);
    state.written += size;
  }
  return stop;
}

function decodeCompressed(state: State, at: number, end: number, { size, mostBlockBytes }: Header): void {
  if (end - at < 2) throw damaged(`a block of ${end - at} bytes at byte ${at}, too few to be compressed`);
  const whole = size === undefined ? state.limit : state.frameStart + size;
  state.stop = Math.min(whole, state.written + mostBlockBytes);
  runSequences(state, readLiterals(state, at, end, mostBlockBytes), end);
  state.stop = whole;
}

function verify(state: State, stored: number): void {
  const computed = xxHash64Low(state.output, state.frameStart, state.written);
  if (computed === stored) return;
  const shown = (value: number) => `0x${value.toString(16).padStart(8, "0")}`;
  throw damaged(`the checksum ${shown(computed)}`, `data with the checksum ${shown(stored)}, as stored after them`);
}

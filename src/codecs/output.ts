/** Bytes being decoded: a buffer that grows up to a limit. Matches copy from what was written before. */
import { decodeTooLarge } from "./failure.ts";

export interface Output {
  bytes: Uint8Array<ArrayBuffer>;
  length: number;
  readonly limit: number;
  /** For errors. */
  readonly codec: string;
}

const FIRST_BYTES = 1024;

/** `hint`: bytes that are likely needed; never more than the limit is taken. */
export function newOutput(codec: string, limit: number, hint: number): Output {
  const size = Math.max(0, Math.min(limit, Math.max(FIRST_BYTES, hint)));
  return { bytes: new Uint8Array(size), length: 0, limit, codec };
}

/** Takes memory that is likely needed, where nothing was written yet. */
export function makeRoom(output: Output, hint: number): void {
  const size = Math.min(output.limit, hint);
  if (output.length === 0 && output.bytes.length < size) output.bytes = new Uint8Array(size);
}

/** Writes bytes that are there as a whole; they are copied. Throws `decode-too-large`. */
export function append(output: Output, bytes: Uint8Array<ArrayBuffer>): void {
  const fits = output.length + bytes.length <= output.limit;
  if (fits && output.length === 0 && output.bytes.length !== bytes.length) output.bytes = bytes.slice();
  else {
    reserve(output, bytes.length);
    output.bytes.set(bytes, output.length);
  }
  output.length += bytes.length;
}

/** Makes room for `more` bytes. Throws `decode-too-large`. */
export function reserve(output: Output, more: number): void {
  const needed = output.length + more;
  if (needed <= output.bytes.length) return;
  if (needed > output.limit) throw decodeTooLarge(output.codec, output.limit, `more than ${output.limit} bytes`);
  const grown = new Uint8Array(Math.min(output.limit, Math.max(needed, output.bytes.length * 2)));
  grown.set(output.bytes.subarray(0, output.length));
  output.bytes = grown;
}

/** What was written, in a buffer of exactly its size (buffers are handed to other threads whole). */
export function finish(output: Output): Uint8Array<ArrayBuffer> {
  return output.length === output.bytes.length ? output.bytes : output.bytes.slice(0, output.length);
}

/** Copies a match within `bytes`; source and destination may overlap, then the copy repeats what it writes. */
export function copyMatch(bytes: Uint8Array, to: number, distance: number, length: number): void {
  const from = to - distance;
  if (distance >= length && length > 32) {
    bytes.copyWithin(to, from, from + length);
    return;
  }
  if (distance === 1 && length > 16) {
    bytes.fill(bytes[from] ?? 0, to, to + length);
    return;
  }
  for (let i = 0; i < length; i++) bytes[to + i] = bytes[from + i] as number;
}

/**
 * Compressed streams one after another, as Python's `bz2.decompress` and `lzma.decompress` read them: what follows the
 * first stream and is none itself is read over, but one that is cut off is an error.
 */
import { RefscopeError } from "#core/findings/finding.ts";
import { checksumMismatch, decodeFailed, type Output } from "../codec.ts";

/** Data that Python calls invalid: ignored after a valid stream. Code `decode-failed`. */
export class InvalidStream extends RefscopeError {}

export function invalid(codec: string, expected: string, found: string): InvalidStream {
  return new InvalidStream(decodeFailed(codec, expected, found).finding);
}

export function invalidChecksum(codec: string, stored: string, computed: string): InvalidStream {
  return new InvalidStream(checksumMismatch(codec, stored, computed).finding);
}

/** The stored bytes end before the stream does. Code `decode-failed`. */
export function cutOff(codec: string, input: Uint8Array, decoded: number): RefscopeError {
  return decodeFailed(
    codec,
    "a compressed stream with an end",
    `a stream cut off after ${input.length} bytes, ${decoded} bytes decoded`,
  );
}

/** Appends one stream that begins at `from` to the output; returns the position after it. */
export type ReadStream = (input: Uint8Array, from: number, output: Output) => number;

/** Appends all streams to the output; with `least` of 1 an input of nothing is a stream cut off. */
export function readStreams(input: Uint8Array, output: Output, least: 0 | 1, readStream: ReadStream): void {
  let at = 0;
  for (let streams = 0; at < input.length || streams < least; streams++) {
    const before = output.length;
    try {
      at = readStream(input, at, output);
    } catch (error) {
      if (streams === 0 || !(error instanceof InvalidStream)) throw error;
      output.length = before;
      return;
    }
  }
}

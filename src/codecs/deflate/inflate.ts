/**
 * Raw DEFLATE (RFC 1951). The fast path is WebAssembly (`wasm/inflate.as.ts`); pako, which is zlib in JavaScript, does
 * what that cannot, says what is wrong, and inflates what comes piece by piece. Both say where a stream ends (needed for
 * several gzip members, and for bytes after the end, which Python reads over); the platform's decoders do not.
 */
import { Z_BUF_ERROR, Z_NO_FLUSH, Z_OK, Z_STREAM_END, ZStream, zlibInflate, zlibInflateInit2 } from "pako";
import { adler32, crc32 } from "../checksums/checksums.ts";
import { append, decodeFailed, makeRoom, type Output, reserve } from "../codec.ts";
import { fastInflater, type SumName } from "../wasm/decode.ts";

/**
 * Inflates the stream that begins at `from`; appends to `output`. Returns the position of the first byte after it.
 * Matches reach back no further than where this stream began. Throws `decode-failed`, `decode-too-large`.
 */
export function inflate(input: Uint8Array, from: number, output: Output): number {
  return openInflater(input).inflate(from, output).end;
}

export interface Inflater {
  /** Inflates as `inflate` does; also returns the checksum of this stream's output, 0 if none is asked for. */
  inflate(from: number, output: Output, sum?: SumName): { readonly end: number; readonly sum: number };
}

/** For several streams in one input. */
export function openInflater(input: Uint8Array): Inflater {
  const fast = fastInflater(input);
  return {
    inflate(from, output, sum) {
      const done = fast?.inflate(from, output.limit - output.length, sum);
      if (done !== undefined) {
        append(output, done.bytes);
        return { end: done.end, sum: done.sum };
      }
      const start = output.length;
      makeRoom(output, input.length * 4);
      const end = inflatePlain(input, from, output);
      const bytes = output.bytes.subarray(start, output.length);
      return { end, sum: sum === undefined ? 0 : sum === "adler32" ? adler32(bytes) : crc32(bytes) };
    },
  };
}

function inflatePlain(input: Uint8Array, from: number, output: Output): number {
  const steps = inflateSteps();
  let at = from;
  for (;;) {
    // At the limit, room for one more byte shows if the stream goes on.
    const isFull = output.length === output.limit;
    const room = isFull ? new Uint8Array(1) : output.bytes.subarray(output.length);
    const { taken, given, ended, wrong } = steps.step(input.subarray(at), room);
    at += taken;
    if (isFull) reserve(output, given);
    output.length += given;
    if (ended) return at;
    if (wrong !== undefined) throw decodeFailed(output.codec, "valid DEFLATE data", `${wrong} before byte ${at}`);
    if (given < room.length) {
      const found = `a stream cut off after ${input.length} bytes, ${output.length} bytes decoded`;
      throw decodeFailed(output.codec, "a compressed stream with an end", found);
    }
    if (output.length < output.limit) reserve(output, 1);
  }
}

interface InflateStep {
  /** Bytes of the input that were used, and of the room that were filled: all of one of them, where nothing is wrong. */
  readonly taken: number;
  readonly given: number;
  readonly ended: boolean;
  /** Message of zlib. */
  readonly wrong: string | undefined;
}

/** One stream, piece by piece. */
export function inflateSteps() {
  const stream = new ZStream();
  // Negative: without a container.
  zlibInflateInit2(stream, -15);
  return {
    step(input: Uint8Array, room: Uint8Array<ArrayBuffer>): InflateStep {
      stream.input = input;
      stream.output = room;
      stream.next_in = stream.next_out = 0;
      stream.avail_in = input.length;
      stream.avail_out = room.length;
      const status = zlibInflate(stream, Z_NO_FLUSH);
      const isWell = status === Z_OK || status === Z_BUF_ERROR || status === Z_STREAM_END;
      const wrong = isWell ? undefined : stream.msg || `zlib's error ${status}`;
      return { taken: stream.next_in, given: stream.next_out, ended: status === Z_STREAM_END, wrong };
    },
  };
}

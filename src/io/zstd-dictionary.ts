/**
 * Small zstd frames that were compressed with a dictionary (RFC 8878), as Icechunk keeps the locations of virtual
 * chunks: many, each of some dozen bytes, and decoded one at a time without waiting. A decoder of our own, since the
 * WebAssembly that decodes chunks (`codecs/zstd-decoder.ts`) knows no dictionaries, and calling WebAssembly for each
 * frame costs more than decoding it here. Large data are that decoder's: it is several times as fast for them.
 */
import type { Bytes } from "../core/byte-source.ts";
import { NO_DICTIONARY, type ZstdDictionary } from "./zstd-dictionary/dictionary.ts";
import { decodeFrame, newState, type State } from "./zstd-dictionary/frame.ts";

export { prepareDictionary, type ZstdDictionary } from "./zstd-dictionary/dictionary.ts";

let state: State | undefined;

/** Bytes past the data that may be looked at, but count for nothing. */
const SLACK = 8;
const copied = new Uint8Array(16 * 1024 + SLACK);

/**
 * Decompresses all frames of `frame`, one as a rule, as Facebook's decoder does: they follow each other, skippable ones
 * give nothing, and anything else after a frame is an error; so are no bytes at all. The result has a buffer of
 * its own, of at most `limit` bytes. Throws RefscopeError `decode-failed`, `decode-too-large`.
 */
export function decompressWith(dictionary: ZstdDictionary | undefined, frame: Uint8Array, limit: number): Bytes {
  state ??= newState();
  state.input = frame.length + SLACK <= copied.length ? copied : new Uint8Array(frame.length + SLACK);
  state.input.set(frame);
  state.end = frame.length;
  state.limit = limit;
  state.written = 0;
  state.dictionary = dictionary ?? NO_DICTIONARY;
  try {
    let at = 0;
    do at = decodeFrame(state, at);
    while (at < frame.length);
    return state.written === state.output.length ? state.output : state.output.slice(0, state.written);
  } finally {
    forget(state);
  }
}

/** Keeps no large memory alive that belongs to one decompression. */
function forget(state: State): void {
  state.input = copied;
  state.output = NO_BYTES;
  state.literals = NO_BYTES;
  state.dictionary = NO_DICTIONARY;
}

const NO_BYTES = new Uint8Array(0);

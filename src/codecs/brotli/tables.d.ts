/** Tables of RFC 7932 as `hyparquet-compressors` has them. */
declare module "hyparquet-compressors/src/brotli.context.js" {
  /** §7.1, "Context Modes": of the last byte and the one before it, at the offsets of a mode. */
  export const lookup: Uint8Array;
  export const lookupOffsets: Uint16Array;
}
declare module "hyparquet-compressors/src/brotli.prefix.js" {
  interface Prefix {
    readonly offset: number;
    readonly nbits: number;
  }
  export const kBlockLengthPrefixCode: readonly Prefix[];
  export const kInsertLengthPrefixCode: readonly Prefix[];
  export const kCopyLengthPrefixCode: readonly Prefix[];
}
declare module "hyparquet-compressors/src/brotli.transform.js" {
  export const kNumTransforms: number;
  /** Writes the word that begins at `word` in the dictionary (appendix A), transformed (appendix B); gives its length. */
  export function transformDictionaryWord(
    to: Uint8Array,
    at: number,
    word: number,
    length: number,
    transform: number,
  ): number;
}

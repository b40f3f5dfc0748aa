/** Interfaces for the reader of Icechunk repositories: the objects of a store, and Zstandard. */
import type { ChunkOutline } from "#codecs/codec.ts";
import type { CallContext } from "#core/byte-source.ts";
import { failure, RefscopeError, targetAt } from "#core/findings/finding.ts";
import type { IcechunkObjects, IcechunkZstd } from "#formats/icechunk/index.ts";
import { isWebPage, type Store } from "#io/store.ts";
import { decompressWith, prepareDictionary } from "#io/zstd-dictionary.ts";

/** Objects that a repository may do without. Of servers that may not be listed, “denied” then means “not there”. */
const OPTIONAL = /^(?:repo|config\.yaml|refs\/.*\.deleted|refs\/branch[.:]main\/Z{8}\.json)$/s;

export interface StoreObjects extends IcechunkObjects {
  /** Why optional objects could not be asked for; they were taken as absent. */
  readonly errors: readonly RefscopeError[];
}

export function icechunkObjects(store: Store, context: CallContext): StoreObjects {
  const errors: RefscopeError[] = [];
  const get = async (path: string): Promise<Uint8Array | undefined> => {
    const answer = await store.get(path, context).catch((error: unknown) => {
      // Many servers send no CORS header with a 404, some a page with status 200.
      const unclear = isWebPage(error) || (error instanceof RefscopeError && error.code === "cors-missing");
      if (!unclear || !OPTIONAL.test(path)) throw error;
      errors.push(error);
      return { kind: "absent" } as const;
    });
    if (answer.kind === "present") return answer.bytes;
    if (answer.kind === "absent" || OPTIONAL.test(path)) return undefined;
    const { status, said } = answer;
    throw failure("icechunk-denied", targetAt(path), { status, ...(said && { said }) });
  };
  const { keys } = store;
  if (keys === undefined) return { get, errors };
  return { get, errors, list: (prefix) => Promise.resolve(keys.filter((key) => key.startsWith(prefix))) };
}

const OUTLINE: ChunkOutline = {
  dataType: { kind: "uint", itemSize: 1, byteOrder: "none", text: "|u1" },
  chunkShape: [1],
  elements: 1,
  fillValue: null,
};

/**
 * Compressed bytes up to which our own decoder does: the codecs are fetched for larger files, or with the first chunk.
 */
const SMALL_FILE = 128 * 1024;
/** Bytes of small files after which the codecs are fetched for these too. */
const MANY_SMALL = 2 ** 20;
let decoded = 0;

/**
 * Large files by the decoder for chunks, which is several times as fast; what has a dictionary by our own.
 * @param small files up to so many bytes are decoded by our own
 */
export function icechunkZstd(signal: AbortSignal, small = SMALL_FILE): IcechunkZstd {
  return {
    async decompress(bytes, { dictionary, limit }) {
      if (dictionary !== undefined) return decompressWith(prepareDictionary(dictionary), bytes, limit);
      decoded += bytes.length;
      if (bytes.length <= small && decoded <= MANY_SMALL) return decompressWith(undefined, bytes, limit);
      const { loadCodec } = await import("#codecs/find-codec.ts");
      const codec = await loadCodec("zstd");
      if (codec === undefined) return decompressWith(undefined, bytes, limit);
      return codec.prepare(new Map(), OUTLINE).decode(bytes.slice(), limit, signal);
    },
    prepare(dictionary) {
      const prepared = prepareDictionary(dictionary);
      return (frame, limit) => decompressWith(prepared, frame, limit);
    },
  };
}

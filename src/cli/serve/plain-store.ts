/**
 * A dataset as a Zarr store that every reader of Zarr v2 reads: stored bytes as they are where its own metadata mean to
 * every reader what they mean here, else chunks decoded. What fails is an error, never a missing chunk.
 */
import { attempt } from "#core/basics.ts";
import { RefscopeError } from "#core/findings/finding.ts";
import type { CallContext } from "#core/byte-source.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { isMaskedByFill } from "#core/cf/cf-fill.ts";
import { writtenFill } from "#core/values/fill.ts";
import { loadChunk } from "#engine/chunk/load-chunk.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import type { ChunkDecoder } from "#engine/chunk/chunk-decoder.ts";
import { type DecodedStore, decodedStore, type StoredArray } from "#engine/many/decoded-store.ts";
import { isFull } from "#engine/table/array-index.ts";

/**
 * Codecs that every reader of Zarr v2 has, of objects those that numcodecs has. Other filters, which Kerchunk writes, few
 * have: GDAL 3.6 refuses `shuffle`.
 */
const COMPRESSORS: ReadonlySet<string> = new Set(["blosc", "gzip", "lz4", "zlib", "zstd"]);
const OBJECTS: ReadonlySet<string> = new Set(["vlen-utf8", "vlen-bytes", "vlen-array", "msgpack2"]);

/** `referenced`: a chunk's reference is here, and is read next. */
export const plainStore = (set: EngineSet, decoder: ChunkDecoder, referenced: () => void): DecodedStore =>
  decodedStore(set, {
    decoder,
    referenced,
    async stored(node, context): Promise<StoredArray | undefined> {
      const document = ownDocument(set, node);
      // A missing chunk is the reader's to fill, where all readers fill it alike.
      const isSame =
        document !== undefined && (writtenFill(node.metadata).isCommon || (await hasAll(set, node, context)));
      if (!isSame) return undefined;
      return {
        document,
        async chunk(chunk, within) {
          const loaded = await loadChunk(set, chunk, within);
          if (loaded.kind === "failed") throw new RefscopeError(loaded.error);
          return loaded.kind === "missing" ? undefined : loaded.bytes;
        },
      };
    },
  });

/** The set's own document, if it is Zarr v2 and says nothing that other readers would not understand. */
function ownDocument({ documents }: EngineSet, { path, metadata }: ArrayNode): string | undefined {
  const text = documents.get(path === "" ? ".zarray" : `${path}/.zarray`)?.text;
  const { decoding, dataType, order, shape } = metadata;
  const isPlain = decoding.every(({ id }) => COMPRESSORS.has(id) || (dataType.kind === "object" && OBJECTS.has(id)));
  // zarrita 0.7 reads chunks in Fortran order as if they were in C order.
  const isInOrder = order === "C" || shape.length < 2;
  if (text === undefined || !isPlain || !isInOrder || !isMaskedByFill(metadata)) return undefined;
  // Strictly: Python's own NaN is no JSON.
  const document = attempt(() => JSON.parse(text) as { readonly [name: string]: unknown });
  if (document === undefined) return undefined;
  const { dtype, compressor, filters } = document;
  // Only codecs of objects are filters; what stands for null differs between readers.
  const isCommon = dataType.kind === "object" || (Array.isArray(filters) ? filters.length === 0 : filters === null);
  return typeof dtype === "string" && dtype === dataType.text && isCommon && compressor !== undefined
    ? text
    : undefined;
}

/** True if all its loaded references lead to chunks. */
async function hasAll(set: EngineSet, { path }: ArrayNode, context: CallContext): Promise<boolean> {
  const id = set.index.arrayIds.get(path);
  return id !== undefined && isFull(await set.index.arrayIndex(id, context));
}

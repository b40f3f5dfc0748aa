/**
 * A dataset as a Zarr store that every reader of Zarr v2 reads: stored bytes as they are, where one of the common
 * compressors is the only codec of an array, else chunks decoded. What fails is an error, never a missing chunk.
 */
import { RefscopeError } from "../../core/findings/finding.ts";
import type { CallContext } from "../../core/byte-source.ts";
import { gridOf, type KeySeparator, ordinalOf, parseChunkName } from "../../core/metadata/chunk-grid.ts";
import type { ArrayNode, HierarchyNode } from "../../core/metadata/array-metadata.ts";
import { type ChunkReference, chunkReference } from "../../engine/chunk/chunk-reference.ts";
import { loadChunk } from "../../engine/chunk/load-chunk.ts";
import type { EngineSet } from "../../engine/engine-set.ts";
import type { ChunkDecoder } from "../../engine/many/chunk-decoder.ts";
import { consolidated, decodedObject, documentsOf } from "../../engine/many/decoded-store.ts";

/** Compressors that every reader of Zarr v2 has. Filters, which Kerchunk writes, few have: GDAL 3.6 refuses `shuffle`. */
const COMPRESSORS: ReadonlySet<string> = new Set(["blosc", "gzip", "lz4", "zlib", "zstd"]);

type Bytes = Uint8Array<ArrayBuffer>;

/** By key; `undefined` where there is nothing. Throws where a chunk cannot be read. */
export type PlainStore = (key: string, context: CallContext) => Promise<Bytes | undefined>;

/** `referenced`: a chunk's reference is here, and is read next. */
export function plainStore(set: EngineSet, decoder: ChunkDecoder, referenced: () => void): PlainStore {
  const encode = (text: string): Bytes => new TextEncoder().encode(text);
  /** Arrays whose chunks are as they are stored, with their own `.zarray`. */
  const asStored = new Map<string, string>();
  for (const node of set.hierarchy.nodes.values()) {
    const own = node.kind === "array" ? ownDocument(set, node) : undefined;
    if (own !== undefined) asStored.set(node.path, own);
  }
  const documents = (node: HierarchyNode): ReadonlyMap<string, string> => {
    const own = asStored.get(node.path);
    return own === undefined ? documentsOf(node) : new Map([...documentsOf(node), [".zarray", own]]);
  };
  return async (key, context) => {
    if (key === ".zmetadata") return encode(consolidated(set, documents));
    const path = [...prefixesOf(key)].find((one) => set.hierarchy.nodes.has(one)) ?? "";
    const node = set.hierarchy.nodes.get(path);
    const name = path === "" ? key : key.slice(path.length + 1);
    const document = node && documents(node).get(name);
    if (document !== undefined) return encode(document);
    if (node?.kind !== "array") return undefined;
    const isStored = asStored.has(path);
    const chunk = await chunkNamed(set, node, name, isStored ? node.metadata.separator : ".", context);
    referenced();
    return isStored ? chunk && storedChunk(set, chunk, context) : decodedObject(set, key, decoder, context);
  };
}

/** The longest first; the last is the root. */
function* prefixesOf(key: string): Generator<string> {
  for (let at = key.lastIndexOf("/"); at > 0; at = key.lastIndexOf("/", at - 1)) yield key.slice(0, at);
  yield "";
}

/** Where the set is Zarr v2, and says nothing that other readers would not understand. */
function ownDocument({ documents }: EngineSet, { path, metadata }: ArrayNode): string | undefined {
  const text = documents.get(path === "" ? ".zarray" : `${path}/.zarray`)?.text;
  const { zarrFormat, decoding } = metadata;
  const isPlain = zarrFormat === 2 && decoding.length <= 1 && decoding.every(({ id }) => COMPRESSORS.has(id));
  if (text === undefined || !isPlain) return undefined;
  try {
    // Strictly: Python's own NaN is no JSON.
    const document = JSON.parse(text) as { dtype?: unknown; fill_value?: unknown; filters?: readonly unknown[] | null };
    const { dtype, fill_value: fill = null, filters } = document;
    return typeof dtype === "string" && (filters ?? []).length === 0 && (fill === null || typeof fill !== "object")
      ? text
      : undefined;
  } catch {
    return undefined;
  }
}

/** `undefined` where the array has no such chunk. */
async function chunkNamed(
  set: EngineSet,
  node: ArrayNode,
  name: string,
  separator: KeySeparator,
  context: CallContext,
): Promise<ChunkReference | undefined> {
  const { shape, chunks } = node.metadata;
  const grid = gridOf(shape, chunks);
  const coordinates = shape.length === 0 && name === "0" ? [] : parseChunkName(name, grid.length, separator);
  const isThere = coordinates !== undefined && ordinalOf(grid, coordinates) !== undefined;
  return isThere ? chunkReference(set, node, coordinates, context) : undefined;
}

async function storedChunk(set: EngineSet, chunk: ChunkReference, context: CallContext): Promise<Bytes | undefined> {
  const loaded = await loadChunk(set, chunk, context);
  if (loaded.kind === "failed") throw new RefscopeError(loaded.error);
  return loaded.kind === "missing" ? undefined : loaded.bytes;
}

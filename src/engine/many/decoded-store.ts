/**
 * A dataset as a Zarr v2 store without codecs (Zarr storage specification version 2): each chunk comes decoded, so that
 * a reader needs no codec of its own for GRIB, JPEG 2000, shards or templates. What Zarr v2 cannot say is left out, by name.
 */
import type { CallContext } from "#core/byte-source.ts";
import { pythonJsonText } from "#core/json/python-json.ts";
import { type Finding, RefscopeError } from "#core/findings/finding.ts";
import type { ArrayNode, HierarchyNode } from "#core/metadata/array-metadata.ts";
import { prefixesOf } from "#core/metadata/chunk-of-key.ts";
import { cellCount, gridOf, isRegular, largestShape, ordinalOf, parseChunkName } from "#core/metadata/chunk-grid.ts";
import type { KeySeparator } from "#core/metadata/chunk-grid.ts";
import { copyBox, stridesC } from "#core/values/gather.ts";
import type { EngineSet } from "../engine-set.ts";
import { type ChunkReference, chunkReference } from "../chunk/chunk-reference.ts";
import type { ChunkDecoder } from "../chunk/chunk-decoder.ts";
import { readSelection } from "./read-selection.ts";
import { groupDocuments, notServed, type ServedArray, servedArray } from "./served-array.ts";

type Bytes = Uint8Array<ArrayBuffer>;

export interface DecodedStore {
  /** Object by key, without a leading slash; `undefined` if the store lacks it. Throws if a chunk fails. */
  get(key: string, context: CallContext): Promise<Bytes | undefined>;
  /** Findings about parts of the dataset that are not in the store, metadata included. */
  leftOut(context: CallContext): Promise<readonly Finding[]>;
}

/** An array whose chunks go out as they are stored. */
export interface StoredArray {
  /** Its own `.zarray`. */
  readonly document: string;
  chunk(chunk: ChunkReference, context: CallContext): Promise<Bytes | undefined>;
}

export interface StoreWish {
  readonly decoder: ChunkDecoder;
  /** Absent = none is. */
  readonly stored?: (node: ArrayNode, context: CallContext) => Promise<StoredArray | undefined>;
  /** A chunk's reference is here, and is read next. */
  readonly referenced?: () => void;
}

export function decodedStore(set: EngineSet, wish: StoreWish): DecodedStore {
  const { nodes } = set.hierarchy;
  const served = new Map<string, Promise<Served>>();
  const servedNode = (node: HierarchyNode, context: CallContext): Promise<Served> => {
    const known = served.get(node.path) ?? serveNode(set, node, wish, context);
    served.set(node.path, known);
    known.catch(() => served.delete(node.path));
    return known;
  };
  const all = (context: CallContext) => Promise.all(Array.from(nodes.values(), (node) => servedNode(node, context)));
  return {
    async get(key, context) {
      if (key === ".zmetadata") return utf8(consolidated(await all(context)));
      const path = prefixesOf(key).find((one) => nodes.has(one)) ?? "";
      const node = nodes.get(path);
      const found = node && (await servedNode(node, context));
      if (node === undefined || found === undefined || "leftOut" in found) return undefined;
      const name = path === "" ? key : key.slice(path.length + 1);
      const document = found.documents.get(name);
      if (document !== undefined) return utf8(document);
      return node.kind === "array" ? found.chunk?.(name, context) : undefined;
    },
    leftOut: async (context) => (await all(context)).flatMap((one) => ("leftOut" in one ? [one.leftOut] : [])),
  };
}

const utf8 = (text: string): Bytes => new TextEncoder().encode(text);

type Served =
  | { readonly leftOut: Finding }
  | {
      readonly path: string;
      readonly documents: ReadonlyMap<string, string>;
      chunk?(name: string, context: CallContext): Promise<Bytes | undefined>;
    };

function consolidated(served: readonly Served[]): string {
  const documents = served.flatMap((one) => {
    if ("leftOut" in one) return [];
    const prefix = one.path === "" ? "" : `${one.path}/`;
    return Array.from(one.documents, ([name, text]) => `${pythonJsonText(prefix + name)}:${text}`);
  });
  return `{"metadata":{${documents.join(",")}},"zarr_consolidated_format":1}`;
}

async function serveNode(set: EngineSet, node: HierarchyNode, wish: StoreWish, context: CallContext): Promise<Served> {
  const { path } = node;
  if (node.kind === "broken") return { leftOut: notServed(path, "unreadable", node.reason) };
  if (node.kind === "group") return { path, documents: groupDocuments(set, node) };
  const array = await servedArray(set, node, wish.decoder, context);
  if ("leftOut" in array) return array;
  const { documents } = array;
  const stored = await wish.stored?.(node, context);
  if (stored === undefined)
    return { path, documents, chunk: (name, within) => decodedChunk(set, node, array, name, wish, within) };
  return {
    path,
    documents: new Map([...documents, [".zarray", stored.document]]),
    async chunk(name, within) {
      const { shape, chunks, separator } = node.metadata;
      const coordinates = coordinatesIn(gridOf(shape, chunks), name, separator);
      if (coordinates === undefined) return undefined;
      const chunk = await chunkReference(set, node, coordinates, within);
      wish.referenced?.();
      return stored.chunk(chunk, within);
    },
  };
}

function coordinatesIn(grid: readonly number[], name: string, separator: KeySeparator): readonly number[] | undefined {
  const coordinates = grid.length === 0 && name === "0" ? [] : parseChunkName(name, grid.length, separator);
  return coordinates !== undefined && ordinalOf(grid, coordinates) !== undefined ? coordinates : undefined;
}

/** A chunk of the served grid, from every chunk of the array's own that lies under it. */
async function decodedChunk(
  set: EngineSet,
  node: ArrayNode,
  { elements, isMissingSaid }: ServedArray,
  name: string,
  { decoder, referenced }: StoreWish,
  context: CallContext,
): Promise<Bytes | undefined> {
  const { shape, chunks } = node.metadata;
  const lengths = largestShape(chunks);
  const coordinates = coordinatesIn(gridOf(shape, lengths), name, ".");
  if (coordinates === undefined) return undefined;
  if (isRegular(chunks)) {
    const { state } = await chunkReference(set, node, coordinates, context);
    referenced?.();
    if (isMissingSaid && state === "missing") return undefined;
  }
  const selection = shape.map((length, axis) => {
    const start = (coordinates[axis] ?? 0) * (lengths[axis] ?? 1);
    return { start, step: 1, count: Math.min(lengths[axis] ?? 1, length - start), dropped: false };
  });
  const objects = elements && { objects: elements };
  const part = await readSelection({ set, node, selection, decoder, ...objects }, context);
  referenced?.();
  for (const failed of part.failed.values()) throw new RefscopeError(failed);
  // A missing chunk is left for the reader to fill, if all readers fill it alike.
  if (isMissingSaid && part.missing === part.chunks && part.chunks > 0) return undefined;
  const counts = selection.map(({ count }) => count);
  if (elements === undefined) return padded(part.bytes, counts, lengths);
  return elements.encoded(paddedTexts(part.texts ?? [], counts, lengths, elements.none), lengths);
}

/** Zarr stores chunks at the edge whole. */
function padded(bytes: Bytes, from: readonly number[], to: readonly number[]): Bytes {
  if (from.join() === to.join()) return bytes;
  const size = bytes.length / Math.max(1, cellCount(from));
  const whole = new Uint8Array(cellCount(to) * size);
  const [fromSteps, toSteps] = [stridesC(from), stridesC(to)];
  const dimensions = from.map((count, axis) => ({
    count,
    fromStep: fromSteps[axis] ?? 0,
    toStep: toSteps[axis] ?? 0,
  }));
  copyBox(bytes, whole, { from: 0, to: 0, dimensions }, size);
  return whole;
}

/** Codes by their number from 1 on; 0 is `none`. */
function paddedTexts(texts: readonly string[], from: readonly number[], to: readonly number[], none: string) {
  const numbers = Uint32Array.from(texts, (_, at) => at + 1);
  const whole = new Uint32Array(padded(new Uint8Array(numbers.buffer), from, to).buffer);
  return Array.from(whole, (number) => texts[number - 1] ?? none);
}

/** Chunks that are objects of the store: rows where it can be listed, else a page an object, which is asked for. */
import type { CallContext } from "../../../core/byte-source.ts";
import { cellCount, chunkKey, coordinatesOf, gridOf, ordinalOf, parseChunkName } from "../../../core/chunk-grid.ts";
import { failure } from "../../../core/findings/failure.ts";
import { chunkAt } from "../../../core/findings/place.ts";
import { splitMetadataKey } from "../../../core/hierarchy-path.ts";
import type { ArrayNode, BrokenNode, Hierarchy } from "../../../core/hierarchy.ts";
import type { ReferencePages } from "../../../core/reference-pages.ts";
import type { Store } from "../../../io/store.ts";
import type { GrowingTable } from "../../set.ts";
import { isMetadataName } from "./store-documents.ts";

/** Adds a row for each object of a listed store that lies below one of `arrays`. */
export function addListedChunks(
  table: GrowingTable,
  hierarchy: Hierarchy,
  store: Store,
  arrays: ReadonlySet<string>,
): void {
  for (const key of store.keys ?? []) {
    if (isMetadataName(splitMetadataKey(key).document)) continue;
    const path = arrayAbove(key, arrays);
    const node = path === undefined ? undefined : hierarchy.nodes.get(path);
    const id = path === undefined ? undefined : table.ids.get(path);
    if (id === undefined) continue;
    if (node?.kind === "array") addObject(table, node, id, key, store.sizeOf(key));
    if (node?.kind === "broken") addWithoutGrid(table, node, id, key, store.sizeOf(key));
  }
}

/** The deepest array whose path the key begins with. */
function arrayAbove(key: string, arrays: ReadonlySet<string>): string | undefined {
  for (let end = key.lastIndexOf("/"); end > 0; end = key.lastIndexOf("/", end - 1)) {
    const path = key.slice(0, end);
    if (arrays.has(path)) return path;
  }
  return arrays.has("") ? "" : undefined;
}

const nameBelow = (path: string, key: string): string => (path === "" ? key : key.slice(path.length + 1));

/** Which chunk it is nothing says. */
function addWithoutGrid(
  { builder }: GrowingTable,
  { path }: BrokenNode,
  id: number,
  key: string,
  size: number | undefined,
): void {
  // Other encodings of keys put something after the numbers (`c/0/0.tif`).
  if (isLikeChunk(nameBelow(path, key).replace(/\.[a-z]\w*$/i, "")))
    builder.markStray(builder.addNative(id, 0, size), key, "grid-unread");
}

function addObject(
  { builder }: GrowingTable,
  node: ArrayNode,
  id: number,
  key: string,
  size: number | undefined,
): void {
  const { shape, chunks, separator } = node.metadata;
  const grid = gridOf(shape, chunks);
  const name = nameBelow(node.path, key);
  const coordinates = parseChunkName(name, grid.length, separator);
  const ordinal = coordinates === undefined ? undefined : ordinalOf(grid, coordinates);
  if (ordinal !== undefined) return void builder.addNative(id, ordinal, size);
  const reason = coordinates === undefined ? strayReason(name, separator) : "outside-grid";
  if (reason !== undefined) builder.markStray(builder.addNative(id, 0, size), key, reason);
}

/** Files that are not chunks by any spelling (a README, `.DS_Store`) are left alone. */
const isLikeChunk = (name: string): boolean => name === "c" || /^(?:c[./])?\d+(?:[./]\d+)*$/.test(name);

function strayReason(name: string, separator: string): "wrong-rank" | "not-a-chunk-key" | undefined {
  if (name === "c" || !isLikeChunk(name)) return undefined;
  return name.includes(separator.slice(-1)) ? "wrong-rank" : "not-a-chunk-key";
}

/** A page an object: whether it is there is asked by HEAD. */
export function objectPages(node: ArrayNode, store: Store): ReferencePages {
  const { shape, chunks, separator } = node.metadata;
  const grid = gridOf(shape, chunks);
  return {
    unit: "object",
    words: ["chunk", "chunks"],
    isChunk: true,
    count: cellCount(grid),
    pageOf: (ordinal) => ordinal,
    visit: (page, see) => see(page),
    cellsOf: () => 1,
    async load(page, { table, array }, context: CallContext) {
      const coordinates = coordinatesOf(grid, page);
      const answer = await store.stat(chunkKey(node.path, coordinates, separator), context);
      if (answer.kind === "denied") {
        throw failure("chunk-denied", chunkAt(node.path, coordinates), { status: answer.status });
      }
      if (answer.kind === "present") table.addNative(array, page, answer.size);
      return [];
    },
  };
}

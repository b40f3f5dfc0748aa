/** Opens a Zarr store: native chunks, shards, chunk manifests. */
import type { CallContext } from "#core/byte-source.ts";
import { cellCount, chunkKey, coordinatesOf, gridOf, ordinalOf, parseChunkName } from "#core/metadata/chunk-grid.ts";
import { chunkAt, failure, finding, nodeAt, RefscopeError } from "#core/findings/finding.ts";
import { isMetadataName, splitMetadataKey } from "#core/metadata/hierarchy-path.ts";
import type { ArrayNode, Hierarchy, MetadataDocument, ShardLayout } from "#core/metadata/array-metadata.ts";
import { pythonString } from "#core/json/python-json.ts";
import { MANIFEST, type PageSink, type ReferencePages } from "#core/table/reference-pages.ts";
import type { StrayKey } from "#core/table/reference-table.ts";
import { addManifest, manifestOf, storedGrid } from "#formats/chunk-manifest/index.ts";
import { decodeInline } from "#formats/kerchunk-json/index.ts";
import { isWebPage, type Store, type StoreAnswer } from "#io/store.ts";
import { refusal } from "#io/store-answer.ts";
import { shardReader, type StoredShard } from "#engine/chunk/shard-reader.ts";
import { located, shardReference, storedAt } from "#engine/chunk/stored-shard.ts";
import type { EngineSet, SetFormat } from "#engine/engine-set.ts";
import type { GrowingTable } from "../set.ts";
import type { Folder, Opening } from "../driver.ts";
import { installLine, pythonNeeds } from "../python-needs.ts";
import { type StoreContext, storeSet } from "../store-set.ts";
import { STORE_WORDS } from "../store-words.ts";
import { type OfManifest, openManifest, type ReadManifest } from "./open-manifest.ts";
import { isPresent, prefixPages, targetBelow } from "./prefix-pages.ts";
import { tableBuilder } from "#core/table/table-builder.ts";

/**
 * `undefined` where there is no metadata at all: then it is not a store. Throws where it may be one, and none can be
 * fetched.
 */
export async function openStore(folder: Folder, opening: Opening): Promise<EngineSet | undefined> {
  const read = await folder.documents();
  const { documents, failure } = read;
  if (documents.size === 0) {
    if (isWebPage(failure)) throw failure;
    return undefined;
  }
  if (folder.store.keys === undefined && noneFetched(documents)) throw failure;
  const formatOf = (hierarchy: Hierarchy) => storeFormat(hierarchy, documents);
  return storeSet(folder, { ...read, addArrays, formatOf }, opening);
}

const noneFetched = (documents: ReadonlyMap<string, MetadataDocument>): boolean =>
  [...documents.values()].every(({ text }) => text === undefined);

async function addArrays(around: StoreContext, context: CallContext): Promise<void> {
  const listed = new Set<string>();
  for (const node of around.hierarchy.nodes.values()) {
    if (node.kind === "broken" && node.gridUnread !== undefined) listed.add(node.path);
    if (node.kind === "array") await addArray(around, node, listed, context);
  }
  addListedChunks(around.table, around.hierarchy, around.store, listed);
}

async function addArray(
  around: StoreContext,
  node: ArrayNode,
  listed: Set<string>,
  context: CallContext,
): Promise<void> {
  const { store, table, opening } = around;
  const manifest = manifestOf(node.metadata, node.path);
  opening.addAll(manifest.findings);
  const { sharding } = node.metadata;
  if (sharding !== undefined) {
    const locate =
      manifest.kind === "none"
        ? storedNatively(around, node, sharding)
        : storedByManifest({ around, node, reference: manifest });
    table.addShards(shardReader(node, sharding, locate));
  } else if (manifest.kind !== "none") {
    const pages = table.addPages(node.path, await manifestPages({ around, node, reference: manifest }, context));
    await pages.load([0], context);
  } else if (store.keys !== undefined) listed.add(node.path);
  else table.addPages(node.path, objectPages(node, store));
}

function storeFormat(hierarchy: Hierarchy, documents: ReadonlyMap<string, MetadataDocument>): SetFormat {
  const nodes = [...hierarchy.nodes.values()];
  const arrays = nodes.filter((node) => node.kind === "array");
  const versions = new Set(arrays.map((node) => node.metadata.zarrFormat));
  const manifests = arrays.some((node) => (node.metadata.storageTransformers?.length ?? 0) > 0);
  const sharded = arrays.some((node) => node.metadata.sharding !== undefined);
  const zarrFormat = versions.has(3) || isVersion3(documents) ? 3 : 2;
  const version = versions.size === 2 ? "Zarr v2 and v3" : `Zarr v${zarrFormat}`;
  const also = [sharded ? "sharded" : "", manifests ? "chunk manifest" : ""].filter((part) => part !== "");
  const label = also.length === 0 ? version : `${version}, ${also.join(", ")}`;
  const names = zarrFormat === 3 ? ["zarr.json"] : [".zarray", ".zgroup", ".zmetadata"];
  return {
    kind: "zarr",
    words: STORE_WORDS,
    python: storeSnippet,
    label,
    zarrFormat,
    recognised: { kind: "metadata-documents", names },
    decodeInline,
  };
}

/** Tells the version by the documents: groups do not show it. */
const isVersion3 = (documents: ReadonlyMap<string, MetadataDocument>): boolean =>
  [...documents.keys()].some((key) => key === "zarr.json" || key.endsWith("/zarr.json"));

// The lines that open a Zarr store in Python, with zarr-python 3 and xarray.

/** A whole script. Strings of the set are escaped: nothing in them can become code. */
function storeSnippet({ url, name, hierarchy, format: { zarrFormat = 2 } }: EngineSet): string {
  const needs = pythonNeeds({ hierarchy });
  const location = url ?? name;
  const isArray = hierarchy.nodes.get("")?.kind === "array";
  // zarr-python refuses arrays with storage transformers.
  const hasTransformers = [...hierarchy.nodes.values()].some(
    (node) => node.kind === "array" && (node.metadata.storageTransformers?.length ?? 0) > 0,
  );
  const remote = /^[a-z][a-z\d+.-]*:\/\//i.test(location);
  const general = ["zarr>=3", ...(isArray ? [] : ["xarray"]), ...(remote ? ["fsspec", "aiohttp"] : [])];
  const opened = `zarr.open(${pythonString(location)}, mode="r", zarr_format=${zarrFormat})`;
  const lines = [
    installLine([...general, ...needs.packages]),
    ...(hasTransformers
      ? ["# zarr-python refuses arrays with storage transformers (chunk manifests): only other arrays open."]
      : []),
    ...(isArray ? [] : ["import xarray as xr"]),
    "import zarr",
    ...needs.settings,
    "",
    ...(isArray
      ? [`array = ${opened}`]
      : [
          `group = ${opened}`,
          `ds = xr.open_zarr(${pythonString(location)}, zarr_format=${zarrFormat}, consolidated=None)`,
        ]),
  ];
  return `${lines.join("\n")}\n`;
}

// The references of an array that has a chunk manifest.

/**
 * The references of an array with a manifest. Without prefixes they are one page, since a manifest is one document; else
 * each chunk below a prefix is a page of its own, which is asked for.
 */
async function manifestPages(of: OfManifest, context: CallContext): Promise<ReferencePages> {
  const { around, node } = of;
  let read: ReadManifest | undefined;
  try {
    read = await openManifest(of, context);
  } catch (error) {
    // The page says why, and may be tried again.
    if (!(error instanceof RefscopeError)) throw error;
  }
  if (read !== undefined && read.cover.count > 0) return prefixPages(around, node, read);
  const cells = cellCount(gridOf(node.metadata.shape, node.metadata.chunks));
  return {
    ...MANIFEST,
    count: 1,
    pageOf: () => 0,
    visit: (_page, see) => {
      for (let ordinal = 0; ordinal < cells; ordinal += 1) see(ordinal);
    },
    cellsOf: () => cells,
    async load(_page, into, context) {
      const now = read ?? (await openManifest(of, context));
      if (now.cover.count > 0) throw failure("chunk-manifest-prefix", nodeAt(node.path), {});
      read = undefined;
      addManifest(now.manifest, into, now.base);
      return now.findings;
    },
  };
}

// Chunks that are objects of the store: rows where it can be listed, else a page an object, which is asked for.

/** Adds a row for each object of a listed store that lies below one of `arrays`. */
function addListedChunks(table: GrowingTable, hierarchy: Hierarchy, store: Store, arrays: ReadonlySet<string>): void {
  for (const key of store.keys ?? []) {
    if (isMetadataName(splitMetadataKey(key).document)) continue;
    const path = arrayAbove(key, arrays);
    const node = path === undefined ? undefined : hierarchy.nodes.get(path);
    const id = path === undefined ? undefined : table.ids.get(path);
    if (path === undefined || id === undefined) continue;
    const stray = (reason: StrayKey["reason"]) =>
      table.builder.markStray(table.builder.addNative(id, 0, store.sizeOf(key)), key, reason);
    const name = path === "" ? key : key.slice(path.length + 1);
    // Stray keys of an array whose grid is not read. Some encodings of keys add text after the numbers (`c/0/0.tif`).
    if (node?.kind === "broken" && isLikeChunk(name.replace(/\.[a-z]\w*$/i, ""))) stray("grid-unread");
    if (node?.kind !== "array") continue;
    const place = placeOfObject(node, name);
    if (typeof place === "number") table.builder.addNative(id, place, store.sizeOf(key));
    else if (place !== undefined) stray(place);
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

/** The ordinal of an object by its name in the array; else why it is no chunk; nothing where it is not like one. */
function placeOfObject({ metadata }: ArrayNode, name: string): number | StrayKey["reason"] | undefined {
  const { shape, chunks, separator } = metadata;
  const grid = gridOf(shape, chunks);
  const coordinates = parseChunkName(name, grid.length, separator);
  if (coordinates === undefined) return strayReason(name, separator);
  return ordinalOf(grid, coordinates) ?? "outside-grid";
}

/** Files that are not chunks by any spelling (a README, `.DS_Store`) are left alone. */
const isLikeChunk = (name: string): boolean => name === "c" || /^(?:c[./])?\d+(?:[./]\d+)*$/.test(name);

function strayReason(name: string, separator: string): "wrong-rank" | "not-a-chunk-key" | undefined {
  if (name === "c" || !isLikeChunk(name)) return undefined;
  return name.includes(separator.slice(-1)) ? "wrong-rank" : "not-a-chunk-key";
}

/** A store that denies what it does not have. */
const isDenial = (answer: StoreAnswer): answer is StoreAnswer & { readonly status: 401 | 403 } =>
  answer.kind === "absent" && (answer.status === 401 || answer.status === 403);

/** A page an object: whether it is there is asked by HEAD. */
function objectPages(node: ArrayNode, store: Store): ReferencePages {
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
      const place = chunkAt(node.path, coordinates);
      if (answer.kind === "denied") throw failure("chunk-denied", place, refusal(answer));
      if (answer.kind === "present") table.addNative(array, page, answer.size);
      if (answer.kind === "absent" && answer.unreadable === true) return [finding("cors-on-success-only", place, {})];
      return isDenial(answer) ? [finding("chunk-missing-as-denied", place, { status: answer.status })] : [];
    },
  };
}

// Locates the shards of an array: objects of the store, or entries of a chunk manifest.

type Locate = (shard: number, context: CallContext) => Promise<StoredShard>;

function storedNatively({ store, targets }: StoreContext, node: ArrayNode, layout: ShardLayout): Locate {
  const grid = gridOf(node.metadata.shape, layout.shape);
  return async (shard, context) => {
    const coordinates = coordinatesOf(grid, shard);
    const key = chunkKey(node.path, coordinates, layout.separator);
    const answer = await store.stat(key, context);
    if (answer.kind === "denied") {
      throw failure("chunk-denied", chunkAt(node.path, coordinates), refusal(answer));
    }
    if (answer.kind === "absent") return { kind: "missing" };
    return located(targets, { kind: "whole", target: key }, key, context, answer.size);
  };
}

/** The manifest's references have a table of their own, by shard; it is read when the first shard is asked for. */
function storedByManifest(of: OfManifest): Locate {
  const { around, node } = of;
  const grid = storedGrid(node.metadata);
  let reading: Promise<ShardReferences> | undefined;
  return async (shard, context) => {
    reading ??= shardReferences(of, context).catch((error: unknown) => {
      // Asked for again with the next shard.
      reading = undefined;
      throw error;
    });
    const { table, array, read } = await reading;
    const name = `shard ${coordinatesOf(grid, shard).join(".")}`;
    if (read.cover.indexOf(shard) !== undefined) {
      const target = targetBelow(node, read)(shard);
      if (!(await isPresent(around, node, shard, target, context))) return { kind: "missing" };
      return storedAt(around.targets, { kind: "whole", target }, name, context);
    }
    return storedAt(
      around.targets,
      await shardReference({ table, array, decodeInline }, shard, context),
      name,
      context,
    );
  };
}

interface ShardReferences extends PageSink {
  readonly read: ReadManifest;
}

async function shardReferences(of: OfManifest, context: CallContext): Promise<ShardReferences> {
  const { around, node } = of;
  const table = tableBuilder();
  const array = table.addArray(node.path, storedGrid(node.metadata), "c/");
  const read = await openManifest(of, context);
  addManifest(read.manifest, { table, array }, read.base);
  around.table.log.addAll(read.findings);
  return { table, array, read };
}

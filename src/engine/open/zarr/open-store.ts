/** Opens a Zarr store: native chunks, shards, chunk manifests, and Kerchunk Parquet, whose folder is one too. */
import type { CallContext } from "../../../core/byte-source.ts";
import { buildHierarchy } from "../../../core/build-hierarchy.ts";
import { codecTableFor } from "../codec-table.ts";
import type { Finding } from "../../../core/finding.ts";
import { FindingLog } from "../../../core/findings/finding-log.ts";
import { finding } from "../../../core/findings/finding.ts";
import { WHOLE_SET } from "../../../core/findings/place.ts";
import type { ArrayNode, MetadataDocument } from "../../../core/hierarchy.ts";
import type { Locations } from "../../../core/location.ts";
import { decodeInline } from "../../../formats/kerchunk-json/index.ts";
import { manifestOf } from "../../../formats/chunk-manifest/index.ts";
import type { LocalFiles } from "../../../io/local-files.ts";
import { resolveTarget, type BaseLocation } from "../../../io/resolve.ts";
import { isWebPage, type Store } from "../../../io/store.ts";
import type { EngineSet, SetFormat } from "../../engine-set.ts";
import { addManifestRows, manifestPages } from "./manifest-rows.ts";
import { addListedChunks, objectPages } from "./native-chunks.ts";
import { growingSet, growingTable, slotsOf, type GrowingTable } from "../paged-set.ts";
import { parquetDocuments, parquetPages } from "../kerchunk-parquet/parquet-set.ts";
import { shardReader, type ShardReader } from "../../chunk/shard-reader.ts";
import type { StoreContext } from "./store-context.ts";
import { storeDocuments } from "./store-documents.ts";
import { storedByManifest, storedNatively } from "./stored-shards.ts";
import { targetReader, type Network, type TargetReader } from "../target-reader.ts";

export interface StorePlace {
  readonly store: Store;
  readonly name: string;
  readonly url: string | undefined;
  readonly choice: string | undefined;
  /** Files given together with the store, the store's own among them. */
  readonly files: LocalFiles | undefined;
  /** Found while it was located: what is odd about the archive. */
  readonly findings: readonly Finding[];
}

export interface StoreOptions {
  /** Asked for beside the root, where the store cannot be listed. */
  readonly paths?: readonly string[];
}

/** Pages of a local store that are read at once when it is opened. */
const FEW_PAGES = 64;

/** `undefined` where there is no metadata at all: then it is no store. Throws where it may be one, and none can be fetched. */
export async function openStore(
  place: StorePlace,
  locations: Locations,
  network: Network,
  { paths = [] }: StoreOptions,
  context: CallContext,
): Promise<EngineSet | undefined> {
  const started = performance.now();
  const { store, findings: located } = place;
  const read = await storeDocuments(store, paths, context);
  if (read.documents.size === 0) {
    if (isWebPage(read.failure)) throw read.failure;
    return undefined;
  }
  if (store.keys === undefined && noneFetched(read.documents)) throw read.failure;
  const opening = new FindingLog();
  opening.addAll(located);
  const parquet = parquetDocuments(store, read.documents);
  const documents = parquet?.documents ?? read.documents;
  const { hierarchy, findings } = buildHierarchy(documents.values(), [], await codecTableFor(documents.values()));
  opening.addAll([...read.findings, ...(parquet?.findings ?? []), ...findings]);
  if (read.unlisted) opening.add(finding("store-not-listable", WHOLE_SET, {}));
  const targets = storeTargets(place, locations, network);
  const table = growingTable(slotsOf(hierarchy));
  const storeContext: StoreContext = { store, hierarchy, table, targets, parquet, opening };
  const shards = await addArrays(storeContext, context);
  await loadFew(table, store, context);
  return growingSet(
    {
      name: place.name,
      url: place.url,
      choice: place.choice,
      format: formatOf(storeContext, documents),
      bytesReceived: read.bytes,
      documentBytes: read.bytes,
      refused: parquet?.refused,
      hierarchy,
      documents,
      targets,
      table,
      opening: opening.list(),
      milliseconds: performance.now() - started,
      resolveKey: (key) => resolveTarget(key, store.base, locations, place.files),
      shards,
      unlisted: read.unlisted,
    },
    context,
  );
}

const noneFetched = (documents: ReadonlyMap<string, MetadataDocument>): boolean =>
  [...documents.values()].every(({ text }) => text === undefined);

/** Targets that references write may lie anywhere, unlike the store's own objects. */
function storeTargets(place: StorePlace, locations: Locations, network: Network): TargetReader {
  const { exact: _, ...base } = place.store.base as BaseLocation & { readonly exact?: true };
  return targetReader({ base, files: place.files, path: undefined }, locations, network);
}

async function addArrays(around: StoreContext, context: CallContext): Promise<ReadonlyMap<number, ShardReader>> {
  const shards = new Map<number, ShardReader>();
  const listed = new Set<string>();
  for (const node of around.hierarchy.nodes.values()) {
    if (node.kind !== "array") continue;
    const reader = await addArray(around, node, listed, context);
    if (reader !== undefined) shards.set(around.table.ids.get(node.path) ?? 0, reader);
  }
  addListedChunks(around.table, around.hierarchy, around.store, listed);
  return shards;
}

async function addArray(
  around: StoreContext,
  node: ArrayNode,
  listed: Set<string>,
  context: CallContext,
): Promise<ShardReader | undefined> {
  const { store, table, parquet, opening } = around;
  if (parquet !== undefined) {
    table.addPages(node.path, parquetPages(around, parquet, node));
    return undefined;
  }
  const manifest = manifestOf(node.metadata, node.path);
  opening.addAll(manifest.findings);
  const { sharding } = node.metadata;
  if (sharding !== undefined) {
    const locate =
      manifest.kind === "none" ? storedNatively(around, node, sharding) : storedByManifest(around, node, manifest);
    const reader = shardReader(node, sharding, locate);
    table.addPages(node.path, reader.pages);
    return reader;
  }
  if (manifest.kind !== "none") {
    const pages = table.addPages(
      node.path,
      manifestPages(node, (into, context) => addManifestRows(around, node, manifest, into, context)),
    );
    await pages.load([0], context);
  } else if (store.keys !== undefined) listed.add(node.path);
  else table.addPages(node.path, objectPages(node, store));
  return undefined;
}

/** What costs no request is not waited for to be asked. */
async function loadFew({ index }: GrowingTable, store: Store, context: CallContext): Promise<void> {
  if (store.keys === undefined) return;
  const count = [...index.paged.values()].reduce((sum, { pages }) => sum + pages.count, 0);
  if (count > FEW_PAGES) return;
  for (const pages of index.paged.values()) await pages.load(pages.rest(), context);
}

function formatOf({ hierarchy, parquet }: StoreContext, documents: ReadonlyMap<string, MetadataDocument>): SetFormat {
  const nodes = [...hierarchy.nodes.values()];
  const arrays = nodes.filter((node) => node.kind === "array");
  const versions = new Set(arrays.map((node) => node.metadata.zarrFormat));
  const rest = { hasTemplates: false, mayGenerate: () => false, decodeInline };
  if (parquet !== undefined)
    return { ...rest, kind: "kerchunk-parquet", label: "Kerchunk Parquet", recognised: parquet.recognised };
  const manifests = arrays.some((node) => (node.metadata.storageTransformers?.length ?? 0) > 0);
  const sharded = arrays.some((node) => node.metadata.sharding !== undefined);
  const zarrFormat = versions.has(3) || isVersion3(documents) ? 3 : 2;
  const version = versions.size === 2 ? "Zarr v2 and v3" : `Zarr v${zarrFormat}`;
  const also = [sharded ? "sharded" : "", manifests ? "chunk manifest" : ""].filter((part) => part !== "");
  const label = also.length === 0 ? version : `${version}, ${also.join(", ")}`;
  const found =
    versions.has(3) || (arrays.length === 0 && isVersion3(documents)) ? "zarr.json" : ".zarray, .zgroup or .zmetadata";
  return { ...rest, kind: "zarr", label, zarrFormat, recognised: `its metadata documents (${found})` };
}

/** By its documents: groups say nothing of it. */
const isVersion3 = (documents: ReadonlyMap<string, MetadataDocument>): boolean =>
  [...documents.keys()].some((key) => key === "zarr.json" || key.endsWith("/zarr.json"));

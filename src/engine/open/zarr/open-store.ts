/** Opens a Zarr store: native chunks, shards, chunk manifests. */
import type { CallContext } from "../../../core/byte-source.ts";
import type { ArrayNode, Hierarchy, MetadataDocument } from "../../../core/hierarchy.ts";
import { decodeInline } from "../../../formats/kerchunk-json/index.ts";
import { manifestOf } from "../../../formats/chunk-manifest/index.ts";
import { isWebPage } from "../../../io/store.ts";
import type { EngineSet, SetFormat } from "../../engine-set.ts";
import { shardReader, type ShardReader } from "../../chunk/shard-reader.ts";
import type { Folder, Opening } from "../driver.ts";
import { storeSet, type StoreContext } from "../store-set.ts";
import { manifestPages } from "./manifest-rows.ts";
import { addListedChunks, objectPages } from "./native-chunks.ts";
import { storedByManifest, storedNatively } from "./stored-shards.ts";

export { storeSnippet } from "./snippet.ts";

/** `undefined` where there is no metadata at all: then it is not a store. Throws where it may be one, and none can be fetched. */
export async function openStore(folder: Folder, opening: Opening): Promise<EngineSet | undefined> {
  const { documents, failure } = await folder.documents();
  if (documents.size === 0) {
    if (isWebPage(failure)) throw failure;
    return undefined;
  }
  if (folder.store.keys === undefined && noneFetched(documents)) throw failure;
  const formatOf = (hierarchy: Hierarchy) => storeFormat(hierarchy, documents);
  return storeSet(folder, { documents, addArrays, formatOf }, opening);
}

const noneFetched = (documents: ReadonlyMap<string, MetadataDocument>): boolean =>
  [...documents.values()].every(({ text }) => text === undefined);

async function addArrays(around: StoreContext, context: CallContext): Promise<ReadonlyMap<number, ShardReader>> {
  const shards = new Map<number, ShardReader>();
  const listed = new Set<string>();
  for (const node of around.hierarchy.nodes.values()) {
    if (node.kind === "broken" && node.gridUnread !== undefined) listed.add(node.path);
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
  const { store, table, opening } = around;
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
    const pages = table.addPages(node.path, await manifestPages(around, node, manifest, context));
    await pages.load([0], context);
  } else if (store.keys !== undefined) listed.add(node.path);
  else table.addPages(node.path, objectPages(node, store));
  return undefined;
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
  return { kind: "zarr", label, zarrFormat, recognised: { kind: "metadata-documents", names }, decodeInline };
}

/** By its documents: groups say nothing of it. */
const isVersion3 = (documents: ReadonlyMap<string, MetadataDocument>): boolean =>
  [...documents.keys()].some((key) => key === "zarr.json" || key.endsWith("/zarr.json"));

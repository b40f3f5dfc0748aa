/**
 * Opens an Icechunk repository at a branch, tag or snapshot: the hierarchy from the snapshot's nodes, references from
 * manifests, a page each, native chunks from the repository's chunk files.
 */
import { buildHierarchy } from "../../../core/metadata/build-hierarchy.ts";
import type { CallContext } from "../../../core/byte-source.ts";
import type { RefscopeError } from "../../../core/errors.ts";
import { toBase64 } from "../../../core/values/fill-bytes.ts";
import { factsOfFailure } from "../../../core/findings/failure.ts";
import { FindingLog } from "../../../core/findings/finding-log.ts";
import { finding, type Finding } from "../../../core/findings/finding.ts";
import { WHOLE_SET } from "../../../core/findings/place.ts";
import type { ArrayNode, BrokenNode, Hierarchy, HierarchyNode } from "../../../core/metadata/hierarchy.ts";
import type { Locations } from "../../../core/location.ts";
import { once } from "../../../core/once.ts";
import { pythonString } from "../../../core/json/python-string.ts";
import type { ShownRef } from "../../../core/repository.ts";
import {
  chunkPath,
  fetchSnapshot,
  findRef,
  openRepository,
  type Repository,
  type Snapshot,
} from "../../../formats/icechunk/index.ts";
import { resolveTarget } from "../../../io/resolve.ts";
import { shardReader, type ShardReader } from "../../chunk/shard-reader.ts";
import {
  type EngineSet,
  type NativeChunkId,
  type NativePlace,
  repositoryOf,
  type SetFormat,
} from "../../engine-set.ts";
import { arrayPagesOf, type ArrayPagesOf } from "../../repository/array-pages-of.ts";
import { containerTargets } from "../../repository/container-targets.ts";
import { ignoredContainer } from "../../repository/ignored-container.ts";
import { manifestCache } from "../../repository/manifest-cache.ts";
import { icechunkObjects, icechunkZstd } from "../../repository/objects.ts";
import { setRepository } from "../../repository/set-repository.ts";
import { decodeInline, storedInIcechunk } from "../../repository/shards.ts";
import { snapshotDocuments } from "../../repository/snapshot-documents.ts";
import { growingTable, type GrowingTable, makeSet, partsOf, slotsOf } from "../../set.ts";
import { codecTable } from "../codec-table.ts";
import type { Folder, FolderPlace, Opening } from "../driver.ts";
import { pythonNeeds, quotedForShell } from "../python-needs.ts";
import { rectilinearOption } from "../rectilinear-option.ts";
import { type Network, targetReader, type TargetReader } from "../target-reader.ts";

// The lines that open an Icechunk repository in Python, with the package icechunk.

/** A whole script. Strings of the repository are escaped: nothing in them can become code. */
export function icechunkSnippet(set: EngineSet): string {
  const { summary, containers } = repositoryOf(set);
  const needs = pythonNeeds(set);
  const lines = [
    `# pip install ${["icechunk", "zarr>=3", "xarray", ...needs.packages].map(quotedForShell).join(" ")}`,
    "import icechunk",
    "import xarray as xr",
    "import zarr",
    ...needs.imports,
    ...rectilinearOption(set.hierarchy.nodes.values()),
    "",
    `storage = ${storageOf(set.url ?? set.name)}`,
    ...openedWith(containers),
    `session = repo.readonly_session(${sessionArgument(summary.shown)})`,
    'group = zarr.open(session.store, mode="r")',
    "ds = xr.open_zarr(session.store, consolidated=False)",
  ];
  return `${lines.join("\n")}\n`;
}

function storageOf(location: string): string {
  const kind = /^https?:/i.test(location) ? "http_storage" : "local_filesystem_storage";
  return `icechunk.${kind}(${pythonString(location)})`;
}

function openedWith(containers: readonly string[]): readonly string[] {
  if (containers.length === 0) return ["repo = icechunk.Repository.open(storage)"];
  return [
    "# None: without credentials, or those of the environment.",
    "repo = icechunk.Repository.open(",
    "    storage,",
    `    authorize_virtual_chunk_access={${containers.map((prefix) => `${pythonString(prefix)}: None`).join(", ")}},`,
    ")",
  ];
}

function sessionArgument(ref: ShownRef): string {
  if (ref.kind === "snapshot") return `snapshot_id=${pythonString(ref.snapshot)}`;
  return `${ref.kind}=${pythonString(ref.name)}`;
}

/** Manifests that are read at once when the repository is at hand. */
const FEW_PAGES = 64;

/** `undefined` where there is none, of no age. Throws what `openRepository`, `findRef` and `fetchSnapshot` throw. */
export async function openIcechunk(folder: Folder, opening: Opening): Promise<EngineSet | undefined> {
  try {
    return await openRef(folder, opening);
  } catch (error) {
    if (factsOfFailure(error, "icechunk-no-repository") !== undefined) return undefined;
    throw error;
  }
}

/** `ref`: `NAME`, `branch:NAME`, `tag:NAME`, `snapshot:ID`; absent = the branch `main`. */
async function openRef(
  place: Folder,
  { locations, network, options: { ref, countsLater }, context }: Opening,
): Promise<EngineSet> {
  const codecs = codecTable(); // Fetched while the repository is.
  const objects = icechunkObjects(place.store, context);
  const zstd = icechunkZstd(context.signal);
  const repository = await openRepository(objects, zstd).catch((error: unknown) => {
    throw objects.errors[0] ?? error;
  });
  const found = await findRef(objects, repository, ref === "" ? undefined : ref);
  const snapshot = await fetchSnapshot(objects, zstd, found.snapshot);
  const documents = snapshotDocuments(snapshot);
  const { hierarchy, findings } = buildHierarchy(documents.values(), [], await codecs);
  const opening = new FindingLog();
  opening.addAll([
    ...place.findings,
    ...absentFindings(objects.errors),
    ...repositoryFindings(repository),
    ...findings,
  ]);
  const { base, resolveKey, targets } = placesOf(place, locations, network, repository);
  const table = growingTable(slotsOf(hierarchy, { virtual: true }));
  const manifests = manifestCache(place.store);
  const arrays = arraysOf(snapshot, hierarchy, manifests, repository);
  const shards = addArrays(arrays, hierarchy, table, targets);
  await loadFew(table, arrays, base.kind === "file", context);
  const { store } = place;
  const ids = new Map(snapshot.nodes.map(({ id, path }) => [path.slice(1), id]));
  const documentBytes = snapshot.nodes.reduce((sum, { metadata }) => sum + metadata.length, 0);
  return makeSet(
    {
      name: place.name,
      url: place.url,
      choice: place.choice,
      ...(ref === undefined || ref === "" ? {} : { ref }),
      format: formatOf(repository),
      bytesReceived: documentBytes,
      documentBytes,
      refused: undefined,
      hierarchy,
      documents,
      targets,
      ...partsOf(table),
      opening: opening.list(),
      countsLater,
      milliseconds: performance.now() - place.started,
      resolveKey,
      shards,
      repository: setRepository({ store, repository, shown: found, hierarchy, ids, manifests, entries: new Map() }),
      nativePlace: (array, chunk) => nativePlaceOf(arrays.get(array), chunk),
      targetFindings: targetFindingsOf(arrays, (array) => shards.get(table.ids.get(array) ?? -1)),
      // Of shards nothing is kept here.
      recordsTargets: () => shards.size > 0 || [...arrays.values()].some(({ kept }) => kept.hasChecksums()),
    },
    context,
  );
}

const staleness = once(() => import("../../repository/staleness.ts"));

/** References of sharded arrays are of shards. */
function targetFindingsOf(
  arrays: Arrays,
  shardsOf: (array: string) => ShardReader | undefined,
): NonNullable<EngineSet["targetFindings"]> {
  return async (array, ordinal, request) => {
    const stored = shardsOf(array)?.pages.pageOf(ordinal) ?? ordinal;
    const recorded = arrays.get(array)?.kept.checksumAt(stored);
    if (recorded === undefined) return [];
    return (await staleness()).stalenessOf(recorded, request);
  };
}

/** Chunk files are the repository's own objects; virtual chunks may lie anywhere. */
function placesOf(place: FolderPlace, locations: Locations, network: Network, repository: Repository) {
  const { store, files } = place;
  const { exact: _, ...base } = store.base as typeof store.base & { readonly exact?: true };
  const reader = targetReader({ base, files, path: undefined }, locations, network);
  return {
    base,
    targets: containerTargets(reader, base, repository.configuration),
    resolveKey: (key: string) => resolveTarget(key, store.base, { ...locations, rewrites: [] }, files),
  };
}

type Arrays = ReadonlyMap<string, ArrayPagesOf>;

/** Arrays that have manifests, by path. */
function arraysOf(
  { nodes }: Snapshot,
  hierarchy: Hierarchy,
  open: ReturnType<typeof manifestCache>,
  { configuration }: Repository,
): Arrays {
  const arrays = new Map<string, ArrayPagesOf>();
  for (const one of nodes) {
    const path = one.path.slice(1);
    const node = hierarchy.nodes.get(path);
    if (one.kind !== "array" || !hasReferences(node) || one.manifests.length === 0) continue;
    arrays.set(path, arrayPagesOf({ node, id: one.id, manifests: one.manifests }, open, configuration));
  }
  return arrays;
}

const hasReferences = (node: HierarchyNode | undefined): node is ArrayNode | BrokenNode =>
  node?.kind === "array" || (node?.kind === "broken" && node.gridUnread !== undefined);

function addArrays(
  arrays: Arrays,
  hierarchy: Hierarchy,
  table: GrowingTable,
  targets: TargetReader,
): ReadonlyMap<number, ShardReader> {
  const shards = new Map<number, ShardReader>();
  for (const [path, pages] of arrays) {
    const node = hierarchy.nodes.get(path);
    const sharding = node?.kind === "array" ? node.metadata.sharding : undefined;
    if (node?.kind !== "array" || sharding === undefined) {
      table.addPages(path, pages);
      continue;
    }
    const reader = shardReader(node, sharding, storedInIcechunk(pages, targets));
    table.addPages(path, reader.pages);
    shards.set(table.ids.get(path) ?? 0, reader);
  }
  return shards;
}

/** What costs no request is not waited for to be asked; nor is a page in which there is nothing. */
async function loadFew(
  { index, ids }: GrowingTable,
  arrays: Arrays,
  isAtHand: boolean,
  context: CallContext,
): Promise<void> {
  const all = [...index.paged.values()];
  const count = all.reduce((sum, { pages }) => sum + pages.count, 0);
  if (isAtHand && count <= FEW_PAGES) for (const pages of all) await pages.load(pages.rest(), context);
  for (const [path, pages] of arrays) {
    const paged = index.paged.get(ids.get(path) ?? -1);
    if (paged?.pages === pages) await paged.load(pages.empty, context);
  }
}

function nativePlaceOf(pages: ArrayPagesOf | undefined, at: NativeChunkId): NativePlace | undefined {
  const native = "row" in at ? pages?.kept.nativeInRow(at.row) : pages?.kept.nativeAt(at.ordinal);
  if (native === undefined) return undefined;
  const { chunk, offset, length } = native;
  return { key: chunkPath(chunk), range: { offset, length } };
}

function formatOf({ format, info }: Repository): SetFormat {
  const name = format === 2 ? "repo" : "refs/branch.main/ref.json";
  return {
    kind: "icechunk",
    label: `Icechunk, format ${format}`,
    recognised: { kind: "file", name, writer: info?.header.writer },
    zarrFormat: 3,
    decodeInline,
    inlineText: (raw) => `base64:${toBase64(raw)}`,
  };
}

function absentFindings(errors: readonly RefscopeError[]): readonly Finding[] {
  return errors.map(({ code, finding: found }) =>
    code === "web-page" ? found : finding("icechunk-taken-as-absent", found.place, {}),
  );
}

function repositoryFindings({ findings, refsComplete, configuration }: Repository): readonly Finding[] {
  const ignored = configuration.containers.flatMap((container) => ignoredContainer(container) ?? []);
  return [...findings, ...(refsComplete ? [] : [finding("icechunk-refs-unlisted", WHOLE_SET, {})]), ...ignored];
}

/**
 * Opens an Icechunk repository at a branch, tag or snapshot: the hierarchy from the snapshot's nodes, references from
 * manifests, a page each, native chunks from the repository's chunk files.
 */
import type { CallContext } from "#core/byte-source.ts";
import { toBase64 } from "#core/values/fill-bytes.ts";
import { factsOfFailure, finding, type Finding, type RefscopeError, WHOLE_SET } from "#core/findings/finding.ts";
import type { ArrayNode, BrokenNode, HierarchyNode } from "#core/metadata/array-metadata.ts";
import { once } from "#core/basics.ts";
import { pythonString } from "#core/json/python-json.ts";
import type { ShownRef } from "#core/repository.ts";
import { openedWith, storageOf } from "./opening.ts";
import { chunkPath, fetchSnapshot, findRef, openRepository, resolveLocation } from "#formats/icechunk/index.ts";
import type { Repository, Snapshot } from "#formats/icechunk/index.ts";
import { resolveTarget } from "#io/resolve.ts";
import { shardReader, type ShardReader } from "#engine/chunk/shard-reader.ts";
import { repositoryOf } from "#engine/engine-set.ts";
import type { EngineSet, NativeChunkId, NativePlace, SetFormat } from "#engine/engine-set.ts";
import { STORE_WORDS } from "../store-words.ts";
import { arrayPagesOf, type ArrayPagesOf, decodeInline, storedInIcechunk } from "#engine/repository/array-pages-of.ts";
import { containerTargets, ignoredContainer } from "#engine/repository/container-targets.ts";
import { manifestCache } from "#engine/repository/manifest-cache.ts";
import { icechunkObjects, icechunkZstd } from "#engine/repository/objects.ts";
import { setRepository } from "#engine/repository/set-repository.ts";
import { snapshotDocuments } from "#engine/repository/snapshot-side.ts";
import { codecTable } from "#codecs/codec-table.ts";
import type { Folder, Opening } from "../driver.ts";
import { installLine, pythonNeeds } from "../python-needs.ts";
import { type StoreContext, type StoreReading, storeSet } from "../store-set.ts";

// The lines that open an Icechunk repository in Python, with the package icechunk.

/** A whole script. Strings of the repository are escaped: nothing in them can become code. */
function icechunkSnippet(set: EngineSet): string {
  const { summary, containers } = repositoryOf(set);
  const needs = pythonNeeds(set);
  const lines = [
    installLine(["icechunk", "zarr>=3", "xarray", ...needs.packages]),
    "import icechunk",
    "import xarray as xr",
    "import zarr",
    ...needs.settings,
    "",
    `storage = ${storageOf(set.url ?? set.name)}`,
    ...openedWith(containers),
    `session = repo.readonly_session(${sessionArgument(summary.shown)})`,
    'group = zarr.open(session.store, mode="r")',
    "ds = xr.open_zarr(session.store, consolidated=False)",
  ];
  return `${lines.join("\n")}\n`;
}

function sessionArgument(ref: ShownRef): string {
  if (ref.kind === "snapshot") return `snapshot_id=${pythonString(ref.snapshot)}`;
  return `${ref.kind}=${pythonString(ref.name)}`;
}

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
async function openRef(folder: Folder, opening: Opening): Promise<EngineSet> {
  const { store } = folder;
  const { locations, options, context } = opening;
  const ref = options.ref === "" ? undefined : options.ref;
  const codecs = codecTable(); // Fetched while the repository is.
  const objects = icechunkObjects(store, context);
  const zstd = icechunkZstd(context.signal);
  const repository = await openRepository(objects, zstd).catch((error: unknown) => {
    throw objects.errors[0] ?? error;
  });
  const shown = await findRef(objects, repository, ref);
  const snapshot = await fetchSnapshot(objects, zstd, shown.snapshot);
  const reading: StoreReading = {
    documents: snapshotDocuments(snapshot),
    findings: [...absentFindings(objects.errors), ...repositoryFindings(repository)],
    bytes: snapshot.nodes.reduce((sum, { metadata }) => sum + metadata.length, 0),
    codecs,
    virtual: true,
    formatOf: () => formatOf(repository),
    targetsIn: (reader, base) => containerTargets(reader, base, repository.configuration),
    async addArrays(around) {
      const { hierarchy, table } = around;
      const { libraryLimits, manifestLimits } = await limits();
      around.opening.addAll(libraryLimits(repository, snapshot, hierarchy));
      const manifests = manifestCache(store, (manifest) => table.log.addAll(manifestLimits(manifest, snapshot)));
      const arrays = await addArrays(around, snapshot, manifests, repository, context);
      const ids = new Map(snapshot.nodes.map(({ id, path }) => [path.slice(1), id]));
      return {
        ...(ref === undefined ? {} : { ref }),
        repository: setRepository(
          { store, repository, shown, hierarchy, ids, manifests, entries: new Map() },
          (other, asking) => openRef(folder, { ...opening, options: { ...options, ref: other }, context: asking }),
        ),
        recorded: {
          checksumAt: (array, ordinal) => arrays.get(array)?.kept.checksumAt(ordinal),
          urlOf: (location) => resolveLocation(location, repository.configuration).url,
          containers: repository.configuration.containers.filter(({ ignored }) => ignored === undefined),
        },
        // Chunk files are the repository's own objects; virtual chunks may lie anywhere.
        resolveKey: (key) => resolveTarget(key, store.base, { ...locations, rewrites: [] }, folder.files),
        nativePlace: (array, chunk) => nativePlaceOf(arrays.get(array), chunk),
        targetFindings: targetFindingsOf(arrays, (array) => table.shards.get(table.ids.get(array) ?? -1)),
        // Shards keep no checksums here.
        recordsTargets: () => table.shards.size > 0 || [...arrays.values()].some(({ kept }) => kept.hasChecksums()),
      };
    },
  };
  return storeSet(folder, reading, opening);
}

const staleness = once(() => import("#engine/repository/staleness.ts"));
const limits = once(() => import("#engine/repository/library-limits.ts"));

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

type Arrays = ReadonlyMap<string, ArrayPagesOf>;

/** Pages of the arrays with manifests, by path. Empty pages are loaded without waiting for a request. */
async function addArrays(
  { hierarchy, table, targets }: StoreContext,
  { nodes }: Snapshot,
  open: ReturnType<typeof manifestCache>,
  { configuration }: Repository,
  context: CallContext,
): Promise<Arrays> {
  const arrays = new Map<string, ArrayPagesOf>();
  for (const one of nodes) {
    const path = one.path.slice(1);
    const node = hierarchy.nodes.get(path);
    if (one.kind !== "array" || !hasReferences(node) || one.manifests.length === 0) continue;
    const pages = arrayPagesOf({ node, id: one.id, manifests: one.manifests }, open, configuration);
    arrays.set(path, pages);
    if (node.kind === "array" && node.metadata.sharding !== undefined)
      table.addShards(shardReader(node, node.metadata.sharding, storedInIcechunk(pages, targets)));
    else await table.addPages(path, pages).load(pages.empty, context);
  }
  return arrays;
}

const hasReferences = (node: HierarchyNode | undefined): node is ArrayNode | BrokenNode =>
  node?.kind === "array" || (node?.kind === "broken" && node.gridUnread !== undefined);

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
    words: { ...STORE_WORDS, inlineIn: "manifest" },
    python: icechunkSnippet,
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

/**
 * The files of a commit onto a branch: new chunks, new manifests beside those that stay, the snapshot and its log; and
 * the new state of `repo`, which makes them count.
 */
import { compressZstd } from "#codecs/zstd/zstd-encoder.ts";
import type { CallContext } from "#core/byte-source.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "#core/json/json.ts";
import type { RepositoryUpdate } from "#core/repository.ts";
import {
  configurationOf,
  type ManifestRef,
  type Snapshot,
  type SnapshotNode,
  type TransactionLog,
  type UpdatedChunks,
} from "#formats/icechunk/index.ts";
import { damaged } from "#formats/icechunk/fault.ts";
import { readFlexBuffer } from "#formats/icechunk/flex-buffer.ts";
import { manifestPath, REPO_PATH, snapshotPath, transactionPath } from "#formats/icechunk/paths.ts";
import type { RepoInfo } from "#formats/icechunk/repository.ts";
import { timeText } from "#formats/icechunk/types.ts";
import {
  type ManifestFile,
  microseconds,
  newId,
  type WrittenColumns,
  type WrittenNode,
  type WrittenRepo,
  writeManifests,
  writeSnapshot,
  writeTransactionLog,
} from "#formats/icechunk/write/index.ts";
import { startPace } from "#engine/pace.ts";
import { indexTable } from "#engine/table/table-index.ts";
import type { AppendPlan, GrownArray } from "./append.ts";
import { columnsOf, type OutputFile } from "./columns.ts";
import type { Containers } from "./locations.ts";
import type { PlannedNode } from "./plan.ts";

export interface AppendedCommit {
  readonly id: string;
  /** Microseconds since 1970. */
  readonly time: number;
  readonly message: string;
}

type Appending = Pick<AppendPlan, "plan" | "fresh" | "grown"> & {
  readonly snapshot: Pick<Snapshot, "nodes" | "manifestSizes" | "manifestReferences" | "time">;
};

/** Throws what reading a chunk that is copied throws; an `AbortError`. */
export async function* appendFiles(
  { plan, snapshot, fresh, grown }: Appending,
  message: string,
  context: CallContext,
): AsyncGenerator<OutputFile, AppendedCommit> {
  const index = indexTable(plan.table);
  const pace = startPace(context, "Writing references", plan.table.rows);
  const files: ManifestFile[] = [...snapshot.manifestSizes].map(([id, size]) => ({
    id,
    size,
    references: snapshot.manifestReferences.get(id) ?? 0,
  }));
  const updatedChunks: UpdatedChunks[] = [];

  async function* manifestsOf({ array, path }: PlannedNode, node: string, growth?: GrownArray) {
    if (array?.id === undefined) return [];
    const own = yield* columnsOf(plan, array, path, await index.arrayIndex(array.id, context), pace, context);
    const columns = growth === undefined ? own : shifted(own, growth);
    return yield* manifestFiles(node, columns, { files, updatedChunks }, context);
  }

  const added: WrittenNode[] = [];
  for (const planned of fresh) {
    const { id, path, metadata, array } = planned;
    const manifests = yield* manifestsOf(planned, id);
    added.push({ id, path: `/${path}`, metadata, ...(array && { array: { ...array, manifests } }) });
  }
  const replaced = new Map<string, WrittenNode>();
  for (const growth of grown) {
    const { planned, old, metadata, shape } = growth;
    const written = writtenNode(old);
    const manifests = [...(written.array?.manifests ?? []), ...(yield* manifestsOf(planned, old.id, growth))];
    const { dimensionNames } = written.array ?? { dimensionNames: undefined };
    replaced.set(old.id, { ...written, metadata, array: { shape, dimensionNames, manifests } });
  }
  const nodes = [...snapshot.nodes.map((old) => replaced.get(old.id) ?? writtenNode(old)), ...added];
  // Readers refuse a commit that is not younger than its parent, as a clock that lags would make it.
  const time = Math.max(Date.now() * 1000, Number(microseconds(snapshot.time)) + 1);
  const commit = { id: newId(12), time, message };
  const content = { ...commit, metadata: new Map(), nodes, manifests: files };
  yield output(snapshotPath(commit.id), await writeSnapshot(content, compressZstd));
  const log = logOf(commit.id, added, [...replaced.keys()], updatedChunks);
  yield output(transactionPath(commit.id), await writeTransactionLog(log, compressZstd));
  return commit;
}

/** Parts that arrays add to a snapshot and its log. */
interface Written {
  readonly files: ManifestFile[];
  readonly updatedChunks: UpdatedChunks[];
}

/** Manifests of one array. */
async function* manifestFiles(
  node: string,
  columns: WrittenColumns,
  { files, updatedChunks }: Written,
  context: CallContext,
): AsyncGenerator<OutputFile, readonly ManifestRef[]> {
  const manifests: ManifestRef[] = [];
  for await (const manifest of writeManifests(node, columns, () => newId(12), compressZstd)) {
    const { id, bytes, references, extents } = manifest;
    files.push({ id, size: bytes.length, references });
    manifests.push({ id, extents });
    context.signal.throwIfAborted();
    yield { path: manifestPath(id), bytes, references };
  }
  if (columns.rows > 0) updatedChunks.push(chunksOf(node, columns));
  return manifests;
}

/** Coordinates are made when they are written: until then the ordinals do. */
function chunksOf(node: string, { rows, ordinal, grid }: WrittenColumns): UpdatedChunks {
  const rank = grid.length;
  return {
    node,
    count: rows,
    get coordinates() {
      const all = new Uint32Array(rows * rank);
      for (let row = 0; row < rows; row += 1) {
        let rest = ordinal[row] ?? 0;
        for (let axis = rank - 1; axis >= 0; axis -= 1) {
          const cells = grid[axis] ?? 1;
          all[row * rank + axis] = rest % cells;
          rest = Math.floor(rest / cells);
        }
      }
      return all;
    },
    get starts() {
      return Uint32Array.from({ length: rows + 1 }, (_, row) => row * rank);
    },
  };
}

function logOf(
  id: string,
  added: readonly WrittenNode[],
  updatedArrays: readonly string[],
  updatedChunks: readonly UpdatedChunks[],
): Omit<TransactionLog, "header"> {
  const idsOf = (isArray: boolean) =>
    added.filter(({ array }) => (array !== undefined) === isArray).map((one) => one.id);
  const nothing = { deletedGroups: [], deletedArrays: [], updatedGroups: [], moved: [] };
  return { id, newGroups: idsOf(false), newArrays: idsOf(true), updatedArrays, updatedChunks, ...nothing };
}

const output = (path: string, bytes: Uint8Array<ArrayBuffer>) => ({ path, bytes, references: 0 });

function writtenNode(node: SnapshotNode): WrittenNode {
  const { id, path, metadata } = node;
  if (node.kind === "group") return { id, path, metadata };
  const { dimensionNames, manifests } = node;
  const shape = node.shape.map(({ arrayLength, chunks }) => ({ arrayLength, chunks: Number(chunks) }));
  return { id, path, metadata, array: { shape, dimensionNames, manifests } };
}

/** Places in the longer grid: they stay in their order. */
function shifted(columns: WrittenColumns, { axis, from, grid }: GrownArray): WrittenColumns {
  const ordinal = Float64Array.from(columns.ordinal, (one) => {
    let [rest, place, step] = [one, 0, 1];
    for (let at = grid.length - 1; at >= 0; at -= 1) {
      const cells = columns.grid[at] ?? 1;
      place += step * ((rest % cells) + (at === axis ? from.chunks : 0));
      rest = Math.floor(rest / cells);
      step *= grid[at] ?? 1;
    }
    return place;
  });
  return { ...columns, grid, ordinal };
}

interface RepoChange {
  readonly branch: string;
  readonly commit: AppendedCommit;
  /** Name below `overwritten/` of the state that is replaced. */
  readonly backup: string;
  readonly containers: Containers;
}

/** The state of a repository after the commit, from the one before it. */
export function committedRepo(
  info: RepoInfo<Uint8Array>,
  { branch, commit, backup, containers }: RepoChange,
): WrittenRepo {
  const { id, message } = commit;
  const newest = Number(microseconds(info.updates[0]?.at));
  const at = timeText(Math.max(commit.time, newest + 1));
  const parent = info.branches.get(branch);
  const entry = { id, parent, time: timeText(commit.time), message, metadata: new Map(), prunedLogs: [] };
  const config = withContainers(info.config, containers);
  const made: RepositoryUpdate[] = [{ kind: "commit", branch, snapshot: id, at, backup: undefined }];
  if (config !== info.config) made.push({ kind: "config-changed", at, backup: undefined });
  const before = info.updates.map((update, place) => (place === 0 ? { ...update, backup } : update));
  return {
    ...info,
    branches: new Map(info.branches).set(branch, id),
    snapshots: new Map(info.snapshots).set(id, entry),
    config,
    updates: [...made, ...before],
  };
}

/** Containers for prefixes that none covers are added; where there are none such, the bytes stay. */
function withContainers(stored: Uint8Array | undefined, containers: Containers): JsonValue | Uint8Array | undefined {
  const fault = (expected: string, found: string) =>
    damaged({ kind: "repository info", path: REPO_PATH }, { field: "config", expected, found });
  const config = stored && readFlexBuffer(stored, fault);
  const known = configurationOf(config).containers.filter(({ ignored }) => ignored === undefined);
  const added = [...containers].filter(([url]) => !known.some(({ prefix }) => url.startsWith(prefix)));
  if (added.length === 0) return stored;
  const old: JsonObject = config !== undefined && isJsonObject(config) ? config : new Map<string, JsonValue>();
  const own = old.get("virtual_chunk_containers");
  const all = new Map([...(own !== undefined && isJsonObject(own) ? own : []), ...added]);
  return new Map([...old, ["virtual_chunk_containers", all]]);
}

/**
 * Any set as an Icechunk repository, file by file: chunks and manifests array by array, the snapshot, its log, and `repo`
 * last, without which there is no repository.
 */
import { compressZstd } from "#codecs/zstd/zstd-encoder.ts";
import type { CallContext } from "#core/byte-source.ts";
import { manifestPath, snapshotPath, transactionPath } from "#formats/icechunk/paths.ts";
import type { ManifestRef, UpdatedChunks } from "#formats/icechunk/snapshot.ts";
import {
  firstFiles,
  type ManifestFile,
  newId,
  newRepo,
  type WrittenColumns,
  writeManifests,
  type WrittenNode,
  writeSnapshot,
  writeTransactionLog,
} from "#formats/icechunk/write/index.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { startPace } from "#engine/pace.ts";
import { indexTable } from "#engine/table/table-index.ts";
import { columnsOf, type OutputFile } from "./columns.ts";
import { configurationFor } from "./locations.ts";
import type { IcechunkPlan } from "./plan.ts";

export interface CommitWords {
  readonly message: string;
}

/** The message of a commit for which nobody gave one. */
export const writtenMessage = ({ format }: EngineSet): string => `Written from ${format.label}`;

/** Throws what reading a chunk that is copied throws; an `AbortError`. */
export async function* icechunkFiles(
  plan: IcechunkPlan,
  { message }: CommitWords,
  context: CallContext,
): AsyncGenerator<OutputFile> {
  const { table, containers } = plan;
  const index = indexTable(table);
  const pace = startPace(context, "Writing references", table.rows);
  const [nodes, files, updatedChunks]: [WrittenNode[], ManifestFile[], UpdatedChunks[]] = [[], [], []];
  for (const { id, path, metadata, array } of plan.nodes) {
    const node = { id, path: `/${path}`, metadata };
    const manifests: ManifestRef[] = [];
    if (array?.id !== undefined) {
      const columns = yield* columnsOf(plan, array, path, await index.arrayIndex(array.id, context), pace, context);
      manifests.push(...(yield* manifestFiles(id, columns, { files, updatedChunks }, context)));
    }
    nodes.push(array === undefined ? node : { ...node, array: { ...array, manifests } });
  }
  const snapshot = { id: newId(12), time: Date.now() * 1000, message, metadata: new Map() };
  const idsOf = (isArray: boolean) =>
    nodes.filter(({ array }) => (array !== undefined) === isArray).map(({ id }) => id);
  const log = { deletedGroups: [], deletedArrays: [], updatedGroups: [], updatedArrays: [], moved: [] };
  const output = (path: string, bytes: Uint8Array<ArrayBuffer>) => ({ path, bytes, references: 0 });
  yield output(snapshotPath(snapshot.id), await writeSnapshot({ ...snapshot, nodes, manifests: files }, compressZstd));
  yield output(
    transactionPath(snapshot.id),
    await writeTransactionLog(
      { ...log, id: snapshot.id, newGroups: idsOf(false), newArrays: idsOf(true), updatedChunks },
      compressZstd,
    ),
  );
  for (const { path, bytes } of await firstFiles(snapshot.time, compressZstd)) yield output(path, bytes);
  context.signal.throwIfAborted();
  const config = containers.size === 0 ? undefined : configurationFor(containers);
  const { path, bytes } = await newRepo(snapshot, config, compressZstd);
  yield output(path, bytes);
}

/** Parts that arrays add to a snapshot and its log. */
interface Written {
  readonly files: ManifestFile[];
  readonly updatedChunks: UpdatedChunks[];
}

/** Manifests of one array. */
export async function* manifestFiles(
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

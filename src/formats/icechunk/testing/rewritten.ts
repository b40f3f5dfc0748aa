/** For tests: a repository of format 2 read by us and written again by us, file by file. */
import { readSnapshot, readTransactionLog, type SnapshotNode } from "../snapshot.ts";
import { locationOf, openManifest, readChunkColumns } from "../references.ts";
import { type ChunkColumns, ENTRY_COMPRESSED, ENTRY_LOCATION } from "../chunk-columns.ts";
import { readRepoInfo } from "../repository.ts";
import {
  type CompressFrame,
  microseconds,
  type WrittenColumns,
  type WrittenNode,
  writeManifests,
} from "../write/index.ts";
import { writeRepoInfo, writeSnapshot, writeTransactionLog } from "../write/index.ts";
import { gridOf } from "./expected.ts";
import { testZstd } from "./objects.ts";

export async function rewritten(
  files: ReadonlyMap<string, Uint8Array>,
  compress?: CompressFrame,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const made = new Map(files);
  for (const [path, bytes] of files) {
    const id = path.slice(path.indexOf("/") + 1);
    if (path.startsWith("snapshots/")) await rewriteSnapshot(files, made, id, compress);
    else if (path.startsWith("transactions/"))
      made.set(path, await writeTransactionLog(await readTransactionLog(bytes, id, testZstd), compress));
    else if (path === "repo") made.set(path, await writeRepoInfo(await readRepoInfo(bytes, testZstd), compress));
  }
  return made;
}

type Files = Map<string, Uint8Array>;

async function rewriteSnapshot(
  files: ReadonlyMap<string, Uint8Array>,
  made: Files,
  id: string,
  compress?: CompressFrame,
) {
  const snapshot = await readSnapshot(files.get(`snapshots/${id}`)!, id, testZstd);
  const [nodes, manifests]: [WrittenNode[], Map<string, { id: string; size: number; references: number }>] = [
    [],
    new Map(),
  ];
  for (const node of snapshot.nodes) {
    nodes.push(writtenNode(node));
    if (node.kind !== "array") continue;
    for (const { id: own, extents } of node.manifests) {
      const manifest = await openManifest(files.get(`manifests/${own}`)!, own, testZstd);
      const array = manifest.arrays.find((one) => one.node === node.id)!;
      const columns = plainColumns(readChunkColumns(manifest, array, gridOf(node), extents), gridOf(node));
      for await (const { bytes, references } of writeManifests(node.id, columns, () => own, compress)) {
        made.set(`manifests/${own}`, bytes);
        manifests.set(own, { id: own, size: bytes.length, references });
      }
    }
  }
  const time = microseconds(snapshot.time);
  const content = { ...snapshot, time, nodes, manifests: [...manifests.values()] };
  made.set(`snapshots/${id}`, await writeSnapshot(content, compress));
}

/** Columns of a manifest that was read, its locations decompressed. @throws RefscopeError as `locationOf` does */
function plainColumns(columns: ChunkColumns, grid: readonly number[]): WrittenColumns {
  const { entries } = columns;
  const isCompressed = (id: number) => entries.tag(id) === ENTRY_COMPRESSED;
  const plain = {
    count: entries.count,
    tag: (id: number) => (isCompressed(id) ? ENTRY_LOCATION : entries.tag(id)),
    bytes: (id: number) => (isCompressed(id) ? new TextEncoder().encode(locationOf(columns, id)) : entries.bytes(id)),
  };
  return { ...columns, grid, entries: plain };
}

function writtenNode(node: SnapshotNode): WrittenNode {
  if (node.kind === "group") return node;
  const shape = node.shape.map(({ arrayLength, chunks }) => ({ arrayLength, chunks: Number(chunks) }));
  return { ...node, array: { ...node, shape } };
}

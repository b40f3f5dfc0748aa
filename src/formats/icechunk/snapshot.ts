/** Snapshot files: the hierarchy at one time, with the metadata of every node and the manifests of every array. */
import { failure, targetAt } from "#core/findings/finding.ts";
import type { FileName } from "./fault.ts";
import {
  bytesField,
  flatFault,
  type FlatTable,
  type FlatVector,
  idField,
  mapIndices,
  mapTables,
  openFlat,
  required,
  tableField,
  tableIn,
  textField,
  uint32Field,
  uint64At,
  uint64Field,
  uint8Field,
  valueFault,
  vectorField,
} from "./flat.ts";
import { type FileHeader, openFile } from "./header.ts";
import { readMetadataItems, type ReadValue } from "./metadata-items.ts";
import { objectId } from "./object-id.ts";
import { manifestPath, snapshotPath, transactionPath } from "./paths.ts";
import type { PoolShelf } from "./pool-shelf.ts";
import { timeText } from "./types.ts";
import type { DecompressFrame, Exact, HistoryEntry, IcechunkObjects, IcechunkZstd } from "./types.ts";

/**
 * `parent`: in format 1; format 2 keeps the parents in the repository info. Absent in the first snapshot of a chain.
 */
export interface Snapshot extends HistoryEntry {
  readonly header: FileHeader;
  /** Nodes in the order of the file. No two have the same path. */
  readonly nodes: readonly SnapshotNode[];
  /** How many bytes of each manifest the official library reads; in the order of the file. */
  readonly manifestSizes: ReadonlyMap<string, Exact>;
  /** References in each manifest, by the snapshot. */
  readonly manifestReferences: ReadonlyMap<string, number>;
  /** Fields that the format requires and the file lacks: nothing here needs them. */
  readonly lacking: readonly string[];
}

export type SnapshotNode = SnapshotNodeData & {
  /** 13 characters; the same through all snapshots, moves included. */
  readonly id: string;
  /** With a leading slash; "/" is the root. */
  readonly path: string;
  /** The node's `zarr.json`, as it was written. */
  readonly metadata: Uint8Array;
};

/** @throws RefscopeError of `openFile`, or `icechunk-file-damaged` */
export async function readSnapshot(bytes: Uint8Array, id: string, zstd: IcechunkZstd): Promise<Snapshot> {
  const { header, body, name } = await openFile(bytes, "snapshot", snapshotPath(id), zstd);
  const root = openFlat(body, name);
  const lacking = REQUIRED.flatMap(([slot, size, field]) =>
    vectorField(root, slot, size, field) === undefined ? [field] : [],
  );
  return {
    header,
    id: required(root, "id", idField(root, 0, 12, "id")),
    parent: idField(root, 1, 12, "parent_id"),
    time: timeText(uint64Field(root, 3, "flushed_at")),
    message: required(root, "message", textField(root, 4, "message")),
    metadata: readMetadataItems(root, 5, await valueReader(header.format)),
    nodes: readNodes(root, lacking),
    ...readManifestFiles(root),
    lacking,
  };
}

const REQUIRED = [
  [5, 4, "metadata"],
  [6, 32, "manifest_files"],
] as const;

/** Format 2 has tables, format 1 structures of 32 bytes. */
function readManifestFiles(root: FlatTable): Pick<Snapshot, "manifestSizes" | "manifestReferences"> {
  const tables = vectorField(root, 7, 4, "manifest_files_v2");
  const files: readonly (readonly [id: string, size: Exact, references: number])[] =
    tables === undefined
      ? mapIndices(vectorField(root, 6, 32, "manifest_files"), ({ flat: { bytes, view }, at }, index) => [
          objectId(bytes, at + index * 32, 12),
          uint64At(view, at + index * 32 + 16),
          view.getUint32(at + index * 32 + 24, true),
        ])
      : mapTables(tables, (table) => [
          required(table, "id", idField(table, 0, 12, "id")),
          uint64Field(table, 1, "size_bytes"),
          uint32Field(table, 2, "num_chunk_refs"),
        ]);
  return {
    manifestSizes: new Map(files.map(([id, size]) => [id, size])),
    manifestReferences: new Map(files.map(([id, , references]) => [id, references])),
  };
}

function readNodes(root: FlatTable, lacking: string[]): readonly SnapshotNode[] {
  const seen = new Set<string>();
  return mapTables(required(root, "nodes", vectorField(root, 2, 4, "nodes")), (table) => {
    const node = readNode(table, lacking);
    // The official reader finds nodes by binary search: of two with one path it is open which.
    if (seen.has(node.path)) throw valueFault(table, "path", "a path of its own for every node", `${node.path} twice`);
    seen.add(node.path);
    return node;
  });
}

function readNode(table: FlatTable, lacking: string[]): SnapshotNode {
  const path = required(table, "path", textField(table, 1, "path"));
  if (!path.startsWith("/")) throw valueFault(table, "path", 'a path that begins with "/"', JSON.stringify(path));
  const metadata = required(table, "user_data", bytesField(table, 2, "user_data"));
  const data = readNodeData(table, lacking);
  if (data === undefined) throw flatFault(table, "a group or an array", "a node of another kind");
  return { id: required(table, "id", idField(table, 0, 8, "id")), path, metadata, ...data };
}

/** @throws RefscopeError `icechunk-object-missing`, or of `readSnapshot` */
export async function fetchSnapshot(objects: IcechunkObjects, zstd: IcechunkZstd, id: string): Promise<Snapshot> {
  const path = snapshotPath(id);
  const bytes = await objects.get(path);
  if (bytes !== undefined) return readSnapshot(bytes, id, zstd);
  throw failure("icechunk-object-missing", targetAt(path), { file: "snapshot" });
}

/** A repository has mostly one format: the other's values need not be fetched. */
async function valueReader(format: 1 | 2): Promise<ReadValue> {
  if (format === 1) return (await import("./format-1.ts")).readMessagePack;
  return (await import("./format-2.ts")).readFlexBuffer;
}

// A node's data besides its metadata: the shape of arrays, and the manifests with their references.

type SnapshotNodeData = { readonly kind: "group" } | ArrayNodeData;

export interface ArrayNodeData {
  readonly kind: "array";
  /** A dimension each. Readers take shape and chunks from the node's `zarr.json`; this is Icechunk's own copy. */
  readonly shape: readonly DimensionShape[];
  /** `null`: a dimension without a name. Absent where the array names none. */
  readonly dimensionNames: readonly (string | null)[] | undefined;
  readonly manifests: readonly ManifestRef[];
}

interface DimensionShape {
  readonly arrayLength: Exact;
  /** Chunks along the dimension. */
  readonly chunks: Exact;
  /** Number of chunks along the dimension (format 1). */
  readonly chunkLength?: Exact;
}

export interface ManifestRef {
  readonly id: string;
  /** Chunk coordinates that the manifest is asked for, a dimension each; without any it is asked for all. */
  readonly extents: Extents;
}

/** Half-open: `to` is not included. */
export type Extents = readonly { readonly from: number; readonly to: number }[];

const [ARRAY, GROUP] = [1, 2] as const;

/** `undefined` where the node is of an unknown kind. */
function readNodeData(node: FlatTable, lacking: string[]): SnapshotNodeData | undefined {
  const kind = uint8Field(node, 3, "node_data_type");
  const data = required(node, "node_data", tableField(node, 4, "node_data"));
  if (kind === GROUP) return { kind: "group" };
  if (kind !== ARRAY) return undefined;
  if (vectorField(data, 0, 16, "shape") === undefined) lacking.push("shape");
  const names = vectorField(data, 1, 4, "dimension_names");
  return {
    kind: "array",
    shape: readShape(data),
    dimensionNames: names === undefined ? undefined : mapTables(names, readDimensionName),
    manifests: mapTables(required(data, "manifests", vectorField(data, 2, 4, "manifests")), readManifestRef),
  };
}

/** An empty name is none, as in the official reader. */
function readDimensionName(table: FlatTable): string | null {
  const name = textField(table, 0, "name");
  return name === undefined || name === "" ? null : name;
}

function readShape(data: FlatTable): readonly DimensionShape[] {
  const tables = vectorField(data, 3, 4, "shape_v2");
  if (tables !== undefined) {
    return mapTables(tables, (table) => ({
      arrayLength: uint64Field(table, 0, "array_length"),
      chunks: uint32Field(table, 1, "num_chunks"),
    }));
  }
  const structs = required(data, "shape", vectorField(data, 0, 16, "shape"));
  return mapIndices(structs, (vector, index) => {
    const { view } = vector.flat;
    const at = vector.at + index * 16;
    const [arrayLength, chunkLength] = [uint64At(view, at), uint64At(view, at + 8)];
    if (BigInt(chunkLength) === 0n && BigInt(arrayLength) !== 0n) {
      throw valueFault(data, `shape[${index}]`, "chunks of at least one element", `0 for ${arrayLength} elements`);
    }
    return { arrayLength, chunkLength, chunks: chunkCount(arrayLength, chunkLength) };
  });
}

function chunkCount(arrayLength: Exact, chunkLength: Exact): Exact {
  const [length, each] = [BigInt(arrayLength), BigInt(chunkLength)];
  const count = each === 0n ? 0n : (length + each - 1n) / each;
  return count <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(count) : count;
}

function readManifestRef(table: FlatTable): ManifestRef {
  const ranges = required(table, "extents", vectorField(table, 1, 8, "extents"));
  return {
    id: required(table, "object_id", idField(table, 0, 12, "object_id")),
    extents: mapIndices(ranges, ({ flat, at }, index) => ({
      from: flat.view.getUint32(at + index * 8, true),
      to: flat.view.getUint32(at + index * 8 + 4, true),
    })),
  };
}

/** True if readers look for a chunk in a manifest with these extents; extents beyond the coordinates do not count. */
export function isWithin(extents: Extents, coordinates: readonly number[]): boolean {
  return extents.every(({ from, to }, axis) => {
    const at = coordinates[axis];
    return at === undefined || (at >= from && at < to);
  });
}

// Manifest files: the references of the chunks of arrays. Opening one decompresses it and finds its arrays; the
// references of an array are then read into columns (`chunk-columns.ts`) that keep nothing of the file, which is five
// times their size.

export interface Manifest {
  readonly header: FileHeader;
  readonly file: FileName;
  readonly id: string;
  readonly arrays: readonly ArrayManifest[];
  /** Bytes of the file's content, which this object holds. */
  readonly byteLength: number;
  /** Bytes of the file. */
  readonly size: number;
  /** Entries that it may share with other manifests. */
  readonly shelf: PoolShelf | undefined;
  /** For compressed locations. */
  readonly dictionary: Uint8Array | undefined;
  /** For compressed locations; `undefined` where the file has no dictionary for them. */
  readonly decompressLocation: DecompressFrame | undefined;
}

export interface ArrayManifest {
  /** Id of the array's node. */
  readonly node: string;
  /** References in the file. */
  readonly count: number;
  readonly refs: FlatVector;
}

/** zstd against the manifest's dictionary; the value where the field is absent. */
const ZSTD_DICTIONARY = 1;

/** @throws RefscopeError of `openFile`, or `icechunk-file-damaged` */
export async function openManifest(
  bytes: Uint8Array,
  id: string,
  zstd: IcechunkZstd,
  shelf?: PoolShelf,
): Promise<Manifest> {
  const { header, body, name } = await openFile(bytes, "manifest", manifestPath(id), zstd);
  const root = openFlat(body, name);
  const arrays = mapTables(required(root, "arrays", vectorField(root, 1, 4, "arrays")), readArray);
  const seen = new Set(arrays.map(({ node }) => node));
  if (seen.size !== arrays.length) {
    throw valueFault(root, "arrays", "one entry an array", `${arrays.length} entries for ${seen.size} arrays`);
  }
  // A copy of its own: columns keep it, and must not keep the file.
  const dictionary = bytesField(root, 2, "location_dictionary")?.slice();
  return {
    header,
    file: name,
    id: required(root, "id", idField(root, 0, 12, "id")),
    arrays,
    byteLength: body.length,
    size: bytes.length,
    shelf,
    dictionary,
    decompressLocation: locationDecompressor(root, dictionary, zstd),
  };
}

function readArray(table: FlatTable): ArrayManifest {
  const refs = required(table, "refs", vectorField(table, 1, 4, "refs"));
  return { node: required(table, "node_id", idField(table, 0, 8, "node_id")), count: refs.count, refs };
}

function locationDecompressor(
  root: FlatTable,
  dictionary: Uint8Array | undefined,
  zstd: IcechunkZstd,
): DecompressFrame | undefined {
  if (dictionary === undefined || uint8Field(root, 3, "compression_algorithm", ZSTD_DICTIONARY) !== ZSTD_DICTIONARY) {
    return undefined;
  }
  let prepared: DecompressFrame | undefined;
  return (frame, limit) => {
    prepared ??= prepareOnce(dictionary, zstd);
    return prepared(frame, limit);
  };
}

/** An invalid dictionary fails at once for every location, and is not tried again. */
function prepareOnce(dictionary: Uint8Array, zstd: IcechunkZstd): DecompressFrame {
  try {
    return zstd.prepare(dictionary);
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

// Transaction logs: what the commit that made a snapshot changed, by node id. The first snapshot of format 1 has none.

export interface TransactionLog {
  readonly header: FileHeader;
  /** Id of the snapshot. */
  readonly id: string;
  /** Ids of nodes. "Updated": their metadata. */
  readonly newGroups: readonly string[];
  readonly newArrays: readonly string[];
  readonly deletedGroups: readonly string[];
  readonly deletedArrays: readonly string[];
  readonly updatedGroups: readonly string[];
  readonly updatedArrays: readonly string[];
  readonly updatedChunks: readonly UpdatedChunks[];
  readonly moved: readonly MovedNode[];
}

/** Chunks that were set or deleted, in columns: 20 arrays of a million chunks are 80 MB, not objects. */
export interface UpdatedChunks {
  readonly node: string;
  readonly count: number;
  /** Coordinates one chunk after another; chunk `i` has [starts[i], starts[i + 1]). */
  readonly coordinates: Uint32Array<ArrayBuffer>;
  readonly starts: Uint32Array<ArrayBuffer>;
}

export interface MovedNode {
  readonly from: string;
  readonly to: string;
  readonly node: string | undefined;
  readonly kind: "group" | "array";
}

/** Chunks of one node alone, or without their coordinates. */
export interface LogPart {
  readonly node?: string;
  readonly countsOnly?: true;
}

/** @throws RefscopeError of `openFile`, or `icechunk-file-damaged` */
export async function readTransactionLog(
  bytes: Uint8Array,
  id: string,
  zstd: IcechunkZstd,
  part: LogPart = {},
): Promise<TransactionLog> {
  const { header, body, name } = await openFile(bytes, "transaction log", transactionPath(id), zstd);
  const root = openFlat(body, name);
  return {
    header,
    id: required(root, "id", idField(root, 0, 12, "id")),
    newGroups: nodeIds(root, 1, "new_groups"),
    newArrays: nodeIds(root, 2, "new_arrays"),
    deletedGroups: nodeIds(root, 3, "deleted_groups"),
    deletedArrays: nodeIds(root, 4, "deleted_arrays"),
    updatedArrays: nodeIds(root, 5, "updated_arrays"),
    updatedGroups: nodeIds(root, 6, "updated_groups"),
    updatedChunks: mapTables(required(root, "updated_chunks", vectorField(root, 7, 4, "updated_chunks")), (table) =>
      readUpdated(table, part),
    ).filter((chunks) => chunks !== undefined),
    moved: mapTables(vectorField(root, 8, 4, "moved_nodes"), readMoved),
  };
}

function nodeIds(root: FlatTable, slot: number, name: string): readonly string[] {
  const vector = required(root, name, vectorField(root, slot, 8, name));
  return mapIndices(vector, ({ flat, at }, index) => objectId(flat.bytes, at + index * 8, 8));
}

function readUpdated(table: FlatTable, { node: only, countsOnly }: LogPart): UpdatedChunks | undefined {
  const node = required(table, "node_id", idField(table, 0, 8, "node_id"));
  if (only !== undefined && node !== only) return undefined;
  const chunks = required(table, "chunks", vectorField(table, 1, 4, "chunks"));
  const { count } = chunks;
  const starts = new Uint32Array(countsOnly ? 1 : count + 1);
  if (countsOnly) return { node, count, coordinates: new Uint32Array(0), starts };
  // Twice through the file: kept, a vector of each chunk would be ten times its coordinates.
  const vectorAt = (index: number): FlatVector => {
    const chunk = tableIn(chunks, index);
    return required(chunk, "coords", vectorField(chunk, 0, 4, "coords"));
  };
  for (let index = 0; index < count; index += 1) starts[index + 1] = (starts[index] ?? 0) + vectorAt(index).count;
  const coordinates = new Uint32Array(starts[count] ?? 0);
  for (let index = 0; index < count; index += 1) copyCoordinates(vectorAt(index), coordinates, starts[index] ?? 0);
  return { node, count, coordinates, starts };
}

function copyCoordinates({ flat, at, count }: FlatVector, into: Uint32Array, from: number): void {
  for (let axis = 0; axis < count; axis += 1) into[from + axis] = flat.view.getUint32(at + axis * 4, true);
}

function readMoved(table: FlatTable): MovedNode {
  return {
    from: required(table, "from", textField(table, 0, "from")),
    to: required(table, "to", textField(table, 1, "to")),
    node: idField(table, 2, 8, "node_id"),
    kind: uint8Field(table, 3, "node_type") === 1 ? "array" : "group",
  };
}

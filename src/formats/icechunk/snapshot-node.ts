/** What a snapshot says of a node besides its metadata: the shape of arrays, and which manifests hold their references. */
import {
  idField,
  mapIndices,
  mapTables,
  required,
  tableField,
  textField,
  uint32Field,
  uint64At,
  uint64Field,
  uint8Field,
  valueFault,
  vectorField,
  type FlatTable,
} from "./flat.ts";
import type { Exact } from "./types.ts";

export type SnapshotNodeData = { readonly kind: "group" } | ArrayNodeData;

export interface ArrayNodeData {
  readonly kind: "array";
  /** A dimension each. Readers take shape and chunks from the node's `zarr.json`; this is Icechunk's own copy. */
  readonly shape: readonly DimensionShape[];
  /** `null`: a dimension without a name. Absent where the array names none. */
  readonly dimensionNames: readonly (string | null)[] | undefined;
  readonly manifests: readonly ManifestRef[];
}

export interface DimensionShape {
  readonly arrayLength: Exact;
  /** Chunks along the dimension. */
  readonly chunks: Exact;
  /** In format 1. */
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
export function readNodeData(node: FlatTable): SnapshotNodeData | undefined {
  const kind = uint8Field(node, 3, "node_data_type");
  const data = required(node, "node_data", tableField(node, 4, "node_data"));
  if (kind === GROUP) return { kind: "group" };
  if (kind !== ARRAY) return undefined;
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

/** Whether readers ask a manifest with these extents for a chunk: ranges beyond the coordinates do not count. */
export function isWithin(extents: Extents, coordinates: readonly number[]): boolean {
  return extents.every(({ from, to }, axis) => {
    const at = coordinates[axis];
    return at === undefined || (at >= from && at < to);
  });
}

/**
 * Manifest files: the references of the chunks of arrays. Opening one decompresses it and finds its arrays; the
 * references of an array are then read into columns (`chunk-columns.ts`) that keep nothing of the file, which is five
 * times their size.
 */
import {
  bytesField,
  idField,
  mapTables,
  openFlat,
  required,
  uint8Field,
  valueFault,
  vectorField,
  type FlatTable,
  type FlatVector,
} from "./flat.ts";
import type { FileName } from "./fault.ts";
import { openFile, type FileHeader } from "./header.ts";
import { manifestPath } from "./paths.ts";
import type { PoolShelf } from "./pool-shelf.ts";
import type { DecompressFrame, IcechunkZstd } from "./types.ts";

export interface Manifest {
  readonly header: FileHeader;
  readonly file: FileName;
  readonly id: string;
  readonly arrays: readonly ArrayManifest[];
  /** Bytes of the file's content, which this object holds. */
  readonly byteLength: number;
  /** What its entries may have in common with those of other manifests. */
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

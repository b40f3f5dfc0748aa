/**
 * Contents of a data file (HDF5, NetCDF-3, GRIB, or the DMR++ beside one): groups, arrays, and the place of each
 * chunk's bytes. An indexer in `formats/` reads it; the engine opens it as a set, writes references of it, and holds
 * the references of others against it.
 */
import type { Finding } from "./findings/fact.ts";

export interface SourceFile {
  /** "HDF5, superblock 0": which version of the format it is. */
  readonly label: string;
  /** The root first, parents before children. */
  readonly groups: readonly SourceGroup[];
  readonly arrays: readonly SourceArray[];
  /** Findings about the file, and about how its readers treat it. */
  readonly findings: readonly Finding[];
  /** Structures in order of offset. */
  readonly structures: readonly FileStructure[];
  /** It is a row of messages, of which everybody makes arrays of their own: only where messages lie is the file's word. */
  readonly isArranged?: true;
  /** The file that the references point into, where it is another than the one that was read. */
  readonly target?: string;
}

/** Each value as JSON text: numbers of floating-point types have a point. */
export type AttributeTexts = ReadonlyMap<string, string>;

export interface SourceGroup {
  /** Without leading or trailing slash; `""` is the root. */
  readonly path: string;
  readonly attributes: AttributeTexts;
}

export interface SourceArray extends SourceGroup {
  readonly shape: readonly number[];
  readonly chunks: readonly number[];
  /** Data type and fill value as `.zarray` has them, JSON text. */
  readonly dtype: string;
  readonly fill: string;
  /** The file has it as an attribute: what masks, not only what was never written. */
  readonly hasFillAttribute?: true;
  /** Filters in order of encoding; as `.zarray` has them, JSON text each. */
  readonly filters: readonly string[];
  /**
   * Filters that the file declares, if no chunk was stored with all of them: `skipped` has a bit for each that no chunk
   * has.
   */
  readonly declared?: { readonly filters: readonly string[]; readonly skipped: number };
  readonly dimensions: readonly string[];
  readonly references: ChunkColumns;
  /** Stored bytes of chunks that lie in the file's metadata, by ordinal. */
  readonly inline: ReadonlyMap<number, Uint8Array>;
  /** Fixed strings in its elements that are not filled up with zeros. */
  readonly padding?: { readonly bytes: number; readonly strings: readonly PaddedString[] };
  /** File of its chunks, if it is not the others'; an array of several files is listed once for each. */
  readonly target?: string;
}

/** Padded strings of one element that are looked through. */
export const MAX_STRINGS = 10_000;

/** Bytes within an element: what stands behind the first zero is padding, or the spaces at the end are. */
export interface PaddedString {
  readonly kind: "null" | "space";
  readonly at: number;
  readonly bytes: number;
}

/**
 * References of one array, a column each; `ordinal` counts chunks of the grid in C order. Offsets and lengths in
 * bytes.
 */
export interface ChunkColumns {
  readonly count: number;
  readonly ordinal: Float64Array;
  /** From the first byte of the file. */
  readonly offset: Float64Array;
  readonly length: Float64Array;
  /**
   * Masks as the file's index has them: bit n, the chunk was stored without filter n of the file. Absent if no chunk
   * has any.
   */
  readonly mask?: Uint32Array;
  /** The same of the array's own `filters`, however the file says it. Absent where all chunks have all of them. */
  readonly skipped?: Uint32Array;
}

/** A part of the file that holds metadata. */
export interface FileStructure {
  readonly offset: number;
  readonly length: number;
  /** "B-tree node", "object header": in the format's own words. */
  readonly kind: string;
  /** The group or array that it belongs to, where that is known. */
  readonly path?: string;
}

/** Places of the metadata and the chunks of a file, and the cost of reading these metadata by ranges. */
export interface FileLayout {
  readonly size: number;
  readonly structures: number;
  /** Bytes of structures, and of chunks. */
  readonly metadata: number;
  readonly chunks: number;
  /** Runs of structures with at least `PLACE_GAP` bytes of something else between them. */
  readonly places: number;
  /** From the first byte of the first structure to the last of the last. */
  readonly span: readonly [from: number, to: number];
  /** Kinds of data by place, as shares of the file: runs, with neighbours too close to be drawn apart joined. */
  readonly lanes: Readonly<Record<"metadata" | "chunks", readonly (readonly [from: number, to: number])[]>>;
  /** Bytes of a page that holds all metadata, where HDF5's tools can put them into one and they are not together yet. */
  readonly page?: number;
}

export const PLACE_GAP = 4096;

export interface StructureWindow {
  readonly total: number;
  readonly rows: readonly FileStructure[];
}

/** Appends to columns that grow. */
export function columnsWriter(room = 16) {
  let [ordinal, offset, length] = [new Float64Array(room), new Float64Array(room), new Float64Array(room)];
  let mask: Uint32Array | undefined;
  let count = 0;
  const grown = <T extends Float64Array | Uint32Array>(column: T, size: number): T => {
    const longer = new (column.constructor as new (size: number) => T)(size);
    longer.set(column);
    return longer;
  };
  return {
    add(at: number, from: number, bytes: number, skipped = 0): void {
      if (count === ordinal.length) {
        const size = Math.ceil(count * 1.5) + 16;
        [ordinal, offset, length] = [grown(ordinal, size), grown(offset, size), grown(length, size)];
        mask &&= grown(mask, size);
      }
      if (skipped !== 0) mask ??= new Uint32Array(ordinal.length);
      ordinal[count] = at;
      offset[count] = from;
      length[count] = bytes;
      if (mask !== undefined) mask[count] = skipped;
      count += 1;
    },
    columns: (): ChunkColumns => ({
      count,
      ordinal: ordinal.subarray(0, count),
      offset: offset.subarray(0, count),
      length: length.subarray(0, count),
      ...(mask === undefined ? {} : { mask: mask.subarray(0, count) }),
    }),
  };
}

/** Attributes that the writers of HDF5 and netCDF-4 use for themselves. */
export const HIDDEN_ATTRIBUTES: ReadonlySet<string> = new Set([
  "REFERENCE_LIST",
  "CLASS",
  "DIMENSION_LIST",
  "NAME",
  "_Netcdf4Dimid",
  "_Netcdf4Coordinates",
  "_nc3_strict",
  "_NCProperties",
]);

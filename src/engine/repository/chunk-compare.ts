/** Whether two references of manifests say the same of a chunk. */
import { RefscopeError } from "../../core/errors.ts";
import {
  checksumAt,
  kindOf,
  locationOf,
  rangeAt,
  referenceAt,
  type ChunkColumns,
} from "../../formats/icechunk/references.ts";
import { sameBytes } from "../../core/same-bytes.ts";

export type SameReference = (row: number, otherRow: number) => boolean;

const MAX_REMEMBERED = 100_000;

/**
 * Kind, place and range, checksum, inline bytes. Locations are compared as stored, decompressed; one that cannot be is
 * like no other, and `unreadable` is called.
 */
export function referenceComparer(one: ChunkColumns, other: ChunkColumns, unreadable: () => void): SameReference {
  const known = new Map<number, { readonly entry: number; readonly same: boolean }>();
  const sameLocation = (entry: number, otherEntry: number): boolean => {
    const found = known.get(entry);
    if (found?.entry === otherEntry) return found.same;
    const same = readable(() => locationOf(one, entry) === locationOf(other, otherEntry), unreadable);
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(entry, { entry: otherEntry, same });
    return same;
  };
  return (row, otherRow) => {
    const kind = kindOf(one, row);
    if (kind !== kindOf(other, otherRow)) return false;
    if (kind === "bad") return true;
    if (kind === "inline") return sameBytes(inlineBytes(one, row), inlineBytes(other, otherRow));
    if (!sameRange(one, row, other, otherRow)) return false;
    if (kind === "native") return chunkId(one, row) === chunkId(other, otherRow);
    return (
      sameLocation(one.entry[row] ?? 0, other.entry[otherRow] ?? 0) &&
      readable(() => sameChecksum(one, row, other, otherRow), unreadable)
    );
  };
}

function readable(compare: () => boolean, unreadable: () => void): boolean {
  try {
    return compare();
  } catch (error) {
    if (!(error instanceof RefscopeError)) throw error;
    unreadable();
    return false;
  }
}

function inlineBytes(columns: ChunkColumns, row: number): Uint8Array {
  const reference = referenceAt(columns, row);
  return reference.kind === "inline" ? reference.bytes : new Uint8Array(0);
}

function chunkId(columns: ChunkColumns, row: number): string {
  const reference = referenceAt(columns, row);
  return reference.kind === "native" ? reference.chunk : "";
}

function sameRange(one: ChunkColumns, row: number, other: ChunkColumns, otherRow: number): boolean {
  const [first, second] = [rangeAt(one, row), rangeAt(other, otherRow)];
  return first.offset === second.offset && first.length === second.length;
}

function sameChecksum(one: ChunkColumns, row: number, other: ChunkColumns, otherRow: number): boolean {
  const [first, second] = [checksumAt(one, row), checksumAt(other, otherRow)];
  if (first?.kind === "etag" && second?.kind === "etag") return first.etag === second.etag;
  if (first?.kind === "last-modified" && second?.kind === "last-modified") return first.seconds === second.seconds;
  return first === second;
}

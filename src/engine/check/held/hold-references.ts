/** References of a set to one file, each against the file's own index of its chunks. */
import type { ByteRange } from "#core/byte-source.ts";
import { coordinatesOf, gridOf, ordinalOf } from "#core/metadata/chunk-grid.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import type { SourceArray } from "#core/source-file.ts";
import { fileArrayOf, type HeldFile, type HeldRow } from "./held-files.ts";

/** Fault of a reference, compared with the file. */
export type HeldFault =
  /** The chunk lies `by` bytes after where it is said to be, and may have another length. */
  | { readonly kind: "moved"; readonly by: number }
  | { readonly kind: "length"; readonly has: number }
  /** The range is another chunk's of the file. */
  | { readonly kind: "other"; readonly array: string }
  /** The file has no such chunk. */
  | { readonly kind: "none" }
  /** Stored without these filters, by number. */
  | { readonly kind: "unfiltered"; readonly skipped: number };

export interface HeldArray {
  readonly held: HeldFile;
  readonly node: ArrayNode;
  readonly own: SourceArray;
  readonly rows: readonly HeldRow[];
  /** Chunk of the set that the file's first chunk is, by dimension. */
  readonly origin: readonly number[];
  readonly faults: ReadonlyMap<HeldRow, HeldFault>;
  /** Chunks outside of the place of the file's others, and where in the set's grid they would lie with these. */
  readonly strays: ReadonlyMap<HeldRow, number>;
  /** Range of the chunk in the file, for each faulty reference. */
  readonly right: ReadonlyMap<HeldRow, ByteRange>;
  /** Chunks of the file that no reference of the array is to, by their ordinal there. */
  readonly unnamed: readonly number[];
}

/** `undefined` where no array of the file is meant. */
export function holdArray(held: HeldFile, node: ArrayNode, rows: readonly HeldRow[]): HeldArray | undefined {
  if (held.file.isArranged === true) return holdMessages(held, node, rows);
  const { owners } = held;
  const own = fileArrayOf(held, node.path, rows);
  if (own === undefined) return undefined;
  const grid = gridOf(node.metadata.shape, node.metadata.chunks);
  const ownGrid = gridOf(own.shape, own.chunks);
  if (grid.length !== ownGrid.length)
    return { held, node, own, rows, origin: [], faults: new Map(), strays: new Map(), right: new Map(), unnamed: [] };
  const chunks = chunksOf(own);
  const { declared } = own;
  // A set may lack filters that no chunk has.
  const unused =
    declared !== undefined && node.metadata.decoding.length === declared.filters.length ? declared.skipped : 0;
  const ordinalAt = (offset: number) => own.references.ordinal[chunks.byOffset.get(offset) ?? -1];
  const origin = originOf(grid, ownGrid, rows, ordinalAt);
  // Chunks that are not compressed may be cut into pieces.
  const isCut = own.filters.length === 0 && JSON.stringify(node.metadata.chunks) !== JSON.stringify(own.chunks);
  const faults = new Map<HeldRow, HeldFault>();
  const right = new Map<HeldRow, ByteRange>();
  const strays = new Map<HeldRow, number>();
  const named = new Set<number>();
  for (const row of rows) {
    const at = coordinatesOf(grid, row.ordinal).map((one, axis) => one - (origin[axis] ?? 0));
    const meant = at.some((one) => one < 0) ? undefined : ordinalOf(ownGrid, at);
    if (meant !== undefined) named.add(meant);
    const inFile = meant === undefined ? ordinalAt(row.offset) : undefined;
    const there = inFile === undefined ? undefined : coordinatesOf(ownGrid, inFile);
    const place =
      there &&
      ordinalOf(
        grid,
        there.map((one, axis) => one + (origin[axis] ?? 0)),
      );
    if (place !== undefined) strays.set(row, place);
    const fault = faultOf(row, meant, { own, unused, isCut }, chunks, owners);
    if (fault === undefined) continue;
    faults.set(row, fault);
    const entry = chunks.byOrdinal.get(meant ?? -1);
    const range = entry === undefined ? undefined : rangeAt(own, entry);
    if (range !== undefined && fault.kind !== "unfiltered") right.set(row, range);
  }
  const unnamed = [...chunks.byOrdinal.keys()].filter((ordinal) => !named.has(ordinal));
  return { held, node, own, rows, origin, faults, strays, right, unnamed };
}

const rangeAt = ({ references }: SourceArray, place: number): ByteRange => ({
  offset: references.offset[place] as number,
  length: references.length[place] as number,
});

/** Lengths alone: what is no message fails to decode, and says so. */
function holdMessages(held: HeldFile, node: ArrayNode, rows: readonly HeldRow[]): HeldArray | undefined {
  const lengths = new Map(held.file.structures.map(({ offset, length }) => [offset, length]));
  const [own] = held.file.arrays;
  const faults = new Map<HeldRow, HeldFault>();
  for (const row of rows) {
    const has = lengths.get(row.offset);
    if (has !== undefined && has !== row.length) faults.set(row, { kind: "length", has });
  }
  return own && { held, node, own, rows, origin: [], faults, strays: new Map(), right: new Map(), unnamed: [] };
}

interface OwnChunks {
  /** Place in the columns, by the chunk's ordinal and by its offset. */
  readonly byOrdinal: ReadonlyMap<number, number>;
  readonly byOffset: ReadonlyMap<number, number>;
}

function chunksOf({ references }: SourceArray): OwnChunks {
  const byOrdinal = new Map<number, number>();
  const byOffset = new Map<number, number>();
  for (let at = 0; at < references.count; at += 1) {
    byOrdinal.set(references.ordinal[at] as number, at);
    byOffset.set(references.offset[at] as number, at);
  }
  return { byOrdinal, byOffset };
}

/**
 * Origin that most hitting references agree on; if none hits, the file's chunks are taken to begin at the first that is
 * named.
 */
function originOf(
  grid: readonly number[],
  ownGrid: readonly number[],
  rows: readonly HeldRow[],
  ordinalAt: (offset: number) => number | undefined,
): readonly number[] {
  const votes = new Map<string, number>();
  const least = grid.map(() => Infinity);
  for (const { ordinal, offset } of rows.slice(0, 10_000)) {
    const at = coordinatesOf(grid, ordinal);
    for (const [axis, one] of at.entries()) least[axis] = Math.min(least[axis] as number, one);
    const own = ordinalAt(offset);
    if (own === undefined) continue;
    const inFile = coordinatesOf(ownGrid, own);
    const vote = at.map((one, axis) => one - (inFile[axis] ?? 0)).join();
    votes.set(vote, (votes.get(vote) ?? 0) + 1);
  }
  const [best] = [...votes].toSorted(([, one], [, other]) => other - one);
  if (best !== undefined && best[1] > 1) return best[0].split(",").map(Number);
  return least.map((one, axis) => (grid[axis] === ownGrid[axis] || !Number.isFinite(one) ? 0 : one));
}

function faultOf(
  { offset, length }: HeldRow,
  meant: number | undefined,
  { own, unused, isCut }: { readonly own: SourceArray; readonly unused: number; readonly isCut: boolean },
  { byOrdinal, byOffset }: OwnChunks,
  owners: ReadonlyMap<number, SourceArray>,
): HeldFault | undefined {
  const { references } = own;
  if (isCut && references.count === 1 && isInside(offset, length, references)) return undefined;
  const hit = byOffset.get(offset);
  const place = meant === undefined ? undefined : byOrdinal.get(meant);
  if (hit !== undefined && (hit === place || place === undefined)) {
    const has = references.length[hit] as number;
    const skipped = (references.skipped?.[hit] ?? 0) | unused;
    // A checksum that the file has behind the chunk may be named or not.
    if (length !== has && length !== has + 4) return { kind: "length", has };
    return skipped === 0 ? undefined : { kind: "unfiltered", skipped };
  }
  if (hit !== undefined) return { kind: "other", array: own.path };
  const other = owners.get(offset);
  if (other !== undefined && other !== own) return { kind: "other", array: other.path };
  if (place === undefined) return own.inline.has(meant ?? -1) ? undefined : { kind: "none" };
  return { kind: "moved", by: (references.offset[place] as number) - offset };
}

const isInside = (offset: number, length: number, { offset: offsets, length: lengths }: SourceArray["references"]) =>
  offset >= (offsets[0] as number) && offset + length <= (offsets[0] as number) + (lengths[0] as number);

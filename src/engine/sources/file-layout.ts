/** The file that a set is: where its metadata and its chunks lie. */
import type { FileLayout, FileStructure, SourceFile } from "#core/source-file.ts";
import { PLACE_GAP } from "#core/source-file.ts";

/** Cells of a file that a strip of it can show apart. */
const CELLS = 600;

export function layoutOf({ structures, arrays }: SourceFile, size: number): FileLayout {
  const [metadata, chunks] = [new Uint8Array(CELLS), new Uint8Array(CELLS)];
  let chunkBytes = 0;
  for (const { offset, length } of structures) mark(metadata, offset / size, (offset + length) / size);
  for (const { references } of arrays) {
    for (let at = 0; at < references.count; at += 1) {
      const [from, bytes] = [references.offset[at] as number, references.length[at] as number];
      mark(chunks, from / size, (from + bytes) / size);
      chunkBytes += bytes;
    }
  }
  const metadataBytes = structures.reduce((sum, { length }) => sum + length, 0);
  const [first, last] = [structures[0], structures.at(-1)];
  const places = placesOf(structures);
  const isHdf5 = structures.some(({ kind }) => kind === "superblock");
  return {
    size,
    structures: structures.length,
    metadata: metadataBytes,
    chunks: chunkBytes,
    places,
    span: [first?.offset ?? 0, (last?.offset ?? 0) + (last?.length ?? 0)],
    lanes: { metadata: runsOf(metadata), chunks: runsOf(chunks) },
    ...(isHdf5 && places > 1 ? { page: pageFor(metadataBytes) } : {}),
  };
}

function mark(cells: Uint8Array, from: number, to: number): void {
  const [first, end] = [Math.floor(from * CELLS), Math.max(Math.floor(from * CELLS) + 1, Math.round(to * CELLS))];
  cells.fill(1, Math.max(0, first), Math.min(CELLS, end));
}

function runsOf(cells: Uint8Array): readonly (readonly [number, number])[] {
  const runs: [number, number][] = [];
  for (const [at, cell] of cells.entries()) {
    const last = runs.at(-1);
    if (cell === 0) continue;
    if (last !== undefined && last[1] * CELLS > at - 0.5) last[1] = (at + 1) / CELLS;
    else runs.push([at / CELLS, (at + 1) / CELLS]);
  }
  return runs;
}

function placesOf(structures: readonly FileStructure[]): number {
  let [places, end] = [0, -Infinity];
  for (const { offset, length } of structures) {
    if (offset - end >= PLACE_GAP) places += 1;
    end = Math.max(end, offset + length);
  }
  return places;
}

/** A power of two with room to spare: of nodes of trees only what is used was read, and written are they whole. */
const pageFor = (bytes: number): number => 2 ** Math.max(12, Math.ceil(Math.log2(bytes * 2)));

/** Chunks stored as they are that are read too early or too late: rows end inside the rows, always in the same column. */
import { type ChunkMetadata, metadataOfChunk, metadataOfLargest } from "#core/metadata/array-metadata.ts";
import { cellCount } from "#core/metadata/chunk-grid.ts";
import { decodeValues, float64Of } from "#core/values/values.ts";
import { rowLength, seamColumn } from "#engine/repair/suggest/values-of.ts";
import { bytesOf } from "../repair-search.ts";
import type { ArrayFacts } from "../value-facts.ts";
import { coordinatesAt, explainSlots, median, ofChunks, openSlots, type ValueRule } from "../value-rule.ts";

/** Chunks of an array that are looked at, and their size at most. */
const MAX_CHUNKS = 3;
const MAX_BYTES = 64 * 1024 ** 2;
const MAX_ROWS = 512;

/** The jump from the end of a row to the begin of the next, as a multiple of usual steps. */
const MOST_AT_END = 3;

export const shiftedRows: ValueRule = {
  id: "shifted-rows",
  codes: ["chunk-shifted"],
  isOfDeclared: true,
  async ofArray(facts, sink, view) {
    if (!facts.isPlain || !isCheckable(facts)) return;
    const open = openSlots(facts);
    const chosen = new Set([open[0], open[open.length >> 1], open.at(-1)].slice(0, MAX_CHUNKS));
    const shifted = new Map<number, number>();
    for (const slot of chosen) {
      if (slot === undefined) continue;
      const column = columnOf(metadataAt(facts, slot), await bytesOf(view, facts, slot));
      if (column !== undefined) shifted.set(slot, column);
    }
    const [first] = shifted;
    // A jump in the same column of every chunk is where the field has one.
    if (first === undefined || (chosen.size > 1 && shifted.size === chosen.size)) return;
    const [slot, column] = first;
    const slots = [...shifted.keys()];
    explainSlots(facts, slots);
    const about = { column, row: rowLength(metadataAt(facts, slot)), size: facts.node.metadata.dataType.itemSize };
    sink(ofChunks("chunk-shifted", facts, slots, about));
  },
};

const metadataAt = (facts: ArrayFacts, slot: number): ChunkMetadata =>
  metadataOfChunk(facts.node.metadata, coordinatesAt(facts, slot));

function isCheckable({ node }: ArrayFacts): boolean {
  const metadata = metadataOfLargest(node.metadata);
  const elements = cellCount(metadata.chunks);
  const { itemSize, kind } = metadata.dataType;
  return (
    itemSize > 0 && kind !== "structured" && elements * itemSize <= MAX_BYTES && elements >= 8 * rowLength(metadata)
  );
}

/** Column at which every row jumps although the end of one continues at the beginning of the next. */
function columnOf(metadata: ChunkMetadata, bytes: Uint8Array): number | undefined {
  const column = bytes.length === 0 ? undefined : seamColumn(metadata, bytes);
  if (column === undefined) return undefined;
  const row = rowLength(metadata);
  const rows = Math.min(MAX_ROWS, Math.floor(bytes.length / row / metadata.dataType.itemSize));
  const some = new Uint8Array(bytes.subarray(0, rows * row * metadata.dataType.itemSize));
  const { numbers } = decodeValues(some, { dataType: metadata.dataType, chunks: [rows, row], order: "C" });
  if (numbers === undefined) return undefined;
  const values = float64Of(numbers);
  const steps = (from: number, every: number) =>
    Array.from({ length: Math.floor((values.length - from - 1) / every) }, (_, at) =>
      Math.abs((values[from + at * every + 1] as number) - (values[from + at * every] as number)),
    );
  const usual = median(steps(0, 1));
  return usual > 0 && median(steps(row - 1, row)) <= usual * MOST_AT_END ? column : undefined;
}

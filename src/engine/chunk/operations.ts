/** Reading a chunk, and its bytes and values by window. */
import type { CallContext } from "#core/byte-source.ts";
import { coordinatesOf, gridOf } from "#core/metadata/chunk-grid.ts";
import { chunkAt, failure, type Finding } from "#core/findings/finding.ts";
import type { Cells, CellsSpec, ShardAnswer, Slice, SliceSpec } from "#core/open-set.ts";
import type { Reading } from "#core/reading.ts";
import { cellsOf, sliceOf } from "#core/plane/slice.ts";
import { givingAway } from "#core/transfer.ts";
import type { EngineContext, OfSet, Session } from "../sessions.ts";
import { carriedReadings, readingTally } from "./readings.ts";

const MAX_STAGE_BYTES = 1 << 20;
const MAX_FAILED_CHUNKS = 1000;

interface StageWindow extends OfSet {
  readonly reading: number;
  readonly stage: number;
  readonly from: number;
  readonly to: number;
}

export interface ReadingResults {
  readonly ok: number;
  readonly failed: number;
  readonly failedChunks: readonly (readonly number[])[];
}

export interface StageBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly total: number;
}

export function chunkOperations({ sessions, stages, decoder, say }: EngineContext) {
  const carried = carriedReadings();
  return {
    async read(
      { set, array, coordinates }: OfSet & { readonly array: string; readonly coordinates: readonly number[] },
      context: CallContext,
    ): Promise<Reading> {
      const { set: engineSet, readings, found } = sessions.get(set);
      // With the codecs, which opening a set does not need.
      const { readChunk } = await import("./read-chunk.ts");
      const chunk =
        (await carried.find(engineSet, array, coordinates, context)) ??
        (await readChunk(engineSet, array, coordinates, context, decoder));
      carried.keep(engineSet, chunk);
      stages.hold(chunk);
      const { key, findings } = chunk.reading;
      found.delete(key);
      found.set(key, findings);
      say({ kind: "read", set });
      return { id: readings.add(chunk), ...chunk.reading };
    },
    /** Results of readings of an array's chunks so far; of failed ones the first thousand places. */
    results({ set, array }: OfSet & { readonly array: string }): ReadingResults {
      const { hierarchy, met } = sessions.get(set).set;
      const node = hierarchy.nodes.get(array);
      const known = [...(met.answered.get(array) ?? [])];
      const failed = known.filter(([, { result }]) => result === "failed");
      const grid = node?.kind === "array" ? gridOf(node.metadata.shape, node.metadata.chunks) : [];
      return {
        ok: known.length - failed.length,
        failed: failed.length,
        failedChunks: failed.slice(0, MAX_FAILED_CHUNKS).map(([ordinal]) => coordinatesOf(grid, ordinal)),
      };
    },
    /** Counts of readings so far in all arrays. */
    tally: ({ set }: OfSet) => {
      const { set: engineSet, checks } = sessions.get(set);
      const { references, sources, held, values } = checks;
      return readingTally(engineSet, [references?.part ?? engineSet, sources, held, values]);
    },
    /** Findings of readings, by chunk key; the latest first. */
    findings: ({ set }: OfSet): readonly (readonly [string, readonly Finding[]])[] =>
      [...sessions.get(set).found].toReversed(),
    /** Bytes after a stage of a reading, `from` to `to` (cut at its end). Those that were not kept are made again. */
    async stageBytes({ set, reading, stage, from, to }: StageWindow, { signal }: CallContext): Promise<StageBytes> {
      const all = await stages.bytes(sessions.get(set).readings.get(reading), stage, signal);
      const bytes = all.slice(from, Math.min(to, from + MAX_STAGE_BYTES));
      return givingAway({ bytes, total: all.length }, [bytes.buffer]);
    },
    slice({ set, spec }: OfSet & { readonly spec: SliceSpec }): Slice {
      const slice = sliceOf(decodedOf(sessions.get(set), spec.reading), spec);
      return givingAway(slice, [slice.values.buffer]);
    },
    cells: ({ set, spec }: OfSet & { readonly spec: CellsSpec }): Cells =>
      cellsOf(decodedOf(sessions.get(set), spec.reading), spec),
    async shard(
      { set, array, shard }: OfSet & { readonly array: string; readonly shard: readonly number[] },
      context: CallContext,
    ): Promise<ShardAnswer> {
      const { readShard } = await import("./read-chunk.ts");
      const answer = await readShard(sessions.get(set).set, array, shard, context);
      return givingAway(answer, shardBuffers(answer));
    },
  };
}

function shardBuffers({ state }: ShardAnswer): readonly ArrayBuffer[] {
  if (state.kind !== "shard") return [];
  const { offsets, lengths, codes, inFileOrder, gaps } = state.map;
  return [offsets, lengths, codes, inFileOrder, gaps].map(({ buffer }) => buffer);
}

function decodedOf({ readings }: Session, id: number) {
  const { reading, values, inside, scaling } = readings.get(id);
  if (values !== undefined) return { values, inside, scaling };
  throw failure("no-values", chunkAt(reading.array, reading.coordinates), {});
}

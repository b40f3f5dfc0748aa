/**
 * The bytes after each stage of readings: kept up to a limit over all readings, beyond it made again when they are
 * looked at. The stored bytes and those of the whole chunk belong to the reading and stay.
 */
import type { ChunkMetadata } from "#core/metadata/array-metadata.ts";
import type { StageReport } from "#core/reading.ts";

/** For the stages between the stored bytes and the chunk's: per reading, and for all together. */
export const MAX_STAGE_BYTES = 256 * 2 ** 20;

/** The part of a reading that is about stages. */
export interface StagedReading {
  /** First the stored bytes, then those after each codec; where they were not kept, or the stage failed, none. */
  readonly stageBytes: StageBytes;
  /** Metadata with which the chunk was decoded. */
  readonly metadata: ChunkMetadata;
  readonly reading: { readonly stages: readonly StageReport[] };
}

type StageBytes = (Uint8Array<ArrayBuffer> | undefined)[];

export type StageKeeper = ReturnType<typeof keepStages>;

export function keepStages(limit = MAX_STAGE_BYTES) {
  /** The newest first. Readings that are gone take theirs with them. */
  let known: readonly WeakRef<StageBytes>[] = [];
  /** The reading is the newest now: others are dropped first, then all of its own but `stage`. */
  const hold = ({ stageBytes }: StagedReading, stage?: number): void => {
    known = [new WeakRef(stageBytes), ...known.filter((one) => ![undefined, stageBytes].includes(one.deref()))];
    let total = 0;
    for (const [age, one] of known.entries()) {
      const of = one.deref();
      if (of !== undefined) total = giveWay(of, age === 0 ? stage : undefined, total, limit);
    }
  };
  return {
    hold,
    /** Throws RefscopeError where a stage fails that did not before; AbortError. */
    async bytes(chunk: StagedReading, stage: number, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
      const { stageBytes, metadata, reading } = chunk;
      const kept = stageBytes[stage];
      if (kept !== undefined || reading.stages[stage]?.bytesOut === undefined) return kept ?? new Uint8Array(0);
      const { remakeStage } = await import("#codecs/pipeline.ts");
      const from = stageBytes.findLastIndex((one, at) => at < stage && one !== undefined);
      const bytes = stageBytes[from] ?? new Uint8Array(0);
      const made = await remakeStage(metadata, { stage: from, bytes }, stage, signal);
      stageBytes[stage] = made;
      hold(chunk, stage);
      return made;
    },
  };
}

/** Drops what has no room beside `total`, the wanted stage last. What is shared with others costs nothing twice. */
function giveWay(stages: StageBytes, wanted: number | undefined, total: number, limit: number): number {
  const last = stages.length - 1;
  const counted = new Set([stages[0]?.buffer, stages[last]?.buffer]);
  const between = stages.flatMap((bytes, at) => (bytes !== undefined && at > 0 && at < last ? [at] : []));
  let sum = total;
  for (const at of between.toSorted((a, b) => Number(b === wanted) - Number(a === wanted))) {
    const buffer = stages[at]?.buffer;
    if (buffer === undefined || counted.has(buffer)) continue;
    if (sum + buffer.byteLength > limit && at !== wanted) stages[at] = undefined;
    else {
      sum += buffer.byteLength;
      counted.add(buffer);
    }
  }
  return sum;
}

/** One chunk, not read as declared: a reading like any other, recorded nowhere else. */
import { metadataOfChunk } from "../../core/array-metadata.ts";
import type { CallContext } from "../../core/byte-source.ts";
import type { ArrayNode } from "../../core/hierarchy.ts";
import type { Trial } from "../../core/lab.ts";
import { chunkReference, type ChunkReference } from "../chunk/chunk-reference.ts";
import { arrayNode, type EngineSet } from "../engine-set.ts";
import type { LoadedChunk } from "../chunk/load-chunk.ts";
import { composeReading, decodeInStages, type ReadChunk } from "../chunk/read-chunk.ts";
import type { KeptReadings } from "../chunk/readings.ts";
import { loadTrial } from "./load-trial.ts";
import { trialMetadata } from "./trial-metadata.ts";

export interface TrialRequest {
  readonly array: string;
  readonly coordinates: readonly number[];
  readonly trial: Trial;
}

/**
 * Bytes that an earlier reading of the chunk fetched are not fetched again.
 *
 * @throws RefscopeError `trial-configuration`, `no-such-array`, `outside-grid`
 */
export async function tryChunk(
  set: EngineSet,
  { array, coordinates, trial }: TrialRequest,
  readings: KeptReadings,
  context: CallContext,
): Promise<ReadChunk> {
  const declared = arrayNode(set, array);
  const node: ArrayNode = { ...declared, metadata: trialMetadata(declared.metadata, trial) };
  const chunk = await chunkReference(set, declared, coordinates, context);
  context.report({ label: `Trying ${chunk.key}`, done: 0, unit: "bytes" });
  const known = readings.latest(array, coordinates, (one) => isSameRange(set, chunk, trial, one));
  const loaded = known?.loaded ?? (await loadTrial(set, chunk, trial, context));
  const decoded = await decodeInStages(metadataOfChunk(node.metadata, coordinates), loaded, context.signal);
  context.signal.throwIfAborted();
  const read = await composeReading(node, chunk, loaded, decoded);
  return { ...read, reading: { ...read.reading, trial } };
}

/** The same reference, moved by the same amount, read from where its target is now. */
function isSameRange(
  set: EngineSet,
  { reference, written }: ChunkReference,
  trial: Trial,
  { reading, loaded }: ReadChunk,
) {
  if (loaded.kind !== "bytes" || reading.written !== written) return false;
  const { shift = 0, lengthen = 0 } = reading.trial ?? {};
  if (shift !== (trial.shift ?? 0) || lengthen !== (trial.lengthen ?? 0)) return false;
  return isSamePlace(set, reference, loaded);
}

function isSamePlace(set: EngineSet, reference: ChunkReference["reference"], { resolution }: LoadedChunk): boolean {
  if (reference.kind === "inline") return true;
  const now =
    reference.kind === "range" || reference.kind === "whole"
      ? set.targets.resolve(reference.target)
      : reference.kind === "native"
        ? set.resolveKey?.(reference.key)
        : undefined;
  return now !== undefined && JSON.stringify(now) === JSON.stringify(resolution);
}

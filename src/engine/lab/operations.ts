/** The lab: a chunk not read as declared, likely repairs, and what to edit for one. */
import { codecDescriptions } from "../../codecs/find-codec.ts";
import type { CallContext } from "../../core/byte-source.ts";
import type {
  CodecDescription,
  ForeseenChunk,
  ReadAgain,
  RepairCheck,
  RepairScope,
  Suggestions,
  Trial,
} from "../../core/lab.ts";
import type { Reading } from "../../core/reading.ts";
import type { TableEdit } from "../../core/studio.ts";
import type { House } from "../sessions.ts";
import { checkRepair } from "./check-repair.ts";
import { readAgain } from "./read-again.ts";
import { repairEdits } from "./repair-edits.ts";
import { suggestRepairs } from "./suggest.ts";
import { tryChunk } from "./try-chunk.ts";

interface OfChunk {
  readonly set: number;
  readonly array: string;
  readonly coordinates: readonly number[];
}

type NoRequest = Readonly<Record<string, never>>;

export function labOperations({ sessions, stages }: House) {
  return {
    /** A reading like any other; what is known of the chunk stays as it was. Throws `trial-configuration`. */
    async tryRead(
      { set, array, coordinates, trial }: OfChunk & { readonly trial: Trial },
      context: CallContext,
    ): Promise<Reading> {
      const { set: engineSet, readings } = sessions.get(set);
      const chunk = await tryChunk(engineSet, { array, coordinates, trial }, readings, context);
      stages.hold(chunk);
      return { id: readings.add(chunk), ...chunk.reading };
    },
    /** Likely repairs of a chunk. */
    suggest: ({ set, array, coordinates }: OfChunk, context: CallContext): Promise<Suggestions> =>
      suggestRepairs(sessions.get(set).set, array, coordinates, context),
    /**
     * What to edit so that the chunk, or its array, is read as the trial reads it. Throws `not-editable`,
     * `trial-configuration`.
     */
    repairEdits: (
      { set, ...what }: OfChunk & { readonly trial: Trial; readonly scope: RepairScope },
      context: CallContext,
    ): Promise<readonly TableEdit[]> => repairEdits(sessions.get(set).set, what, context),
    /** Tries a repair on a sample of the array's chunks. Throws as `repairEdits` does. */
    checkRepair: ({ set, ...what }: OfChunk & { readonly trial: Trial }, context: CallContext): Promise<RepairCheck> =>
      checkRepair(sessions.get(set).set, what, context),
    /** Reads chunks of an edited set, to see whether they are read as a repair foresaw. */
    readAgain: (
      request: { readonly set: number; readonly array: string; readonly chunks: readonly ForeseenChunk[] },
      context: CallContext,
    ): Promise<ReadAgain> => readAgain(sessions.get(request.set).set, request.array, request.chunks, context),
    /** Codecs for a list to choose from. */
    codecs: codecDescriptions as (request: NoRequest) => readonly CodecDescription[],
  };
}

/** The microscope's operations on open sets, beside trial readings: see `worker/protocol.ts`, which lists the same. */
import { insertableCodecs } from "../../codecs/insertable.ts";
import type { CallContext } from "../../core/byte-source.ts";
import type {
  CodecName,
  ForeseenChunk,
  ReadAgain,
  RepairCheck,
  RepairScope,
  Suggestions,
  Trial,
} from "../../core/lab.ts";
import type { TableEdit } from "../../core/studio.ts";
import type { EngineSet } from "../engine-set.ts";
import { checkRepair } from "./check-repair.ts";
import { readAgain } from "./read-again.ts";
import { repairEdits } from "./repair-edits.ts";
import { suggestRepairs } from "./suggest.ts";

export interface Repair {
  readonly trial: Trial;
  readonly scope: RepairScope;
}

export interface LabOperations {
  suggest(set: number, array: string, coordinates: readonly number[], context: CallContext): Promise<Suggestions>;
  /** Throws `not-editable`, `trial-configuration`. */
  repairEdits(
    set: number,
    array: string,
    coordinates: readonly number[],
    repair: Repair,
    context: CallContext,
  ): Promise<readonly TableEdit[]>;
  /** Tries a repair on a sample of the array's chunks. Throws as `repairEdits` does. */
  checkRepair(
    set: number,
    array: string,
    coordinates: readonly number[],
    trial: Trial,
    context: CallContext,
  ): Promise<RepairCheck>;
  readAgain(set: number, array: string, chunks: readonly ForeseenChunk[], context: CallContext): Promise<ReadAgain>;
  codecNames(): readonly CodecName[];
}

/** @param setOf throws `set-closed` */
export function labOperations(setOf: (set: number) => EngineSet): LabOperations {
  return {
    suggest: (set, array, coordinates, context) => suggestRepairs(setOf(set), array, coordinates, context),
    repairEdits: (set, array, coordinates, repair, context) =>
      repairEdits(setOf(set), { array, coordinates, ...repair }, context),
    checkRepair: (set, array, coordinates, trial, context) =>
      checkRepair(setOf(set), { array, coordinates, trial }, context),
    readAgain: (set, array, chunks, context) => readAgain(setOf(set), array, chunks, context),
    codecNames: insertableCodecs,
  };
}

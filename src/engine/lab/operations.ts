/** The microscope's operations on open sets, beside trial readings: see `worker/protocol.ts`, which lists the same. */
import { codecDescriptions } from "../../codecs/find-codec.ts";
import type { CallContext } from "../../core/byte-source.ts";
import type { CodecDescription, RepairScope, Suggestions, Trial } from "../../core/lab.ts";
import type { TableEdit } from "../../core/studio.ts";
import type { EngineSet } from "../engine-set.ts";
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
  codecs(): readonly CodecDescription[];
}

/** @param setOf throws `set-closed` */
export function labOperations(setOf: (set: number) => EngineSet): LabOperations {
  return {
    suggest: (set, array, coordinates, context) => suggestRepairs(setOf(set), array, coordinates, context),
    repairEdits: (set, array, coordinates, repair, context) =>
      repairEdits(setOf(set), { array, coordinates, ...repair }, context),
    codecs: codecDescriptions,
  };
}

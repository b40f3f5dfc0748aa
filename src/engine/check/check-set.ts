/** A whole set checked: its references, and where that was asked for its targets and its values. */
import type { CallContext } from "../../core/byte-source.ts";
import type { EngineSet } from "../engine-set.ts";
import type { ChunkDecoder } from "../many/chunk-decoder.ts";
import { checkReferences } from "./check-references.ts";
import { together, type CheckedSet } from "./set-checks.ts";

export interface CheckRequest {
  readonly decoder: ChunkDecoder;
}

export async function checkSet(set: EngineSet, _request: CheckRequest, context: CallContext): Promise<CheckedSet> {
  return together(set, [await checkReferences(set, context)]);
}

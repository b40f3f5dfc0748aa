/** Any open set as a file: what would not be written, and the writing. */
import type { CallContext } from "#core/byte-source.ts";
import type { Exported, ExportPlan, ExportRequest, ExportWish } from "#core/studio.ts";
import type { EngineContext, OfSet } from "../sessions.ts";
import { exportPlan, exportSet } from "./export.ts";

export function writeOperations({ sessions }: EngineContext) {
  return {
    plan: ({ set, ...wish }: OfSet & ExportWish, context: CallContext): Promise<ExportPlan> =>
      exportPlan(sessions.get(set).set, wish, context),
    export: ({ set, ...request }: OfSet & ExportRequest, context: CallContext): Promise<Exported> =>
      exportSet(sessions.get(set).set, request, context),
  };
}

/** Any open set as a file: what would not be written, and the writing. */
import type { CallContext } from "#core/byte-source.ts";
import type { Finding } from "#core/findings/finding.ts";
import type { Exported, ExportRequest, ExportWish } from "#core/studio.ts";
import type { EngineContext, OfSet } from "../sessions.ts";
import { exportSet, planExport } from "./export.ts";

export function writeOperations({ sessions }: EngineContext) {
  return {
    plan: async ({ set, ...wish }: OfSet & ExportWish, context: CallContext): Promise<readonly Finding[]> =>
      (await planExport(sessions.get(set).set, wish, context)).findings,
    export: ({ set, ...request }: OfSet & ExportRequest, context: CallContext): Promise<Exported> =>
      exportSet(sessions.get(set).set, request, context),
  };
}

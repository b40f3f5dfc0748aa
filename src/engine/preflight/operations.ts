/** Sets that are open, held together: whether they are one dataset, and their references as one document. */
import type { CallContext } from "../../core/byte-source.ts";
import type { Preflight } from "../../core/check/preflight.ts";
import type { EngineContext } from "../sessions.ts";
import { combine, stopsCombining } from "./combine.ts";
import { examine } from "./preflight.ts";

export interface TogetherRequest {
  /** Of data files. */
  readonly sets: readonly number[];
  readonly along?: string;
}

export function preflightOperations({ sessions, decoder }: EngineContext) {
  const examined = ({ sets, along }: TogetherRequest, context: CallContext) => {
    const files = sets.map((id) => sessions.get(id).set).map((set) => ({ set, name: set.url ?? set.name }));
    return examine(files, along, decoder, context);
  };
  return {
    answer: async (request: TogetherRequest, context: CallContext): Promise<Preflight> =>
      (await examined(request, context)).answer,
    /** Text of a document; none where anything stands against it. */
    async combined(request: TogetherRequest, context: CallContext): Promise<string | undefined> {
      const found = await examined(request, context);
      if (found.answer.barriers.some(stopsCombining)) return undefined;
      return [...(await combine(found, decoder, context)).text()].join("");
    },
  };
}

/** What the lab makes of a chunk, within a budget: searches try many readings. */
import { cellCount, encodedShape } from "../../../core/metadata/chunk-grid.ts";
import type { RefscopeError } from "../../../core/errors.ts";
import { isAbort } from "../../../core/errors.ts";
import type { Suggestion } from "../../../core/check/lab.ts";
import { suggestRepairs } from "../../lab/suggest.ts";
import type { ArrayFacts } from "./value-facts.ts";
import { coordinatesAt, type ValuesView } from "./value-rule.ts";

/** Searches of one check, and decoded bytes of the chunks that are searched for. */
const MAX_SEARCHES = 160;
const MAX_BYTES = 256 * 1024 ** 2;

export interface RepairSearch {
  /** The best suggestion; `undefined` where there is none, or no room to search. */
  best(facts: ArrayFacts, slot: number): Promise<Suggestion | undefined>;
}

const SEARCHES = new WeakMap<ValuesView, RepairSearch>();

/** One budget for all rules of a check; what was found is remembered. */
export function repairSearch(view: ValuesView): RepairSearch {
  const known = SEARCHES.get(view) ?? newSearch(view);
  SEARCHES.set(view, known);
  return known;
}

function newSearch({ set, context }: ValuesView): RepairSearch {
  const found = new Map<string, Suggestion | undefined>();
  let [searches, bytes] = [0, 0];
  return {
    async best(facts, slot) {
      const { path, metadata } = facts.node;
      const key = `${path} ${facts.ordinals[slot] ?? -1}`;
      if (found.has(key)) return found.get(key);
      const elements = cellCount(encodedShape(metadata.chunks, coordinatesAt(facts, slot)));
      const size = elements * Math.max(1, metadata.dataType.itemSize);
      if (searches >= MAX_SEARCHES || bytes + size > MAX_BYTES) return undefined;
      searches += 1;
      bytes += size;
      const quiet = { signal: context.signal, report: () => undefined };
      const best = await suggestRepairs(set, path, coordinatesAt(facts, slot), quiet).then(
        ({ suggestions }) => suggestions[0],
        (error: RefscopeError) => {
          if (isAbort(error) && context.signal.aborted) throw error;
          return undefined;
        },
      );
      found.set(key, best);
      return best;
    },
  };
}

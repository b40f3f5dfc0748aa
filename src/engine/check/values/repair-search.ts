/** Searches for a fix of a chunk, within a budget: searches try many readings. */
import { cellCount, encodedShape } from "#core/metadata/chunk-grid.ts";
import { isAbort, type RefscopeError } from "#core/findings/finding.ts";
import type { Suggestion } from "#core/repair.ts";
import { keptSuggestions } from "#engine/repair/suggest.ts";
import type { ArrayFacts } from "./value-facts.ts";
import { coordinatesAt, type ValuesView } from "./value-rule.ts";
import { chunkReference } from "#engine/chunk/chunk-reference.ts";
import { inThread } from "#engine/chunk/chunk-decoder.ts";
import { readOne } from "#engine/many/read-chunks.ts";

/** Searches of one check, and decoded bytes of the chunks that are searched for. */
const MAX_SEARCHES = 160;
const MAX_BYTES = 256 * 1024 ** 2;

interface RepairSearch {
  /** The best suggestion; `undefined` where there is none, or no room to search. */
  best(facts: ArrayFacts, slot: number): Promise<Suggestion | undefined>;
}

const SEARCHES = new WeakMap<ValuesView, RepairSearch>();

/** One budget for all rules of a check; what is found stays with the set. */
export function repairSearch(view: ValuesView): RepairSearch {
  const known = SEARCHES.get(view) ?? newSearch(view);
  SEARCHES.set(view, known);
  return known;
}

function newSearch({ set, context }: ValuesView): RepairSearch {
  const searched = new Set<string>();
  let bytes = 0;
  return {
    async best(facts, slot) {
      const { path, metadata } = facts.node;
      const coordinates = coordinatesAt(facts, slot);
      const elements = cellCount(encodedShape(metadata.chunks, coordinates));
      const size = elements * Math.max(1, metadata.dataType.itemSize);
      const key = `${path} ${coordinates.join(".")}`;
      if (!searched.has(key) && (searched.size >= MAX_SEARCHES || bytes + size > MAX_BYTES)) return undefined;
      if (!searched.has(key)) bytes += size;
      searched.add(key);
      const quiet = { signal: context.signal, report: () => undefined };
      return keptSuggestions(set, path, coordinates, quiet).then(
        ({ suggestions }) => suggestions[0],
        (error: RefscopeError) => {
          if (isAbort(error) && context.signal.aborted) throw error;
          return undefined;
        },
      );
    },
  };
}

// The decoded bytes of a chunk that was decoded before: statistics do not keep them.

/** Empty where it can no longer be read. */
export async function bytesOf({ set, context }: ValuesView, facts: ArrayFacts, slot: number): Promise<Uint8Array> {
  const chunk = await chunkReference(set, facts.node, coordinatesAt(facts, slot), context);
  const outcome = await readOne({ set, decoder: inThread }, chunk, context);
  return outcome.kind === "decoded" ? outcome.decoded.bytes : new Uint8Array(0);
}

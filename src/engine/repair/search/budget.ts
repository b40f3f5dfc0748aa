/** A set whose targets are read within limits: what goes beyond them is not asked for. */
import type { CallContext } from "#core/byte-source.ts";
import { SEARCH_COST } from "#core/repair.ts";
import type { RepairSearch, RepairSpent } from "#core/repair-offer.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import type { TargetReader } from "#engine/chunk/sources.ts";

export interface RepairLimits {
  readonly bytes: number;
  readonly requests: number;
  readonly milliseconds: number;
}

export const CAUSE_LIMITS: RepairLimits = { ...SEARCH_COST.one, milliseconds: 8000 };

/** Limits of a search for all chunks of a cause. */
export const ALIKE_LIMITS: RepairLimits = { ...SEARCH_COST.all, milliseconds: 30_000 };

/** Limits of a search that nobody asked for. */
export const UNASKED_LIMITS: RepairLimits = { bytes: 2 ** 20, requests: 12, milliseconds: 6000 };

/** Limits of everything that is searched unasked for a cause, however many chunks of it are known. */
export const UNASKED_IN_ALL: RepairLimits = { bytes: 2 * 2 ** 20, requests: 64, milliseconds: 18_000 };

/** Bytes, for all causes of a set: the start page says how much is read of one unasked. */
const UNASKED_OF_SET = 4 * 2 ** 20;

/** A search within what earlier ones of the cause, and others of the set, leave of `most`. */
export async function unasked<R extends RepairSearch | undefined>(
  { met }: Pick<EngineSet, "met">,
  found: readonly RepairSearch[],
  most: RepairLimits,
  search: (limits: RepairLimits) => Promise<R>,
): Promise<R> {
  const left = (of: keyof RepairSpent) => UNASKED_IN_ALL[of] - found.reduce((sum, { spent }) => sum + spent[of], 0);
  const run = async (): Promise<R> => {
    const bytes = Math.max(0, Math.min(most.bytes, left("bytes"), UNASKED_OF_SET - met.searched));
    const done = await search({ ...most, bytes, requests: Math.min(most.requests, left("requests")) });
    met.searched += done?.spent.bytes ?? 0;
    return done;
  };
  // One after another: what one leaves is there for the next.
  const done = met.searching.then(run);
  met.searching = done.then(ended, ended);
  return done;
}

const ended = (): void => undefined;

/** Chunks of which a few may be read if they are large. */
const CHUNKS = 8;
/** A sample, and the search for what to try. */
const ALIKE_CHUNKS = 36;

export function limitsFor(chunkBytes: number, limits: RepairLimits = CAUSE_LIMITS): RepairLimits {
  const chunks = limits === ALIKE_LIMITS ? ALIKE_CHUNKS : CHUNKS;
  return { ...limits, bytes: Math.max(limits.bytes, Math.min(SEARCH_COST.most, chunks * chunkBytes)) };
}

export interface Budget {
  /** The same set; its reader counts, and refuses what would be too much. */
  readonly set: EngineSet;
  spent(): RepairSpent;
  ended(): RepairSearch["ended"];
}

/** Only readings that say how long they are can be afforded: whole targets are refused. */
export function withBudget(set: EngineSet, limits: RepairLimits): Budget {
  const until = performance.now() + limits.milliseconds;
  const spent = { bytes: 0, requests: 0 };
  let ended: RepairSearch["ended"];
  const read: TargetReader["read"] = async (resolution, range, context) => {
    const bytes = range?.length ?? Infinity;
    if (spent.requests >= limits.requests) ended = "requests";
    else if (performance.now() > until) ended = "time";
    else if (spent.bytes + bytes > limits.bytes) ended ??= "bytes";
    else {
      spent.requests += 1;
      const onLate = () => {
        ended ??= "time";
      };
      const read = (timed: CallContext) => set.targets.read(resolution, range, timed);
      const answer = await within(until - performance.now(), context, read, onLate);
      spent.bytes += answer.bytes.length;
      return answer;
    }
    throw new RangeError("Beyond the budget of the search.");
  };
  // The rest of reader and set, getters among it, stays theirs.
  const targets = Object.create(set.targets, { read: { value: read } }) as TargetReader;
  return {
    set: Object.create(set, { targets: { value: targets, enumerable: true } }) as EngineSet,
    spent: () => ({ ...spent }),
    // Decoding takes time as well as reading.
    ended: () => ended ?? (performance.now() > until ? "time" : undefined),
  };
}

/** A host that does not answer is not waited for. A timer may fire before a clock says that it is time. */
async function within<T>(
  milliseconds: number,
  context: CallContext,
  run: (timed: CallContext) => Promise<T>,
  onLate: () => void,
): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => {
    onLate();
    late.abort(new RangeError("The search has taken too long."));
  }, milliseconds);
  try {
    return await run({ ...context, signal: AbortSignal.any([context.signal, late.signal]) });
  } finally {
    clearTimeout(timer);
  }
}

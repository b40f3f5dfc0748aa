/** Budget of planes that are read unasked. */
import type { PlaneCost } from "./plane.ts";

export interface ReadingBudget {
  readonly requests: number;
  readonly bytes: number;
}

/** Pictures of an open set that nobody asked for, all together. */
export const MOST_UNASKED: ReadingBudget = { requests: 128, bytes: 8_000_000 };

/** Stored bytes of doubtful chunks that are decoded unasked. */
export const MOST_DOUBTFUL = 4_000_000;

/** Bytes that the start page states. */
export const UNASKED_BYTES = MOST_UNASKED.bytes + MOST_DOUBTFUL;

/** References that are fetched: their own size is not known before. */
const FETCHED_BYTES = 80_000;

/** Tracks the rest of `MOST_UNASKED`, wherever on the page it is spent. */
export function unaskedLeft() {
  const left = new Map<number, ReadingBudget>();
  return {
    /** Takes the cost of a set's picture from the budget; false if it does not fit. */
    takes(set: number, cost: Pick<PlaneCost, "requests" | "bytes" | "unknown">): boolean {
      const now = left.get(set) ?? MOST_UNASKED;
      if (!isWithin(cost, now)) return false;
      left.set(set, without(now, cost));
      return true;
    },
    /** References were fetched, for so many requests. */
    fetched(set: number, requests: number): void {
      left.set(set, without(left.get(set) ?? MOST_UNASKED, { requests, bytes: requests * FETCHED_BYTES }));
    },
    requests: (set: number): number => Math.max(0, (left.get(set) ?? MOST_UNASKED).requests),
  };
}

/** Budget of the page. */
export const unasked = unaskedLeft();

/** Cost that a selection by hand may have. */
export const FREE_READING: ReadingBudget = { requests: 64, bytes: 32_000_000 };

/** Chunks of a plane that are kept apart, each with what reading it gave. A plane of more is not put together. */
export const MOST_PLANE_CHUNKS = 250_000;

type Cost = Pick<PlaneCost, "requests" | "bytes">;

/**
 * True if the cost fits: chunks of unknown length count as a request only. References that would have to be fetched
 * first are not free.
 */
export function isWithin(
  { requests, bytes, unknown }: Cost & Pick<PlaneCost, "unknown">,
  budget: ReadingBudget,
): boolean {
  return unknown === 0 && requests <= budget.requests && bytes <= budget.bytes;
}

export function without(budget: ReadingBudget, { requests, bytes }: Cost): ReadingBudget {
  return { requests: budget.requests - requests, bytes: budget.bytes - bytes };
}

/** True if a selection may be read at once: a chunk whose reference is not known yet counts as a request. */
export function isFree(cost: PlaneCost): boolean {
  return isWithin({ ...cost, requests: cost.requests + cost.unknown, unknown: 0 }, FREE_READING);
}

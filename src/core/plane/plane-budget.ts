/** What of planes may be read without being asked for. */
import type { PlaneCost } from "./plane.ts";

export interface ReadingBudget {
  readonly requests: number;
  readonly bytes: number;
}

/** Pictures of an open set that nobody asked for, all together: what the start page says. */
export const MOST_UNASKED: ReadingBudget = { requests: 128, bytes: 8_000_000 };

/** What somebody selects. */
export const FREE_READING: ReadingBudget = { requests: 64, bytes: 32_000_000 };

/** Chunks of a plane that are kept apart, each with what reading it gave. A plane of more is not put together. */
export const MOST_PLANE_CHUNKS = 250_000;

/**
 * Whether it may be read at once: chunks whose length nobody says count as a request only. References that would have to
 * be fetched first are not free.
 */
export function isWithin({ requests, bytes, unknown }: PlaneCost, budget: ReadingBudget): boolean {
  return unknown === 0 && requests <= budget.requests && bytes <= budget.bytes;
}

export function without(budget: ReadingBudget, { requests, bytes }: PlaneCost): ReadingBudget {
  return { requests: budget.requests - requests, bytes: budget.bytes - bytes };
}

/** Whether what somebody looks at may be read at once: a chunk whose reference is not known yet counts as a request. */
export function isFree(cost: PlaneCost): boolean {
  return isWithin({ ...cost, requests: cost.requests + cost.unknown, unknown: 0 }, FREE_READING);
}

/** Whether reading failed since the target could not be reached, or is not where the reference says. */
import type { Explain } from "../../core/findings/explained.ts";
import type { Reading } from "../../core/reading.ts";

export function isUnreachable({ outcome, stages, error, state }: Reading, explain: Explain | undefined): boolean {
  if (outcome !== "failed" || stages.length > 0 || error === undefined || state === "bad") return false;
  return explain?.(error).inPlace === false;
}

/** The target as the reference names it, where a file or another prefix can stand for it; `null` is the set's target. */
export function replaceableTarget(reading: Pick<Reading, "state" | "written">): string | null | undefined {
  if (reading.state !== "range" && reading.state !== "whole") return undefined;
  const [target] = JSON.parse(reading.written) as readonly [string | null];
  return target;
}

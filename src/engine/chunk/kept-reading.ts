import type { Reading } from "../../core/reading.ts";
import type { KeptReading } from "../../core/reference.ts";

/** What stays known of a reading when its bytes and values are gone. */
export function keptReading({ outcome, error, stages }: Pick<Reading, "outcome" | "error" | "stages">): KeptReading {
  if (outcome === "failed") return error === undefined ? { result: "failed" } : { result: "failed", why: error };
  const bytes = stages.at(-1)?.bytesOut;
  return bytes === undefined ? { result: "ok" } : { result: "ok", bytes };
}

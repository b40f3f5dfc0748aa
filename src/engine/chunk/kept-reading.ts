import type { Reading } from "../../core/reading.ts";
import type { KeptReading } from "../../core/table/reference.ts";
import { shortRead } from "./read-there.ts";

/** What stays known of a reading when its bytes and values are gone. */
export function keptReading({
  outcome,
  error,
  stages,
  findings,
}: Pick<Reading, "outcome" | "error" | "stages" | "findings">): KeptReading {
  const why = shortRead(findings) ?? error;
  if (outcome === "failed") return why === undefined ? { result: "failed" } : { result: "failed", why };
  const bytes = stages.at(-1)?.bytesOut;
  return bytes === undefined ? { result: "ok" } : { result: "ok", bytes };
}

/** Words for a finding that reaches further than its acceptance: by how much. */
import { count, counted } from "../words.ts";
import type { CheckFinding } from "./report.ts";

/** A sentence; `undefined` where nothing of it was accepted. */
export function outgrownWords({ outgrown, affected, count: times }: CheckFinding): string | undefined {
  if (outgrown === undefined) return undefined;
  const { date, affected: knownChunks, count: knownTimes } = outgrown;
  const chunks = affected ?? times;
  const more =
    knownChunks !== undefined && chunks > knownChunks
      ? `: ${counted(chunks, "chunk")} by now, ${count(knownChunks)} then`
      : knownTimes !== undefined && times > knownTimes
        ? `: met ${counted(times, "time")} by now, ${count(knownTimes)} then`
        : ", at other places";
  return `Spread further since it was accepted on ${date}${more}.`;
}

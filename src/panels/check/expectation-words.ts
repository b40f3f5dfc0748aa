import type { ExpectationCost } from "../../core/check.ts";
import { countOf, formatBytes } from "../../widgets/number-format.ts";

/** "3 requests, 1.2 kB": of reading coordinates; empty where it takes none. */
export function expectationCostWords({ requests, bytes, unknown }: ExpectationCost): string {
  if (requests === 0 && unknown === 0) return "";
  const more = unknown === 0 ? "" : ` and ${countOf(unknown, "chunk")} of unknown length`;
  return `${countOf(requests, "request")}, ${formatBytes(bytes)}${more}`;
}

/**
 * Codes of things that Refscope itself cannot read, met when a chunk is decoded: no fault of the set, which is then
 * unknown.
 */
import type { Finding } from "./fact.ts";

const UNBUILT: ReadonlySet<string> = new Set([
  "codec-unavailable",
  "dtype-unread",
  "grib-bitmap-unsupported",
  "grib-grid-unsupported",
  "grib-packing-unsupported",
]);

/** A codec by a name that nothing has may be a slip of the metadata: only one that is known counts. */
export function isUnbuilt({ code, facts }: Pick<Finding, "code" | "facts">): boolean {
  return UNBUILT.has(code) || (code === "codec-unknown" && facts["words"] !== undefined);
}

import type { Code } from "../findings/finding.ts";
import type { StrayKey } from "./reference-table.ts";

/** For keys that fit no chunk; where the grid is not read, the array has a finding of its own. */
export const STRAY_CODES = {
  "outside-grid": "key-outside-grid",
  "wrong-rank": "key-wrong-rank",
  "no-array": "key-without-array",
  "not-a-chunk-key": "key-not-a-chunk",
} as const satisfies Readonly<Record<Exclude<StrayKey["reason"], "grid-unread">, Code>>;

/** Keys that fit no chunk, in formats whose readers do not say so when a set is opened. */
import { finding, type Finding } from "../../../core/findings/finding.ts";
import { keyAt } from "../../../core/findings/place.ts";
import { groupedBy } from "../../../core/grouped.ts";
import { STRAY_CODES } from "../../../core/stray-codes.ts";
import type { StrayKey } from "../../../core/reference-table.ts";
import type { SetRule } from "../rule.ts";

const MAX_PLACES = 100;

export const strayKeys: SetRule = {
  id: "stray-keys",
  codes: ["key-outside-grid", "key-wrong-rank", "key-not-a-chunk", "key-without-array"],
  needs: "references",
  cost: "counts",
  run({ set, index }, sink) {
    const said = new Set(set.findings.map(({ code }) => code));
    const { list } = index.strays();
    for (const keys of groupedBy(list, kindOf).values()) {
      const [first] = keys;
      if (first.reason === "grid-unread") continue;
      const code = STRAY_CODES[first.reason];
      if (!said.has(code)) sink(strayFinding(code, keys));
    }
    return { unit: "references", of: list.length, lookedAt: list.length, sampled: 0 };
  },
};

function strayFinding(code: (typeof STRAY_CODES)[keyof typeof STRAY_CODES], keys: readonly StrayKey[]): Finding {
  const places = keys.slice(0, MAX_PLACES).map(({ key }) => keyAt(key));
  const found = finding(code, places[0] ?? keyAt(""), {}, keys.length);
  return places.length > 1 ? { ...found, places } : found;
}

/** By reason and by what stands before the first coordinate. */
const kindOf = ({ reason, key }: StrayKey): string => `${reason} ${/^(.*?)(?:^|\/)(?:c[./])?\d/s.exec(key)?.[1] ?? ""}`;

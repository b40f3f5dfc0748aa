/** Findings of one manifest: the first of each code, with how often it was met. */
import type { Finding } from "../../core/finding.ts";

export interface Tally {
  /** `make` is called only for the first of its code. */
  add(code: string, make: () => Omit<Finding, "code" | "count">): void;
  list(): readonly Finding[];
}

export function tally(): Tally {
  const kept = new Map<string, { readonly finding: Finding; count: number }>();
  return {
    add(code, make) {
      const known = kept.get(code);
      if (known === undefined) kept.set(code, { finding: { code, ...make() }, count: 1 });
      else known.count += 1;
    },
    list: () => [...kept.values()].map(({ finding, count }) => (count === 1 ? finding : { ...finding, count })),
  };
}

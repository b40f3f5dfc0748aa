/** Icechunk's manifests that are so large that reading one chunk is slow: each is fetched whole. */
import { finding, nodeAt } from "#core/findings/finding.ts";
import type { SetRule } from "#engine/rules/rule.ts";

/** Some 50 MB where locations are packed, more where they are not. */
const LARGE = 2_000_000;
/** Pages of an array that are looked at. */
const MAX_PAGES = 100_000;

export const manifestSizes: SetRule = {
  id: "manifest-sizes",
  codes: ["icechunk-manifest-large"],
  run({ set, arrays, index, counts }, sink) {
    const looked = set.repository === undefined ? [] : arrays;
    for (const { path } of looked) {
      const paged = index.paged.get(index.arrayIds.get(path) ?? -1);
      const references = counts.arrays.get(path)?.references ?? 0;
      if (paged === undefined || references < LARGE || paged.pages.unit !== "manifest") continue;
      const { pages } = paged;
      let most = 0;
      for (let page = 0; page < Math.min(pages.count, MAX_PAGES); page += 1) most = Math.max(most, pages.cellsOf(page));
      // The number of references of a page with few loaded chunks is unknown.
      const largest = Math.min(most, references);
      if (largest >= LARGE)
        sink(finding("icechunk-manifest-large", nodeAt(path), { references: largest, manifests: pages.count }));
    }
    return { unit: "arrays", of: looked.length, lookedAt: looked.length, sampled: 0 };
  },
};

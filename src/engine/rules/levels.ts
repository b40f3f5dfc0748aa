/** Levels that groups declare: whether they are there, shrink, and fit their axes; and georeferences. */
import type { Finding } from "#core/findings/finding.ts";
import type { Hierarchy } from "#core/metadata/array-metadata.ts";
import { hasAttribute } from "../describe/level-marks.ts";
import type { Rule } from "./rule.ts";

export const levels: Rule = {
  id: "levels",
  codes: [
    "levels-malformed",
    "level-absent",
    "level-not-smaller",
    "level-axes",
    "georeference-malformed",
    "spatial-dimension-absent",
  ],
  async run({ hierarchy, arrays, unlisted }, sink) {
    const known = KNOWN.get(hierarchy) ?? (await faultsIn(hierarchy, unlisted));
    KNOWN.set(hierarchy, known);
    for (const found of known) sink(found);
    return { unit: "arrays", of: arrays.length, lookedAt: arrays.length, sampled: 0 };
  },
};

/** A set that grows is checked again and again; its hierarchy stays what it is. */
const KNOWN = new WeakMap<Hierarchy, readonly Finding[]>();

/** The code is fetched where there is something to read. */
async function faultsIn(hierarchy: Hierarchy, unlisted: boolean): Promise<readonly Finding[]> {
  if (!hasAttribute(hierarchy, /^(?:multiscales$|ome$|proj:|spatial:)/)) return [];
  const { levelFaults } = await import("./level-faults.ts");
  return levelFaults(hierarchy, unlisted);
}

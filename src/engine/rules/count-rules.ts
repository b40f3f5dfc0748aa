/** Rules that are run whenever a set is counted, and how any rules are run. */
import type { CallContext } from "#core/byte-source.ts";
import { type Finding, finding, WHOLE_SET } from "#core/findings/finding.ts";
import { FindingLog } from "#core/findings/finding-log.ts";
import type { RuleCoverage } from "#core/open-set.ts";
import { type CheckView, type Rule, ruleFailed } from "./rule.ts";
import { missingChunks } from "./missing-chunks.ts";
import { cfFindings } from "#core/cf/cf-findings.ts";
import type { ArrayNode, Hierarchy } from "#core/metadata/array-metadata.ts";
import { hasAttribute } from "../describe/summary.ts";
import { oncePer } from "../kept.ts";

export interface Checked {
  readonly findings: readonly Finding[];
  readonly coverage: readonly RuleCoverage[];
}

export async function runRules(view: Omit<CheckView, "arrays">, context: CallContext): Promise<Checked> {
  return runAll({ ...view, arrays: arraysOf(view) }, COUNT_RULES, context);
}

export const arraysOf = ({ hierarchy }: Pick<CheckView, "hierarchy">): CheckView["arrays"] =>
  [...hierarchy.nodes.values()].filter((node) => node.kind === "array");

/** How far each came is said beside what it found. */
export async function runAll<View extends CheckView>(
  view: View,
  rules: readonly Rule<View>[],
  context: CallContext,
): Promise<Checked> {
  const log = new FindingLog();
  const coverage: RuleCoverage[] = [];
  for (const rule of rules) {
    try {
      coverage.push({ rule: rule.id, ...(await rule.run(view, (found) => log.add(found), context)) });
    } catch (error) {
      log.add(ruleFailed(rule.id, error, context));
      coverage.push({ rule: rule.id, unit: "sets", of: 1, lookedAt: 0, sampled: 0 });
    }
  }
  return { findings: log.list(), coverage };
}

/** True if the finding belongs to a rule, and is found again when the set is counted again. */
export const isCounted = ({ code }: Finding): boolean =>
  COUNT_RULES.some(({ codes }) => (codes as readonly string[]).includes(code));

/** Sets without arrays, or without a single chunk. */
const emptySet: Rule = {
  id: "empty-set",
  codes: ["no-arrays", "no-chunks"],
  run({ arrays, counts, index, unlisted, isFile = false }, sink) {
    const facts = isFile ? { isFile } : {};
    const coverage = { unit: "sets", of: 1, lookedAt: 1, sampled: 0 } as const;
    const { missing, unknown, bad } = counts.states;
    if (counts.references > 0 || unknown > 0 || bad > 0) return coverage;
    // Shards that are stored say themselves that their chunks are empty: somebody wrote them so.
    const isStored = index.table.targets.count > 0;
    if (arrays.length > 0 && missing > 0 && !isStored) sink(finding("no-chunks", WHOLE_SET, facts));
    if (arrays.length === 0 && !unlisted) sink(finding("no-arrays", WHOLE_SET, facts));
    return coverage;
  },
};

// References that mean the target given when the set is opened.

const nullTargets: Rule = {
  id: "null-targets",
  codes: ["target-null"],
  run({ counts: { nullTarget, references } }, sink) {
    if (nullTarget.references > 0) sink(finding("target-null", WHOLE_SET, { references: nullTarget.references }));
    return { unit: "references", of: references, lookedAt: references, sampled: 0 };
  },
};

// Attributes of the CF conventions that mislead readers, or are read otherwise than they are meant.

/** A set that grows is checked again and again; its arrays stay what they are. */
const cfFindingsOf = oncePer((node: ArrayNode) => cfFindings(node.metadata, node));

const cfAttributes: Rule = {
  id: "cf-attributes",
  codes: ["fill-value-confusing", "scaling-confusing", "valid-range-confusing", "unsigned-ignored", "time-units"],
  run({ arrays }, sink) {
    for (const node of arrays) for (const found of cfFindingsOf(node)) sink(found);
    return { unit: "arrays", of: arrays.length, lookedAt: arrays.length, sampled: 0 };
  },
};

/** Levels that groups declare: whether they are there and shrink; georeferences; and what conventions demand. */
const levels: Rule = {
  id: "levels",
  codes: [
    "levels-malformed",
    "level-absent",
    "level-not-smaller",
    "convention-must",
    "georeference-malformed",
    "spatial-dimension-absent",
  ],
  async run({ hierarchy, arrays, unlisted }, sink) {
    const known = LEVEL_FAULTS.get(hierarchy) ?? (await faultsIn(hierarchy, unlisted));
    LEVEL_FAULTS.set(hierarchy, known);
    for (const found of known) sink(found);
    return { unit: "arrays", of: arrays.length, lookedAt: arrays.length, sampled: 0 };
  },
};

/** A set that grows is checked again and again; its hierarchy stays what it is. */
const LEVEL_FAULTS = new WeakMap<Hierarchy, readonly Finding[]>();

/** The code is fetched where there is something to read. */
async function faultsIn(hierarchy: Hierarchy, unlisted: boolean): Promise<readonly Finding[]> {
  if (!hasAttribute(hierarchy, /^(?:(?:multiscales|ome|plate|well|image-label|zarr_conventions)$|proj:|spatial:)/))
    return [];
  const [{ levelFaults }, { conventionFaults }] = await Promise.all([
    import("./level-faults.ts"),
    import("#core/conventions/convention-faults.ts"),
  ]);
  return [...levelFaults(hierarchy, unlisted), ...conventionFaults(hierarchy, unlisted)];
}

export const COUNT_RULES: readonly Rule[] = [emptySet, cfAttributes, levels, missingChunks, nullTargets];

/**
 * Every fact of a dataset is stated more than once. Witnesses are small functions that collect the statements, and hold
 * those of one fact against each other; what they found and what they compared is told.
 */
import type { CallContext } from "#core/byte-source.ts";
import type { CheckPart } from "#core/check/check.ts";
import { type Code, type Finding, nodeOf } from "#core/findings/finding.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { ruleFailed } from "#engine/rules/rule.ts";
import { type WitnessRequest, WitnessView } from "./view.ts";
import { areasWitness } from "./witnesses/areas.ts";
import { attributesWitness } from "./witnesses/attributes.ts";
import { axesWitness } from "./witnesses/axes.ts";
import { featuresWitness } from "./witnesses/features.ts";
import { filesWitness } from "./witnesses/files.ts";
import { pyramidWitness } from "./witnesses/pyramid.ts";
import { quantitiesWitness } from "./witnesses/quantities.ts";
import { boundsWitness } from "./witnesses/bounds.ts";
import { crsWitness } from "./witnesses/crs.ts";
import { gribWitness } from "./witnesses/grib.ts";
import { namesWitness } from "./witnesses/names.ts";
import { projectedWitness } from "./witnesses/projected.ts";
import { pixelsWitness } from "./witnesses/pixels.ts";
import { periodsWitness } from "./witnesses/periods.ts";
import { sumsWitness, timesWitness } from "./witnesses/times.ts";

/** Witnesses in the order in which they are asked: what one has explained, the next leaves out. */
const WITNESSES: Readonly<Record<string, (view: WitnessView) => Promise<void>>> = {
  sums: sumsWitness,
  messages: gribWitness,
  bounds: boundsWitness,
  times: timesWitness,
  periods: periodsWitness,
  files: filesWitness,
  names: namesWitness,
  pixels: pixelsWitness,
  crs: crsWitness,
  projected: projectedWitness,
  areas: areasWitness,
  axes: axesWitness,
  features: featuresWitness,
  attributes: attributesWitness,
  quantities: quantitiesWitness,
  levels: pyramidWitness,
};

/** Findings after which the values of an array say nothing about others. */
const SPOILED: ReadonlySet<string> = new Set<Code>([
  "coordinate-missing-values",
  "coordinate-restarts",
  "coordinate-files-unordered",
  "coordinate-unit-changes",
  "file-repeated",
  "held-steps-differ",
  "held-extent-differs",
  "steps-read-otherwise",
  "values-misread",
  "values-of-other-type",
  "values-of-other-order",
]);

export async function checkWitnesses(
  set: EngineSet,
  { before, ...request }: Omit<WitnessRequest, "told"> & { readonly before: readonly Finding[] },
  context: CallContext,
): Promise<CheckPart> {
  const told = new Set(before.flatMap(({ code, place }) => (SPOILED.has(code) ? (nodeOf(place) ?? []) : [])));
  const view = new WitnessView(set, { ...request, told }, context);
  for (const [name, witness] of Object.entries(WITNESSES)) {
    context.signal.throwIfAborted();
    try {
      await witness(view);
    } catch (error) {
      view.findings.push(ruleFailed(name, error, context));
    }
  }
  view.holdAll();
  const { findings, compared } = view;
  return { findings, rules: [], compared };
}

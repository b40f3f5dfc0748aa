/**
 * The quantity that a variable is, by its standard name or its name, against its units and the mean of its values: degrees Celsius that
 * are called kelvin, per cent that are called fractions, numbers that were unpacked by another file's scale.
 */
import { kindNamed, unitNamed, unitsThatFit } from "#core/cf/quantity.ts";
import { scale } from "#core/cf/cf.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { textAttribute } from "#core/metadata/attribute.ts";
import { isCoordinate } from "#core/metadata/hierarchy-path.ts";
import { leastOf } from "#engine/check/values/value-rule.ts";
import { scalingOfNode } from "#engine/check/values/note-chunk.ts";
import type { ArrayFacts } from "#engine/check/values/value-facts.ts";
import { plainNumber } from "../show.ts";
import { side, type WitnessView } from "../view.ts";
import { rangeOf } from "./attributes.ts";

/** Differences and measures of spread have other means than what they are of. */
const DERIVED =
  /anomal|differen|tendenc|bias|error|uncertain|std|standard.deviation|variance|increment|change|spread|count|number|flag|quality|trend|perturbation|departure|correction|gradient|delta/i;
const SPREAD = /variance|standard_deviation|range|sum/;
/** A few numbers may be anything. */
const LEAST_ELEMENTS = 50;
/** Operators of CDO and NCO that leave names and units as they were. */
const OPERATORS =
  /\b(?:cdo|nco|nc[a-z]{2})\b.{0,400}\b\w*(?:std1?|var1?|sum|sub|anom|range|trend|cor|covar|div|mul|diff)\b/i;

export async function quantitiesWitness(view: WitnessView): Promise<void> {
  const history = textAttribute(view.set.hierarchy.nodes.get("")?.attributes, "history") ?? "";
  if (OPERATORS.test(history.slice(0, 20_000))) return;
  for (const node of view.arrays) {
    const standard = textAttribute(node.attributes, "standard_name");
    const kind = kindNamed(standard, node.name);
    const units = textAttribute(node.attributes, "units");
    if (kind === undefined || units === undefined || view.isTold(node.path) || isDerived(node)) continue;
    const unit = unitNamed(units);
    const name = standard === undefined ? `the name ${node.name}` : `standard_name ${standard}`;
    const meant = side("attribute", name, kind.dimension);
    if (unit !== undefined && unit.dimension !== kind.dimension) {
      const a = side("attribute", "units", `${units}, of ${unit.dimension}`);
      view.disagree(node, { quantity: "units", a, b: meant });
      continue;
    }
    const isAxis = isCoordinate(node);
    const facts = view.factsOf(node);
    const mean = isAxis ? greatestOf(await view.numbers(node)) : meanOf(facts);
    if (unit === undefined || mean === undefined) continue;
    const inSi = mean * unit.factor + (unit.offset ?? 0);
    // Levels in hPa that are called Pa begin near 1000.
    const isLow = isAxis && standard === "air_pressure" && unit.factor === 1 && mean >= 900 && mean <= 1100;
    const isWithin = inSi >= kind.range[0] && inSi <= kind.range[1] && !isLow;
    const a = side("attribute", "units", units);
    const b = side("data", node.name, `${isAxis ? "up to" : "a mean of"} ${plainNumber(Number(mean.toPrecision(5)))}`);
    const sources = [a.source, meant.source, b.source];
    view.compared.push({ quantity: "units", subject: node.path, sources, agrees: isWithin });
    const isCelsius = /^(?:K|kelvin)$/i.test(units) && !isAxis && areCelsius(facts, mean + ZERO_CELSIUS, kind.range);
    // Made-up numbers are small: only those that are too large for their unit are told.
    if (isWithin || (inSi < kind.range[0] && !isLow && !isCelsius)) continue;
    const fitting = isLow ? ["hPa"] : isCelsius ? ["degC"] : unitsThatFit(mean, kind);
    const change = fitting.length === 0 ? undefined : ({ kind: "units", said: units, meant: fitting } as const);
    view.disagree(node, { quantity: "units", a, b, change });
  }
}

const ZERO_CELSIUS = 273.15;
/** Roughness that noise exceeds by far, and numbers that are enough to tell by. */
const [SMOOTH, LEAST_OF_FIELD] = [0.45, 200];

/** Degrees Celsius under kelvin: a smooth field, as made-up numbers are not, with values below 0, which kelvin never are. */
function areCelsius(facts: ArrayFacts | undefined, inSi: number, [least, most]: readonly [number, number]): boolean {
  if (facts === undefined || inSi < least || inSi > most) return false;
  const { rough, count, minimum } = facts.columns;
  const scaling = scalingOfNode(facts.node);
  const lowest = leastOf(minimum, minimum.keys());
  const isField = (scaling === undefined ? lowest : scale(lowest, scaling)) < 0 && rough.every((one) => one < SMOOTH);
  return isField && count.reduce((sum, one) => sum + one, 0) >= LEAST_OF_FIELD;
}

const isDerived = ({ name, attributes }: ArrayNode): boolean =>
  DERIVED.test(
    `${name} ${textAttribute(attributes, "long_name") ?? ""} ${textAttribute(attributes, "standard_name") ?? ""}`,
  ) || SPREAD.test(textAttribute(attributes, "cell_methods") ?? "");

const greatestOf = (values: Float64Array | undefined): number | undefined =>
  values === undefined || values.length < 3 || values.some(Number.isNaN)
    ? undefined
    : values.reduce((most, value) => Math.max(most, value), -Infinity);

/** Mean of all decoded chunks. */
function meanOf(facts: ArrayFacts | undefined): number | undefined {
  if (facts === undefined || rangeOf(facts) === undefined) return undefined;
  const { count, missing, mean } = facts.columns;
  let [sum, elements] = [0, 0];
  for (const [slot, own] of mean.entries()) {
    const there = (count[slot] as number) - (missing[slot] as number);
    if (there > 0 && Number.isFinite(own)) [sum, elements] = [sum + own * there, elements + there];
  }
  const scaling = scalingOfNode(facts.node);
  if (elements < LEAST_ELEMENTS) return undefined;
  return scaling === undefined ? sum / elements : scale(sum / elements, scaling);
}

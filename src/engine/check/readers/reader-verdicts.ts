/** What each reader makes of a set, by the rules whose features it has. */
import type { CallContext } from "../../../core/byte-source.ts";
import type { Finding } from "../../../core/findings/finding.ts";
import {
  DECISIVE,
  READER_RULES,
  READERS,
  type Effect,
  type Reader,
  type ReaderRule,
} from "../../../core/readers/rules.ts";
import type { FeatureUse, ReaderEffect, ReaderSample, ReaderVerdict } from "../../../core/readers/verdict.ts";
import type { EngineSet } from "../../engine-set.ts";
import { featuresOf } from "./features.ts";

/** @param ran what zarrita made of a sample, where it was run */
export async function readerVerdicts(
  set: EngineSet,
  found: readonly Finding[],
  context: CallContext,
  ran?: ReaderSample,
): Promise<readonly ReaderVerdict[]> {
  const uses = await featuresOf(set, found, context);
  return READERS.map((reader) => {
    const verdict = verdictOfReader(reader, uses);
    return ran === undefined || reader.id !== "zarrita" ? verdict : { ...verdict, run: ran };
  });
}

export function verdictOfReader(
  reader: Reader,
  uses: readonly FeatureUse[],
  rules: readonly ReaderRule[] = READER_RULES,
): ReaderVerdict {
  const own = rules.filter(({ readers }) => readers.includes(reader.id));
  const effects = own.flatMap((rule) =>
    uses.filter(({ feature }) => feature === rule.feature).map((use) => effectOf(rule, use)),
  );
  const sorted = effects.toSorted((one, other) => rankOf(other) - rankOf(one));
  // What is said of a part is of no use where the whole is refused.
  const whole = sorted.filter((one) => isWhole(one) && one.effect === "refuses" && !one.isConditional);
  const told = whole.length > 0 ? whole : sorted;
  const isKnown = uses.every(({ feature }) => !DECISIVE.has(feature) || own.some((rule) => rule.feature === feature));
  return { reader, answer: isKnown ? answerOf(sorted) : "unknown", effects: isKnown ? told : [] };
}

const effectOf = ({ id, effect, when }: ReaderRule, use: FeatureUse): ReaderEffect => ({
  rule: id,
  effect,
  isConditional: when !== undefined,
  use,
});

const SEVERITY: Readonly<Record<Effect, number>> = { reads: 0, loss: 1, wrong: 2, refuses: 3 };

/** What depends on more than the set stands last. */
const rankOf = ({ effect, isConditional }: ReaderEffect): number => SEVERITY[effect] - (isConditional ? 4 : 0);

const isWhole = ({ use }: ReaderEffect): boolean => use.count >= use.of;

function answerOf(effects: readonly ReaderEffect[]): ReaderVerdict["answer"] {
  const certain = effects.filter(({ effect, isConditional }) => effect !== "reads" && !isConditional);
  if (certain.length === 0) return "yes";
  return certain.some(isWhole) ? "no" : "partly";
}

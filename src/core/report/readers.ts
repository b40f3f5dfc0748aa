/** Report on a reader for programs and other tools: plain JSON, with the evidence of every rule. */
import type { ReaderId } from "../readers/ids.ts";
import { effectTitle, basisWords, OUTCOME_WORDS, outcomeOf, type Outcome } from "../readers/outcome-words.ts";
import { adviceOf, effectWords, outcomeShare, whyWords } from "../readers/reader-words.ts";
import { evidenceWords } from "../readers/rule-words.ts";
import { ruleOf, type Effect } from "../readers/rules.ts";
import type { ReaderEffect, ReaderVerdict } from "../readers/verdict.ts";
import type { CheckedReader } from "../check/check.ts";

export interface ReaderReport extends Omit<CheckedReader, "answer"> {
  readonly reader: ReaderId;
  readonly outcome: Outcome;
  /** The outcome and how much it concerns: "Silently drops data: 5 of 12 references". */
  readonly verdict: string;
  /** "by rules", "run on 8 of 121 chunks". */
  readonly basis: string;
  readonly why: string;
  readonly effects: readonly EffectReport[];
}

export interface EffectReport {
  readonly rule: string;
  readonly effect: Effect;
  /** True if it depends on a condition that the set does not tell. */
  readonly conditional: boolean;
  readonly title: string;
  readonly message: string;
  readonly advice?: string;
  /** Number of `unit`. */
  readonly count: number;
  readonly of: number;
  readonly unit: string;
  readonly arrays?: readonly string[];
  /** The first key, array or URL. */
  readonly first?: string;
  readonly evidence: readonly string[];
}

export function readerReport(verdict: ReaderVerdict): ReaderReport {
  const { reader, run, effects, asked } = verdict;
  const outcome = outcomeOf(verdict);
  return {
    reader: reader.id,
    name: reader.name,
    version: reader.version,
    date: reader.date,
    ...(asked === undefined ? {} : { asked }),
    outcome,
    verdict: [OUTCOME_WORDS[outcome], outcomeShare(verdict)].filter((part) => part !== "").join(": "),
    basis: basisWords(verdict),
    why: whyWords(verdict),
    ...(run === undefined ? {} : { run }),
    effects: effects.map((effect) => effectReport(reader.id, effect)),
  };
}

function effectReport(reader: ReaderId, effect: ReaderEffect): EffectReport {
  const { count, of, unit, arrays, first } = effect.use;
  const advice = adviceOf(effect);
  return {
    rule: effect.rule,
    effect: effect.effect,
    conditional: effect.isConditional,
    title: effectTitle(effect),
    message: effectWords(reader, effect),
    ...(advice === undefined ? {} : { advice }),
    count,
    of,
    unit,
    ...(arrays === undefined ? {} : { arrays }),
    ...(first === undefined ? {} : { first }),
    evidence: (ruleOf(effect.rule)?.evidence ?? []).map(evidenceWords),
  };
}

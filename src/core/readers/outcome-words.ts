/** The outcome of a verdict on a reader, in words that need no rules: the verdict in the header has them, too. */
import { count, counted } from "../words.ts";
import type { Answer } from "../check/check.ts";
import type { Effect } from "./rules.ts";
import type { ReaderEffect, ReaderSample, ReaderVerdict } from "./verdict.ts";

/** `fails`: on a part. `refuses`: the whole. The others are silent. */
export type Outcome = "reads" | "loss" | "wrong" | "fails" | "refuses" | "unknown";

export const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = {
  reads: "Reads",
  loss: "Silently drops data",
  wrong: "Silently returns wrong values",
  fails: "Fails on part of the data",
  refuses: "Refuses",
  unknown: "Not known",
};

/** True if the effect follows from the set alone. */
export const isCertain = ({ effect, isConditional }: ReaderEffect): boolean => effect !== "reads" && !isConditional;

/** The worst that rules are certain of, or that a run showed. Silence is worse than an error on a part. */
export function outcomeOf({ answer, effects, run }: ReaderVerdict): Outcome {
  const certain = effects.filter(isCertain);
  const has = (effect: Effect) => certain.some((one) => one.effect === effect);
  if (certain.some(({ effect, use }) => effect === "refuses" && use.count >= use.of)) return "refuses";
  if (has("wrong") || (run?.different ?? 0) > 0) return "wrong";
  if (has("loss")) return "loss";
  if (has("refuses") || (run?.failed ?? 0) > 0) return "fails";
  return answer === "unknown" && (run?.compared ?? 0) === 0 ? "unknown" : "reads";
}

/** The same in the answer of a check and beside each reader: a part that fails, is lost or wrong is read partially. */
export function answerOfReader({ answer, run }: Pick<ReaderVerdict, "answer" | "run">): Answer {
  if (answer === "unknown") return "not-checked";
  return answer === "yes" && run !== undefined && run.same < run.compared ? "partly" : answer;
}

/** Title of an effect that stands beside others. */
export function effectTitle({ effect, isConditional, use }: ReaderEffect): string {
  if (isConditional) return "Depends on more than the dataset";
  if (effect === "refuses" && use.count < use.of) return OUTCOME_WORDS.fails;
  return OUTCOME_WORDS[effect];
}

/** Basis of a verdict, short, for a column: a run, or rules alone. */
export function basisWords({ run }: ReaderVerdict): string {
  if (run === undefined || run.compared + run.unjudged === 0) return "by rules";
  return `run on ${sampleWords(run)}`;
}

/** "8 of 121 chunks", "all 8 chunks". */
function sampleWords({ compared, of }: ReaderSample): string {
  if (of <= compared) return compared === 1 ? "1 chunk" : `all ${counted(compared, "chunk")}`;
  return `${count(compared)} of ${counted(of, "chunk")}`;
}

/** Begins with a space; empty where nothing was run. */
export function runWords(name: string, run: ReaderSample | undefined): string {
  if (run === undefined || run.compared + run.unjudged === 0) return "";
  const { compared, same, different, failed, unjudged } = run;
  const wrong = [
    ...(different > 0 ? [`${count(different)} ${different === 1 ? "differs" : "differ"} from Python's`] : []),
    ...(failed > 0 ? [`${count(failed)} failed`] : []),
  ];
  const found = same === compared ? "the values are the same as Python's" : wrong.join(", ");
  const ran = compared === 0 ? "" : ` ${name} was run on ${sampleWords(run)}: ${found}.`;
  if (unjudged === 0) return ran;
  return `${ran} ${compared === 0 ? counted(unjudged, "chunk") : `${count(unjudged)} more`} could not be compared.`;
}

/** Of all readers: the answer to “Can my reader read it?” where no reader is named. */
export function allReadersWords(verdicts: readonly ReaderVerdict[]): string {
  const of = (outcomes: readonly Outcome[]) => verdicts.filter((one) => outcomes.includes(outcomeOf(one))).length;
  const [reads, part, none, unknown] = [
    of(["reads"]),
    of(["loss", "wrong", "fails"]),
    of(["refuses"]),
    of(["unknown"]),
  ];
  const parts = [
    `${count(reads)} of ${counted(verdicts.length, "reader")} ${reads === 1 ? "reads" : "read"} all of it`,
    ...(part > 0 ? [`${count(part)} only part of it or with wrong values`] : []),
    ...(none > 0 ? [`${count(none)} nothing`] : []),
  ];
  return `${parts.join(", ")}.${unknown > 0 ? ` Refscope has no rules for ${counted(unknown, "reader")}.` : ""}`;
}

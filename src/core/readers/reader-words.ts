/** The verdict on a reader in words: for the page and the terminal. */
import { count, counted } from "../words.ts";
import { ruleWords, shareWords } from "./rule-words.ts";
import { isCertain, outcomeOf, runWords, type Outcome } from "./outcome-words.ts";
import { readerOf, ruleOf, type Effect } from "./rules.ts";
import { factsOf, type ReaderEffect, type ReaderVerdict } from "./verdict.ts";

/** Share of the deciding effect: "5 of 12 references". */
export function outcomeShare(verdict: ReaderVerdict): string {
  const [first] = verdict.effects.filter(isCertain).filter(({ effect }) => OUTCOMES[effect].has(outcomeOf(verdict)));
  if (first === undefined) return "";
  const { count: concerned, of, unit } = first.use;
  return shareWords({ concerned, of, unit });
}

const OUTCOMES: Readonly<Record<Effect, ReadonlySet<Outcome>>> = {
  reads: new Set(["reads"]),
  loss: new Set(["loss"]),
  wrong: new Set(["wrong"]),
  refuses: new Set(["fails", "refuses"]),
};

/** The evidence in a sentence or two: the effect that decides, what else there is, and what a run showed. */
export function whyWords(verdict: ReaderVerdict): string {
  const { reader, answer, effects, run } = verdict;
  const ran = runWords(reader.name, run);
  if (answer === "unknown") return `${unknownWords(verdict)}${ran}`;
  const outcome = outcomeOf(verdict);
  const [decisive] = effects.filter(isCertain).filter(({ effect }) => OUTCOMES[effect].has(outcome));
  const first = decisive ?? effects.find(({ effect }) => effect === "reads") ?? effects[0];
  if (first === undefined) return ran.trim();
  const others = effects.filter((one) => one !== first && one.effect !== "reads");
  const certain = others.filter(isCertain).length;
  const rest = others.length - certain;
  const more = [
    ...(certain > 0 ? [counted(certain, "more effect")] : []),
    ...(rest > 0 ? [`${count(rest)} that ${rest === 1 ? "depends" : "depend"} on more than the dataset`] : []),
  ];
  const tail = more.length === 0 ? "" : ` Also: ${more.join(", and ")}.`;
  return `${effectWords(reader.id, first)}${tail}${ran}`;
}

/** Why nothing is known of a reader. */
export const unknownWords = ({ reader, effects: [why] }: Pick<ReaderVerdict, "reader" | "effects">): string =>
  why === undefined ? `Refscope has no rules for ${reader.name} and this format.` : effectWords(reader.id, why);

/** One effect as a sentence that begins with the reader's name. */
export function effectWords(reader: string, effect: ReaderEffect): string {
  const words = ruleWords(factsOf(reader, effect));
  const { finds } = effect;
  if (finds === undefined) return words;
  const found =
    finds.arrays === finds.of
      ? `all ${counted(finds.of, "array")}`
      : `${count(finds.arrays)} of ${counted(finds.of, "array")}`;
  return `${words} Of this dataset it finds ${found}: it asks for ${readerOf(reader)?.asks ?? "metadata"}.`;
}

export const adviceOf = ({ rule }: ReaderEffect): string | undefined => ruleOf(rule)?.remedy;

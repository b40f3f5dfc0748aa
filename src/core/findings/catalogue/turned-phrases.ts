/** Phrases about steps that are reversed along a dimension, or shifted. */
import { count, counted, cut, listed } from "#core/words.ts";
import { number, ofFile } from "./value-phrases.ts";

export type RowsTurned = {
  readonly dimension: string;
  /** The dimension of the steps, and runs of them, the last included. */
  readonly along: string;
  readonly steps: readonly (readonly number[])[];
  readonly moreRuns: number;
  /** Not every step was looked at: the runs may begin a little earlier. */
  readonly isAbout: boolean;
  /** Mean differences from the steps beside them: as declared, reversed, and between other steps. */
  readonly declared: number;
  readonly reversed: number;
  readonly usual: number;
  readonly target: string | undefined;
  readonly chunks: number;
  readonly isAppended: boolean;
};

export function turnedText(facts: RowsTurned): string {
  const { steps, moreRuns, isAbout, declared, reversed, usual, target } = facts;
  const [dimension, along] = [cut(facts.dimension, 60), cut(facts.along, 60)];
  const runs = steps.map(([from = 0, to = 0]) => (from === to ? count(from) : `${count(from)} to ${count(to)}`));
  const isOne = steps.length === 1 && moreRuns === 0 && steps[0]?.[0] === steps[0]?.[1];
  const more = moreRuns > 0 ? [`${count(moreRuns)} more runs`] : [];
  const which = `${isOne ? "step" : "steps"} ${isAbout ? "about " : ""}${listed([...runs, ...more])}`;
  const they = isOne ? ["is", "it fits", "it"] : ["are", "they fit", "them"];
  const rows = `Along ${along}, ${which} (counted from 0)${ofFile(target)} ${they[0]} in reverse order along ${dimension}. Reversed, ${they[1]} the steps beside ${they[2]}: the mean difference is ${number(reversed)} instead of ${number(declared)} (${number(usual)} between other steps).`;
  return facts.isAppended
    ? `${rows} Appending overwrites the coordinate ${dimension}: it is that of the steps appended last, and labels the others wrongly.`
    : `${rows} All steps share one order of ${dimension}, so its coordinate is wrong for some of them.`;
}

export type StepsShifted = {
  readonly dimensions: readonly string[];
  /** For each of them; the later steps lie further along it where it is positive. */
  readonly cells: readonly number[];
  /** True for a shift by half of the dimension, around its end. */
  readonly wraps: boolean;
  readonly along: string;
  /** The first and the last. */
  readonly steps: readonly number[];
  /** Mean differences from the steps beside them: as declared, shifted back, and between other steps. */
  readonly declared: number;
  readonly shifted: number;
  readonly usual: number;
  readonly target: string | undefined;
  readonly chunks: number;
};

export function shiftedText(facts: StepsShifted): string {
  const { dimensions, cells, wraps, steps, declared, shifted, usual, target } = facts;
  const [from = 0, to = 0] = steps;
  const isOne = from === to;
  const which = isOne ? `step ${count(from)}` : `steps ${count(from)} to ${count(to)}`;
  const shifts = dimensions.map((name, at) => {
    const by = cells[at] ?? 0;
    const along = `along ${cut(name, 60)}`;
    return wraps ? `half around ${along}` : `${counted(Math.abs(by), "cell")} too ${by > 0 ? "far" : "early"} ${along}`;
  });
  const extents = wraps ? "begin elsewhere around the globe" : "cover other extents";
  return `Along ${cut(facts.along, 60)}, the values of ${which} (counted from 0)${ofFile(target)} lie ${listed(shifts)}, compared with the steps beside ${isOne ? "it" : "them"}. Shifted back, the mean difference is ${number(shifted)} instead of ${number(declared)} (${number(usual)} between other steps). ${isOne ? "It seems" : "They seem"} to ${extents}, but all steps share one coordinate.`;
}

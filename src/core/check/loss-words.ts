/** How much of the data cannot be read, is wrong or out of reach, in words. */
import type { SaidFinding } from "../findings/explained.ts";
import { causeCount } from "../findings/finding.ts";
import type { StateCounts } from "../open-set.ts";
import { count, counted, listed, percent } from "../words.ts";
import { type Loss, lostChunks, lostShares, type SizesOf } from "./lost-chunks.ts";

interface Sized {
  /** Chunks that the grids of all arrays expect. */
  readonly cells: number;
  readonly states: Pick<StateCounts, "missing">;
}

/** "5 chunks cannot be read", "3 hold wrong values"; none where no chunk is lost. */
export function lossParts(findings: readonly SaidFinding[], set: Sized | undefined): readonly string[] {
  const [unread, wrong] = [lostCount(findings, set), lostCount(findings, set, "wrong")];
  const all = new Set(findings.flatMap(({ said: { severity, holds } }) => (severity === "error" ? (holds ?? []) : [])));
  const [only = "wrong values", ...others] = all;
  const held = `${wrong === 1 ? "holds" : "hold"} ${others.length === 0 ? only : "wrong values"}`;
  return [
    ...(unread === 0 ? [] : [`${counted(unread, "chunk")} cannot be read`]),
    ...(wrong === 0 ? [] : [`${unread === 0 ? counted(wrong, "chunk") : count(wrong)} ${held}`]),
  ];
}

/**
 * Causes may share chunks of which only the number is known: there are never more than have a reference, or hold
 * values.
 */
export function lostCount(findings: readonly SaidFinding[], set: Sized | undefined, loss?: Loss): number {
  const sum = [...lostChunks(findings, loss).values()].reduce((sum, one) => sum + one, 0);
  return set === undefined ? sum : Math.min(sum, set.cells - (loss === "wrong" ? 0 : set.states.missing));
}

/** Arrays whose loss is told, the worst first. */
const MAX_TOLD = 3;

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** "7.4% of sst and 12.5% of ice cannot be read. 6 problems." */
export function lossWords(findings: readonly SaidFinding[], sizesOf: SizesOf): string {
  const unread = sharesWords(lostShares(findings, sizesOf, "unread"));
  const wrong = sharesWords(lostShares(findings, sizesOf, "wrong"));
  const causes = causeCount(findings.filter(({ said }) => said.severity !== "info"));
  const out = sharesWords(lostShares(findings, sizesOf, "unreached"));
  const lost = [
    ...(unread === undefined ? [] : [`${unread.text} cannot be read. `]),
    ...(out === undefined ? [] : [`${out.text} ${out.isOne ? "is" : "are"} out of reach. `]),
    ...(wrong === undefined ? [] : [`${wrong.text} ${wrong.isOne ? "is" : "are"} wrong. `]),
  ];
  // The headline says of one alone that there is one.
  return causes === 0 || (causes === 1 && lost.length === 0) ? "" : `${lost.join("")}${counted(causes, "problem")}.`;
}

function sharesWords(lost: ReadonlyMap<string, number>) {
  if (lost.size === 0) return undefined;
  const shares = [...lost].map(([array, share]) => ({ array, share }));
  const told = shares.toSorted((one, other) => other.share - one.share).slice(0, MAX_TOLD);
  const names = told.map(
    ({ array, share }) => `${share >= 1 ? "all" : percent(share)} of ${array === "" ? "/" : array}`,
  );
  const rest = shares.length - told.length;
  const all = listed(rest > 0 ? [...names, `some of ${counted(rest, "more array")}`] : names);
  return { text: capitalised(all), isOne: shares.length === 1 };
}

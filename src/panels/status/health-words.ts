/** The health of the open set in a line: what is known of its chunks by now, and of how many nothing is. */
import type { NodeSummary } from "../../core/open-set.ts";
import type { ReadingTally } from "../../core/reading-tally.ts";
import type { AcceptedProblems } from "../../store/state.ts";
import { countOf, formatCount } from "../../widgets/number-format.ts";

export interface Health {
  /** Chunks that are known to fail: absent where none is. `accepted`: what they fail for is set aside. */
  readonly failed?: { readonly sentence: string; readonly arrays: string; readonly accepted: boolean };
  /** Arrays that lack references. */
  readonly missing?: string;
  readonly read: string;
  /** Every chunk there is was read. */
  readonly whole: boolean;
  /** Absent where none was asked. */
  readonly targets?: string;
}

/** Arrays that are named, the worst first. */
const MAX_NAMED = 3;

const FIGURE_SPACE = "\u2007";

export function healthOf(
  nodes: readonly NodeSummary[],
  { arrays, targets }: ReadingTally,
  accepted?: AcceptedProblems,
): Health {
  const there = nodes.reduce((sum, { present = 0 }) => sum + present, 0);
  const unknown = nodes.reduce((sum, node) => sum + (node.unknown ?? 0), 0);
  const failed = arrays.reduce((sum, one) => sum + one.failed, 0);
  // Chunks without a reference are read too: as fill value.
  const read = Math.min(
    there,
    arrays.reduce((sum, one) => sum + one.ok + one.failed, 0),
  );
  const all = unknown === 0 ? countOf(there, "chunk") : `${countOf(there, "chunk")} known so far`;
  const lacking = missingWords(nodes.filter(({ path }) => accepted?.lacking.has(path) !== true));
  const aside = arrays.reduce((sum, one) => sum + Math.min(one.failed, accepted?.failing.get(one.path) ?? 0), 0);
  // As wide as it will be when all are read, so that nothing moves beside it.
  const counted = formatCount(read).padStart(formatCount(there).length, FIGURE_SPACE);
  return {
    ...(failed === 0
      ? {}
      : {
          failed: {
            sentence: failedWords(failed - aside, aside, all),
            accepted: aside === failed,
            arrays: failedArrays(aside === failed ? arrays : withoutAside(arrays, accepted)),
          },
        }),
    ...(lacking === undefined ? {} : { missing: lacking }),
    read: unknown === 0 ? `${counted} of ${all} read` : `${counted} read of ${all}`,
    whole: unknown === 0 && there > 0 && read === there,
    ...(targets.asked === 0
      ? {}
      : {
          targets: `${formatCount(targets.answering)} of ${countOf(targets.asked, "target")} tried ${targets.asked === 1 ? "answers" : "answer"}`,
        }),
  };
}

/** "4 of 102 chunks fail, 1 more is set aside": what is set aside is no open problem. */
function failedWords(open: number, aside: number, all: string): string {
  const [told, rest] = open === 0 ? [aside, ", set aside"] : [open, moreWords(aside)];
  return `${formatCount(told)} of ${all} ${told === 1 ? "fails" : "fail"}${rest}`;
}

const moreWords = (aside: number): string =>
  aside === 0 ? "" : `, ${formatCount(aside)} more ${aside === 1 ? "is" : "are"} set aside`;

const withoutAside = (arrays: ReadingTally["arrays"], accepted: AcceptedProblems | undefined): ReadingTally["arrays"] =>
  arrays.map((one) => ({ ...one, failed: Math.max(0, one.failed - (accepted?.failing.get(one.path) ?? 0)) }));

/** `sst 4, ice 1` */
function failedArrays(arrays: ReadingTally["arrays"]): string {
  const failing = arrays.filter(({ failed }) => failed > 0).toSorted((a, b) => b.failed - a.failed);
  const named = failing
    .slice(0, MAX_NAMED)
    .map(({ path, failed }) => `${path === "" ? "/" : path} ${formatCount(failed)}`);
  const rest = failing.length - named.length;
  return [...named, ...(rest > 0 ? [countOf(rest, "more array")] : [])].join(", ");
}

/** Of the array that lacks most of its chunks; what is not known is not missing. */
function missingWords(nodes: readonly NodeSummary[]): string | undefined {
  const lacking = nodes.filter(({ cells = 0, present = 0, unknown = 0 }) => unknown === 0 && present < cells);
  const [worst] = lacking.toSorted((a, b) => lacks(b) - lacks(a));
  if (worst === undefined) return undefined;
  const others = lacking.length === 1 ? "" : `, and ${countOf(lacking.length - 1, "more array")} some`;
  const name = worst.path === "" ? "/" : worst.path;
  return `${name} lacks ${formatCount(lacks(worst))} of ${formatCount(worst.cells ?? 0)}${others}`;
}

const lacks = ({ cells = 0, present = 0 }: NodeSummary): number => cells - present;

/** Words for targets and their bytes. */
import type { Explain } from "#core/findings/explained.ts";
import type { SourceArray, SourceByte, SourceDetail, SourceRange, SourcesTotals } from "#core/check/sources.ts";
import type { TargetReport } from "#core/check/target-probe.ts";
import { countOf, formatBytes, formatCount } from "#widgets/number-format.ts";
import { boxSpans } from "#core/words/box-spans.ts";
import type { NodeSummary } from "#core/open-set.ts";
import type { Axes } from "#store/hooks/use-axes.ts";

export interface AskedWords {
  readonly tone: "none" | "ok" | "warn" | "bad";
  readonly sign: string;
  readonly text: string;
}

const NOT_ASKED: AskedWords = { tone: "none", sign: "○", text: "not checked" };

/** Result of checking a target, in a few words. `explain`: absent until the catalogue is loaded. */
export function askedWords(report: TargetReport | undefined, explain: Explain | undefined): AskedWords {
  if (report === undefined) return NOT_ASKED;
  const { resolution, probe, isSound, codes, pastEnd } = report;
  if (resolution.kind === "unresolved")
    return { tone: "bad", sign: "✕", text: explain?.(resolution.finding).brief ?? "cannot be found" };
  if (probe === undefined) return NOT_ASKED;
  const size = probe.size === undefined ? "size not said" : formatBytes(probe.size);
  if (isSound && codes.length === 0) return { tone: "ok", sign: "✓", text: size };
  if (isSound) return { tone: "warn", sign: "◐", text: `${size}, ${codes.join(", ")}` };
  if (probe.failure !== undefined)
    return { tone: "bad", sign: "✕", text: explain?.(probe.failure).brief ?? "no answer" };
  if ((probe.status ?? 200) >= 400 && probe.status !== 416)
    return { tone: "bad", sign: "✕", text: `status ${probe.status}` };
  if (pastEnd > 0) return { tone: "bad", sign: "✕", text: `${countOf(pastEnd, "range")} past its end` };
  return { tone: "bad", sign: "✕", text: codes.join(", ") };
}

/** Data outside of targets' ranges; a sentence each. */
export function elsewhereWords({ whole, inline, native }: SourcesTotals): string {
  const parts = [
    ...(whole === 0 ? [] : [`${countOf(whole, "reference")} ${whole === 1 ? "means" : "mean"} a whole target.`]),
    ...(inline === 0 ? [] : [`${countOf(inline, "chunk")} ${inline === 1 ? "is" : "are"} inline.`]),
    ...(native === 0
      ? []
      : [`${countOf(native, "chunk")} ${native === 1 ? "is an object" : "are objects"} of the store itself.`]),
  ];
  return parts.join(" ");
}

export interface DetailFact {
  readonly text: string;
  readonly title: string;
  readonly tone?: "warn" | "bad";
}

/** Facts on the referenced bytes of a target. */
export function detailFacts(detail: SourceDetail): readonly DetailFact[] {
  const { ranges, empty, whole, claimed, unclaimed, overlapping, shared, pastEnd, size } = detail;
  const exact = (bytes: number) => countOf(bytes, "byte");
  const some = (count: number, fact: DetailFact) => (count === 0 ? [] : [fact]);
  return [
    { text: countOf(ranges, "range"), title: "References to a part of this target" },
    ...some(whole, {
      text: `${formatCount(whole)} to all of it`,
      title: "References to the whole target, without a range",
    }),
    ...some(empty, { text: `${formatCount(empty)} of no bytes`, title: "Ranges of length 0", tone: "warn" }),
    { text: `${formatBytes(claimed)} referred to`, title: exact(claimed) },
    {
      text: `${formatBytes(unclaimed)} unreferenced`,
      title: `${exact(unclaimed)}${size === undefined ? " (up to the end of the last range)" : ""}`,
    },
    ...some(shared, { text: `${countOf(shared, "range")} shared`, title: "Ranges that are the same as another one" }),
    ...some(overlapping, {
      text: `${formatBytes(overlapping)} overlapping`,
      title: `${exact(overlapping)} that different ranges have in common`,
      tone: "warn",
    }),
    ...some(pastEnd, {
      text: `${formatBytes(pastEnd)} past the end`,
      title: `${exact(pastEnd)} beyond the end of the target`,
      tone: "bad",
    }),
    size === undefined
      ? { text: "size not known", title: "Check the source to learn its size; ranges past its end show only then." }
      : { text: `size ${formatBytes(size)}`, title: exact(size) },
  ];
}

/** `bytes 4,000 – 4,999`: both ends included, as in requests. */
export const spanText = (from: number, to: number): string =>
  to - from === 1 ? `byte ${formatCount(from)}` : `bytes ${formatCount(from)} – ${formatCount(to - 1)}`;

/** Oddities of a range. */
export function rangeNotes({ before, same, overlaps, pastEnd }: SourceRange): readonly string[] {
  return [
    ...(overlaps ? ["overlaps another"] : []),
    ...(pastEnd > 0 ? [`${formatBytes(pastEnd)} past the end`] : []),
    ...(same > 0 ? [`the same as ${countOf(same, "other")}`] : []),
    ...(before > 0 ? [`preceded by ${countOf(before, "unreferenced byte")}`] : []),
  ];
}

/** Sentence about one byte. */
export function byteWords({ byte, ranges, count, gap }: SourceByte): string {
  const [first] = ranges;
  if (first !== undefined) {
    const others = count === 1 ? "" : ` and ${countOf(count - 1, "other range")}`;
    return `Byte ${formatCount(byte)}: ${first.key}${others}.`;
  }
  if (gap === undefined) return "";
  if (gap.to === undefined)
    return `Byte ${formatCount(byte)}: nothing refers to the bytes from ${formatCount(gap.from)} on.`;
  return `Byte ${formatCount(byte)}: nothing refers to ${spanText(gap.from, gap.to)} (${formatBytes(gap.to - gap.from)}).`;
}

const NO_AXES: Axes = [];

export const arrayName = (path: string): string => (path === "" ? "/" : path);

/** `2026-01-01 – 01-06, 89°S – 1°S`: of each dimension that is not there as a whole; `all of it` where all are. */
export function boxWords(
  { box }: Pick<SourceArray, "box">,
  node: Pick<NodeSummary, "shape" | "chunks" | "dimensionNames"> | undefined,
  axes: Axes = NO_AXES,
): string {
  const { shape, chunks, dimensionNames } = node ?? {};
  if (box === undefined || shape === undefined || chunks === undefined) return "no chunk of the grid";
  const spans = boxSpans(box, { shape, chunks, dimensionNames }, axes);
  return spans.length === 0 ? "all of it" : spans.join(", ");
}

/** `sst, time and 3 more arrays`. */
export function arrayNames(arrays: readonly SourceArray[], count: number): string {
  const names = arrays.slice(0, 2).map(({ array }) => arrayName(array));
  const more = count - names.length;
  return more <= 0 ? names.join(", ") : `${names.join(", ")} and ${countOf(more, "more array")}`;
}

import { type ReactNode, useEffect, useMemo } from "react";
import type { NodeSummary, SetSummary } from "#core/open-set.ts";
import type { ReadingTally } from "#core/values/reading-tally.ts";
import { useActions, useAppState, useEngine } from "#store/react.tsx";
import type { AcceptedProblems } from "#store/state.ts";
import { noteSeen } from "#store/recent-sets.ts";
import { pictureUrl, useFirstThumbnail } from "#widgets/values/thumbnails.ts";
import { countOf, formatCount } from "#widgets/number-format.ts";
import { LinkButton } from "#widgets/controls/Button.tsx";
import styles from "./HealthLine.module.css";

/** State of the open set's chunks, in one line. */
export function HealthLine({ set }: { readonly set: SetSummary }) {
  const actions = useActions();
  const tally = useEngine("chunk.tally", { set: set.id }).last?.data;
  const problems = useAppState((state) => state.problems);
  const health = tally && healthOf(set.nodes, tally, problems?.accepted);
  useSeenNoted(set, health);
  if (health === undefined) return null;
  const { failed, unreached, missing, read, whole, targets } = health;
  const causes = problems === undefined ? 0 : problems.errors + problems.warnings;
  const aside = problems?.accepted?.count ?? 0;
  return (
    <div className={styles.line}>
      <p className={styles.parts}>
        {failed === undefined ? null : (
          <>
            <Part tone={failed.accepted ? undefined : "bad"} sign="M3 3l6 6M9 3l-6 6">
              <b>{failed.sentence}</b>
            </Part>
            <Part>{failed.arrays}</Part>
          </>
        )}
        {causes === 0 ? null : <Part>{countOf(causes, "problem")}</Part>}
        {aside === 0 ? null : <Part>{formatCount(aside)} accepted</Part>}
        {unreached === undefined ? null : <Part sign={OUT}>{unreached}</Part>}
        {missing === undefined ? null : (
          <Part tone="warn" sign={HALF}>
            {missing}
          </Part>
        )}
        {whole && failed === undefined ? (
          <Part tone="ok" sign="M2.5 6.5l2.5 2.5l4.5-5.5">
            {read}
          </Part>
        ) : (
          <Part sign="M6 1.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 1 1 0-9" dashed>
            {read}
          </Part>
        )}
        {targets === undefined ? null : <Part>{targets}</Part>}
      </p>
      <LinkButton className={styles.link} onClick={() => actions.showView("check")}>
        Check
      </LinkButton>
    </div>
  );
}

/** Milliseconds of rest after which it is kept how the set is, for the start page. */
const REST = 400;
/** Arrays of which one may have a picture. */
const MOST_ASKED = 40;

function useSeenNoted(set: SetSummary, health: ReturnType<typeof healthOf> | undefined): void {
  const { url, choice, nodes, id } = set;
  const node = useAppState((state) => state.node);
  const view = useAppState((state) => state.view);
  const paths = useMemo(() => [node, ...largestFirst(nodes).slice(0, MOST_ASKED)], [node, nodes]);
  const picture = useFirstThumbnail(id, paths);
  const tone = health?.failed?.accepted === false ? "bad" : health?.whole === true ? "ok" : "unknown";
  const text = health?.failed?.sentence ?? health?.unreached ?? health?.read;
  useEffect(() => {
    if (url === undefined || text === undefined) return undefined;
    const note = () =>
      noteSeen({ url, choice }, { node, view, health: text, tone, ...(picture && { picture: pictureUrl(picture) }) });
    const timer = setTimeout(note, REST);
    return () => clearTimeout(timer);
  }, [url, choice, node, view, text, tone, picture]);
}

const largestFirst = (nodes: readonly NodeSummary[]): readonly string[] => {
  const sizeOf = ({ shape = [] }: NodeSummary) =>
    shape.length < 2 ? 0 : shape.reduce((product, one) => product * one, 1);
  return nodes
    .filter((node) => sizeOf(node) > 0)
    .toSorted((a, b) => sizeOf(b) - sizeOf(a))
    .map(({ path }) => path);
};

/** A circle, and half of it. */
const HALF = "M6 1.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 1 1 0-9M6 2v8M7.5 2.5v7M9 3.5v5";

/** A circle, crossed. */
const OUT = "M6 1.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 1 1 0-9M3 9l6-6";

interface PartProps {
  readonly tone?: "bad" | "warn" | "ok" | undefined;
  /** Path in a square of 12. */
  readonly sign?: string;
  readonly dashed?: boolean;
  readonly children: ReactNode;
}

function Part({ tone, sign, dashed = false, children }: PartProps) {
  return (
    <span className={styles.part} data-tone={tone}>
      {sign === undefined ? null : (
        <svg viewBox="0 0 12 12" aria-hidden="true">
          <path d={sign} strokeDasharray={dashed ? "2 1.8" : undefined} />
        </svg>
      )}
      <span className="ellipsis">{children}</span>
    </span>
  );
}

// The health of the open set in a line: what is known of its chunks by now, and of how many nothing is.

/** Arrays that are named, the worst first. */
const MAX_NAMED = 3;

/**
 * Health of the set: chunks that fail (`accepted`: all for what is accepted), chunks whose sources are out of reach, the
 * array that lacks most references, chunks read (`whole`: every one there is), targets checked.
 */
export function healthOf(
  nodes: readonly NodeSummary[],
  { arrays, targets }: ReadingTally,
  accepted?: AcceptedProblems,
) {
  const there = nodes.reduce((sum, { present = 0 }) => sum + present, 0);
  const unknown = nodes.reduce((sum, node) => sum + (node.unknown ?? 0), 0);
  const failed = arrays.reduce((sum, one) => sum + one.failed, 0);
  const unreached = arrays.reduce((sum, one) => sum + (one.unreached ?? 0), 0);
  // Chunks without a reference are read too: as fill value.
  const read = Math.min(
    there,
    arrays.reduce((sum, one) => sum + one.ok + one.failed, 0),
  );
  const all = unknown === 0 ? countOf(there, "chunk") : `${countOf(there, "chunk")} known so far`;
  const lacking = missingWords(nodes.filter(({ path }) => accepted?.lacking.has(path) !== true));
  const aside = arrays.reduce((sum, one) => sum + Math.min(one.failed, accepted?.failing.get(one.path) ?? 0), 0);
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
    ...(unreached === 0 ? {} : { unreached: `${formatCount(unreached)} out of reach` }),
    ...(lacking === undefined ? {} : { missing: lacking }),
    read: unknown === 0 ? `${formatCount(read)} of ${all} read` : `${formatCount(read)} read of ${all}`,
    whole: unknown === 0 && there > 0 && read === there,
    ...(targets.asked === 0
      ? {}
      : {
          targets: `${formatCount(targets.answering)} of ${countOf(targets.asked, "source")} responded`,
        }),
  };
}

/** "4 of 102 chunks fail, 1 more is set aside": what is set aside is no open problem. */
function failedWords(open: number, aside: number, all: string): string {
  const [told, rest] = open === 0 ? [aside, ", accepted"] : [open, moreWords(aside)];
  return `${formatCount(told)} of ${all} ${told === 1 ? "fails" : "fail"}${rest}`;
}

const moreWords = (aside: number): string =>
  aside === 0 ? "" : `, ${formatCount(aside)} more ${aside === 1 ? "is" : "are"} accepted`;

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

/** For the array with the largest share of missing chunks; unknown chunks are not missing. */
function missingWords(nodes: readonly NodeSummary[]): string | undefined {
  const lacking = nodes.filter((node) => (node.unknown ?? 0) === 0 && lacks(node) > 0);
  const [worst] = lacking.toSorted((a, b) => lacks(b) - lacks(a));
  if (worst === undefined) return undefined;
  const others = lacking.length === 1 ? "" : `, and ${countOf(lacking.length - 1, "more array")} some`;
  const name = worst.path === "" ? "/" : worst.path;
  return `${name} lacks ${formatCount(lacks(worst))} of ${formatCount(worst.cells ?? 0)}${others}`;
}

const lacks = ({ cells = 0, present = 0, bad = 0 }: NodeSummary): number => cells - present - bad;

/** State of a variable's chunks, in one line with a sign. */
import styles from "./VariableHealth.module.css";
import type { NodeSummary } from "#core/open-set.ts";
import { countOf, formatCount } from "#widgets/number-format.ts";
import { useMemo } from "react";
import type { ArrayTally } from "#core/values/reading-tally.ts";
import { useEngine } from "#store/react.tsx";

/** Each sign has its own shape; in a box of 16 by 16. */
const SHAPES: Readonly<Record<HealthSign, string>> = {
  ok: "m3.5 8.5 3 3 6-7",
  partly: "M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 1 1 0-11zM8 2.5v11a5.5 5.5 0 0 0 0-11z",
  bad: "m4 4 8 8M12 4l-8 8",
  unknown: "M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 1 1 0-11z",
};

/** ✓ ◐ ✕ ○: the text beside it says what it means. */
export function HealthMark({ sign, title }: { readonly sign: HealthSign; readonly title?: string }) {
  const spoken = title === undefined ? { "aria-hidden": true } : { role: "img", "aria-label": title };
  return (
    <svg className={styles.mark} data-sign={sign} viewBox="0 0 16 16" {...spoken}>
      {title === undefined ? null : <title>{title}</title>}
      <path d={SHAPES[sign]} />
    </svg>
  );
}

export type HealthSign = "ok" | "partly" | "bad" | "unknown";

export interface VariableHealth {
  readonly sign: HealthSign;
  /** "4 of 54 failed" */
  readonly text: string;
  /** Further counts: "20 missing". */
  readonly more: string | undefined;
}

interface Outcomes {
  /** References that cannot be read. */
  readonly bad: number;
  readonly ok: number;
  readonly failed: number;
  /** Absent = 0. */
  readonly unreached?: number | undefined;
}

/** Accepted problems, which are not open ones. */
interface Aside {
  /** Chunks that fail for what is set aside, read or not. */
  readonly failing: number;
  /** It may lack chunks. */
  readonly mayLack: boolean;
}

const NOTHING_ASIDE: Aside = { failing: 0, mayLack: false };

/**
 * The worst first: failed chunks, missing ones, what is not known, what was read. What is set aside is said beside it.
 */
export function variableHealth(
  { cells = 0, present = 0, unknown = 0 }: Pick<NodeSummary, "cells" | "present" | "unknown">,
  { bad, ok, failed, unreached = 0 }: Outcomes,
  { failing, mayLack }: Aside = NOTHING_ASIDE,
): VariableHealth {
  const all = formatCount(cells);
  const missing = Math.max(0, cells - present - unknown - bad);
  const aside = Math.min(failed, failing);
  const open = failed - aside;
  const missingText = missing > 0 ? `${formatCount(missing)} missing${mayLack ? ", accepted" : ""}` : undefined;
  const asideText = aside > 0 ? `${formatCount(aside)} ${open > 0 ? "more " : ""}accepted` : undefined;
  const beside = [missingText, asideText].filter((text) => text !== undefined).join(" · ");
  const more = beside === "" ? undefined : beside;
  if (open > 0) return { sign: "bad", text: `${formatCount(open)} of ${all} failed`, more };
  if (unreached > 0) return { sign: "unknown", text: `${formatCount(unreached)} of ${all} out of reach`, more };
  // Bad references that were read are among the failures.
  if (bad > 0 && failing < Math.max(failed, bad)) return { sign: "bad", text: countOf(bad, "bad reference"), more };
  if (unknown > 0) return { sign: "unknown", text: `${formatCount(cells - unknown)} of ${all} known`, more };
  if (missing > 0 && !mayLack) return { sign: "partly", text: `${formatCount(present)} of ${all} present`, more };
  const there = mayLack ? cells - missing : cells;
  if (ok + aside >= there && there > 0) return { sign: "ok", text: `${formatCount(ok)} of ${all} read`, more };
  const chunks = missing > 0 ? `${formatCount(present)} of ${all} present` : countOf(cells, "chunk");
  return { sign: "unknown", text: ok > 0 ? `${formatCount(ok)} of ${all} read` : chunks, more };
}

/** "22 chunks read so far, 2 of them failed, 1 more for what is set aside, 4 out of reach." */
export function readText(read: number, failed: number, aside: number, unreached = 0): string {
  const failures = [
    ...(failed > 0 ? [`${formatCount(failed)} of them failed`] : []),
    ...(aside > 0
      ? [`${formatCount(aside)} ${failed > 0 ? "more" : "of them failed"} because of accepted problems`]
      : []),
    ...(unreached > 0 ? [`${formatCount(unreached)} out of reach`] : []),
  ];
  return `${[`${countOf(read, "chunk")} read so far`, ...failures].join(", ")}.`;
}

/** Results of readings so far, by array. */
export function useOutcomes(set: number): ReadonlyMap<string, ArrayTally> {
  const tally = useEngine("chunk.tally", { set }).last?.data;
  return useMemo(() => new Map(tally?.arrays.map((one) => [one.path, one])), [tally]);
}

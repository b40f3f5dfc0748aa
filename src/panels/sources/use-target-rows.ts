/** Rows of the list of targets, by the window in sight. */
import { useCallback, useState } from "react";
import type { SourceRow, SourcesSpec } from "../../core/check/sources.ts";
import { useEngine, type Answer } from "../../store/react.tsx";
import type { RowRange } from "../../widgets/values/scaled-rows.ts";

/** Windows begin at multiples of it. */
const STEP = 100;

export interface TargetRows {
  /** `undefined` until it is known. */
  readonly total: number | undefined;
  /** Row at a position of the list; `undefined` while it is on the way. */
  readonly at: (index: number) => SourceRow | undefined;
  readonly rows: readonly SourceRow[];
  readonly want: (seen: RowRange) => void;
  readonly answer: Pick<Answer<unknown>, "error" | "progress" | "retry" | "cancel" | "cancelled" | "stale">;
}

export function useTargetRows(set: number, spec: SourcesSpec): TargetRows {
  const [window, setWindow] = useState({ from: 0, to: 2 * STEP });
  const want = useCallback(({ from, to }: RowRange) => {
    const next = { from: Math.floor(from / STEP) * STEP, to: Math.ceil((to + 1) / STEP) * STEP };
    setWindow((now) => (now.from === next.from && now.to === next.to ? now : next));
  }, []);
  const answer = useEngine("sources.targets", { set, spec, ...window }, `sources.targets ${JSON.stringify(spec)}`);
  const rows = answer.last?.data.rows ?? [];
  const first = rows[0]?.index ?? 0;
  return { total: answer.last?.data.total, rows, at: (index) => rows[index - first], want, answer };
}

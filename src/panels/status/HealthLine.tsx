/** What is known of the open set's chunks, in one line. */
import type { ReactNode } from "react";
import type { SetSummary } from "../../core/open-set.ts";
import { useActions, useAppState, useEngine } from "../../store/react.tsx";
import { countOf, formatCount } from "../../widgets/number-format.ts";
import { healthOf } from "./health-words.ts";
import styles from "./HealthLine.module.css";

export function HealthLine({ set }: { readonly set: SetSummary }) {
  const actions = useActions();
  const tally = useEngine("chunk.tally", { set: set.id }).last?.data;
  const problems = useAppState((state) => state.problems);
  if (tally === undefined) return null;
  const { failed, missing, read, whole, targets } = healthOf(set.nodes, tally, problems?.accepted);
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
        {causes === 0 ? null : <Part>{countOf(causes, "cause")}</Part>}
        {aside === 0 ? null : <Part>{formatCount(aside)} set aside</Part>}
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
      <button
        type="button"
        data-kind="link"
        className={styles.link}
        onClick={() => {
          actions.showView("check");
        }}
      >
        Check
      </button>
    </div>
  );
}

/** A circle, and half of it. */
const HALF = "M6 1.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 1 1 0-9M6 2v8M7.5 2.5v7M9 3.5v5";

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
      <span>{children}</span>
    </span>
  );
}

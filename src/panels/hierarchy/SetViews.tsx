/** What there is of the set as a whole, above its arrays. */
import type { ReactNode } from "react";
import type { SetSummary } from "../../core/open-set.ts";
import { useActions, useAppState } from "../../store/react.tsx";
import type { ProblemCounts } from "../../store/state.ts";
import { countOf } from "../../widgets/number-format.ts";
import styles from "./SetViews.module.css";

export function SetViews({ set }: { readonly set: SetSummary }) {
  const actions = useActions();
  const problems = useAppState((state) => state.problems);
  const shown = useAppState(({ view, node }) =>
    view === "history" || view === "check" || view === "sources" || (view === "overview" && node === "") ? view : "",
  );
  return (
    <ul className={styles.views} aria-label="Of the set">
      <SetView
        label="Overview"
        sign="M2 2.5h8v7h-8zM2 5h8M5 5v4.5"
        current={shown === "overview"}
        onShow={() => {
          actions.showOverview();
        }}
      />
      <SetView
        label="Check"
        sign="M1 6.5h2.5l1.3-4l2.2 7l1.5-3h2.5"
        current={shown === "check"}
        onShow={() => {
          actions.showView("check");
        }}
      >
        {problems === undefined ? null : <ProblemCount problems={problems} />}
      </SetView>
      <SetView
        label="Sources"
        sign="M2 3.5c0-2 8-2 8 0v5c0 2-8 2-8 0zM2 3.5c0 2 8 2 8 0M2 6c0 2 8 2 8 0"
        current={shown === "sources"}
        onShow={() => {
          actions.showView("sources");
        }}
      />
      {set.repository === undefined ? null : (
        <SetView
          label="History"
          sign="M6 3.5v2.8l2 1.2M1.5 6a4.5 4.5 0 1 0 1.4-3.3M1.5 2v2h2"
          current={shown === "history"}
          onShow={() => {
            actions.showView("history");
          }}
        />
      )}
    </ul>
  );
}

interface SetViewProps {
  readonly label: string;
  /** Path in a square of 12. */
  readonly sign: string;
  readonly current?: boolean;
  readonly onShow: () => void;
  readonly children?: ReactNode;
}

function SetView({ label, sign, current = false, onShow, children }: SetViewProps) {
  return (
    <li>
      <button type="button" className={styles.view} aria-current={current ? "page" : undefined} onClick={onShow}>
        <svg viewBox="0 0 12 12" aria-hidden="true">
          <path d={sign} />
        </svg>
        <span className={styles.label}>{label}</span>
        {children}
      </button>
    </li>
  );
}

function ProblemCount({ problems: { errors, warnings, notes } }: { readonly problems: ProblemCounts }) {
  const causes = errors + warnings;
  const worst = errors > 0 ? "error" : warnings > 0 ? "warning" : "none";
  return (
    <span className={styles.count} data-severity={worst}>
      {causes > 0 ? countOf(causes, "cause") : notes > 0 ? countOf(notes, "note") : "none so far"}
    </span>
  );
}

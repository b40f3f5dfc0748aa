/** What differs between two snapshots: nodes, arrays with their changed chunks, and how that was found out. */
import { bySeverity } from "../../core/findings/explained.ts";
import { nodeOf } from "../../core/findings/place.ts";
import { comparisonReason } from "../../core/comparison-words.ts";
import { useExplain } from "../../widgets/use-explain.ts";
import { useEffect, useRef, useState } from "react";
import type { SnapshotChanges } from "../../core/repository.ts";
import { COMPARING } from "../../store/history-actions.ts";
import type { AskedComparison } from "../../store/history-state.ts";
import { useActions, useApp, useAppState } from "../../store/react.tsx";
import { ErrorNotice } from "../../widgets/ErrorNotice.tsx";
import { SeverityMark } from "../../widgets/SeverityMark.tsx";
import { ArrayChangesTable } from "./ArrayChangesTable.tsx";
import { changesSentence, shortId } from "./history-words.ts";
import { NodeChangesTable, NodeLink } from "./NodeChangesTable.tsx";
import { Section } from "../../widgets/Section.tsx";
import { TaskLoading } from "./TaskLoading.tsx";
import styles from "./HistoryPanel.module.css";

export function ChangesSection({ set }: { readonly set: number }) {
  const actions = useActions();
  const { asked, failed } = useAppState((state) => state.history);
  useAskedAgain(set, asked);
  if (asked === undefined)
    return (
      <Section title="Changes">
        <p className={styles.note}>
          Choose two snapshots above and compare them, or press Changes of one: what differs is shown here.
        </p>
      </Section>
    );
  const title = `Changes from ${shortId(asked.from)} to ${shortId(asked.to)}`;
  return (
    <Section title={title} aside={<Close />}>
      {failed === undefined ? (
        <Compared set={set} asked={asked} />
      ) : (
        <ErrorNotice error={failed} onRetry={() => void actions.compareSnapshots(asked)} />
      )}
    </Section>
  );
}

function Close() {
  const actions = useActions();
  return (
    <button
      type="button"
      data-kind="quiet"
      aria-label="Close the comparison"
      onClick={(event) => {
        // The button goes: the focus stays where it was.
        event.currentTarget.closest("header")?.querySelector("h3")?.focus();
        actions.closeComparison();
      }}
    >
      Close
    </button>
  );
}

/** The engine forgets a comparison with the set it was made of. */
function useAskedAgain(set: number, asked: AskedComparison | undefined): void {
  const { actions, store } = useApp();
  useEffect(() => {
    const { set: open, comparison, history, tasks } = store.getState();
    if (open?.id !== set) return;
    if (asked === undefined || comparison !== undefined || history.failed !== undefined) return;
    if (!tasks.some(({ label }) => label === COMPARING)) void actions.compareSnapshots(asked);
  }, [set, asked, actions, store]);
}

function Compared({ set, asked }: { readonly set: number; readonly asked: AskedComparison }) {
  const comparison = useAppState((state) => state.comparison);
  if (comparison === undefined) return <TaskLoading label={COMPARING} />;
  return (
    <Changes key={`${set} ${comparison.from} ${comparison.to} ${comparison.method}`} {...{ set, asked, comparison }} />
  );
}

interface ChangesProps {
  readonly set: number;
  readonly asked: AskedComparison;
  readonly comparison: SnapshotChanges;
}

function Changes({ set, asked, comparison }: ChangesProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <div ref={box} className={styles.changes} role="group" aria-label="Comparison">
      <p>
        <b>{changesSentence(comparison)}</b>
      </p>
      <Method asked={asked} comparison={comparison} />
      <Findings comparison={comparison} />
      {comparison.nodes.length === 0 ? null : <NodeChangesTable nodes={comparison.nodes} />}
      {comparison.arrays.length === 0 ? null : <ArrayChangesTable set={set} arrays={comparison.arrays} />}
    </div>
  );
}

function Method({ asked, comparison }: Omit<ChangesProps, "set">) {
  const actions = useActions();
  const other = comparison.method === "logs" ? "manifests" : "auto";
  const isOther = comparison.method === "logs" || asked.method === "manifests";
  return (
    <p className={styles.because}>
      By {comparison.method === "logs" ? "transaction logs" : "manifests"}. {comparisonReason(comparison.because)}{" "}
      {isOther ? (
        <button
          type="button"
          data-kind="link"
          onClick={() => void actions.compareSnapshots({ ...asked, method: other })}
        >
          {other === "manifests" ? "Compare by manifests instead" : "Compare by transaction logs where possible"}
        </button>
      ) : null}
    </p>
  );
}

/** More of them are behind a button. */
const MAX_FINDINGS = 20;

function Findings({ comparison: { findings } }: { readonly comparison: SnapshotChanges }) {
  const [limit, setLimit] = useState(MAX_FINDINGS);
  const explain = useExplain();
  if (findings.length === 0 || explain === undefined) return null;
  const all = findings.map((found) => ({ found, ...explain(found) })).toSorted(bySeverity);
  return (
    <>
      <ul className={styles.findings} aria-label="Found while comparing">
        {all.slice(0, limit).map(({ found: { code, place }, severity, message, remedy }, index) => (
          // Two findings may have the same code.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index} data-code={code} data-severity={severity}>
            <SeverityMark severity={severity} />
            <div>
              <p className={styles.findingHead}>
                <code>{code}</code>
                <PlaceLink path={nodeOf(place)} />
              </p>
              <p>{message}</p>
              {remedy === undefined ? null : <p className={styles.quiet}>{remedy}</p>}
            </div>
          </li>
        ))}
      </ul>
      {findings.length > limit ? (
        <button type="button" onClick={() => setLimit(findings.length)}>
          Show all {findings.length} findings
        </button>
      ) : null}
    </>
  );
}

const PlaceLink = ({ path }: { readonly path: string | undefined }) =>
  path === undefined ? null : <NodeLink path={path} />;

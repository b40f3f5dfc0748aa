/** The history of the repository that the open set is a snapshot of (DESIGN "The screen"). */
import { useLayoutEffect, useRef } from "react";
import { useAppState, useEngine } from "../../store/react.tsx";
import { EmptyState } from "../../widgets/EmptyState.tsx";
import { Unanswered } from "../../widgets/Unanswered.tsx";
import { ChainSection } from "./ChainSection.tsx";
import { ChangesSection } from "./ChangesSection.tsx";
import { HistoryHead, OpenRefForm } from "./HistoryHead.tsx";
import { OperationsLog } from "./OperationsLog.tsx";
import { RefsSection } from "./RefsSection.tsx";
import styles from "./HistoryPanel.module.css";

export function HistoryPanel() {
  const set = useAppState((state) => state.set);
  const region = useRefocused();
  if (set?.repository === undefined)
    return <EmptyState title="This set has no history.">Only repositories have one.</EmptyState>;
  return (
    <section ref={region} aria-label="History" className={styles.panel} tabIndex={-1}>
      <Asked key={set.id} set={set.id} />
    </section>
  );
}

/**
 * Where another snapshot was opened from here, what was pressed is gone: the focus stays in the region. Before effects run,
 * since the hierarchy takes a focus that is lost.
 */
function useRefocused() {
  const region = useRef<HTMLElement>(null);
  const refocus = useAppState((state) => state.history.refocus);
  useLayoutEffect(() => {
    if (refocus && (document.activeElement ?? document.body) === document.body) region.current?.focus();
  }, [refocus]);
  return region;
}

const CANCELLED = ["Reading the history was cancelled", "Read it"] as const;

function Asked({ set }: { readonly set: number }) {
  const answer = useEngine("repository.history", { set });
  const { data, error } = answer;
  if (data === undefined)
    return (
      <>
        <Unanswered answer={answer} label="Reading the history" cancelled={CANCELLED} />
        {error === undefined ? null : <OpenRefForm history={undefined} />}
      </>
    );
  return (
    <>
      <HistoryHead history={data} />
      <RefsSection history={data} />
      <ChainSection history={data} />
      <ChangesSection set={set} />
      <OperationsLog history={data} set={set} />
    </>
  );
}

/** The history of the repository that the open set is a snapshot of (DESIGN "The screen"). */
import { useLayoutEffect, useRef, useState } from "react";
import type { RepositoryHistory } from "../../core/repository.ts";
import { useAppState, useEngine } from "../../store/react.tsx";
import { EmptyState } from "../../widgets/EmptyState.tsx";
import { ErrorNotice } from "../../widgets/ErrorNotice.tsx";
import { Loading } from "../../widgets/Loading.tsx";
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

function Asked({ set }: { readonly set: number }) {
  const [cancelled, setCancelled] = useState(false);
  const answer = useEngine("repository.history", cancelled ? undefined : { set });
  const { data, error, progress } = answer;
  if (cancelled)
    return (
      <EmptyState title="Reading the history was cancelled">
        <button type="button" onClick={() => setCancelled(false)}>
          Read it
        </button>
      </EmptyState>
    );
  if (error !== undefined)
    return (
      <>
        <ErrorNotice error={error} onRetry={() => answer.retry()} />
        <OpenRefForm history={undefined} />
      </>
    );
  if (data === undefined)
    return <Loading label="Reading the history" progress={progress} onCancel={() => setCancelled(true)} />;
  return <Sections history={data} set={set} />;
}

function Sections({ history, set }: { readonly history: RepositoryHistory; readonly set: number }) {
  return (
    <>
      <HistoryHead history={history} />
      <RefsSection history={history} />
      <ChainSection history={history} />
      <ChangesSection set={set} />
      <OperationsLog history={history} set={set} />
    </>
  );
}

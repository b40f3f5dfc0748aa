/** Where the bytes are: every target, what refers to it, and which of its bytes. */
import { useEffect, useState } from "react";
import type { SetSummary } from "../../core/open-set.ts";
import type { SourcePrefix, SourcesSpec } from "../../core/sources.ts";
import { useActions, useAppState, useEngine } from "../../store/react.tsx";
import { ErrorNotice } from "../../widgets/ErrorNotice.tsx";
import { SearchField } from "../../widgets/SearchField.tsx";
import { Unanswered } from "../../widgets/Unanswered.tsx";
import { InBar } from "../../widgets/view-bar.tsx";
import { Dock } from "./Dock.tsx";
import { NoTargets } from "./NoTargets.tsx";
import { PrefixTree } from "./PrefixTree.tsx";
import { SourcesHead } from "./SourcesHead.tsx";
import { TargetGrid } from "./TargetGrid.tsx";
import { useTargetRows, type TargetRows } from "./use-target-rows.ts";
import styles from "./SourcesPanel.module.css";

export function SourcesPanel() {
  const set = useAppState((state) => state.set);
  return set === undefined ? null : <Sources set={set} />;
}

const FIRST_SPEC: SourcesSpec = { prefix: "", text: "", sort: { column: "bytes", descending: true } };
const CANCELLED = ["Listing the targets was cancelled", "List them again"] as const;

/** An edited set takes the place of the one before: what was filtered stays. */
function Sources({ set }: { readonly set: SetSummary }) {
  const [spec, setSpec] = useState(FIRST_SPEC);
  const totals = useEngine("sources.totals", { set: set.id });
  const rows = useTargetRows(set.id, spec);
  const { target, place } = useShownTarget(set.id, rows);
  const actions = useActions();
  const hasTree =
    useEngine("sources.prefixes", { set: set.id, prefix: "" }).last?.data.prefixes.some(isTelling) === true;
  const known = useLast(totals.data);
  if (totals.error !== undefined) return <ErrorNotice error={totals.error} onRetry={totals.retry} />;
  if (known === undefined) return <Unanswered answer={totals} label="Listing targets" cancelled={CANCELLED} />;
  if (known.targets === 0) return <NoTargets set={set} totals={known} />;
  return (
    <section className={styles.panel} aria-label="Sources">
      <InBar part="tools">
        <SearchField label="Filter targets" value={spec.text} onChange={(text) => setSpec({ ...spec, text })} />
      </InBar>
      <SourcesHead set={set} totals={known} />
      <div className={styles.middle} data-tree={hasTree} style={{ maxHeight: heightOf(rows.total ?? 0, hasTree) }}>
        {hasTree ? (
          <PrefixTree
            key={set.id}
            set={set.id}
            targets={known.targets}
            bytes={known.bytes}
            selected={spec.prefix}
            onSelect={(prefix) => setSpec({ ...spec, prefix })}
          />
        ) : null}
        <div className={styles.body}>
          <TargetGrid
            set={set}
            rows={rows}
            spec={spec}
            onSpec={setSpec}
            allBytes={known.allBytes}
            selected={target}
            onSelect={(to) => actions.showTarget(to)}
          />
          <ListState rows={rows} onAll={() => setSpec({ ...spec, text: "", prefix: "" })} />
        </div>
      </div>
      {target === undefined ? null : (
        <Dock set={set} target={target} place={place} prefix={spec.prefix} asked={known.asked} />
      )}
    </section>
  );
}

/** One folder that holds all targets is no choice. */
const isTelling = ({ isParent }: SourcePrefix, _at: number, all: readonly SourcePrefix[]): boolean =>
  isParent || all.length > 1;

/** In pixels: few targets leave their room to what is below. */
const heightOf = (rows: number, hasTree: boolean): number => Math.max(hasTree ? 180 : 108, 31 + rows * 26);

/** Over the list where it has nothing to show. */
function ListState({ rows: { total, answer }, onAll }: { readonly rows: TargetRows; readonly onAll: () => void }) {
  if (answer.error !== undefined)
    return (
      <div className={styles.over}>
        <ErrorNotice error={answer.error} onRetry={answer.retry} />
      </div>
    );
  if (total !== 0) return null;
  return (
    <div className={styles.over}>
      <p>
        No target has this in its URL.{" "}
        <button type="button" data-kind="link" onClick={onAll}>
          Show all targets
        </button>
      </p>
    </div>
  );
}

/** What was there last stays while an edited set takes the place of the one before. */
function useLast<T>(value: T | undefined): T | undefined {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}

/** That of the selected chunk, else the one that was chosen, else the first of the list. */
function useShownTarget(set: number, { rows }: TargetRows) {
  const chosen = useAppState((state) => state.target);
  const array = useAppState((state) => state.node);
  const chunk = useAppState((state) => state.chunk);
  const actions = useActions();
  const request = chunk === undefined ? undefined : { set, array, coordinates: chunk };
  const answer = useEngine("sources.ofChunk", request, `sources.ofChunk ${array} ${chunk?.join(".")}`);
  const ofChunk = chunk === undefined ? undefined : answer.data;
  const target = ofChunk?.target;
  useEffect(() => {
    // It stays when the chunk is left.
    if (target !== undefined) actions.noteTarget(target);
  }, [actions, target]);
  const first = useLast(rows[0])?.target;
  return {
    target: target === undefined ? (chosen === undefined ? first : chosen) : target,
    place: ofChunk?.place ?? -1,
  };
}

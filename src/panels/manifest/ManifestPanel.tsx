/** The references of the selected array or group as a table (DESIGN "The screen"). */
import { useRef, useState } from "react";
import type { NodeSummary, SetSummary } from "../../core/open-set.ts";
import { useActions, useAppState } from "../../store/react.tsx";
import { BrokenNode } from "../../widgets/BrokenNode.tsx";
import { EmptyState } from "../../widgets/EmptyState.tsx";
import { ErrorNotice } from "../../widgets/ErrorNotice.tsx";
import { Loading } from "../../widgets/Loading.tsx";
import type { ScaledRowsHandle } from "../../widgets/ScaledRows.tsx";
import { FilterBar } from "./FilterBar.tsx";
import { NO_FILTER, isFiltering } from "./filter-draft.ts";
import { ManifestGrid } from "./ManifestGrid.tsx";
import { ManifestNotes } from "./ManifestNotes.tsx";
import type { CellCursor } from "./cell-cursor.ts";
import { useFollowedChunk } from "./use-followed-chunk.ts";
import { hasUnreadGrid, isIncomplete, pagesOf } from "./manifest-pages.ts";
import { useManifest, type Manifest } from "./use-manifest.ts";
import { useManifestTable } from "./use-manifest-table.ts";
import styles from "./ManifestPanel.module.css";

export function ManifestPanel() {
  const set = useAppState((state) => state.set);
  const path = useAppState((state) => state.node);
  const node = set?.nodes.find((one) => one.path === path);
  if (set === undefined || node === undefined) {
    return <EmptyState title="No reference set is open.">Open one to see its references.</EmptyState>;
  }
  if (node.kind === "broken" && !hasUnreadGrid(node)) return <Broken node={node} />;
  return <ManifestOf key={set.id} set={set} node={node} />;
}

function Broken({ node }: { readonly node: NodeSummary }) {
  const actions = useActions();
  return (
    <BrokenNode
      node={node}
      without="Without it, the array's chunks are not known."
      onShowMetadata={() => actions.showView("metadata")}
    />
  );
}

function ManifestOf({ set, node }: { readonly set: SetSummary; readonly node: NodeSummary }) {
  const manifest = useManifest(set, node);
  const table = useManifestTable(manifest.sorting, set.rendered === true);
  const [cursor, setCursor] = useState<CellCursor>({ row: 0, column: 0, anchor: 0 });
  const [said, setSaid] = useState("");
  const list = useRef<ScaledRowsHandle>(null);
  const followed = useFollowedChunk(manifest, list, setCursor);
  const { rows } = manifest;
  return (
    <section className={styles.panel} aria-label="References" aria-busy={rows.stale}>
      <FilterBar manifest={manifest} table={table} cursor={cursor} onSay={setSaid} list={list} setCursor={setCursor} />
      {rows.error === undefined ? null : <ErrorNotice error={rows.error} onRetry={manifest.source.retry} />}
      <div className={styles.body} data-stale={rows.stale && rows.shown !== undefined}>
        <ManifestGrid
          manifest={manifest}
          table={table}
          cursor={cursor}
          setCursor={setCursor}
          list={list}
          onSay={setSaid}
        />
        <InPlaceOfRows manifest={manifest} />
      </div>
      <ManifestNotes manifest={manifest} followed={followed} said={said} onSaidOld={setSaid} />
    </section>
  );
}

/** Over the empty grid: why there are no rows, and the next step. */
function InPlaceOfRows({ manifest }: { readonly manifest: Manifest }) {
  const { rows, source, draft, setDraft } = manifest;
  if (rows.cancelled) {
    return (
      <div className={styles.over}>
        <EmptyState title="Listing the references was cancelled.">
          <button type="button" onClick={source.retry}>
            Retry
          </button>
        </EmptyState>
      </div>
    );
  }
  if (rows.stale && rows.error === undefined) {
    return (
      <div className={styles.over} data-corner={rows.shown !== undefined}>
        <Loading label="Listing references" onCancel={source.cancel} />
      </div>
    );
  }
  if (rows.shown?.info.rows !== 0) return null;
  const filtered = isFiltering(draft);
  const more = isIncomplete(pagesOf(manifest));
  return (
    <div className={styles.over}>
      <EmptyState title={emptyTitle(filtered, more)}>
        {filtered ? (
          <button
            type="button"
            onClick={() => {
              setDraft(NO_FILTER);
            }}
          >
            Show all rows
          </button>
        ) : (
          <span>{emptyAdvice(manifest.isArray, more)}</span>
        )}
      </EmptyState>
    </div>
  );
}

/** A group lists references only: chunks whose references were not read yet have no row. */
function emptyTitle(filtered: boolean, more: boolean): string {
  if (filtered) return "No row matches the filters.";
  return more ? "No references are known here so far." : "There are no references here.";
}

function emptyAdvice(isArray: boolean, more: boolean): string {
  if (isArray) return "The array's chunk grid is empty.";
  return more ? "Select an array, or read the rest: see below." : "Select another group or array.";
}

/** The references of the selected array or group as a table (DESIGN "The screen"). */
import { useEffect, useRef } from "react";
import { chunkKey } from "#core/metadata/chunk-grid.ts";
import { useActions, useAppState, useEngine } from "#store/react.tsx";
import { useDelayed } from "#widgets/hooks.ts";
import { EmptyState, ErrorNotice, Loading, useMessage } from "#widgets/notes/Notices.tsx";
import { PagesNote } from "#widgets/notes/part-notes.tsx";
import type { GridCursor } from "#widgets/data-grid/DataGrid.tsx";
import { countOf, formatCount } from "#widgets/number-format.ts";
import { Button, LinkButton } from "#widgets/controls/Button.tsx";
import { MoreColumns } from "#widgets/data-grid/GridTable.tsx";
import { ManifestGrid, type ManifestGridProps } from "./ManifestGrid.tsx";
import styles from "./TablePart.module.css";
import { isFiltering, NO_FILTER } from "./filter-draft.ts";
import { hasUnreadGrid, isIncomplete, type Manifest, pagesOf } from "./use-manifest.ts";

interface TablePartProps extends ManifestGridProps {
  /** Notice of the last action, for some seconds. */
  readonly said: string;
}

export function TablePart({ said, ...props }: TablePartProps) {
  const { manifest, table, cursor, onSay } = props;
  const followed = useFollowedChunk(manifest, cursor);
  const { rows } = manifest;
  return (
    <section className={styles.panel} aria-label="References" aria-busy={rows.stale}>
      {rows.error === undefined ? null : <ErrorNotice error={rows.error} onRetry={rows.retry} />}
      <div className={styles.body}>
        <ManifestGrid {...props} />
        <InPlaceOfRows manifest={manifest} />
      </div>
      <ManifestNotes {...{ manifest, table, followed, said, onSay }} />
    </section>
  );
}

/** Over the empty grid: why there are no rows, and the next step. */
function InPlaceOfRows({ manifest }: { readonly manifest: Manifest }) {
  const { rows, draft, setDraft } = manifest;
  if (rows.cancelled) {
    return (
      <div className={styles.over}>
        <EmptyState title="Listing the references was cancelled.">
          <Button onClick={rows.retry}>Retry</Button>
        </EmptyState>
      </div>
    );
  }
  if (rows.stale && rows.error === undefined) {
    return (
      <div className={styles.over} data-corner={rows.shown !== undefined}>
        <Loading label="Listing references" onCancel={rows.cancel} />
      </div>
    );
  }
  if (rows.shown?.total !== 0) return null;
  const filtered = isFiltering(draft);
  const more = isIncomplete(pagesOf(manifest));
  return (
    <div className={styles.over}>
      <EmptyState title={filtered ? "No row matches the filters" : `No references here${more ? " so far" : ""}`}>
        {filtered ? (
          <Button onClick={() => setDraft(NO_FILTER)}>Show all rows</Button>
        ) : (
          <span>{emptyAdvice(manifest.isArray, more)}</span>
        )}
      </EmptyState>
    </div>
  );
}

/** A group lists references only: chunks whose references were not read yet have no row. */
function emptyAdvice(isArray: boolean, more: boolean): string {
  if (isArray) return "The array's chunk grid is empty.";
  return more ? "Select an array, or read the rest: see below." : "Select another group or array.";
}

// The line below the rows: what is not among them and why, and what was just done.

interface ManifestNotesProps extends Pick<TablePartProps, "manifest" | "table" | "said" | "onSay"> {
  readonly followed: FollowedChunk;
}

const SAID_MS = 8000;

function ManifestNotes({ manifest, table, followed, said, onSay }: ManifestNotesProps) {
  const { rows, node } = manifest;
  const actions = useActions();
  const pages = pagesOf(manifest);
  useDelayed(said, said === "" ? undefined : SAID_MS, () => onSay(""));
  return (
    <div className={styles.notes}>
      <span className={styles.said} role="status" title={said}>
        {said}
      </span>
      {said === "" ? <StandingNote manifest={manifest} followed={followed} /> : null}
      {/* Never hidden by what else is to be said: what the rows show is not all. */}
      {pages === undefined ? null : <PagesNote pages={pages} onLoad={() => void actions.loadPages(node.path)} />}
      <MoreColumns {...table} />
      <span className={styles.count} aria-live="polite">
        {rows.shown === undefined ? "" : `${formatCount(rows.total)} of ${countOf(rows.shown.info.total, "row")}`}
      </span>
    </div>
  );
}

function StandingNote({ manifest, followed }: Pick<ManifestNotesProps, "manifest" | "followed">) {
  const { set, node, isArray, listsMissing, setDraft } = manifest;
  const reason = useMessage(node.reason);
  const overview = useEngine("set.overview", isArray ? undefined : { set: set.id, path: node.path });
  if (followed.place !== undefined && followed.key !== undefined) {
    return (
      <span>
        The selected chunk <code>{followed.key}</code> is{" "}
        {followed.place === "not listed" ? (
          "missing, and so has no row here."
        ) : (
          <>
            hidden by the filters. <LinkButton onClick={() => setDraft(NO_FILTER)}>Show all rows</LinkButton>
          </>
        )}
      </span>
    );
  }
  if (hasUnreadGrid(node)) return <span>{reason}</span>;
  if (isIncomplete(pagesOf(manifest))) return null;
  const missing = overview.data?.states.missing ?? 0;
  if (!isArray && missing > 0) {
    return (
      <span>
        {countOf(missing, "missing chunk")} of the arrays below {missing === 1 ? "has" : "have"} no row here. Select an
        array to see {missing === 1 ? "it" : "them"}.
      </span>
    );
  }
  if (isArray && !listsMissing) {
    return (
      <span>
        The chunk grid has {formatCount(node.cells ?? 0)} chunks; only those with a reference are listed. Missing chunks
        are in the map.
      </span>
    );
  }
  return (
    <span className={`faint ${styles.faint}`}>
      Arrow keys move by cell, Enter selects the chunk, Shift + ↑ ↓ marks rows, Ctrl + C copies.
    </span>
  );
}

// The row of the selected chunk: found in the view, and brought into sight when another chunk is selected.

interface FollowedChunk {
  /** Key of the selected chunk of the selected array. */
  readonly key: string | undefined;
  /** Why it has no row in the view, where it has none; `undefined` also while that is not known. */
  readonly place: "filtered" | "not listed" | undefined;
}

function useFollowedChunk(manifest: Manifest, { goTo }: GridCursor): FollowedChunk {
  const { set, node, array, rows } = manifest;
  const chunk = useAppState((state) => state.chunk);
  const key = chunk === undefined || array === undefined ? undefined : chunkKey(node.path, chunk, array.separator);
  const shown = rows.shown?.question.set === set.id && !rows.stale ? rows.shown : undefined;
  const spec = shown?.question.spec;
  const order = spec === undefined ? "" : JSON.stringify([spec.scope, spec.filter, spec.sort]);

  useEffect(() => {
    // Another filter or order: what was in sight is elsewhere, so begin at the top.
    if (order === "") return;
    goTo(0, "start");
  }, [order, goTo]);

  const view = shown?.info.view;
  const inScope = spec?.scope === node.path;
  const asked = view === undefined || key === undefined || !inScope ? undefined : { set: set.id, view, key };
  const found = useEngine("table.find", asked);
  const index = found.stale ? undefined : found.data?.index;
  const followed = useRef("");
  useEffect(() => {
    if (key === undefined) followed.current = "";
    if (key === undefined || index === undefined || index < 0 || followed.current === key) return;
    followed.current = key;
    goTo(index);
  }, [key, index, goTo]);

  const unlisted = found.data?.row?.state === "missing" && !manifest.listsMissing;
  return { key, place: index !== -1 ? undefined : unlisted ? "not listed" : "filtered" };
}

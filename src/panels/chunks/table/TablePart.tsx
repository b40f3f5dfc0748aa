/** The references of the selected array or group as a table (DESIGN "The screen"). */
import { EmptyState } from "../../../widgets/EmptyState.tsx";
import { ErrorNotice } from "../../../widgets/ErrorNotice.tsx";
import { Loading } from "../../../widgets/Loading.tsx";
import type { CellCursor } from "./cell-cursor.ts";
import { NO_FILTER, isFiltering } from "./filter-draft.ts";
import { ManifestGrid, type ManifestGridProps } from "./ManifestGrid.tsx";
import { ManifestNotes } from "./ManifestNotes.tsx";
import { isIncomplete, pagesOf } from "./manifest-pages.ts";
import { useFollowedChunk } from "./use-followed-chunk.ts";
import type { Manifest } from "./use-manifest.ts";
import styles from "./TablePart.module.css";

export interface TablePartProps extends Omit<ManifestGridProps, "setCursor"> {
  readonly setCursor: (next: CellCursor | ((cursor: CellCursor) => CellCursor)) => void;
  /** What was just done or found, for some seconds. */
  readonly said: string;
}

export function TablePart({ said, ...props }: TablePartProps) {
  const { manifest, list, setCursor, onSay } = props;
  const followed = useFollowedChunk(manifest, list, setCursor);
  const { rows } = manifest;
  return (
    <section className={styles.panel} aria-label="References" aria-busy={rows.stale}>
      {rows.error === undefined ? null : <ErrorNotice error={rows.error} onRetry={manifest.source.retry} />}
      <div className={styles.body} data-stale={rows.stale && rows.shown !== undefined}>
        <ManifestGrid {...props} />
        <InPlaceOfRows manifest={manifest} />
      </div>
      <ManifestNotes manifest={manifest} followed={followed} said={said} onSaidOld={onSay} />
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

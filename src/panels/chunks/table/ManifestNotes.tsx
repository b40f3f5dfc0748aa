/** The line below the rows: what is not among them and why, and what was just done. */
import { useActions, useEngine } from "../../../store/react.tsx";
import { countOf, formatCount } from "../../../widgets/number-format.ts";
import { useMessage } from "../../../widgets/use-explain.ts";
import { PagesNote } from "../../../widgets/PagesNote.tsx";
import { useDelayed } from "../../../widgets/use-delayed.ts";
import { NO_FILTER } from "./filter-draft.ts";
import { hasUnreadGrid, isIncomplete, pagesOf } from "./manifest-pages.ts";
import type { FollowedChunk } from "./use-followed-chunk.ts";
import type { Manifest } from "./use-manifest.ts";
import styles from "./TablePart.module.css";

export interface ManifestNotesProps {
  readonly manifest: Manifest;
  readonly followed: FollowedChunk;
  /** What was just done or found, for some seconds. */
  readonly said: string;
  readonly onSaidOld: (nothing: string) => void;
}

const SAID_MS = 8000;

export function ManifestNotes({ manifest, followed, said, onSaidOld }: ManifestNotesProps) {
  useDelayed(said, said === "" ? undefined : SAID_MS, () => onSaidOld(""));
  return (
    <div className={styles.notes}>
      <span className={styles.said} role="status" title={said}>
        {said}
      </span>
      {said === "" ? <StandingNote manifest={manifest} followed={followed} /> : null}
      <RestOfPages manifest={manifest} />
      <RowCount manifest={manifest} />
    </div>
  );
}

function RowCount({ manifest: { rows } }: { readonly manifest: Manifest }) {
  const info = rows.shown?.info;
  return (
    <span className={styles.count} aria-live="polite">
      {info === undefined ? "" : `${formatCount(info.rows)} of ${countOf(info.total, "row")}`}
    </span>
  );
}

/** Never hidden by what else is to be said: what the rows show is not all. */
function RestOfPages({ manifest }: { readonly manifest: Manifest }) {
  const actions = useActions();
  const pages = pagesOf(manifest);
  const { path } = manifest.node;
  return pages === undefined ? null : <PagesNote pages={pages} onLoad={() => void actions.loadPages(path)} />;
}

function StandingNote({ manifest, followed }: Pick<ManifestNotesProps, "manifest" | "followed">) {
  const { set, node, isArray, listsMissing, setDraft } = manifest;
  const reason = useMessage(node.reason);
  const overview = useEngine("set.overview", isArray ? undefined : { set: set.id, path: node.path });
  if (followed.place === "not listed" && followed.key !== undefined) {
    return (
      <span>
        The selected chunk <code>{followed.key}</code> is missing, and so has no row here.
      </span>
    );
  }
  if (followed.place === "filtered" && followed.key !== undefined) {
    return (
      <span>
        The selected chunk <code>{followed.key}</code> is hidden by the filters.{" "}
        <button type="button" data-kind="link" onClick={() => setDraft(NO_FILTER)}>
          Show all rows
        </button>
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
    <span className={styles.faint}>
      Arrow keys move by cell, Enter selects the chunk, Shift + ↑ ↓ marks rows, Ctrl + C copies.
    </span>
  );
}

/** The grid "Manifest": the references of an array or group, and rows of it on the clipboard. */
import { useMemo } from "react";
import { findingOfError } from "#core/findings/finding.ts";
import type { ViewRow } from "#core/open-set.ts";
import type { App } from "#store/app-store.ts";
import { useActions, useApp, useAppState } from "#store/react.tsx";
import { copyText } from "#widgets/controls/hand-out.ts";
import { nameOf, type TableColumn, textOf } from "#widgets/data-grid/columns.ts";
import { DataGrid, type GridCursor, type RowLook, selectedRows } from "#widgets/data-grid/DataGrid.tsx";
import { loadCatalogue, messageOf } from "#widgets/notes/Notices.tsx";
import { countOf, formatCount } from "#widgets/number-format.ts";
import { useLengthScale } from "../cell-colours.ts";
import { point, type PointedChunk, usePointed } from "../pointed-chunk.ts";
import { CellContext, rowsAsText } from "./manifest-columns.tsx";
import { notAChunk } from "./KeyOrPlace.tsx";
import styles from "./TablePart.module.css";
import type { Manifest, ManifestTable } from "./use-manifest.ts";

export interface ManifestGridProps {
  readonly manifest: Manifest;
  readonly table: ManifestTable;
  readonly cursor: GridCursor;
  /** Says what happened in the line below, and to screen readers. */
  readonly onSay: (text: string) => void;
  /** Shared with the map. */
  readonly pointed: PointedChunk;
}

export function ManifestGrid({ manifest, table, cursor, onSay, pointed }: ManifestGridProps) {
  const { rows, isArray, node, array } = manifest;
  const actions = useActions();
  const copy = useCopyCursor({ manifest, table, cursor, onSay });
  /** Chunks of other arrays are not on the map. */
  const placeOf = (row: ViewRow | undefined) => (isArray && row?.array === node.path ? row.coordinates : undefined);
  const scale = useLengthScale(manifest.set, node);
  const within = isArray ? node.path : undefined;
  const fill = array?.fillValue;
  return (
    <CellContext value={useMemo(() => ({ fill, within, scale }), [fill, within, scale])}>
      <DataGrid
        label="Manifest"
        grid={table}
        rows={rows}
        cursor={cursor}
        cells
        dimmed={rows.stale && rows.shown !== undefined}
        look={useLook(manifest, pointed, cursor.at.row)}
        className={styles.grid}
        onPoint={(row) => point(pointed, placeOf(row))}
        onOpen={(row) => {
          if (row.array !== undefined && row.coordinates !== undefined) actions.selectChunk(row.array, row.coordinates);
          else void loadCatalogue().then((explain) => onSay(notAChunk(row, explain)));
        }}
        onKey={({ key, ctrl }) => {
          // A text that is marked is copied by the browser.
          if (!ctrl || key.toLowerCase() !== "c" || getSelection()?.isCollapsed === false) return false;
          void copy();
          return true;
        }}
      />
    </CellContext>
  );
}

function useLook({ node, isArray }: Manifest, pointed: PointedChunk, cursor: number) {
  const chunk = useAppState((state) => state.chunk)?.join();
  const pointedAt = usePointed(pointed)?.join();
  return (row: ViewRow | undefined, index: number): RowLook => {
    if (row === undefined) return {};
    const at = row.array === node.path ? row.coordinates?.join() : undefined;
    const isStray = row.coordinates === undefined;
    return {
      selected: at !== undefined && at === chunk,
      // No chunk can be selected for it.
      marked: isStray && index === cursor,
      "data-stray": isStray,
      "data-failed": row.result === "failed",
      "data-pointed": isArray && at !== undefined && at === pointedAt,
    };
  };
}

/** Copies the marked rows, or else the active cell. */
function useCopyCursor(props: CopyProps) {
  const { manifest, table, cursor, onSay } = props;
  const copyRowsOf = useCopyRows(props);
  return async () => {
    const selected = selectedRows(cursor.at);
    const column = table.table.getVisibleLeafColumns()[cursor.at.column];
    if (selected === undefined || column === undefined) return;
    if (selected.from !== selected.to) return copyRowsOf(selected);
    const row = manifest.rows.at(cursor.at.row);
    if (row === undefined) return;
    onSay((await copyText(textOf(column, row))) ? `Copied ${nameOf(column)}.` : NOT_ALLOWED);
  };
}

const NOT_ALLOWED = "The browser blocked copying.";

type CopyProps = Omit<ManifestGridProps, "pointed">;

/** Copies a range of rows, or says why it did not. */
export function useCopyRows({ manifest, table, onSay }: Omit<CopyProps, "cursor">) {
  const { engine } = useApp();
  return async (range: RowSpan) => {
    const { shown } = manifest.rows;
    if (shown !== undefined) onSay(await copyRows(engine, shown, range, table.chosen));
  };
}

// Rows on the clipboard as tab-separated text.

/** More would make a text that no clipboard and no spreadsheet takes. */
const MAX_COPIED = 100_000;
/** The engine gives no more rows at once. */
const ASKED_AT_ONCE = 2000;

/** Both ends included. */
interface RowSpan {
  readonly from: number;
  readonly to: number;
}

/** Copies, and gives the sentence that says what was copied or why nothing was. Never throws. */
async function copyRows(
  engine: App["engine"],
  shown: NonNullable<Manifest["rows"]["shown"]>,
  range: RowSpan,
  columns: readonly TableColumn<ViewRow>[],
): Promise<string> {
  const all = Math.min(range.to + 1, shown.total) - range.from;
  const count = Math.min(all, MAX_COPIED);
  if (count <= 0) return "There are no rows to copy.";
  try {
    const rows: ViewRow[] = [];
    const { set } = shown.question;
    for (let from = range.from; from < range.from + count; from += ASKED_AT_ONCE) {
      const to = Math.min(from + ASKED_AT_ONCE, range.from + count);
      rows.push(...(await engine.call("table.rows", { set, view: shown.info.view, from, to })).rows);
    }
    if (!(await copyText(rowsAsText(rows, columns)))) return NOT_ALLOWED;
    const cut = count < all ? `; at most ${formatCount(MAX_COPIED)} of the ${formatCount(all)} can be copied` : "";
    return `Copied ${countOf(count, "row")} with a header${cut}.`;
  } catch (error) {
    return `Nothing was copied. ${messageOf([findingOfError(error, "Copying rows")], await loadCatalogue())}`;
  }
}

/** The row of the selected chunk: found in the view, and brought into sight when another chunk is selected. */
import { useEffect, useRef, type RefObject } from "react";
import { chunkKey } from "../../../core/chunk-grid.ts";
import { useAppState, useEngine } from "../../../store/react.tsx";
import type { ScaledRowsHandle } from "../../../widgets/ScaledRows.tsx";
import type { CellCursor } from "./cell-cursor.ts";
import type { Manifest } from "./use-manifest.ts";

export interface FollowedChunk {
  /** Key of the selected chunk of the selected array. */
  readonly key: string | undefined;
  /** Why it has no row in the view, where it has none; `undefined` also while that is not known. */
  readonly place: "filtered" | "not listed" | undefined;
}

type SetCursor = (next: (cursor: CellCursor) => CellCursor) => void;

export function useFollowedChunk(
  manifest: Manifest,
  list: RefObject<ScaledRowsHandle | null>,
  setCursor: SetCursor,
): FollowedChunk {
  const { set, node, array, rows } = manifest;
  const chunk = useAppState((state) => state.chunk);
  const key = chunk === undefined || array === undefined ? undefined : chunkKey(node.path, chunk, array.separator);
  const shown = rows.shown?.question.set === set.id && !rows.stale ? rows.shown : undefined;
  const spec = shown?.question.spec;
  const order = spec === undefined ? "" : JSON.stringify([spec.scope, spec.filter, spec.sort]);

  useEffect(() => {
    // Another filter or order: what was in sight is elsewhere, so begin at the top.
    if (order === "") return;
    list.current?.show(0, "start");
    setCursor(({ column }) => ({ row: 0, column, anchor: 0 }));
  }, [order, list, setCursor]);

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
    list.current?.show(index, "centre");
    setCursor(({ column }) => ({ row: index, column, anchor: index }));
  }, [key, index, list, setCursor]);

  const unlisted = found.data?.row?.state === "missing" && !manifest.listsMissing;
  return { key, place: index !== -1 ? undefined : unlisted ? "not listed" : "filtered" };
}

/** State of the manifest, and the user's choices in it; outlives a change of the view within the session. */
import type { SortingState } from "@tanstack/react-table";
import { useEffect, useMemo, useState } from "react";
import type { Facets, NodeSummary, PagesSummary, SetSummary, ViewInfo, ViewRow, ViewSpec } from "#core/open-set.ts";
import type { App } from "#store/app-store.ts";
import { type RowFetch, type RowWindows, useAsked, useUnaskedRows } from "#store/hooks/use-row-windows.ts";
import { useApp, useAppState, useEngine } from "#store/react.tsx";
import { useDelayed } from "#widgets/hooks.ts";
import { type FilterDraft, filterOf, isFiltering, NO_FILTER, withoutMissing } from "./filter-draft.ts";
import { COLUMNS, shownSorting, sortOf } from "./manifest-columns.tsx";
import type { ChunkState, ReadingResult } from "#core/table/reference.ts";
import { remember, rememberedObject } from "#store/browser-storage.ts";
import { type GridLayout, useGridTable } from "#widgets/data-grid/GridTable.tsx";
import { leavesChunksUnplaced } from "#core/metadata/array-metadata.ts";

interface Question {
  readonly set: number;
  readonly spec: ViewSpec;
  /** The store's: rises with everything that changes the answer. */
  readonly revision: number;
  /** Likewise, where the answer depends on what was read. */
  readonly readings: number;
}

type ManifestRows = RowWindows<Question, ViewInfo, ViewRow>;

const MANIFEST_ROWS: RowFetch<Question, ViewInfo, ViewRow> = {
  what: "Listing the references",
  open: (engine, { set, spec }, options) => engine.call("table.view", { set, spec }, options),
  rows: async (engine, { question: { set }, info: { view, rows: total } }, window, options) => {
    const { rows } = await engine.call("table.rows", { set, view, ...window }, options);
    return { total, rows };
  },
  close: (engine, { question: { set }, info: { view } }) => {
    // The set may be closed already, and its views with it.
    engine.call("table.closeView", { set, view }).catch(() => undefined);
  },
};

export type Manifest = ReturnType<typeof useManifest>;

interface Choices {
  readonly set: number;
  readonly scope: string;
  readonly draft: FilterDraft;
  /** Empty: the natural order. */
  readonly sorting: SortingState;
}

/** Choices by application, so that they are still there when the view is shown again. */
const remembered = new WeakMap<App, Choices>();

export function useManifest(set: SetSummary, node: NodeSummary) {
  const app = useApp();
  const revision = useAppState((state) => state.revision);
  const [choices, setChoices] = useState(() => choicesFor(remembered.get(app), set.id, node.path));
  if (choices.set !== set.id || choices.scope !== node.path) setChoices(choicesFor(choices, set.id, node.path));
  useEffect(() => {
    remembered.set(app, choices);
  }, [app, choices]);

  const rows = useUnaskedRows(MANIFEST_ROWS);
  useRenewedRows(rows, set);
  const isArray = node.kind === "array";
  // Not those of groups, nor of grids too large to list.
  const listsMissing = isArray && !isTooLarge(rows, set.id, node.path);

  const { sorting } = choices;
  const chosen = choices.draft;
  const draft = useMemo(() => (listsMissing ? chosen : withoutMissing(chosen)), [listsMissing, chosen]);
  const settled = useSettledDraft(draft);
  // Rows come and go with what is read, while that is filtered by.
  const readings = useAppState((state) => (settled.results.length === 0 ? 0 : state.readings));
  const question = useMemo(() => {
    const sort = sortOf(sorting, isArray);
    const filter = filterOf(settled, isArray ? node.grid : undefined);
    return {
      set: set.id,
      revision,
      readings,
      spec: { scope: node.path, filter, ...(sort === undefined ? {} : { sort }) },
    };
  }, [set.id, revision, readings, node, isArray, settled, sorting]);

  useAsked(rows, question);

  const detail = useEngine("set.node", isArray ? { set: set.id, path: node.path } : undefined);
  const array = detail.data?.path === node.path ? detail.data.array : undefined;
  return {
    set,
    node,
    isArray,
    /** True if chunks without a reference have rows. */
    listsMissing,
    /** For the selected array, once the engine has answered. */
    array,
    draft,
    setDraft: (draft: FilterDraft) => setChoices({ ...choices, draft }),
    sorting,
    setSorting: (sorting: SortingState) => setChoices({ ...choices, sorting }),
    rows,
  };
}

/** Rows show what has become known, and what reading gave. */
function useRenewedRows({ renew }: ManifestRows, { revision }: SetSummary): void {
  const readings = useAppState((state) => state.readings);
  useEffect(() => {
    if (revision > 0) renew((rows) => rows.some(({ state }) => state === "unknown"));
  }, [renew, revision]);
  useEffect(() => {
    if (readings > 0) renew(() => true);
  }, [renew, readings]);
}

/** True if the array's grid is too large for rows without a reference, by the engine's answer. */
function isTooLarge({ shown }: ManifestRows, set: number, path: string): boolean {
  if (shown === undefined || shown.question.set !== set || shown.question.spec.scope !== path) return false;
  return !shown.info.listsMissing;
}

/** Choices that still make sense elsewhere in the set: all but coordinates, which belong to one array's grid. */
function choicesFor(before: Choices | undefined, set: number, scope: string): Choices {
  if (before?.set !== set) return { set, scope, draft: NO_FILTER, sorting: [] };
  if (before.scope === scope) return before;
  return { ...before, scope, draft: { ...before.draft, coordinates: NO_FILTER.coordinates } };
}

const TYPING_MS = 90;

/** The draft; while one types, the one before, until the typing pauses. */
function useSettledDraft(draft: FilterDraft): FilterDraft {
  const [settled, setSettled] = useState(draft);
  useDelayed(draft, settled === draft ? undefined : TYPING_MS, setSettled);
  return typedText(settled) === typedText(draft) ? draft : settled;
}

function typedText({ keyText, textAs, targetText, length, coordinates }: FilterDraft): string {
  return JSON.stringify([keyText, textAs, targetText, length, [...coordinates]]);
}

// The counts beside the filters.

/**
 * They are counted when the rows are listed. References that come page by page change them afterwards: while nothing is
 * filtered, the overview has the newer counts.
 */
export function useFacets({ set, node, rows, draft }: Manifest): Facets | undefined {
  const grows = set.pages !== undefined && !isFiltering(draft);
  const overview = useEngine("set.overview", grows ? { set: set.id, path: node.path } : undefined).data;
  const facets = rows.shown?.info.facets;
  if (!grows || overview?.path !== node.path || facets === undefined) return facets;
  const { states, targets, targetCount } = overview;
  return { ...facets, states, targets, targetCount };
}

/** Likewise what reading gave: chunks are read after the rows are listed. */
export function useResultCounts(manifest: Manifest): Readonly<Record<ReadingResult, number>> | undefined {
  const { set, node, rows, draft } = manifest;
  const filtered = isFiltering(draft);
  const tally = useEngine("chunk.tally", filtered ? undefined : { set: set.id }).data;
  const listed = rows.shown?.info.facets.results;
  if (filtered || tally === undefined || listed === undefined) return listed;
  const below = node.path === "" ? "" : `${node.path}/`;
  const known = tally.arrays.filter(({ path }) => path === node.path || path.startsWith(below));
  const ok = known.reduce((sum, one) => sum + one.ok, 0);
  const failed = known.reduce((sum, one) => sum + one.failed, 0);
  return { ok, failed, "not tried": Math.max(0, listed.ok + listed.failed + listed["not tried"] - ok - failed) };
}

/** Most common first. */
const OFFERED: readonly ChunkState[] = ["range", "virtual", "whole", "inline", "native", "missing", "unknown", "bad"];

/** Those that the array or group does not have are left out; which these are does not change while one filters. */
export function useOfferedStates(manifest: Manifest) {
  const { set, node, draft } = manifest;
  const counts = useFacets(manifest)?.states;
  const overview = useEngine("set.overview", { set: set.id, path: node.path }).data;
  const there = overview?.path === node.path ? overview.states : counts;
  const rowsOf = manifest.isArray ? OFFERED : OFFERED.filter((state) => state !== "missing");
  const countOf = (state: ChunkState) => there?.[state] ?? 0;
  return rowsOf.filter((state) => countOf(state) > 0 || (counts?.[state] ?? 0) > 0 || draft.states.includes(state));
}

/**
 * True if all rows are known to be ranges. If references come page by page, that may change any time; not in shards.
 */
function useOfRanges(manifest: Manifest): boolean {
  const offered = useOfferedStates(manifest);
  const isSettled = manifest.set.pages === undefined || manifest.node.shardShape !== undefined;
  return isSettled && offered.every((state) => state === "range");
}

// Which columns of the manifest are shown and how wide they are, remembered between visits.

/** Sets with templates or gen have a column more, and a layout of their own. */
const layoutKey = (rendered: boolean): string => `refscope.manifest.1${rendered ? ".rendered" : ""}`;

/** Remembered layout, as far as it can be understood. The table limits widths that are too small or large. */
function storedLayout(place: string): GridLayout {
  const { sizing, visibility, order } = rememberedObject(place);
  return {
    columnSizing: picked(sizing, (value) => typeof value === "number"),
    columnVisibility: picked(visibility, (value) => typeof value === "boolean"),
    columnOrder: Array.isArray(order) ? order.filter((id) => typeof id === "string") : [],
  };
}

function picked<T>(value: unknown, is: (value: unknown) => value is T): Record<string, T> {
  const members = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return Object.fromEntries(members.flatMap(([id, one]) => (is(one) ? [[id, one]] : [])));
}

export type ManifestTable = ReturnType<typeof useManifestTable>;

export function useManifestTable(manifest: Manifest) {
  const { isArray, sorting, setSorting } = manifest;
  const rendered = manifest.set.rendered === true;
  const place = layoutKey(rendered);
  const layout = useState(() => storedLayout(place));
  const [more, setMore] = useState(() => rememberedObject(place)["more"] === true);
  const [{ columnSizing: sizing, columnVisibility: visibility, columnOrder: order }] = layout;
  useEffect(() => {
    remember(place, JSON.stringify({ sizing, visibility, order, more }));
  }, [place, sizing, visibility, order, more]);
  const ofRanges = useOfRanges(manifest);
  // The key says what the coordinates say; only rendered rows have an origin; if all are ranges, the state says nothing.
  const hidden = useMemo(
    () => ["coordinates", ...(rendered ? [] : ["from"]), ...(ofRanges ? ["state"] : [])],
    [rendered, ofRanges],
  );
  const grid = useGridTable({
    columns: COLUMNS,
    hidden,
    layout,
    sorting: useMemo(() => shownSorting(sorting, isArray), [sorting, isArray]),
    onSorting: setSorting,
    unsorts: true,
  });
  /** `more`: whether all filters are shown. */
  return { ...grid, more, setMore };
}

// How much of what the manifest lists is here.

/** A group has those of the whole set; `undefined` where references do not come in pages. */
export const pagesOf = ({ set, node, isArray }: Pick<Manifest, "set" | "node" | "isArray">): PagesSummary | undefined =>
  isArray || hasUnreadGrid(node) ? node.pages : set.pages;

/** References of an array whose chunk grid is not read are listed all the same. */
export const hasUnreadGrid = ({ reason }: Pick<NodeSummary, "reason">): boolean =>
  reason !== undefined && leavesChunksUnplaced(reason);

export const isIncomplete = (pages: PagesSummary | undefined): boolean =>
  pages !== undefined && pages.loaded < pages.count;

/** What the manifest shows and what of it the user has chosen; outlives a change of the view within the session. */
import { useEffect, useMemo, useState } from "react";
import type { NodeSummary, SetSummary, ViewInfo, ViewRow, ViewSpec } from "../../../core/open-set.ts";
import type { App } from "../../../store/app-store.ts";
import { type RowFetch, type RowWindows, useAsked, useUnaskedRows } from "../../../store/hooks/use-row-windows.ts";
import { useApp, useAppState, useEngine } from "../../../store/react.tsx";
import type { GridOrder } from "../../../widgets/data-grid/columns.ts";
import { useDelayed } from "../../../widgets/notes/use-delayed.ts";
import { NO_FILTER, filterOf, withoutMissing, type FilterDraft } from "./filter-draft.ts";
import { sortOf } from "./manifest-columns.tsx";

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
  readonly order: GridOrder | undefined;
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

  const { order } = choices;
  const chosen = choices.draft;
  const draft = useMemo(() => (listsMissing ? chosen : withoutMissing(chosen)), [listsMissing, chosen]);
  const settled = useSettledDraft(draft);
  // Rows come and go with what is read, while that is filtered by.
  const readings = useAppState((state) => (settled.results.length === 0 ? 0 : state.readings));
  const question = useMemo(() => {
    const sort = sortOf(order);
    const filter = filterOf(settled, isArray ? node.grid : undefined);
    return {
      set: set.id,
      revision,
      readings,
      spec: { scope: node.path, filter, ...(sort === undefined ? {} : { sort }) },
    };
  }, [set.id, revision, readings, node, isArray, settled, order]);

  useAsked(rows, question);

  const detail = useEngine("set.node", isArray ? { set: set.id, path: node.path } : undefined);
  const array = detail.data?.path === node.path ? detail.data.array : undefined;
  return {
    set,
    node,
    isArray,
    /** Whether chunks without a reference have rows. */
    listsMissing,
    /** For the selected array, once the engine has answered. */
    array,
    draft,
    setDraft: (draft: FilterDraft) => setChoices({ ...choices, draft }),
    /** Absent: the natural one. */
    order,
    setOrder: (order: GridOrder | undefined) => setChoices({ ...choices, order }),
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

/** Whether the engine said of this array that its grid is too large for rows without a reference. */
function isTooLarge({ shown }: ManifestRows, set: number, path: string): boolean {
  if (shown === undefined || shown.question.set !== set || shown.question.spec.scope !== path) return false;
  return !shown.info.listsMissing;
}

/** What still makes sense elsewhere in the set is kept: all but coordinates, which belong to one array's grid. */
function choicesFor(before: Choices | undefined, set: number, scope: string): Choices {
  if (before?.set !== set) return { set, scope, draft: NO_FILTER, order: undefined };
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

function typedText({ keyText, targetText, length, coordinates }: FilterDraft): string {
  return JSON.stringify([keyText, targetText, length, [...coordinates]]);
}

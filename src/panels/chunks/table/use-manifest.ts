/** What the manifest shows and what of it the user has chosen; outlives a change of the view within the session. */
import type { SortingState } from "@tanstack/react-table";
import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import type { ArrayDetail, NodeSummary, SetSummary } from "../../../core/open-set.ts";
import type { App } from "../../../store/app-store.ts";
import { useApp, useAppState, useEngine } from "../../../store/react.tsx";
import { useDelayed } from "../../../widgets/notes/use-delayed.ts";
import { NO_FILTER, filterOf, withoutMissing, type FilterDraft } from "./filter-draft.ts";
import { rowSource, type RowSnapshot, type RowSource } from "./row-source.ts";
import { sortOf } from "./sorting.ts";

export interface Manifest {
  readonly set: SetSummary;
  readonly node: NodeSummary;
  readonly isArray: boolean;
  /** Whether chunks without a reference have rows: not those of groups, nor of grids too large to list. */
  readonly listsMissing: boolean;
  /** For the selected array, once the engine has answered. */
  readonly array: ArrayDetail | undefined;
  readonly draft: FilterDraft;
  readonly setDraft: (draft: FilterDraft) => void;
  readonly sorting: SortingState;
  readonly setSorting: (sorting: SortingState) => void;
  readonly rows: RowSnapshot;
  readonly source: RowSource;
}

interface Choices {
  readonly set: number;
  readonly scope: string;
  readonly draft: FilterDraft;
  readonly sorting: SortingState;
}

/** Choices by application, so that they are still there when the view is shown again. */
const remembered = new WeakMap<App, Choices>();

export function useManifest(set: SetSummary, node: NodeSummary): Manifest {
  const app = useApp();
  const revision = useAppState((state) => state.revision);
  const [choices, setChoices] = useState(() => choicesFor(remembered.get(app), set.id, node.path));
  if (choices.set !== set.id || choices.scope !== node.path) setChoices(choicesFor(choices, set.id, node.path));
  useEffect(() => {
    remembered.set(app, choices);
  }, [app, choices]);

  const source = useRowSource(app, set);
  const rows = useSyncExternalStore(source.subscribe, source.snapshot);
  const isArray = node.kind === "array";
  const listsMissing = isArray && !isTooLarge(rows, set.id, node.path);

  const { sorting } = choices;
  const chosen = choices.draft;
  const draft = useMemo(() => (listsMissing ? chosen : withoutMissing(chosen)), [listsMissing, chosen]);
  const settled = useSettledDraft(draft);
  // Rows come and go with what is read, while that is filtered by.
  const readings = useAppState((state) => (settled.results.length === 0 ? 0 : state.readings));
  const question = useMemo(() => {
    const sort = sortOf(sorting);
    const filter = filterOf(settled, isArray ? node.grid : undefined);
    return {
      set: set.id,
      revision,
      readings,
      spec: { scope: node.path, filter, ...(sort === undefined ? {} : { sort }) },
    };
  }, [set.id, revision, readings, node, isArray, settled, sorting]);

  useEffect(() => {
    source.ask(question);
  }, [source, question]);

  const detail = useEngine("set.node", isArray ? { set: set.id, path: node.path } : undefined);
  const array = detail.data?.path === node.path ? detail.data.array : undefined;
  return {
    set,
    node,
    isArray,
    listsMissing,
    array,
    draft,
    setDraft: (draft) => setChoices({ ...choices, draft }),
    sorting,
    setSorting: (sorting) => setChoices({ ...choices, sorting }),
    rows,
    source,
  };
}

function useRowSource(app: App, { revision }: SetSummary): RowSource {
  const [source] = useState(() => rowSource(app.engine));
  useEffect(() => {
    source.refresh(revision);
  }, [source, revision]);
  const readings = useAppState((state) => state.readings);
  useEffect(() => {
    if (readings > 0) source.reread();
  }, [source, readings]);
  useEffect(() => source.close, [source]);
  return source;
}

/** Whether the engine said of this array that its grid is too large for rows without a reference. */
function isTooLarge({ shown }: RowSnapshot, set: number, path: string): boolean {
  if (shown === undefined || shown.question.set !== set || shown.question.spec.scope !== path) return false;
  return !shown.info.listsMissing;
}

/** What still makes sense elsewhere in the set is kept: all but coordinates, which belong to one array's grid. */
function choicesFor(before: Choices | undefined, set: number, scope: string): Choices {
  if (before?.set !== set) return { set, scope, draft: NO_FILTER, sorting: [] };
  if (before.scope === scope) return before;
  return { ...before, scope, draft: { ...before.draft, coordinates: NO_FILTER.coordinates } };
}

const TYPING_MS = 150;

/** The draft; while one types, the one before, until the typing pauses. */
function useSettledDraft(draft: FilterDraft): FilterDraft {
  const [settled, setSettled] = useState(draft);
  useDelayed(draft, settled === draft ? undefined : TYPING_MS, setSettled);
  return typedText(settled) === typedText(draft) ? draft : settled;
}

function typedText({ keyText, targetText, length, coordinates }: FilterDraft): string {
  return JSON.stringify([keyText, targetText, length, [...coordinates]]);
}

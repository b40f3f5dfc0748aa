/**
 * Rows of a view, asked from the engine by pages as they come into sight. What is shown stays until the answer to a
 * newer question is there with its first rows, so that nothing flickers; older requests are aborted.
 */
import { createStore, type StoreApi } from "zustand/vanilla";
import { isAbort } from "../../../core/errors.ts";
import { findingOfError } from "../../../core/findings/failure.ts";
import type { Finding } from "../../../core/findings/finding.ts";
import type { ViewInfo, ViewRow, ViewSpec } from "../../../core/open-set.ts";
import type { App } from "../../../store/app-store.ts";

export const PAGE_ROWS = 200;
const MAX_PAGES = 40;

export interface Question {
  readonly set: number;
  readonly spec: ViewSpec;
  /** The store's: rises with everything that changes the answer. */
  readonly revision: number;
  /** Likewise, where the answer depends on what was read. */
  readonly readings?: number;
}

export interface Shown {
  readonly question: Question;
  readonly info: ViewInfo;
}

export interface RowSnapshot {
  readonly shown: Shown | undefined;
  /** What is shown answers an older question than the last one. */
  readonly stale: boolean;
  readonly error: Finding | undefined;
  /** The user cancelled the newest question. */
  readonly cancelled: boolean;
  readonly pages: ReadonlyMap<number, readonly ViewRow[]>;
}

export interface RowSource {
  readonly ask: (question: Question | undefined) => void;
  /** Rows that are seen; those around them are fetched too. */
  readonly want: (from: number, to: number) => void;
  readonly retry: () => void;
  /** Where more is known of the set than last time, rows that are still unknown here are asked for again. */
  readonly refresh: (revision: number) => void;
  /** Chunks were read: rows show what that gave. */
  readonly reread: () => void;
  /** Gives up the newest question; what was shown before stays. */
  readonly cancel: () => void;
  readonly snapshot: () => RowSnapshot;
  readonly subscribe: (listener: () => void) => () => void;
  /** Gives back what the engine holds; may be asked again afterwards. */
  readonly close: () => void;
}

type Engine = Pick<App["engine"], "call">;

const NOTHING: RowSnapshot = { shown: undefined, stale: false, error: undefined, cancelled: false, pages: new Map() };

export function rowAt(snapshot: RowSnapshot, index: number): ViewRow | undefined {
  return snapshot.pages.get(Math.floor(index / PAGE_ROWS))?.[index % PAGE_ROWS];
}

export function rowSource(engine: Engine): RowSource {
  let question: Question | undefined;
  let asking: AbortController | undefined;
  let known = 0;
  const store = createStore(() => NOTHING);
  const { getState: snapshot, setState: change, subscribe } = store;
  const drop = (shown: Shown | undefined) => {
    pages.reset();
    if (shown !== undefined) closeView(engine, shown.question.set, shown.info.view);
  };

  const pages = pageFetcher(engine, shownPages(store));
  const ask = async (next: Question) => {
    asking?.abort();
    asking = new AbortController();
    const { signal } = asking;
    change({ stale: true, error: undefined, cancelled: false });
    const answer = await firstRows(engine, next, signal);
    if (signal.aborted || answer === undefined) return;
    const before = snapshot().shown;
    change({ ...answer, stale: "error" in answer });
    if (!("shown" in answer)) return;
    drop(before);
    pages.again();
  };

  return {
    want: pages.want,
    ask(next) {
      if (sameQuestion(question, next)) return;
      question = next;
      if (next !== undefined) void ask(next);
    },
    retry() {
      if (question === undefined) return;
      if (snapshot().shown?.question === question) pages.again();
      else void ask(question);
      change({ error: undefined });
    },
    refresh(revision) {
      if (revision > known) pages.renew(unknownIn(snapshot().pages));
      known = revision;
    },
    reread() {
      pages.renew([...snapshot().pages.keys()]);
    },
    cancel() {
      asking?.abort();
      change({ cancelled: true });
    },
    snapshot,
    subscribe,
    close() {
      asking?.abort();
      drop(snapshot().shown);
      question = undefined;
      change(NOTHING);
    },
  };
}

function shownPages({ getState: snapshot, setState: change }: StoreApi<RowSnapshot>): PageStore {
  return {
    shown: () => snapshot().shown,
    has: (page) => snapshot().pages.has(page),
    got: (page, rows) => {
      change({ pages: withPage(snapshot().pages, page, rows), error: undefined });
    },
    failed: (error) => {
      change({ error: findingOfError(error, "Fetching rows") });
    },
  };
}

interface PageStore {
  readonly shown: () => Shown | undefined;
  readonly has: (page: number) => boolean;
  readonly got: (page: number, rows: readonly ViewRow[]) => void;
  readonly failed: (error: unknown) => void;
}

/** Fetches the pages around what is seen, and aborts the requests for those that left it. */
function pageFetcher(engine: Engine, store: PageStore) {
  let seen = { from: 0, to: 0 };
  const underWay = new Map<number, AbortController>();
  const outdated = new Set<number>();
  const fetchPage = async ({ question: { set }, info }: Shown, page: number) => {
    const controller = new AbortController();
    underWay.set(page, controller);
    const isShown = () => store.shown()?.info === info;
    const from = page * PAGE_ROWS;
    try {
      const to = Math.min(from + PAGE_ROWS, info.rows);
      const answer = await engine.call("table.rows", { set, view: info.view, from, to }, { signal: controller.signal });
      if (!isShown()) return;
      outdated.delete(page);
      store.got(page, answer.rows);
    } catch (error) {
      if (!isAbort(error) && isShown()) store.failed(error);
    } finally {
      if (underWay.get(page) === controller) underWay.delete(page);
    }
  };
  const abort = (keep: readonly number[] = []) => {
    for (const [page, controller] of underWay) {
      if (keep.includes(page)) continue;
      controller.abort();
      underWay.delete(page);
    }
  };
  const want = (from: number, to: number) => {
    seen = { from, to };
    const shown = store.shown();
    if (shown === undefined) return;
    const wanted = pagesAround(from, to, shown.info.rows);
    abort(wanted);
    const isHere = (page: number) => (store.has(page) && !outdated.has(page)) || underWay.has(page);
    for (const page of wanted) if (!isHere(page)) void fetchPage(shown, page);
  };
  const again = () => {
    want(seen.from, seen.to);
  };
  /** What is shown of these pages stays until they are here again. */
  const renew = (pages: readonly number[]) => {
    for (const page of pages) outdated.add(page);
    if (pages.length > 0) again();
  };
  /** For a new view. */
  const reset = () => {
    abort();
    outdated.clear();
  };
  return { want, again, renew, reset };
}

const unknownIn = (pages: RowSnapshot["pages"]): readonly number[] =>
  [...pages].flatMap(([page, rows]) => (rows.some(({ state }) => state === "unknown") ? [page] : []));

/**
 * The view and its first page together: a view without rows would show as a flicker. `undefined` when aborted.
 */
async function firstRows(engine: Engine, question: Question, signal: AbortSignal) {
  const { set, spec } = question;
  let info: ViewInfo | undefined;
  try {
    info = await engine.call("table.view", { set, spec }, { signal });
    const to = Math.min(PAGE_ROWS, info.rows);
    const answer =
      to === 0 ? undefined : await engine.call("table.rows", { set, view: info.view, from: 0, to }, { signal });
    const rows = answer?.rows ?? [];
    const pages: ReadonlyMap<number, readonly ViewRow[]> = new Map([[0, rows]]);
    return { shown: { question, info }, pages };
  } catch (error) {
    if (info !== undefined) closeView(engine, set, info.view);
    return isAbort(error) ? undefined : { error: findingOfError(error, "Listing the references") };
  }
}

function closeView(engine: Engine, set: number, view: number): void {
  // The set may be closed already, and its views with it.
  engine.call("table.closeView", { set, view }).catch(() => undefined);
}

function sameQuestion(a: Question | undefined, b: Question | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Pages that hold the rows seen, and half a page before and after them. */
export function pagesAround(from: number, to: number, rows: number): readonly number[] {
  if (rows === 0) return [];
  const last = Math.floor((rows - 1) / PAGE_ROWS);
  const first = Math.max(0, Math.floor((from - PAGE_ROWS / 2) / PAGE_ROWS));
  const end = Math.min(last, Math.floor((to + PAGE_ROWS / 2) / PAGE_ROWS));
  return Array.from({ length: Math.max(0, end - first + 1) }, (_, place) => first + place);
}

/** Adds a page and forgets those fetched longest ago. */
function withPage(pages: RowSnapshot["pages"], page: number, rows: readonly ViewRow[]): RowSnapshot["pages"] {
  const entries = [...pages, [page, rows] as const];
  return new Map(entries.slice(-MAX_PAGES));
}

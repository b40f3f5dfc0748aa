/**
 * Rows of a grid, asked from the engine by pages as they come into sight. What is shown stays until the answer to a
 * newer question is there with its rows, so that nothing flickers; older requests are aborted.
 */
import { useEffect, useState, useSyncExternalStore } from "react";
import { createStore, type StoreApi } from "zustand/vanilla";
import { type Finding, findingOfError, isAbort } from "#core/findings/finding.ts";
import type { App } from "../app-store.ts";
import { useApp } from "../react.tsx";

export const PAGE_ROWS = 200;
const MAX_PAGES = 40;

type Engine = Pick<App["engine"], "call">;

export interface Shown<Q, I> {
  readonly question: Q;
  /** Facts about the rows together, if they are opened first. */
  readonly info: I;
  /** How many rows there are. */
  readonly total: number;
}

/** How rows are asked for. A question is plain JSON, and has all that changes the answer. */
export interface RowFetch<Q, I, R> {
  /** Name of the operation, for the sentence that says that it failed. */
  readonly what: string;
  readonly open?: (engine: Engine, question: Q, options: { readonly signal: AbortSignal }) => Promise<I>;
  readonly rows: (
    engine: Engine,
    of: Pick<Shown<Q, I>, "question" | "info">,
    window: { readonly from: number; readonly to: number },
    options: { readonly signal: AbortSignal },
  ) => Promise<{ readonly total: number; readonly rows: readonly R[] }>;
  /** Gives back what the engine holds. */
  readonly close?: (engine: Engine, shown: Shown<Q, I>) => void;
}

export interface RowSnapshot<Q, I, R> {
  readonly shown: Shown<Q, I> | undefined;
  readonly pages: ReadonlyMap<number, readonly R[]>;
  /** True if the shown rows answer an older question than the last one. */
  readonly stale: boolean;
  readonly error: Finding | undefined;
  /** The user cancelled the newest question. */
  readonly cancelled: boolean;
}

export interface RowWindows<Q, I, R>
  extends RowSnapshot<Q, I, R>, Omit<ReturnType<typeof rowSource<Q, I, R>>, "snapshot" | "subscribe" | "close"> {
  /** 0 until it is known. */
  readonly total: number;
  /** `undefined` while it is on the way. */
  readonly at: (index: number) => R | undefined;
}

/** `undefined` asks nothing: what is shown stays. */
export function useRowWindows<Q, I, R>(fetch: RowFetch<Q, I, R>, question: Q | undefined): RowWindows<Q, I, R> {
  const rows = useUnaskedRows(fetch);
  useAsked(rows, question);
  return rows;
}

/** For a question that depends on what is shown. */
export function useUnaskedRows<Q, I, R>(fetch: RowFetch<Q, I, R>): RowWindows<Q, I, R> {
  const { engine } = useApp();
  const [source] = useState(() => rowSource(engine, fetch));
  const snapshot = useSyncExternalStore(source.subscribe, source.snapshot);
  useEffect(() => source.close, [source]);
  return { ...source, ...snapshot, total: snapshot.shown?.total ?? 0, at: (index) => rowAt(snapshot, index) };
}

export function useAsked<Q>({ ask }: Pick<RowWindows<Q, unknown, unknown>, "ask">, question: Q | undefined): void {
  const asked = JSON.stringify(question);
  useEffect(() => {
    if (asked !== undefined) ask(JSON.parse(asked) as Q);
  }, [ask, asked]);
}

export function rowAt<R>({ pages }: Pick<RowSnapshot<unknown, unknown, R>, "pages">, index: number): R | undefined {
  return pages.get(Math.floor(index / PAGE_ROWS))?.[index % PAGE_ROWS];
}

export function rowSource<Q, I, R>(engine: Engine, fetch: RowFetch<Q, I, R>) {
  const nothing = { shown: undefined, pages: new Map(), stale: false, error: undefined, cancelled: false };
  const store = createStore((): RowSnapshot<Q, I, R> => nothing);
  const { getState: snapshot, setState: change, subscribe } = store;
  const pages = pageFetcher(engine, fetch, store);
  let question: Q | undefined;
  let asking: AbortController | undefined;
  const giveBack = (shown: Shown<Q, I> | undefined) => {
    pages.reset();
    if (shown !== undefined) fetch.close?.(engine, shown);
  };
  const askNow = async (next: Q) => {
    asking?.abort();
    asking = new AbortController();
    const { signal } = asking;
    change({ stale: true, error: undefined, cancelled: false });
    const answer = await firstRows(engine, fetch, { question: next, seen: pages.seen() }, signal);
    if (signal.aborted || answer === undefined) return;
    if ("error" in answer) {
      change(answer);
      return;
    }
    const before = snapshot().shown;
    change({ ...answer, stale: false, error: undefined });
    giveBack(before);
    pages.again();
  };
  return {
    snapshot,
    subscribe,
    /** Rows that are seen; those around them are fetched too. */
    want: pages.want,
    /** Asks again for the pages that are no longer true; they are shown until they are here. */
    renew: pages.renew,
    ask: (next: Q) => {
      if (JSON.stringify(question) === JSON.stringify(next)) return;
      question = next;
      void askNow(next);
    },
    retry: () => {
      if (question === undefined) return;
      if (snapshot().shown?.question === question) pages.again();
      else void askNow(question);
      change({ error: undefined });
    },
    /** Gives up the newest question; what was shown before stays. */
    cancel: () => {
      asking?.abort();
      change({ cancelled: true });
    },
    /** May be asked again afterwards. Rows that the engine holds nothing for stay until then. */
    close: () => {
      asking?.abort();
      question = undefined;
      giveBack(snapshot().shown);
      if (fetch.close !== undefined) change(nothing);
    },
  };
}

interface FirstRows<Q> {
  readonly question: Q;
  readonly seen: { readonly from: number; readonly to: number };
}

/** The first page, and those in sight: rows that come one by one would show as a flicker. `undefined` when aborted. */
async function firstRows<Q, I, R>(
  engine: Engine,
  fetch: RowFetch<Q, I, R>,
  { question, seen }: FirstRows<Q>,
  signal: AbortSignal,
) {
  let opened: Shown<Q, I> | undefined;
  try {
    const info = (await fetch.open?.(engine, question, { signal })) as I;
    opened = { question, info, total: 0 };
    const { total, rows } = await fetch.rows(engine, opened, { from: 0, to: PAGE_ROWS }, { signal });
    const pages = new Map([[0, rows]]);
    for (const page of pagesAround(seen.from, seen.to, total, 0)) {
      const from = page * PAGE_ROWS;
      const window = { from, to: Math.min(from + PAGE_ROWS, total) };
      if (page > 0) pages.set(page, (await fetch.rows(engine, opened, window, { signal })).rows);
    }
    return { shown: { ...opened, total }, pages };
  } catch (error) {
    if (opened !== undefined) fetch.close?.(engine, opened);
    return isAbort(error) ? undefined : { error: findingOfError(error, fetch.what) };
  }
}

/** Fetches the pages around the visible rows, and aborts requests for pages no longer near them. */
function pageFetcher<Q, I, R>(
  engine: Engine,
  fetch: RowFetch<Q, I, R>,
  { getState: snapshot, setState: change }: StoreApi<RowSnapshot<Q, I, R>>,
) {
  let seen = { from: 0, to: 0 };
  const underWay = new Map<number, AbortController>();
  const outdated = new Set<number>();
  const fetchPage = async (shown: Shown<Q, I>, page: number) => {
    const controller = new AbortController();
    const { signal } = controller;
    underWay.set(page, controller);
    const from = page * PAGE_ROWS;
    try {
      const window = { from, to: Math.min(from + PAGE_ROWS, shown.total) };
      const { rows } = await fetch.rows(engine, shown, window, { signal });
      if (snapshot().shown !== shown) return;
      outdated.delete(page);
      change({ pages: withPage(snapshot().pages, page, rows), error: undefined });
    } catch (error) {
      // The answer to a newer question brings its own rows.
      if (isAbort(error) || snapshot().shown !== shown || snapshot().stale) return;
      change({ error: findingOfError(error, "Fetching rows") });
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
  const again = () => {
    const { shown, pages } = snapshot();
    if (shown === undefined) return;
    const wanted = pagesAround(seen.from, seen.to, shown.total);
    abort(wanted);
    const isHere = (page: number) => (pages.has(page) && !outdated.has(page)) || underWay.has(page);
    for (const page of wanted) if (!isHere(page)) void fetchPage(shown, page);
  };
  return {
    seen: () => seen,
    again,
    want: (now: { readonly from: number; readonly to: number }) => {
      seen = now;
      again();
    },
    renew: (isOutdated: (rows: readonly R[]) => boolean) => {
      for (const [page, rows] of snapshot().pages) if (isOutdated(rows)) outdated.add(page);
      if (outdated.size > 0) again();
    },
    /** For other rows. */
    reset: () => {
      abort();
      outdated.clear();
    },
  };
}

/** Pages that hold the rows seen, and `margin` rows before and after them. */
export function pagesAround(from: number, to: number, rows: number, margin = PAGE_ROWS / 2): readonly number[] {
  if (rows === 0) return [];
  const last = Math.floor((rows - 1) / PAGE_ROWS);
  const first = Math.max(0, Math.floor((from - margin) / PAGE_ROWS));
  const end = Math.min(last, Math.floor((to + margin) / PAGE_ROWS));
  return Array.from({ length: Math.max(0, end - first + 1) }, (_, place) => first + place);
}

/** Adds a page and forgets those fetched longest ago. */
function withPage<R>(pages: ReadonlyMap<number, readonly R[]>, page: number, rows: readonly R[]) {
  return new Map([...pages, [page, rows] as const].slice(-MAX_PAGES));
}

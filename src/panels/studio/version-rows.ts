/**
 * Rows of the Version 0 result, asked from the engine by pages as they come into sight. While a newer result is made
 * the older one stays, where it was scrolled to: it is replaced at once, with the rows that are seen.
 */
import { createStore } from "zustand/vanilla";
import { isAbort } from "../../core/errors.ts";
import { findingOfError } from "../../core/findings/failure.ts";
import type { Finding } from "../../core/findings/finding.ts";
import type { VersionRow, VersionRowsSpec } from "../../core/studio.ts";
import type { App } from "../../store/app-store.ts";

export const PAGE_ROWS = 200;
const MAX_PAGES = 30;

export interface RowsQuestion {
  readonly set: number;
  readonly spec: VersionRowsSpec;
  /** Rises with everything that changes the answer. */
  readonly revision: number;
}

export interface RowsSnapshot {
  readonly total: number;
  readonly pages: ReadonlyMap<number, readonly VersionRow[]>;
  /** The question that these rows answer. */
  readonly answered: RowsQuestion | undefined;
  readonly stale: boolean;
  readonly error: Finding | undefined;
}

export interface VersionRowSource {
  readonly ask: (question: RowsQuestion) => void;
  readonly want: (from: number, to: number) => void;
  readonly snapshot: () => RowsSnapshot;
  readonly subscribe: (listener: () => void) => () => void;
  readonly close: () => void;
}

const NOTHING: RowsSnapshot = { total: 0, pages: new Map(), answered: undefined, stale: true, error: undefined };

export function versionRowAt({ pages }: RowsSnapshot, index: number): VersionRow | undefined {
  return pages.get(Math.floor(index / PAGE_ROWS))?.[index % PAGE_ROWS];
}

/** Pages that hold the rows seen, and a little around them. */
export function pagesSeen(from: number, to: number): readonly number[] {
  const first = Math.max(0, Math.floor((from - 40) / PAGE_ROWS));
  const last = Math.floor((to + 40) / PAGE_ROWS);
  return Array.from({ length: last - first + 1 }, (_, place) => first + place);
}

export function versionRowSource(engine: Engine): VersionRowSource {
  let question: RowsQuestion | undefined;
  let seen = { from: 0, to: 0 };
  let asking = new AbortController();
  const { getState: snapshot, setState: change, subscribe } = createStore(() => NOTHING);
  const more = pageFetcher(engine, snapshot, change);
  const begin = async (next: RowsQuestion, signal: AbortSignal) => {
    try {
      const answer = await rowsSeen(engine, next, seen, signal);
      change({ ...answer, answered: next, stale: false, error: undefined });
    } catch (error) {
      if (!isAbort(error) && !signal.aborted) change({ error: findingOfError(error, "Listing the references") });
    }
  };
  return {
    ask(next) {
      if (JSON.stringify(next) === JSON.stringify(question)) return;
      question = next;
      asking.abort();
      asking = new AbortController();
      change({ stale: true });
      void begin(next, asking.signal);
    },
    want(from, to) {
      seen = { from, to };
      for (const page of pagesSeen(from, to)) void more(page);
    },
    snapshot,
    subscribe,
    close() {
      asking.abort();
      question = undefined;
    },
  };
}

type Engine = Pick<App["engine"], "call">;

function fetchPage(engine: Engine, { set, spec }: RowsQuestion, page: number, signal?: AbortSignal) {
  const from = page * PAGE_ROWS;
  const request = { set, spec, from, to: from + PAGE_ROWS };
  return engine.call("edit.versionRows", request, signal === undefined ? {} : { signal });
}

/** What is seen now, of the newer answer. */
async function rowsSeen(engine: Engine, next: RowsQuestion, seen: { from: number; to: number }, signal: AbortSignal) {
  const [first = 0, ...others] = pagesSeen(seen.from, seen.to);
  const head = await fetchPage(engine, next, first, signal);
  const pages = new Map([[first, head.rows]]);
  for (const page of others) {
    if (page * PAGE_ROWS < head.total) pages.set(page, (await fetchPage(engine, next, page, signal)).rows);
  }
  return { total: head.total, pages };
}

function pageFetcher(engine: Engine, snapshot: () => RowsSnapshot, change: (part: Partial<RowsSnapshot>) => void) {
  const underWay = new Set<string>();
  return async (page: number) => {
    const { answered, pages, total } = snapshot();
    if (answered === undefined || pages.has(page) || page * PAGE_ROWS >= total) return;
    const id = JSON.stringify([answered, page]);
    if (underWay.has(id)) return;
    underWay.add(id);
    try {
      const { rows } = await fetchPage(engine, answered, page);
      if (snapshot().answered === answered) change({ pages: withPage(snapshot().pages, page, rows) });
    } catch {
      // The set is gone: the newer question brings its own rows.
    } finally {
      underWay.delete(id);
    }
  };
}

function withPage(pages: RowsSnapshot["pages"], page: number, rows: readonly VersionRow[]): RowsSnapshot["pages"] {
  return new Map([...pages, [page, rows] as const].slice(-MAX_PAGES));
}

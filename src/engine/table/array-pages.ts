/**
 * The pages of one array's references: which are here, which failed, and how the rest is fetched. A page is fetched once,
 * however many ask for it at the same time; one that failed is asked for again only when it is wanted again.
 */
import { type Finding, findingOfError, isAbort } from "#core/findings/finding.ts";
import type { CallContext } from "#core/byte-source.ts";
import type { ReferencePages } from "#core/table/reference-pages.ts";
import type { TableBuilder } from "#core/table/table-builder.ts";
import { eachAtOnce } from "../kept.ts";

/** State of a chunk's page, known before one looks into the table. */
export type PageState = "loaded" | "unknown" | "failed";

export interface ArrayPages {
  readonly pages: ReferencePages;
  /** Pages that were fetched, and that failed. */
  readonly loaded: number;
  readonly failed: number;
  /** Chunks in pages that were not fetched, and in such that failed. */
  readonly unknownCells: number;
  readonly failedCells: number;
  stateOf(page: number): PageState;
  stateOfChunk(ordinal: number): PageState;
  failureOf(page: number): Finding | undefined;
  /** Fetches what is not here. Throws only when aborted: a page that cannot be read has a `failureOf`. */
  load(pages: Iterable<number>, context: CallContext): Promise<void>;
  /** The first pages that could not be read. */
  failures(limit: number): readonly (readonly [page: number, found: Finding])[];
  /** Pages not loaded, including those that failed. */
  rest(): readonly number[];
}

export interface PagedArray {
  readonly id: number;
  readonly table: TableBuilder;
  /** Chunks of the array. */
  readonly cells: number;
  /** A page is here: rows from `from` to `to` (excluded) were added meanwhile, its own among them; or it failed. */
  readonly changed: (page: number, from: number, to: number) => void;
  readonly found: (findings: readonly Finding[]) => void;
}

const AT_ONCE = 6;

/** Which pages are here, and which failed. */
function pageBook(pages: ReferencePages) {
  const here = new Set<number>();
  const failures = new Map<number, Finding>();
  /** Chunks in pages that were loaded or failed, and in failed pages alone. */
  const cells = { known: 0, failed: 0 };
  const settle = (page: number, failure: Finding | undefined): void => {
    const count = pages.cellsOf(page);
    if (failures.delete(page)) cells.failed -= count;
    else cells.known += count;
    if (failure === undefined) here.add(page);
    else {
      failures.set(page, failure);
      cells.failed += count;
    }
  };
  return { here, failures, cells, settle };
}

/** Tells findings in the order of the pages, whichever answer comes first: when no load is under way any more. */
function findingsInOrder(found: PagedArray["found"]) {
  const untold = new Map<number, readonly Finding[]>();
  let loads = 0;
  const tell = (): void => {
    if (loads > 0) return;
    const pages = [...untold].toSorted(([one], [other]) => one - other);
    untold.clear();
    for (const [, findings] of pages) found(findings);
  };
  const end = (): void => {
    loads -= 1;
    tell();
  };
  const begin = () => {
    loads += 1;
    return end;
  };
  return { add: (page: number, findings: readonly Finding[]) => void untold.set(page, findings), begin, tell };
}

export function arrayPages(pages: ReferencePages, of: PagedArray): ArrayPages {
  const { here, failures, cells, settle } = pageBook(pages);
  const underWay = new Map<number, Promise<void>>();
  const findings = findingsInOrder(of.found);
  const fetchPage = async (page: number, context: CallContext): Promise<void> => {
    const from = of.table.live().rows;
    let failure: Finding | undefined;
    try {
      findings.add(page, await pages.load(page, { table: of.table, array: of.id }, context));
    } catch (error) {
      if (isAbort(error) && context.signal.aborted) throw error;
      failure = findingOfError(error, `Reading a ${pages.unit}`);
    }
    settle(page, failure);
    findings.tell();
    of.changed(page, from, of.table.live().rows);
  };
  /** One load per page at a time: callers that come meanwhile wait for it. */
  const loadPage = async (page: number, context: CallContext): Promise<void> => {
    // Another caller may have aborted the load: then the page is still not here.
    while (underWay.has(page)) await underWay.get(page)?.catch(() => undefined);
    context.signal.throwIfAborted();
    if (here.has(page)) return;
    const fetching = fetchPage(page, context).finally(() => underWay.delete(page));
    underWay.set(page, fetching);
    await fetching;
  };
  const stateOf = (page: number) => (here.has(page) ? "loaded" : failures.has(page) ? "failed" : "unknown");
  return {
    pages,
    get loaded() {
      return here.size;
    },
    get failed() {
      return failures.size;
    },
    get unknownCells() {
      return of.cells - cells.known;
    },
    get failedCells() {
      return cells.failed;
    },
    stateOf,
    stateOfChunk: (ordinal) => stateOf(pages.pageOf(ordinal)),
    failureOf: (page) => failures.get(page),
    failures: (limit) => [...failures].slice(0, limit),
    rest: () => Array.from({ length: pages.count }, (_, page) => page).filter((page) => !here.has(page)),
    async load(wanted, context) {
      const missing = [...new Set(wanted)].filter((page) => !here.has(page));
      const label = `${pages.isChunk === true ? "Asking for" : "Reading"} ${pages.words[1]}`;
      let done = 0;
      const end = findings.begin();
      const loading = eachAtOnce(missing, AT_ONCE, async (page) => {
        await loadPage(page, context);
        done += 1;
        context.report({ label, done, total: missing.length, unit: "requests" });
      });
      await loading.finally(end);
    },
  };
}

import { describe, expect, it } from "vitest";
import type { App } from "../app-store.ts";
import { PAGE_ROWS, pagesAround, rowAt, rowSource, type RowFetch } from "./use-row-windows.ts";

interface View {
  readonly view: number;
  readonly rows: number;
}

interface Row {
  readonly key: string;
  readonly state: string;
}

/** Fetches rows like those of the manifest. */
const FETCH: RowFetch<string, View, Row> = {
  what: "Listing",
  open: (engine, _text, options) => engine.call("table.view", {} as never, options),
  rows: async (engine, { info: { view, rows: total } }, window, options) => {
    const answer = await engine.call("table.rows", { view, ...window } as never, options);
    return { total, rows: answer.rows };
  },
  close: (engine, { info: { view } }) => {
    void engine.call("table.closeView", { view } as never);
  },
};

interface Call {
  readonly operation: string;
  readonly request: { readonly from?: number; readonly to?: number; readonly view?: number };
  readonly signal: AbortSignal | undefined;
  readonly answer: (value: unknown) => Promise<void>;
  readonly fail: (reason: Error) => Promise<void>;
}

function fakeEngine() {
  const calls: Call[] = [];
  const call = (operation: string, request: Call["request"], options: { signal?: AbortSignal } = {}) =>
    new Promise((resolve, reject) => {
      const turn = () => new Promise<void>((done) => setTimeout(done));
      options.signal?.addEventListener("abort", () => reject(options.signal?.reason));
      calls.push({
        operation,
        request,
        signal: options.signal,
        answer: (value) => (resolve(value), turn()),
        fail: (reason) => (reject(reason), turn()),
      });
    });
  return { engine: { call } as unknown as App["engine"], calls };
}

const info = (view: number, rows: number): View => ({ view, rows });
const rowsOf = (from: number, to: number) => ({
  rows: Array.from({ length: to - from }, (_, place): Row => ({ key: `a/${from + place}`, state: "range" })),
});

async function opened(rows: number) {
  const { engine, calls } = fakeEngine();
  const source = rowSource(engine, FETCH);
  source.ask("");
  await calls[0]!.answer(info(7, rows));
  await calls[1]!.answer(rowsOf(0, Math.min(PAGE_ROWS, rows)));
  return { source, calls };
}

describe("the row source", () => {
  it("shows a view with its first rows, in one step", async () => {
    const { engine, calls } = fakeEngine();
    const source = rowSource(engine, FETCH);
    source.ask("");
    await calls[0]!.answer(info(7, 1000));
    expect(source.snapshot().shown).toBeUndefined();
    await calls[1]!.answer(rowsOf(0, 200));
    expect(source.snapshot().shown?.info.rows).toBe(1000);
    expect(rowAt(source.snapshot(), 199)?.key).toBe("a/199");
    expect(rowAt(source.snapshot(), 200)).toBeUndefined();
  });

  it("asks only for pages in sight, and aborts those that left it", async () => {
    const { source, calls } = await opened(10_000_000);
    source.want({ from: 5000, to: 5030 });
    const first = calls.at(-1)!;
    expect(first.operation).toBe("table.rows");
    source.want({ from: 9_000_000, to: 9_000_030 });
    expect(first.signal?.aborted).toBe(true);
    const later = calls.filter((call) => !call.signal?.aborted).slice(2);
    expect(later.map((call) => call.request.from)).toEqual([8_999_800, 9_000_000]);
    await later[1]!.answer(rowsOf(9_000_000, 9_000_200));
    expect(rowAt(source.snapshot(), 9_000_001)?.key).toBe("a/9000001");
    source.want({ from: 5000, to: 5030 });
    expect(calls.at(-1)?.request.from).toBe(5000);
  });

  it("keeps what is shown until the newer question is answered, then gives the old view back", async () => {
    const { source, calls } = await opened(50);
    source.ask("x");
    expect(source.snapshot()).toMatchObject({ stale: true, shown: { info: { view: 7 } } });
    await calls.at(-1)!.answer(info(8, 0));
    await calls.at(-1)!.answer(rowsOf(0, 0));
    expect(source.snapshot()).toMatchObject({ stale: false, shown: { info: { view: 8, rows: 0 } } });
    expect(calls.at(-1)).toMatchObject({ operation: "table.closeView", request: { view: 7 } });
  });

  it("aborts an older question and never shows its answer", async () => {
    const { source, calls } = await opened(50);
    source.ask("x");
    const older = calls.at(-1)!;
    source.ask("xy");
    expect(older.signal?.aborted).toBe(true);
    await calls.at(-1)!.answer(info(9, 0));
    await calls.at(-1)!.answer(rowsOf(0, 0));
    expect(source.snapshot().shown?.info.view).toBe(9);
  });

  it("does not ask the same twice", async () => {
    const { source, calls } = await opened(50);
    const before = calls.length;
    source.ask("");
    expect(calls.length).toBe(before);
  });

  it("reports a failure, and asks again on retry", async () => {
    const { source, calls } = await opened(50);
    source.ask("x");
    await calls.at(-1)!.fail(new Error("no memory"));
    expect(source.snapshot().error?.facts).toMatchObject({ message: "no memory" });
    source.retry();
    expect(source.snapshot().error).toBeUndefined();
    await calls.at(-1)!.answer(info(8, 0));
    await calls.at(-1)!.answer(rowsOf(0, 0));
    expect(source.snapshot().shown?.info.view).toBe(8);
  });

  it("asks again for rows that were unknown when more has become known, and keeps them until then", async () => {
    const { engine, calls } = fakeEngine();
    const source = rowSource(engine, FETCH);
    const row = (state: string) => ({ rows: [{ key: "a/0", state }] });
    const isUnknown = (rows: readonly Row[]) => rows.some(({ state }) => state === "unknown");
    source.ask("");
    await calls[0]!.answer(info(7, 1));
    await calls[1]!.answer(row("unknown"));
    source.want({ from: 0, to: 1 });
    expect(calls).toHaveLength(2);
    source.renew(isUnknown);
    expect(rowAt(source.snapshot(), 0)?.state).toBe("unknown");
    await calls[2]!.answer(row("native"));
    expect(rowAt(source.snapshot(), 0)?.state).toBe("native");
    source.renew(isUnknown);
    expect(calls).toHaveLength(3);
  });

  it("where it was scrolled to, brings the rows of a newer answer with it", async () => {
    const { source, calls } = await opened(10_000);
    source.want({ from: 5000, to: 5030 });
    source.ask("x");
    await calls.at(-1)!.answer(info(8, 10_000));
    await calls.at(-1)!.answer(rowsOf(0, 200));
    expect(source.snapshot()).toMatchObject({ stale: true, shown: { info: { view: 7 } } });
    expect(calls.at(-1)).toMatchObject({ request: { view: 8, from: 5000, to: 5200 } });
    await calls.at(-1)!.answer(rowsOf(5000, 5200));
    expect(source.snapshot()).toMatchObject({ stale: false, shown: { info: { view: 8 } } });
    expect(rowAt(source.snapshot(), 5010)?.key).toBe("a/5010");
  });

  it("keeps a bounded number of pages", async () => {
    const { source, calls } = await opened(10_000_000);
    for (let page = 10; page < 100; page += 1) {
      source.want({ from: page * PAGE_ROWS + 100, to: page * PAGE_ROWS + 100 });
      for (const call of calls.slice(-3).filter((call) => !call.signal?.aborted)) {
        await call.answer(rowsOf(call.request.from ?? 0, call.request.to ?? 0));
      }
    }
    expect(source.snapshot().pages.size).toBeLessThanOrEqual(40);
    expect(rowAt(source.snapshot(), 99 * PAGE_ROWS)).toBeDefined();
  });
});

describe("pages around what is seen", () => {
  it("never leaves the view", () => {
    expect(pagesAround(0, 30, 50)).toEqual([0]);
    expect(pagesAround(0, 0, 0)).toEqual([]);
    expect(pagesAround(395, 430, 1_000_000)).toEqual([1, 2]);
    expect(pagesAround(999_990, 1_000_000, 1_000_000)).toEqual([4999]);
  });
});

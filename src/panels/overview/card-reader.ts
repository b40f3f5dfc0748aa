/**
 * Reads what the card shows of variables, one after another: unasked only what is free, and only what is on the screen.
 * The code that reads comes with the first.
 */
import { findingOfError, isAbort } from "#core/findings/finding.ts";
import { isWithin, type ReadingBudget, unasked } from "#core/plane/plane-budget.ts";
import type { PlaneCost } from "#core/plane/plane.ts";
import type { App } from "#store/app-store.ts";
import { untilQuiet } from "#store/tasks.ts";
import type * as ReadingCode from "./read-variable.ts";
import type { CardItem, VariableLook } from "./variable-look.ts";

export type CardReader = ReturnType<typeof cardReader>;

interface Wanted {
  readonly item: CardItem;
  readonly isAsked: boolean;
}

const WAITING: VariableLook = { kind: "waiting" };

export function cardReader(app: Pick<App, "engine" | "store" | "tasks">, set: number) {
  const looks = new Map<string, VariableLook>();
  const met = new Map<string, Wanted>();
  const listeners = new Set<() => void>();
  const allowance = unaskedAllowance(set);
  const show = (path: string, look: VariableLook) => {
    looks.set(path, look);
    for (const listener of listeners) listener();
  };
  const work = oneByOne<Wanted>(first, async (wanted, signal) => {
    const { path } = wanted.item;
    const reading = { app, set, wanted, looks, allowance, show };
    await read(reading, signal).catch((error: unknown) => {
      if (isAbort(error)) show(path, WAITING);
      else show(path, { kind: "failed", error: findingOfError(error, `Reading ${path}`) });
    });
  });
  return {
    /** It is on the screen: read if that is free. */
    want(item: CardItem) {
      if (looks.has(item.path) || work.has(item.path)) return;
      met.set(item.path, { item, isAsked: false });
      work.add(item.path, { item, isAsked: false });
    },
    /** References are here that were not: what they may have hindered is looked at again. */
    renew() {
      for (const [path, { item }] of met) {
        if (looks.get(path)?.kind !== "unread") continue;
        show(path, WAITING);
        work.add(path, { item, isAsked: false });
      }
    },
    /** Reads on request, whatever it costs. */
    ask(item: CardItem) {
      show(item.path, { kind: "reading" });
      work.add(item.path, { item, isAsked: true });
    },
    look: (path: string) => looks.get(path) ?? WAITING,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Reads until what is returned is called; it may be started again. */
    start: () => work.start(),
  };
}

/**
 * Next item: requested ones, then coordinates (they tell which way is north), then the rest in the order of the page.
 */
function first(waiting: ReadonlyMap<string, Wanted>): string | undefined {
  const all = [...waiting];
  const [name] =
    all.find(([, { isAsked }]) => isAsked) ?? all.find(([, { item }]) => item.role === "dimension") ?? all[0] ?? [];
  return name;
}

/** Budget of a small picture, as the start page states it. */
const SMALL: ReadingBudget = { requests: 32, bytes: 2_000_000 };
/** Variables of which nothing could be read, one after another: the rest is not tried unasked. */
const MOST_FAILURES = 2;

function unaskedAllowance(set: number) {
  let failures = 0;
  return {
    isOpen: () => failures < MOST_FAILURES,
    takes: (cost: PlaneCost) => failures < MOST_FAILURES && isWithin(cost, SMALL) && unasked.takes(set, cost),
    note(look: VariableLook) {
      failures = isFailure(look) ? failures + 1 : 0;
    },
    /** No answer came. */
    fail() {
      failures += 1;
    },
  };
}

function isFailure(look: VariableLook): boolean {
  return look.kind === "failed" || (look.kind === "values" && look.failed > 0 && look.range === undefined);
}

interface Reading {
  readonly app: Pick<App, "engine" | "store" | "tasks">;
  readonly set: number;
  readonly wanted: Wanted;
  readonly looks: ReadonlyMap<string, VariableLook>;
  readonly allowance: ReturnType<typeof unaskedAllowance>;
  readonly show: (path: string, look: VariableLook) => void;
}

/** Milliseconds after which it is said that something is under way. */
const SHOW_AFTER = 300;
/** Milliseconds without an answer after which what nobody asked for is given up. */
const MOST_PATIENCE = 8000;
const REGION = "card";

/** Throws an AbortError where it is stopped. */
async function read({ app, set, wanted, looks, allowance, show }: Reading, signal: AbortSignal): Promise<void> {
  const { item, isAsked } = wanted;
  const { path } = item;
  if (!isAsked) await untilQuiet(app, signal);
  const code = await fetchedCode(app.tasks);
  const plane = code.shownPlane(item);
  if (plane === undefined) {
    show(path, { kind: "none" });
    return;
  }
  const fetch = isAsked || !allowance.isOpen() ? 0 : Math.min(SMALL.requests, unasked.requests(set));
  const cost = await app.engine.call("plane.cost", { set, array: path, plane, fetch }, { signal });
  unasked.fetched(set, cost.fetched ?? 0);
  if (!isAsked && !allowance.takes(cost)) {
    show(path, { kind: "unread", cost });
    return;
  }
  show(path, { kind: "reading" });
  const waiting = isAsked ? undefined : patience(MOST_PATIENCE);
  const work = (options: { readonly signal: AbortSignal }) => {
    const signals = [signal, options.signal, ...(waiting === undefined ? [] : [waiting.signal])];
    const onSome = () => waiting?.renew();
    return code.readVariable(app.engine, { set, item, plane, looks, onSome }, AbortSignal.any(signals));
  };
  try {
    const look = await app.tasks.run(REGION, `Reading ${path}`, work, SHOW_AFTER);
    allowance.note(look);
    show(path, look);
  } catch (error) {
    // Cancelled by hand, or no answer came: it can be asked for.
    if (!isAbort(error) || signal.aborted) throw error;
    if (waiting?.signal.aborted === true) allowance.fail();
    show(path, { kind: "unread", cost });
  } finally {
    waiting?.end();
  }
}

let code: typeof ReadingCode | undefined;

async function fetchedCode(tasks: App["tasks"]) {
  if (code !== undefined) return code;
  const done = tasks.show("Loading the code for pictures");
  try {
    code = await import("./read-variable.ts");
    return code;
  } finally {
    done();
  }
}

/** Aborts if nothing has arrived for this many milliseconds. */
function patience(milliseconds: number) {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const renew = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      controller.abort(new DOMException("The server stopped responding.", "AbortError"));
    }, milliseconds);
  };
  renew();
  return {
    signal: controller.signal,
    /** Something came. */
    renew,
    end: () => clearTimeout(timer),
  };
}

/**
 * Work that is done one piece after another, while it is let. `next`: which of those that wait comes first. `work` must not throw; a piece during which `signal` was aborted waits
 * again.
 */
export function oneByOne<T>(
  next: (waiting: ReadonlyMap<string, T>) => string | undefined,
  work: (piece: T, signal: AbortSignal) => Promise<void>,
) {
  const waiting = new Map<string, T>();
  let running: AbortController | undefined;
  let busy: AbortController | undefined;

  async function run(controller: AbortController): Promise<void> {
    const { signal } = controller;
    for (let name = next(waiting); name !== undefined && !signal.aborted; name = next(waiting)) {
      const piece = waiting.get(name);
      waiting.delete(name);
      if (piece === undefined) continue;
      await work(piece, signal);
      if (signal.aborted && !waiting.has(name)) waiting.set(name, piece);
    }
    if (busy === controller) busy = undefined;
    wake();
  }

  function wake(): void {
    const controller = running;
    if (controller === undefined || busy === controller || waiting.size === 0) return;
    busy = controller;
    // Items that are added together are sorted before the first is taken.
    queueMicrotask(() => void run(controller));
  }

  return {
    has: (name: string) => waiting.has(name),
    add(name: string, piece: T) {
      waiting.set(name, piece);
      wake();
    },
    /** Works until what is returned is called; it may be started again. */
    start() {
      const controller = new AbortController();
      running = controller;
      wake();
      return () => {
        if (running === controller) running = undefined;
        controller.abort(new DOMException("No longer shown.", "AbortError"));
      };
    },
  };
}

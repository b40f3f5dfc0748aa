/** The main thread's end of the boundary. */
import type { Progress } from "../core/byte-source.ts";
import type { EngineEvent } from "../core/engine-event.ts";
import { failure, type RefscopeError, WHOLE_SET } from "../core/findings/finding.ts";
import type { Channel, FromWorker, Operation, Request, Result, ToWorker } from "./protocol.ts";
import { fromWire } from "./wire.ts";

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

export type Client = ReturnType<typeof connect>;

interface PendingCall {
  resolve(result: never): void;
  reject(reason: unknown): void;
  readonly onProgress: ((progress: Progress) => void) | undefined;
}

/** Speaks to an engine behind `channel`; tests pass a MessagePort. */
export function connect(channel: Channel) {
  const calls = new Map<number, PendingCall>();
  const listeners = new Set<(pending: number) => void>();
  let lastId = 0;
  /** Why the worker is taken for dead. */
  let dead: RefscopeError | undefined;

  const changed = () => {
    for (const listener of listeners) listener(calls.size);
  };
  const post = (message: ToWorker) => channel.postMessage(message, []);
  const take = (id: number) => {
    const call = calls.get(id);
    calls.delete(id);
    return call;
  };

  const heard = new Set<(event: EngineEvent) => void>();
  channel.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    dead = undefined; // The worker answers, so it survived the error.
    if (data.type === "event") for (const listener of heard) listener(data.event);
    else hear(data, calls, take, changed);
  };

  function start<K extends Operation>(operation: K, request: Request<K>, options: CallOptions): Promise<Result<K>> {
    return new Promise((resolve, reject) => {
      const { signal, onProgress } = options;
      signal?.throwIfAborted();
      if (dead !== undefined) throw dead;
      lastId += 1;
      const id = lastId;
      const abort = () => {
        if (take(id) === undefined) return;
        post({ type: "abort", id });
        reject(signal?.reason);
        changed();
      };
      signal?.addEventListener("abort", abort, { once: true });
      calls.set(id, { resolve: once(resolve, signal, abort), reject: once(reject, signal, abort), onProgress });
      changed();
      post({ type: "call", id, operation, request } as ToWorker);
    });
  }

  return {
    call: <K extends Operation>(operation: K, request: Request<K>, options: CallOptions = {}): Promise<Result<K>> =>
      start(operation, request, options),
    /** Calls under way; `listener` hears every change. */
    get pending() {
      return calls.size;
    },
    /** Listens to the engine's events. */
    listen: (listener: (event: EngineEvent) => void): void => void heard.add(listener),
    onPending: (listener: (pending: number) => void): void => void listeners.add(listener),
    /** Rejects everything under way, and later calls, unless the worker answers again. */
    fail(reason: string): void {
      dead = failure("engine-stopped", WHOLE_SET, { reason });
      for (const id of calls.keys()) take(id)?.reject(dead);
      changed();
      post({ type: "probe" });
    },
  };
}

/** No event tells that a worker was ended, but the lock that it holds by its name is free then. */
export function whenEnded(worker: Worker, name: string, ended: () => void): void {
  const wait = ({ data }: MessageEvent<FromWorker>) => {
    if (data.type !== "alive") return;
    worker.removeEventListener("message", wait);
    void navigator.locks.request(name, ended);
  };
  worker.addEventListener("message", wait);
}

/** Settled, a call no longer listens to its signal, which may live long. */
function once<T>(settle: (value: T) => void, signal: AbortSignal | undefined, abort: () => void): (value: T) => void {
  return (value) => {
    signal?.removeEventListener("abort", abort);
    settle(value);
  };
}

function hear(
  message: Exclude<FromWorker, { readonly type: "event" }>,
  calls: ReadonlyMap<number, PendingCall>,
  take: (id: number) => PendingCall | undefined,
  changed: () => void,
): void {
  if (message.type === "alive") return;
  if (message.type === "progress") {
    calls.get(message.id)?.onProgress?.(message.progress);
    return;
  }
  const call = take(message.id); // absent when it was aborted meanwhile
  // The id ties the result to the operation; TypeScript cannot see it.
  if (message.type === "result") call?.resolve(message.result as never);
  else call?.reject(fromWire(message.error));
  changed();
}

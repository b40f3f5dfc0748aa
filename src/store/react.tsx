/** The store as React sees it: always through a selector, engine answers through `useEngine`. */
import { createContext, use, useEffect, useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { useStore } from "zustand";
import type { Progress } from "../core/byte-source.ts";
import { type Finding, findingOfError, isAbort } from "../core/findings/finding.ts";
import type { Operation, Request, Result } from "../worker/protocol.ts";
import type { Actions, App } from "./app-store.ts";
import type { CommandBus, CommandKind, CommandOf } from "./command-bus.ts";
import type { AppState } from "./state.ts";

const AppContext = createContext<App | undefined>(undefined);

export function AppProvider({ app, children }: { readonly app: App; readonly children: ReactNode }) {
  return <AppContext value={app}>{children}</AppContext>;
}

export function useApp(): App {
  const app = use(AppContext);
  if (app === undefined) throw new Error("useApp outside AppProvider");
  return app;
}

export function useAppState<T>(selector: (state: AppState) => T): T {
  return useStore(useApp().store, selector);
}

export const useActions = (): Actions => useApp().actions;

export const useSend = (): CommandBus["send"] => useApp().commands.send;

/** Carries a command out while the component is on the screen; one that waited for it, before it is drawn. */
export function useCommand<K extends CommandKind>(kind: K, carryOut: (command: CommandOf<K>) => void): void {
  const { commands } = useApp();
  const latest = useRef(carryOut);
  useLayoutEffect(() => {
    latest.current = carryOut;
  });
  useLayoutEffect(() => commands.receive(kind, (command) => latest.current(command)), [commands, kind]);
}

/** Something is under way for as long as the component is shown: code that is being fetched. */
export function usePendingWhileShown(label: string): void {
  const { tasks } = useApp();
  useEffect(() => tasks.show(label), [tasks, label]);
}

/** Stands for code that is being fetched, with what is shown meanwhile. */
export function Pending({ label, children }: { readonly label: string; readonly children?: ReactNode }) {
  usePendingWhileShown(label);
  return children;
}

/** State of an engine answer. `data` may be of an older request while a new one is under way (`stale`). */
export interface Answer<T, Q = unknown> {
  readonly data: T | undefined;
  /** The last data that came, and the request that they answer: they stay where a newer one fails. */
  readonly last: Answered<T, Q> | undefined;
  readonly stale: boolean;
  readonly error: Finding | undefined;
  readonly progress: Progress | undefined;
  /** Asks again. */
  readonly retry: () => void;
  /** Asks no more until `retry`, or until the request is another. */
  readonly cancel: () => void;
  readonly cancelled: boolean;
}

interface Answered<T, Q> {
  readonly request: Q;
  readonly data: T;
}

interface AnswerState<T, Q> {
  readonly asked: string | undefined;
  readonly last: Answered<T, Q> | undefined;
  readonly error: Finding | undefined;
  readonly progress: Progress | undefined;
}

/**
 * Asks the engine whenever `request` changes (compared by its JSON text), or the set's revision or what else the answer
 * depends on does; a newer request aborts the older. `undefined` asks nothing. The last data stay until new ones are
 * there, unless the open set or `keep` (default: the operation) changed.
 */
export function useEngine<K extends Operation>(
  operation: K,
  request: Request<K> | undefined,
  keep: string = operation,
): Answer<Result<K>, Request<K>> {
  const { engine } = useApp();
  const revision = useAppState((state) => state.revision);
  const [again, setAgain] = useState(0);
  const known = useAppState((state) => (request === undefined ? undefined : dependsOn(operation, request, state)));
  const text = JSON.stringify(request);
  const [stopped, setStopped] = useState<string>();
  const cancelled = request !== undefined && text === stopped;
  const asking =
    request === undefined || cancelled ? undefined : JSON.stringify([operation, request, revision, again, known]);
  const [answer, setAnswer] = useState<AnswerState<Result<K>, Request<K>>>(NO_ANSWER);
  const owner = `${keep} ${request !== undefined && "set" in request ? request.set : ""}`;
  const [owned, setOwned] = useState(owner);
  if (owned !== owner) {
    setOwned(owner);
    setAnswer(NO_ANSWER);
  }

  useEffect(() => {
    if (asking === undefined) return undefined;
    // Requests are plain JSON, so that comparing texts decides whether to ask again.
    const [, now] = JSON.parse(asking) as [K, Request<K>];
    const controller = new AbortController();
    const onProgress = (progress: Progress) => setAnswer((before) => ({ ...before, progress }));
    engine.call(operation, now, { signal: controller.signal, onProgress }).then(
      (data) => setAnswer({ ...NO_ANSWER, asked: asking, last: { request: now, data } }),
      (thrown: unknown) => {
        if (isAbort(thrown)) return;
        const error = findingOfError(thrown, `Asking for ${operation}`);
        setAnswer(({ last }) => ({ ...NO_ANSWER, asked: asking, last, error }));
      },
    );
    return () => controller.abort();
  }, [engine, operation, asking]);

  return {
    data: asking === undefined || answer.error !== undefined ? undefined : answer.last?.data,
    last: answer.last,
    stale: asking !== answer.asked,
    error: answer.asked === asking ? answer.error : undefined,
    progress: answer.progress,
    retry: () => {
      setStopped(undefined);
      setAgain((count) => count + 1);
    },
    cancel: () => {
      setStopped(text);
      setAnswer((before) => ({ ...before, progress: undefined }));
    },
    cancelled,
  };
}

/** State that an answer depends on beside its request: a change of it repeats the request. */
function dependsOn<K extends Operation>(operation: K, request: Request<K>, state: AppState): string {
  // Answers about references that are here, when more have come.
  const isOfReferences =
    operation.startsWith("table.") ||
    operation.startsWith("sources.") ||
    ["set.overview", "set.card", "check.costs", "check.arrayCost", "check.samples"].includes(operation);
  const isOfTargets = operation.startsWith("sources.") ? state.checks : "";
  return `${isOfTargets} ${isOfReferences ? (state.set?.revision ?? 0) : ""} ${ALSO[operation]?.(state, request) ?? ""}`;
}

/** Answers about chunks that were read, when another was. */
const read = ({ readings }: AppState) => readings;
/** The engine keeps one comparison of snapshots, and one with another set. */
export const comparedText = ({ comparison, withSet }: AppState) =>
  `${comparison?.from} ${comparison?.to} ${comparison?.method} ${withSet?.found?.other.id}`;

const ALSO: { readonly [K in Operation]?: (state: AppState, request: Request<K>) => string | number } = {
  "table.reference": read,
  "table.raster": (state, { spec: { colour } }) =>
    colour === "reading" ? read(state) : colour === "change" ? comparedText(state) : "",
  "table.rasters": (state) => `${read(state)} ${comparedText(state)}`,
  "check.state": ({ readings, checks, set }) => `${readings} ${checks} ${set?.revision ?? 0}`,
  "check.readers": ({ checks }) => checks,
  "check.profiles": ({ checks }) => checks,
  "check.profile": ({ checks }) => checks,
  "set.silent": ({ readings, checks }) => `${readings} ${checks}`,
  "chunk.results": read,
  "chunk.findings": read,
  "chunk.tally": ({ readings, checks }) => `${readings} ${checks}`,
};

const NO_ANSWER: AnswerState<never, never> = {
  asked: undefined,
  last: undefined,
  error: undefined,
  progress: undefined,
};

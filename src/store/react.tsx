/** The store as React sees it: always through a selector, engine answers through `useEngine`. */
import { createContext, use, useEffect, useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { useStore } from "zustand";
import type { Progress } from "../core/byte-source.ts";
import { isAbort, toErrorFields, type ErrorFields } from "../core/errors.ts";
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

export function useActions(): Actions {
  return useApp().actions;
}

export function useSend(): CommandBus["send"] {
  return useApp().commands.send;
}

/** Carries a command out while the component is on the screen; one that waited for it, before it is drawn. */
export function useCommand<K extends CommandKind>(kind: K, carryOut: (command: CommandOf<K>) => void): void {
  const { commands } = useApp();
  const latest = useRef(carryOut);
  useLayoutEffect(() => {
    latest.current = carryOut;
  });
  useLayoutEffect(
    () =>
      commands.receive(kind, (command) => {
        latest.current(command);
      }),
    [commands, kind],
  );
}

/** Something is under way for as long as the component is shown: code that is being fetched. */
export function usePendingWhileShown(label: string): void {
  const { tasks } = useApp();
  useEffect(() => tasks.show(label), [tasks, label]);
}

/** What is known of an engine answer. `data` may be of an older request while a new one is under way (`stale`). */
export interface Answer<T> {
  readonly data: T | undefined;
  readonly stale: boolean;
  readonly error: ErrorFields | undefined;
  readonly progress: Progress | undefined;
  /** Asks again. */
  retry(): void;
}

interface AnswerState<T> {
  readonly asked: string | undefined;
  readonly data: T | undefined;
  readonly error: ErrorFields | undefined;
  readonly progress: Progress | undefined;
}

/**
 * Asks the engine whenever `request` changes (compared by its JSON text) or the set's revision does; a newer request
 * aborts the older. `undefined` asks nothing. The last data stay until new ones are there, unless the open set or
 * `keep` (default: the operation) changed.
 */
export function useEngine<K extends Operation>(
  operation: K,
  request: Request<K> | undefined,
  keep: string = operation,
): Answer<Result<K>> {
  const { engine } = useApp();
  const revision = useAppState((state) => state.revision);
  const [again, setAgain] = useState(0);
  const known = useAppState((state) => (GROWING.has(operation) ? (state.set?.revision ?? 0) : 0));
  const read = useAppState((state) => (READ.has(operation) ? state.readings : 0));
  const asking = request === undefined ? undefined : JSON.stringify([operation, request, revision, again, known, read]);
  const [answer, setAnswer] = useState<AnswerState<Result<K>>>(NOTHING);
  const owner = `${keep} ${request !== undefined && "set" in request ? request.set : ""}`;
  const [owned, setOwned] = useState(owner);
  if (owned !== owner) {
    setOwned(owner);
    setAnswer(NOTHING);
  }

  useEffect(() => {
    if (asking === undefined) return undefined;
    // Requests are plain JSON, so that one comparison by text tells whether to ask anew.
    const [, now] = JSON.parse(asking) as [K, Request<K>];
    const controller = new AbortController();
    const onProgress = (progress: Progress) => {
      setAnswer((before) => ({ ...before, progress }));
    };
    engine.call(operation, now, { signal: controller.signal, onProgress }).then(
      (data) => {
        setAnswer({ asked: asking, data, error: undefined, progress: undefined });
      },
      (error: unknown) => {
        if (isAbort(error)) return;
        setAnswer({
          asked: asking,
          data: undefined,
          error: toErrorFields(error, `Asking for ${operation}`),
          progress: undefined,
        });
      },
    );
    return () => {
      controller.abort();
    };
  }, [engine, operation, asking]);

  return {
    data: asking === undefined ? undefined : answer.data,
    stale: asking !== answer.asked,
    error: answer.asked === asking ? answer.error : undefined,
    progress: answer.progress,
    retry: () => {
      setAgain((count) => count + 1);
    },
  };
}

/** What is told of references that are here: it is asked anew when more have come. */
const GROWING: ReadonlySet<Operation> = new Set<Operation>(["set.overview", "table.find", "table.reference"]);

/** What is told of chunks that were read: it is asked again when another was. */
const READ: ReadonlySet<Operation> = new Set<Operation>(["chunk.results", "chunk.findings", "table.reference"]);

const NOTHING: AnswerState<never> = { asked: undefined, data: undefined, error: undefined, progress: undefined };

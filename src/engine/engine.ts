/**
 * The engine: rooms of operations on open sets. No thread, no screen. An operation is a function in its room's
 * `operations.ts`, from a request and a context to an answer, both plain data; its name is `room.operation`, and the
 * types of both ends of the worker's boundary are derived from it (`worker/protocol.ts`).
 */
import type { CallContext } from "../core/byte-source.ts";
import type { ZarritaThread } from "./check/readers/zarrita-messages.ts";
import { growthOf, type EngineEvent } from "../core/engine-event.ts";
import type { SetSummary } from "../core/open-set.ts";
import { hostLimit } from "../io/http/host-limit.ts";
import { chunkOperations } from "./chunk/operations.ts";
import { summaryOf } from "./describe/summary.ts";
import { setOperations } from "./open/operations.ts";
import type { Network } from "./chunk/sources.ts";
import { keepStages } from "./chunk/stage-bytes.ts";
import { chunkCache } from "./many/chunk-cache.ts";
import type { ChunkDecoder } from "./chunk/chunk-decoder.ts";
import { decoderLater } from "./many/decoder-later.ts";
import { togetherLater } from "./preflight/together-later.ts";
import { openSessions, type EngineContext } from "./sessions.ts";

/** The code of a room behind `import()` is fetched with the first question to it. */
const ROOMS = {
  set: (engine: EngineContext) => setOperations(engine, togetherLater),
  table: async (engine: EngineContext) => (await import("./table/operations.ts")).tableOperations(engine),
  chunk: chunkOperations,
  plane: async (engine: EngineContext) => (await import("./many/operations.ts")).planeOperations(engine),
  check: async (engine: EngineContext) => (await import("./check/operations.ts")).checkOperations(engine),
  sources: async (engine: EngineContext) => (await import("./sources/operations.ts")).sourcesOperations(engine),
  repair: async (engine: EngineContext) => (await import("./repair/operations.ts")).repairOperations(engine),
  edit: async (engine: EngineContext) => (await import("./edit/operations.ts")).editOperations(engine),
  write: async (engine: EngineContext) => (await import("./write/operations.ts")).writeOperations(engine),
  compare: async (engine: EngineContext) => (await import("./compare/operations.ts")).compareOperations(engine),
  repository: async (engine: EngineContext) =>
    (await import("./repository/operations.ts")).repositoryOperations(engine),
};

type RoomName = keyof typeof ROOMS;
type Room<R extends RoomName> = Awaited<ReturnType<(typeof ROOMS)[R]>>;

/** `set.open`, `table.rows`, … */
export type Operation = { [R in RoomName]: `${R}.${keyof Room<R> & string}` }[RoomName];

type Implementation<O extends Operation> = O extends `${infer R extends RoomName}.${infer K}`
  ? K extends keyof Room<R>
    ? Room<R>[K]
    : never
  : never;

type Callable<O extends Operation> = Extract<Implementation<O>, (...given: never[]) => unknown>;

export type Request<O extends Operation> = Parameters<Callable<O>>[0];
export type Result<O extends Operation> = Awaited<ReturnType<Callable<O>>>;

export interface Engine {
  /** Handles in requests are numbers that the engine gave out; unknown ones throw `set-closed`, `view-closed`, `reading-gone`. */
  call<O extends Operation>(operation: O, request: Request<O>, context: CallContext): Promise<Result<O>>;
  /** Listens to events that nobody asked for. */
  readonly listen: (listener: (event: EngineEvent) => void) => void;
}

const decoderHere = decoderLater(async () => (await import("./chunk/chunk-decoder.ts")).inThread);

/** Runs zarrita in this thread, by code that is fetched with the first chunk: it cannot be ended when it hangs. */
const zarritaHereLater = async (): Promise<ZarritaThread> =>
  (await import("./check/readers/serve-zarrita.ts")).zarritaHere();

/** One limit of requests per host for all sets. */
const theNetwork = (): Network => ({ http: { limit: hostLimit() } });

/**
 * `decoder`, `openZarrita`: where many chunks are decoded, and zarrita runs; the default is this thread, by code that
 * is fetched then.
 */
export function createEngine(
  network: Network = theNetwork(),
  decoder: ChunkDecoder = decoderHere,
  openZarrita: EngineContext["openZarrita"] = zarritaHereLater,
): Engine {
  const listeners = new Set<(event: EngineEvent) => void>();
  const say = (event: EngineEvent) => {
    for (const listener of listeners) listener(event);
  };
  const engine: EngineContext = {
    sessions: openSessions(),
    network,
    stages: keepStages(),
    kept: chunkCache(),
    decoder,
    openZarrita,
    say,
  };
  const rooms = new Map<string, unknown>();
  const roomOf = (name: RoomName): unknown => {
    const room = rooms.get(name) ?? ROOMS[name](engine);
    rooms.set(name, room);
    return room;
  };
  const growth = watchGrowth(engine, () => listeners.size > 0);
  return {
    async call<O extends Operation>(operation: O, request: Request<O>, context: CallContext): Promise<Result<O>> {
      const [room, name] = operation.split(".") as [RoomName, string];
      // Tables are asked as soon as a set is open: answers that wait for code would be of what was known before.
      if (room === "set") await roomOf("table");
      // The name ties request and answer to the operation; TypeScript cannot see it.
      const operations = (await roomOf(room)) as Readonly<Record<string, (...given: unknown[]) => unknown>>;
      try {
        return (await operations[name]?.(request, context)) as Result<O>;
      } finally {
        growth.check();
      }
    },
    listen: (listener) => void listeners.add(listener),
  };
}

/** Pages come in bursts: what has grown is counted and pushed when they pause. */
const PAUSE_MS = 100;

/** Pushes what has become known of sets, after any operation that may have fetched references. */
function watchGrowth({ sessions, say }: EngineContext, isHeard: () => boolean) {
  /** State that the screen knows: the revision it was opened or pushed with, and the summary pushed last. */
  const reported = new Map<number, { readonly revision: number; readonly summary?: SetSummary }>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const pushSet = async (id: number): Promise<void> => {
    const { set } = sessions.get(id);
    await set.refresh({ signal: new AbortController().signal, report: () => undefined });
    const summary = summaryOf(set, id);
    say({ kind: "grown", set: id, growth: growthOf(reported.get(id)?.summary, summary) });
    reported.set(id, { revision: summary.revision, summary });
  };
  const grew = () => [...sessions.open()].filter(([id, { set }]) => set.revision !== reported.get(id)?.revision);
  const push = async (): Promise<void> => {
    timer = undefined;
    for (const [id] of grew()) await pushSet(id).catch(() => undefined); // Closed meanwhile.
  };
  return {
    check: () => {
      for (const [id, { set }] of sessions.open()) if (!reported.has(id)) reported.set(id, { revision: set.revision });
      for (const id of reported.keys()) if (!sessions.open().has(id)) reported.delete(id);
      if (isHeard() && timer === undefined && grew().length > 0) timer = setTimeout(() => void push(), PAUSE_MS);
    },
  };
}

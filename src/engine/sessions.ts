/** Open sets by handle, with what is kept for them. */
import type { EngineEvent } from "../core/engine-event.ts";
import { failure, type Finding, WHOLE_SET } from "../core/findings/finding.ts";
import { keepReadings, type KeptReadings } from "./chunk/readings.ts";
import type { StageKeeper } from "./chunk/stage-bytes.ts";
import type { ZarritaThread } from "./check/readers/zarrita-messages.ts";
import type { SetChecks } from "./check/set-checks.ts";
import type { ChangedOrdinals, EngineSet } from "./engine-set.ts";
import type { ChunkCache } from "./many/chunk-cache.ts";
import type { ChunkDecoder } from "./chunk/chunk-decoder.ts";
import type { Network } from "./chunk/sources.ts";
import type { View } from "./table/view.ts";

/** State shared by the engine's modules. */
export interface EngineContext {
  readonly sessions: Sessions;
  /** Another one where the page has a server of its own. */
  network: Network;
  /** Bytes of the stages of all readings, within one budget. */
  readonly stages: StageKeeper;
  /** Decoded chunks of all sets, within one budget. */
  readonly kept: ChunkCache;
  /** Decoder of many chunks. */
  readonly decoder: ChunkDecoder;
  /** Starts a thread that runs zarrita. */
  readonly openZarrita: () => Promise<ZarritaThread>;
  /** Sends an event. */
  readonly say: (event: EngineEvent) => void;
}

/** Argument of questions to an open set: its handle. */
export interface OfSet {
  readonly set: number;
}

export interface Session {
  readonly set: EngineSet;
  readonly views: Map<number, View>;
  readonly readings: KeptReadings;
  /** Findings of each chunk's last reading, by chunk key; the latest last. */
  readonly found: Map<string, readonly Finding[]>;
  /** Results of checks so far. */
  readonly checks: SetChecks;
  /** With which open set it is compared, and the chunks that differ, by array. */
  compared?: { readonly other: number; readonly changes: ReadonlyMap<string, ChangedOrdinals> } | undefined;
}

export type Sessions = ReturnType<typeof openSessions>;

export function openSessions() {
  const sessions = new Map<number, Session>();
  let lastHandle = 0;
  /** A number that no set or view has. */
  const nextHandle = (): number => (lastHandle += 1);
  return {
    nextHandle,
    open: (): ReadonlyMap<number, Session> => sessions,
    /** Throws `set-closed`. */
    get(set: number): Session {
      const found = sessions.get(set);
      if (found !== undefined) return found;
      throw failure("set-closed", WHOLE_SET, {});
    },
    /** Gives the set a handle. */
    add(set: EngineSet): number {
      const id = nextHandle();
      sessions.set(id, { set, views: new Map(), readings: keepReadings(), found: new Map(), checks: {} });
      return id;
    },
    /** With the set that it is compared with. */
    close(set: number): void {
      sessions.delete(sessions.get(set)?.compared?.other ?? set);
      sessions.delete(set);
    },
  };
}

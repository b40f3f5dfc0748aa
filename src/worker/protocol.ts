/** Messages between the main thread and the engine worker. Only types: operations are the engine's. */
import type { Progress } from "../core/byte-source.ts";
import type { EngineEvent } from "../core/engine-event.ts";
import type { Finding } from "../core/findings/finding.ts";
import type { Operation, Request, Result } from "../engine/engine.ts";

export type { Operation, Request, Result } from "../engine/engine.ts";

/** Plain-data form of an error: structured clone would drop our own fields. */
export interface WireError {
  readonly abort: boolean;
  readonly fields: Finding;
}

export type ToWorker =
  | {
      [O in Operation]: {
        readonly type: "call";
        readonly id: number;
        readonly operation: O;
        readonly request: Request<O>;
      };
    }[Operation]
  | { readonly type: "abort"; readonly id: number }
  /** Answered at once with "alive". */
  | { readonly type: "probe" };

export type FromWorker =
  | { readonly type: "result"; readonly id: number; readonly result: Result<Operation> }
  | { readonly type: "failure"; readonly id: number; readonly error: WireError }
  | { readonly type: "progress"; readonly id: number; readonly progress: Progress }
  | { readonly type: "event"; readonly event: EngineEvent }
  | { readonly type: "alive" };

/** The part of Worker and MessagePort that both ends need; tests pass a MessagePort. */
export interface Channel {
  postMessage(message: unknown, transfer: Transferable[]): void;
  onmessage: ((event: MessageEvent) => void) | null;
}

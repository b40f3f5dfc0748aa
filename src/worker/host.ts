/** The worker's end of the boundary: runs handlers, passes progress on, aborts on request. */
import type { CallContext } from "../core/byte-source.ts";
import type { Channel, FromWorker, Operation, Request, Result, ToWorker } from "./protocol.ts";
import { toWire } from "./wire.ts";

export interface Reply<K extends Operation> {
  readonly result: Result<K>;
  readonly transfer?: Transferable[];
}

export type Handlers = {
  readonly [K in Operation]: (request: Request<K>, context: CallContext) => Promise<Reply<K>>;
};

/** Serves calls arriving on `channel` until its thread ends. */
export function serve(channel: Channel, handlers: Handlers): void {
  const running = new Map<number, AbortController>();
  const post = (message: FromWorker, transfer: Transferable[] = []) => {
    channel.postMessage(message, transfer);
  };

  async function run<K extends Operation>(id: number, operation: K, request: Request<K>): Promise<void> {
    const controller = new AbortController();
    running.set(id, controller);
    const context: CallContext = {
      signal: controller.signal,
      report: (progress) => {
        post({ type: "progress", id, progress });
      },
    };
    try {
      const { result, transfer } = await handlers[operation](request, context);
      if (!controller.signal.aborted) post({ type: "result", id, result }, transfer);
    } catch (error) {
      // Told to stop by the caller, who no longer listens; an abort from within is reported like any failure.
      if (!controller.signal.aborted) post({ type: "failure", id, error: toWire(error, `Answering “${operation}”`) });
    } finally {
      running.delete(id);
    }
  }

  channel.onmessage = (event: MessageEvent<ToWorker>) => {
    const message = event.data;
    if (message.type === "call") void run(message.id, message.operation, message.request);
    else if (message.type === "probe") post({ type: "alive" });
    else running.get(message.id)?.abort();
  };
}

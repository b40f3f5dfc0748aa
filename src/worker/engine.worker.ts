/** Entry of the engine worker. */
import type { CallContext } from "../core/byte-source.ts";
import { buffersOf } from "../core/transfer.ts";
import { createEngine, type Engine } from "../engine/engine.ts";
import { decoderLater } from "../engine/many/decoder-later.ts";
import type { Channel, FromWorker, Operation, Request, ToWorker } from "./protocol.ts";
import { toWire } from "./wire.ts";

// The worker's end of the boundary: asks the engine, passes progress on, aborts on request.

/** Serves calls arriving on `channel` until its thread ends. */
export function serve(channel: Channel, engine: Engine): void {
  const running = new Map<number, AbortController>();
  const post = (message: FromWorker, transfer: readonly ArrayBuffer[] = []) =>
    channel.postMessage(message, [...transfer]);
  engine.listen((event) => post({ type: "event", event }));

  async function run<O extends Operation>(id: number, operation: O, request: Request<O>): Promise<void> {
    const controller = new AbortController();
    running.set(id, controller);
    const context: CallContext = {
      signal: controller.signal,
      report: (progress) => post({ type: "progress", id, progress }),
    };
    try {
      const result = await engine.call(operation, request, context);
      if (!controller.signal.aborted) post({ type: "result", id, result }, buffersOf(result));
    } catch (error) {
      // Cancelled by the caller, who no longer listens; an abort from within is reported like any failure.
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

const decoder = decoderLater(async () => (await import("./threads.ts")).workerPool());
const openZarrita = async () => (await import("./threads.ts")).zarritaWorker();

serve(globalThis as unknown as Channel, createEngine(undefined, decoder, openZarrita));

// Held as long as this worker lives: see `whenEnded`. Pages that came over plain http have no locks.
const { name } = globalThis as { readonly name?: string };
if (name !== undefined && name !== "" && typeof navigator === "object" && "locks" in navigator) {
  const alive: FromWorker = { type: "alive" };
  void navigator.locks.request(name, () => {
    (globalThis as unknown as Channel).postMessage(alive, []);
    return new Promise(() => undefined);
  });
}

/** Keeps long passes interruptible: about every 30 ms the thread is given back, so that an abort can arrive. */
import type { CallContext } from "../core/byte-source.ts";

const MILLISECONDS_A_TURN = 30;

export interface Pace {
  /** After 30 ms reports progress and lets other tasks run. Throws the signal's reason where the call was aborted. */
  yieldIfDue(done: number): Promise<void>;
}

/** `label` and `total` (rows) are for the progress report. */
export function startPace(context: CallContext, label: string, total: number): Pace {
  context.signal.throwIfAborted();
  let since = performance.now();
  return {
    async yieldIfDue(done) {
      if (performance.now() - since <= MILLISECONDS_A_TURN) return;
      context.report({ label, done: Math.min(done, total), total, unit: "rows" });
      await nextTask();
      context.signal.throwIfAborted();
      since = performance.now();
    },
  };
}

/** A message to oneself: timers are clamped to 4 ms when they follow each other. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

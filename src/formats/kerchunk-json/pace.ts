/** Long work in turns: progress is reported, and an abort arrives, without a pause that would be felt. */
import type { CallContext, Progress } from "#core/byte-source.ts";

const REPORT_EVERY = 100;
/** Work this long without a pause is interrupted, so that an abort message can arrive. */
const PAUSE_EVERY = 50;

/** To be called between pieces of work. Throws an `AbortError` when the call was aborted. */
export function startPace(context: CallContext): (progress: Progress) => Promise<void> {
  let reported = 0;
  let paused = performance.now();
  return async (progress) => {
    const now = performance.now();
    if (now - reported >= REPORT_EVERY) {
      reported = now;
      context.report(progress);
    }
    if (now - paused >= PAUSE_EVERY) {
      await turn();
      paused = performance.now();
    }
    context.signal.throwIfAborted();
  };
}

/** A turn of the event loop, not of the promise queue: only then are messages delivered. A timer would wait 4 ms. */
async function turn(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  await new Promise((resolve) => {
    port1.addEventListener("message", resolve, { once: true });
    port1.start();
    port2.postMessage(undefined);
  });
  port1.close();
}

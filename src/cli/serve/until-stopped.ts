/** Commands that go on until Ctrl-C. */
import { setMaxListeners } from "node:events";
import type { CallContext } from "../../core/byte-source.ts";
import type { Loopback } from "./loopback.ts";

/** What the server does is given up when it ends. */
export async function untilStopped(start: (context: CallContext) => Promise<Loopback>): Promise<number> {
  // Many reads share a signal.
  setMaxListeners(0);
  const stop = new AbortController();
  const { close, closed } = await start({ signal: stop.signal, report: () => undefined });
  const end = (): void => {
    stop.abort();
    close();
    // Threads, and connections to other hosts.
    setTimeout(() => process.exit(0), 300).unref();
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, end);
  await closed;
  return 0;
}

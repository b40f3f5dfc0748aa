/** Commands that go on until Ctrl-C. */
import { setMaxListeners } from "node:events";
import type { CallContext } from "#core/byte-source.ts";
import type { Loopback } from "./loopback.ts";

/** Runs a server until it is stopped, then gives up its work. `status`: the exit code then; absent = 0. */
export async function untilStopped(
  start: (context: CallContext) => Promise<Loopback & { readonly status?: number }>,
): Promise<number> {
  // Many reads share a signal.
  setMaxListeners(0);
  const stop = new AbortController();
  const { close, closed, status = 0 } = await start({ signal: stop.signal, report: () => undefined });
  const end = (): void => {
    stop.abort();
    close();
    // Threads, and connections to other hosts.
    setTimeout(() => process.exit(status), 300).unref();
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, end);
  await closed;
  return status;
}

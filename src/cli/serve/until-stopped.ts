import type { Loopback } from "./loopback.ts";

/** Until Ctrl-C: what is under way is given up. */
export async function untilStopped({ close, closed }: Loopback, stop: AbortController): Promise<number> {
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

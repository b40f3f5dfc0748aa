/** An engine for tests of the store. */
import type { Client } from "#worker/client.ts";
import type { Operation, Request } from "#worker/protocol.ts";

export interface HeldCall {
  readonly operation: Operation;
  readonly request: Request<Operation>;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** Answers when the test says so. */
export function heldEngine() {
  const calls: HeldCall[] = [];
  const call = (operation: Operation, request: Request<Operation>, options?: { signal?: AbortSignal }) =>
    new Promise((resolve, reject) => {
      options?.signal?.addEventListener("abort", () => reject(options.signal?.reason));
      calls.push({ operation, request, resolve, reject });
    });
  const client = clientOf(call);
  const last = (operation: Operation) => calls.findLast((one) => one.operation === operation)!;
  return { client, calls, last };
}

/** An engine that is nothing but its answers. */
export function clientOf(call: (operation: Operation, request: never) => Promise<unknown>): Client {
  const rest = { pending: 0, onPending: () => undefined, listen: () => undefined, fail: () => undefined };
  return { call, ...rest } as unknown as Client;
}

import { describe, expect, it, vi } from "vitest";
import { RefscopeError } from "../core/errors.ts";
import { connect } from "./client.ts";
import { serve, type Handlers } from "./host.ts";

/** Handlers of which only the given ones may be called. */
function handlers(some: Partial<Handlers>): Handlers {
  return new Proxy(some, {
    get: (target, name) =>
      Reflect.get(target, name) ??
      (() => {
        throw new Error(`unexpected call of ${String(name)}`);
      }),
  }) as Handlers;
}

function pair(some: Partial<Handlers>) {
  const { port1, port2 } = new MessageChannel();
  serve(port1, handlers(some));
  const client = connect(port2);
  return {
    client,
    close: () => {
      port1.close();
      port2.close();
    },
  };
}

describe("the worker boundary", () => {
  it("carries results and progress", async () => {
    const { client, close } = pair({
      close: async ({ set }, { report }) => {
        report({ label: "Closing", done: set, unit: "rows" });
        return { result: undefined };
      },
    });
    const onProgress = vi.fn();
    await expect(client.call("close", { set: 7 }, { onProgress })).resolves.toBeUndefined();
    expect(onProgress).toHaveBeenCalledWith({ label: "Closing", done: 7, unit: "rows" });
    close();
  });

  it("keeps the fields of an error", async () => {
    const fields = { code: "http-status", doing: "Reading", where: "u", expected: "206", found: "403", advice: "Ask." };
    const { client, close } = pair({ close: () => Promise.reject(new RefscopeError(fields)) });
    await expect(client.call("close", { set: 1 })).rejects.toMatchObject({ fields });
    close();
  });

  it("aborts the call in the worker and rejects at once", async () => {
    let seen: AbortSignal | undefined;
    const { client, close } = pair({
      close: (_request, { signal }) => {
        seen = signal;
        return new Promise(() => {});
      },
    });
    const controller = new AbortController();
    const call = client.call("close", { set: 1 }, { signal: controller.signal });
    await vi.waitFor(() => expect(seen).toBeDefined());
    controller.abort();
    await expect(call).rejects.toMatchObject({ name: "AbortError" });
    await vi.waitFor(() => expect(seen?.aborted).toBe(true));
    expect(client.pending).toBe(0);
    close();
  });

  it("counts what is under way and fails it all when the worker dies", async () => {
    const { client, close } = pair({ close: () => new Promise(() => {}) });
    const counts: number[] = [];
    client.onPending((pending) => counts.push(pending));
    const calls = [client.call("close", { set: 1 }), client.call("close", { set: 2 })];
    client.fail("out of memory");
    await expect(Promise.all(calls)).rejects.toMatchObject({ code: "engine-stopped" });
    expect(counts).toEqual([1, 2, 0]);
    close();
  });

  it("remembers that the worker died", async () => {
    const { client, close } = pair({});
    close(); // What is posted reaches nobody from here on.
    client.fail("the worker could not be started");
    await expect(client.call("close", { set: 1 })).rejects.toMatchObject({ code: "engine-stopped" });
    expect(client.pending).toBe(0);
  });

  it("asks on where the worker outlived its error", async () => {
    const { client, close } = pair({ close: () => Promise.resolve({ result: undefined }) });
    client.fail("something was thrown");
    await vi.waitFor(() => expect(client.call("close", { set: 1 })).resolves.toBeUndefined());
    close();
  });
});

import { describe, expect, it, vi } from "vitest";
import { RefscopeError, targetAt } from "../core/findings/finding.ts";
import { connect } from "./client.ts";
import type { CallContext } from "../core/byte-source.ts";
import type { EngineEvent } from "../core/engine-event.ts";
import type { Engine } from "../engine/engine.ts";
import { serve } from "./engine.worker.ts";
import type { Operation, Request } from "./protocol.ts";

type Close = (request: Request<"set.close">, context: CallContext) => unknown;

/** An engine that can only close sets. */
function engineWith(close: Close, listen: Engine["listen"] = () => undefined): Engine {
  const call = async (operation: Operation, request: unknown, context: CallContext) => {
    if (operation !== "set.close") throw new Error(`unexpected call of ${operation}`);
    return close(request as Request<"set.close">, context);
  };
  return { call: call as unknown as Engine["call"], listen };
}

function pair(close: Close, listen?: Engine["listen"]) {
  const { port1, port2 } = new MessageChannel();
  serve(port1, engineWith(close, listen));
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
    const { client, close } = pair(({ set }, { report }) => {
      report({ label: "Closing", done: set, unit: "rows" });
    });
    const onProgress = vi.fn();
    await expect(client.call("set.close", { set: 7 }, { onProgress })).resolves.toBeUndefined();
    expect(onProgress).toHaveBeenCalledWith({ label: "Closing", done: 7, unit: "rows" });
    close();
  });

  it("keeps the finding of an error", async () => {
    const finding = { code: "http-status", place: targetAt("u"), facts: { status: 403, expected: [206] }, count: 1 };
    const { client, close } = pair(() => Promise.reject(new RefscopeError(finding)));
    await expect(client.call("set.close", { set: 1 })).rejects.toMatchObject({ finding });
    close();
  });

  it("aborts the call in the worker and rejects at once", async () => {
    let seen: AbortSignal | undefined;
    const { client, close } = pair((_request, { signal }) => {
      seen = signal;
      return new Promise(() => {});
    });
    const controller = new AbortController();
    const call = client.call("set.close", { set: 1 }, { signal: controller.signal });
    await vi.waitFor(() => expect(seen).toBeDefined());
    controller.abort();
    await expect(call).rejects.toMatchObject({ name: "AbortError" });
    await vi.waitFor(() => expect(seen?.aborted).toBe(true));
    expect(client.pending).toBe(0);
    close();
  });

  it("passes on what the engine says unasked", async () => {
    let say: ((event: EngineEvent) => void) | undefined;
    const { client, close } = pair(
      () => undefined,
      (listener) => {
        say = listener;
      },
    );
    const heard = vi.fn();
    client.listen(heard);
    const event: EngineEvent = { kind: "grown", set: 1, growth: { revision: 2, nodes: [] } };
    say?.(event);
    await vi.waitFor(() => expect(heard).toHaveBeenCalledWith(event));
    close();
  });

  it("counts what is under way and fails it all when the worker dies", async () => {
    const { client, close } = pair(() => new Promise(() => {}));
    const counts: number[] = [];
    client.onPending((pending) => counts.push(pending));
    const calls = [client.call("set.close", { set: 1 }), client.call("set.close", { set: 2 })];
    client.fail("out of memory");
    await expect(Promise.all(calls)).rejects.toMatchObject({ code: "engine-stopped" });
    expect(counts).toEqual([1, 2, 0]);
    close();
  });

  it("remembers that the worker died", async () => {
    const { client, close } = pair(() => undefined);
    close(); // What is posted from here on is lost.
    client.fail("the worker could not be started");
    await expect(client.call("set.close", { set: 1 })).rejects.toMatchObject({ code: "engine-stopped" });
    expect(client.pending).toBe(0);
  });

  it("asks on where the worker outlived its error", async () => {
    const { client, close } = pair(() => undefined);
    client.fail("something was thrown");
    await vi.waitFor(() => expect(client.call("set.close", { set: 1 })).resolves.toBeUndefined());
    close();
  });
});

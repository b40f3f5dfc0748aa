import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { browserKeeper, inTheWay, type KeptEdit } from "./kept-edits.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("does not wait for a browser that never answers, and waits only once", async () => {
  const open = vi.fn(() => new EventTarget());
  vi.stubGlobal("indexedDB", { open });
  const keeper = browserKeeper();
  const first = expect(keeper.get("a")).rejects.toThrow("did not answer within 2 seconds");
  await vi.advanceTimersByTimeAsync(2000);
  await first;
  await expect(keeper.list()).rejects.toThrow("did not answer");
  expect(open).toHaveBeenCalledTimes(1);
});

it("asks again once the browser has answered", async () => {
  const request = new EventTarget();
  const open = vi.fn(() => request);
  vi.stubGlobal("indexedDB", { open });
  const keeper = browserKeeper();
  const first = expect(keeper.get("a")).rejects.toThrow("did not answer");
  await vi.advanceTimersByTimeAsync(2000);
  await first;
  request.dispatchEvent(new Event("error"));
  await vi.advanceTimersByTimeAsync(0);
  void keeper.list().catch(() => undefined);
  expect(open).toHaveBeenCalledTimes(2);
});

it("takes what another window wrote for a conflict, never what this one wrote itself", () => {
  const kept = { documentId: "a", name: "a", text: "", edits: [], when: 5, writer: "this" } as unknown as KeptEdit;
  // Two writes of one window may be under way at a time: the second does not know of the first.
  expect(inTheWay(kept, { edition: undefined, writer: "this" })).toBeUndefined();
  expect(inTheWay(kept, { edition: undefined, writer: "other" })).toBe(kept);
  expect(inTheWay(kept, { edition: "5 this", writer: "other" })).toBeUndefined();
});

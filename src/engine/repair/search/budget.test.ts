import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { CallContext } from "#core/byte-source.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import type { TargetReader } from "#engine/chunk/sources.ts";
import { withBudget } from "./budget.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Answers when it is no longer waited for. */
const hanging = {
  read: (_resolution: unknown, _range: unknown, { signal }: CallContext) =>
    new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error));
    }),
};

it("that a search was cut by its time is known the moment it is cut", async () => {
  const limits = { bytes: 1000, requests: 9, milliseconds: 3000 };
  const budget = withBudget({ targets: hanging } as unknown as EngineSet, limits);
  const context: CallContext = { signal: new AbortController().signal, report: () => undefined };
  const resolution = { kind: "url", url: "https://h/a", steps: [] } as Parameters<TargetReader["read"]>[0];
  const read = budget.set.targets.read(resolution, { offset: 0, length: 4 }, context);
  const cut = expect(read).rejects.toThrow("too long");
  expect(budget.ended()).toBeUndefined();
  // No later than its limit: the clock has not passed it yet.
  await vi.advanceTimersByTimeAsync(limits.milliseconds);
  await cut;
  expect(budget.ended()).toBe("time");
});

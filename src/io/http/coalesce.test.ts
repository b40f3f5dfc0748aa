import { runs } from "#core/testing/runs.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ByteRange, ByteSource, CallContext, Progress } from "#core/byte-source.ts";
import { isAbort, RefscopeError, WHOLE_SET } from "#core/findings/finding.ts";
import { coalesced, type CoalesceOptions } from "./coalesce.ts";
import { bytesSource } from "../file.ts";

const content = Uint8Array.from({ length: 4096 }, (_, at) => (at * 31 + (at >> 8)) & 255);
const calm: CallContext = { signal: new AbortController().signal, report: () => undefined };

/** A source that keeps what it was asked for, and can be made to wait or to fail. */
function spied(answer?: (range: ByteRange | undefined, context: CallContext) => Promise<void> | undefined) {
  const below = bytesSource(content, "test");
  const asked: (ByteRange | undefined)[] = [];
  const source: ByteSource = {
    ...below,
    read: async (range, context) => {
      asked.push(range);
      await answer?.(range, context);
      return below.read(range, context);
    },
  };
  return { source, asked };
}

/** Flushes on demand, not by the clock. */
function byHand(): CoalesceOptions & { flush: () => void } {
  const waiting: (() => void)[] = [];
  return { schedule: (flush) => waiting.push(flush), flush: () => waiting.splice(0).forEach((flush) => flush()) };
}

const ranges = fc.array(fc.record({ offset: fc.nat(4500), length: fc.nat(600) }), { maxLength: 25 });

describe("the law", () => {
  it("coalesced bytes are the asked bytes, whatever is merged and whatever lies past the end", async () => {
    const law = fc.asyncProperty(ranges, fc.nat(300), fc.integer({ min: 1, max: 3000 }), async (asked, gap, block) => {
      const hand = byHand();
      const source = coalesced(spied().source, { ...hand, gap, block });
      const reads = asked.map((range) =>
        source.read(range, calm).then(
          (read) => read.bytes,
          (error: unknown) => error,
        ),
      );
      await Promise.resolve();
      hand.flush();
      for (const [at, result] of (await Promise.all(reads)).entries()) {
        const { offset, length } = asked[at]!;
        if (offset + length <= content.length) expect(result).toEqual(content.slice(offset, offset + length));
        else expect(result).toBeInstanceOf(RefscopeError);
      }
    });
    await fc.assert(law, { numRuns: runs(200) });
  });

  it("no request is longer than a block, none wastes more than the gaps", async () => {
    const law = fc.asyncProperty(ranges, fc.nat(300), fc.integer({ min: 600, max: 3000 }), async (all, gap, block) => {
      const inside = all.filter(({ offset, length }) => offset + length <= content.length && length > 0);
      const hand = byHand();
      const { source, asked } = spied();
      const merged = coalesced(source, { ...hand, gap, block });
      const reads = inside.map((range) => merged.read(range, calm));
      await Promise.resolve();
      hand.flush();
      await Promise.all(reads);
      expect(asked.length).toBeLessThanOrEqual(inside.length);
      for (const request of asked) {
        const { offset, length } = request!;
        expect(length).toBeLessThanOrEqual(block);
        const ends = inside.filter((range) => range.offset >= offset && range.offset + range.length <= offset + length);
        expect(Math.max(...ends.map((range) => range.offset + range.length))).toBe(offset + length);
      }
    });
    await fc.assert(law, { numRuns: runs(200) });
  });
});

async function started(hand: { flush: () => void }): Promise<void> {
  await Promise.resolve();
  hand.flush();
  await Promise.resolve();
}

describe("merging", () => {
  it("makes one request of neighbours, and says how many it served", async () => {
    const hand = byHand();
    const { source, asked } = spied();
    const merged = coalesced(source, hand);
    const reads = [0, 100, 300].map((offset) => merged.read({ offset, length: 50 }, calm));
    await started(hand);
    const [first] = await Promise.all(reads);
    expect(asked).toEqual([{ offset: 0, length: 350 }]);
    expect(first?.request).toMatchObject({ range: { offset: 0, length: 350 }, readsServed: 3, bytesReceived: 350 });
    expect(first?.bytes.buffer.byteLength).toBe(50);
  });

  it("leaves a lonely range, a whole file and a long range as they are", async () => {
    const hand = byHand();
    const { source, asked } = spied();
    const merged = coalesced(source, { ...hand, block: 100 });
    const lonely = merged.read({ offset: 7, length: 50 }, calm);
    await started(hand);
    expect((await lonely).request).not.toHaveProperty("readsServed");
    await merged.read(undefined, calm);
    await merged.read({ offset: 0, length: 101 }, calm);
    expect(asked).toEqual([{ offset: 7, length: 50 }, undefined, { offset: 0, length: 101 }]);
  });

  it("flushes by itself within milliseconds", async () => {
    const { source, asked } = spied();
    const merged = coalesced(source);
    await Promise.all([merged.read({ offset: 0, length: 1 }, calm), merged.read({ offset: 9, length: 1 }, calm)]);
    expect(asked).toEqual([{ offset: 0, length: 10 }]);
  });
});

describe("leaving", () => {
  const two = () => [new AbortController(), new AbortController()] as const;

  it("one reader's leaving does not disturb the other, nor the request", async () => {
    const hand = byHand();
    const signals: AbortSignal[] = [];
    let open: (() => void) | undefined;
    const { source } = spied((_, context) => {
      signals.push(context.signal);
      return new Promise((resolve) => (open = resolve));
    });
    const merged = coalesced(source, hand);
    const [a, b] = two();
    const left = merged.read({ offset: 0, length: 10 }, { ...calm, signal: a.signal });
    const stayed = merged.read({ offset: 20, length: 10 }, { ...calm, signal: b.signal });
    await started(hand);
    a.abort();
    await expect(left).rejects.toSatisfy(isAbort);
    expect(signals.map((signal) => signal.aborted)).toEqual([false]);
    open?.();
    expect((await stayed).bytes).toEqual(content.slice(20, 30));
  });

  it("the request is given up when the last has left", async () => {
    const hand = byHand();
    const signals: AbortSignal[] = [];
    const { source } = spied((_, { signal }) => {
      signals.push(signal);
      return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
    });
    const merged = coalesced(source, hand);
    const controllers = two();
    const reads = controllers.map(({ signal }, at) => merged.read({ offset: at, length: 10 }, { ...calm, signal }));
    const outcomes = Promise.allSettled(reads);
    await started(hand);
    controllers.forEach((controller) => controller.abort());
    for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: { name: "AbortError" } });
    expect(signals.map((signal) => signal.aborted)).toEqual([true]);
  });

  it("who leaves before the request is not asked for", async () => {
    const hand = byHand();
    const { source, asked } = spied();
    const merged = coalesced(source, hand);
    const controller = new AbortController();
    const left = merged.read({ offset: 0, length: 10 }, { ...calm, signal: controller.signal });
    const stayed = merged.read({ offset: 20, length: 10 }, calm);
    controller.abort();
    await expect(left).rejects.toSatisfy(isAbort);
    await started(hand);
    await stayed;
    expect(asked).toEqual([{ offset: 20, length: 10 }]);
  });
});

describe("failing", () => {
  it("goes to all who wait", async () => {
    const hand = byHand();
    const refused = new RefscopeError({ code: "http-status", place: WHOLE_SET, facts: {}, count: 1 });
    const { source, asked } = spied(() => Promise.reject(refused));
    const merged = coalesced(source, hand);
    const outcomes = Promise.allSettled([0, 50].map((offset) => merged.read({ offset, length: 10 }, calm)));
    await started(hand);
    for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: refused });
    expect(asked.length).toBe(1);
  });

  it("of one range past the end leaves its neighbours whole", async () => {
    const hand = byHand();
    const { source } = spied();
    const merged = coalesced(source, hand);
    const good = merged.read({ offset: 4000, length: 96 }, calm);
    const bad = merged.read({ offset: 4090, length: 10 }, calm);
    const outcomes = Promise.allSettled([good, bad]);
    await started(hand);
    expect((await good).bytes).toEqual(content.slice(4000));
    expect((await outcomes)[1]).toMatchObject({ reason: { code: "short-read" } });
  });

  it("progress reaches those who stay", async () => {
    const hand = byHand();
    const { source } = spied(async (_, context) => context.report({ label: "x", done: 1, unit: "bytes" }));
    const merged = coalesced(source, hand);
    const seen: Progress[] = [];
    const context = { ...calm, report: (progress: Progress): void => void seen.push(progress) };
    const reads = [0, 50].map((offset) => merged.read({ offset, length: 10 }, context));
    await started(hand);
    await Promise.all(reads);
    expect(seen.length).toBe(2);
  });
});

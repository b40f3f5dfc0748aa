/** Long passes end when they are cancelled: a clock that leaps makes every chance to do so a turn that is due. */
import { afterEach, describe, expect, it, vi } from "vitest";
import type { CallContext } from "#core/byte-source.ts";
import { isDeep } from "#core/testing/runs.ts";
import type { DocumentSet } from "../engine-set.ts";
import { checkReferences } from "./check-references.ts";
import { sourcesCost } from "./sources/choose-targets.ts";
import { suspects } from "./glance.ts";
import { arrayAt, textSet } from "./testing/made-set.ts";
import { planValues } from "./values/plan.ts";

/** Enough for several blocks of columns. */
const CHUNKS = 70_000;

const references = Array.from({ length: CHUNKS }, (_, at) => [`v/${at}`, [`s3://b/f${at % 1000}`, at * 4, 4]]);
const TEXT = JSON.stringify({
  ".zgroup": { zarr_format: 2 },
  ...arrayAt("v", { shape: [CHUNKS], chunks: [1] }),
  ...Object.fromEntries(references),
});

/** Another set each time, since what is known of one is kept. */
const opened = (): Promise<DocumentSet> => textSet(TEXT);

/** Cancelled at the turn with this number; `label`: of passes that count. */
function cancelledAt(turn: number) {
  const controller = new AbortController();
  let turns = 0;
  const context: CallContext = {
    signal: controller.signal,
    report: () => {
      turns += 1;
      if (turns === turn) controller.abort();
    },
  };
  return { context, turns: () => turns };
}

function leapingClock(): void {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (now += 31));
}

afterEach(() => vi.restoreAllMocks());

const PASSES: readonly (readonly [string, (set: DocumentSet, context: CallContext) => Promise<unknown>])[] = [
  ["rules over the references", (set, context) => checkReferences(set, context, false)],
  ["what asking targets costs", (set, context) => sourcesCost(set, { limit: 10 }, context)],
  ["choosing chunks to read", (set, context) => planValues(set, { chunks: 10 }, context)],
  ["chunks that deserve a look", (set, context) => suspects(set, [], context)],
];

/** Each in the deep run; else eight, evenly spread from the first to the last. */
function turnsOf(count: number): readonly number[] {
  const tried = isDeep ? count : Math.min(8, count);
  return Array.from({ length: tried }, (_, at) => 1 + Math.round((at * (count - 1)) / (tried - 1)));
}

describe("cancelling", () => {
  it.each(PASSES)("ends %s at the next turn, whichever that is", async (_name, run) => {
    leapingClock();
    const whole = cancelledAt(Infinity);
    await run(await opened(), whole.context);
    expect(whole.turns()).toBeGreaterThan(2);
    for (const turn of turnsOf(whole.turns())) {
      const { context, turns } = cancelledAt(turn);
      await expect(run(await opened(), context)).rejects.toMatchObject({ name: "AbortError" });
      expect(turns()).toBe(turn);
    }
  });
});

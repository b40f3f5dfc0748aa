/**
 * Every case of what published virtual stores need decoded, opened from files and read whole as the page does it;
 * e2e/flagship.spec.ts does it in Chromium.
 */
import { describe, expect, it } from "vitest";
import { RefscopeError } from "#core/findings/finding.ts";
import { FLAGSHIP } from "#core/testing/flagship.ts";
import { createEngine } from "../engine.ts";
import { CONTEXT } from "../fixtures/plain-table.ts";
import { openLocal } from "../testing/open-files.ts";
import { differenceOf, flagshipSets, tallyOf, type Answer, type FlagshipSet } from "../testing/flagship-sets.ts";

const engine = createEngine();
const opened = new Map<string, Promise<number>>();

async function answerOf({ opened: key, array, files, expected }: FlagshipSet): Promise<Answer> {
  try {
    const known = opened.get(key) ?? openLocal(engine, files());
    opened.set(key, known);
    const part = { set: await known, array, select: "...", scaled: false };
    if (expected?.values === undefined) {
      return { kind: "npy", bytes: (await engine.call("plane.file", { ...part, format: "npy" }, CONTEXT)).bytes };
    }
    return { kind: "texts", texts: (await engine.call("plane.table", part, CONTEXT)).texts };
  } catch (error) {
    if (error instanceof RefscopeError) return { kind: "refused", code: error.code };
    throw error;
  }
}

describe("what published virtual stores need", () => {
  const sets = flagshipSets();

  it.skipIf(sets.length === 0)(`all cases beside the project (${FLAGSHIP})`, async () => {
    const outcomes = [];
    for (const set of sets) outcomes.push({ set, difference: differenceOf(set, await answerOf(set)) });
    const { lines, surprises } = tallyOf(outcomes);
    for (const line of lines) console.log(line);
    expect(surprises).toEqual([]);
    expect(outcomes).toHaveLength(519);
  });
});

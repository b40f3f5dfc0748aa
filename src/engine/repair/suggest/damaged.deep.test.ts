/** On damaged copies of the sample and of other arrays the right repair comes first. */
import { describe, expect, it } from "vitest";
import { REAL } from "./testing/data.ts";
import { DAMAGES } from "./testing/damage.ts";
import { CHAINS, madeSet, sampleSet } from "./testing/made-sets.ts";
import { scoreOf, type Score } from "./testing/score.ts";

const COPIES = Number(process.env.REFSCOPE_COPIES ?? 30);
const SEED = Number(process.env.REFSCOPE_SEED ?? 20_261_124);

describe("damaged copies of the sample", () => {
  const sample = sampleSet();
  it.each(DAMAGES)("$name", async (damage) => {
    const score = await scoreOf(sample, damage, COPIES, SEED);
    report("sample", score);
    expect(score.of).toBe(COPIES);
    expect(score.right / score.of).toBeGreaterThanOrEqual(0.9);
  });
});

describe("damaged copies of made arrays", () => {
  const made = madeSet(REAL, CHAINS);
  it.each(DAMAGES)("$name", { timeout: 240_000 }, async (damage) => {
    const score = await scoreOf(await made, damage, COPIES, SEED + 1);
    report("made", score);
    expect(score.right / score.of).toBeGreaterThanOrEqual(0.9);
  });
});

function report(set: string, score: Score): void {
  const lines = [`${set}: ${score.damage}: ${score.right} of ${score.of} right`];
  for (const { key, got, shouldBe } of score.misses) lines.push(`  ${key} ${shouldBe}: ${got}`);
  process.stdout.write(`${lines.join("\n")}\n`);
}

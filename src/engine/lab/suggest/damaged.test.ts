/** On damaged copies of the sample and of other arrays the right repair comes first; undamaged chunks get none. */
import { describe, expect, it } from "vitest";
import { ODD, REAL } from "./testing/data.ts";
import { DAMAGES } from "./testing/damage.ts";
import { CHAINS, DELTA_CHAIN, DELTA_TYPES, madeSet, sampleSet } from "./testing/made-sets.ts";
import { scoreOf, suggestedFor, type Score } from "./testing/score.ts";

const COPIES = Number(process.env.REFSCOPE_COPIES ?? 20);
const SEED = Number(process.env.REFSCOPE_SEED ?? 1);

describe("damaged copies of the sample", () => {
  const sample = sampleSet();
  it.each(DAMAGES)("$name", { timeout: 120_000 }, async (damage) => {
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

describe("undamaged chunks", () => {
  it("of the sample get no suggestion", { timeout: 120_000 }, async () => {
    expect(await suggestedFor(sampleSet())).toEqual([]);
  });

  it.each(CHAINS)("of made arrays with codecs $name get none", { timeout: 120_000 }, async (chain) => {
    const kinds = ["none", "shuffle", "shuffle_zlib", "blosc_zstd"].includes(chain.name) ? [...REAL, ...ODD] : REAL;
    expect(await suggestedFor(await madeSet(kinds, [chain]))).toEqual([]);
  });

  const shapes = [
    [1, 5],
    [1, 24],
    [8, 8],
    [1, 365],
    [3, 200],
  ] as const;
  it.each(shapes)("in chunks of %i × %i get none", { timeout: 120_000 }, async (rows, columns) => {
    const chains = CHAINS.filter(({ name }) => ["none", "shuffle_zlib"].includes(name));
    expect(await suggestedFor(await madeSet([...REAL, ...ODD], chains, [rows, columns]))).toEqual([]);
  });

  it("of arrays with delta get none", { timeout: 120_000 }, async () => {
    const kinds = [...REAL, ...ODD].filter(({ dtype }) => DELTA_TYPES.has(dtype));
    expect(await suggestedFor(await madeSet(kinds, [DELTA_CHAIN]))).toEqual([]);
  });
});

function report(set: string, score: Score): void {
  const lines = [`${set}: ${score.damage}: ${score.right} of ${score.of} right`];
  for (const { key, got, shouldBe } of score.misses) lines.push(`  ${key} ${shouldBe}: ${got}`);
  process.stdout.write(`${lines.join("\n")}\n`);
}

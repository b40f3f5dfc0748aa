/** How often the right repair comes first. */
import { suggestRepairs } from "#engine/repair/suggest.ts";
import { context, openMade, rangedChunks, valuesOf, type MadeSet } from "./damaged-set.ts";
import type { Damage } from "./damage.ts";
import { seeded } from "./random.ts";

export interface Miss {
  readonly key: string;
  readonly got: string;
  readonly shouldBe: string;
}

export interface Score {
  readonly damage: string;
  readonly right: number;
  readonly of: number;
  readonly misses: readonly Miss[];
}

/**
 * Damages one chunk of the set after another, until `copies` copies are damaged. What changes no value does not count.
 */
export async function scoreOf(made: MadeSet, damage: Damage, copies: number, seed: number): Promise<Score> {
  const random = seeded(seed);
  const chunks = rangedChunks(made);
  const whole = await openMade(made);
  const misses: Miss[] = [];
  let of = 0;
  for (let attempt = 0; attempt < copies * 20 && of < copies; attempt++) {
    const chunk = random.pick(chunks);
    const truth = await valuesOf(whole, chunk.array, chunk.coordinates);
    if (truth === undefined) continue;
    const damaged = await damage.apply(made, chunk, truth, random);
    if (damaged === undefined) continue;
    const set = await openMade(damaged);
    const seen = await valuesOf(set, chunk.array, chunk.coordinates);
    if (damage.name !== "Fletcher-32 not declared" && seen !== undefined && equalBytes(seen, truth)) continue;
    of += 1;
    const { suggestions, declared } = await suggestRepairs(set, chunk.array, chunk.coordinates, context());
    const [first] = suggestions;
    const read = first && (await valuesOf(set, chunk.array, chunk.coordinates, first.trial));
    const isRight =
      first !== undefined &&
      damage.repairs.includes(first.change.kind) &&
      read !== undefined &&
      equalBytes(read, truth);
    if (isRight) continue;
    const got =
      first === undefined
        ? declared
        : suggestions.map(({ change, score }) => `${JSON.stringify(change)} (${score.toFixed(2)})`).join(" | ");
    misses.push({
      key: chunk.key,
      got,
      shouldBe: JSON.stringify(damaged.references[chunk.key]) + String(damaged.references[`${chunk.array}/.zarray`]),
    });
  }
  return { damage: damage.name, right: of - misses.length, of, misses };
}

const equalBytes = (one: Uint8Array, other: Uint8Array) => Buffer.from(one).equals(Buffer.from(other));

/** Chunks, as they are, for which something is suggested. */
export async function suggestedFor(made: MadeSet): Promise<readonly string[]> {
  const set = await openMade(made);
  const found: string[] = [];
  for (const { key, array, coordinates } of rangedChunks(made)) {
    const { suggestions } = await suggestRepairs(set, array, coordinates, context());
    for (const { change, evidence } of suggestions.slice(0, 1))
      found.push(`${key}: ${JSON.stringify([change, evidence])}`);
  }
  return found;
}

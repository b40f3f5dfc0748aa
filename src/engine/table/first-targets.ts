/**
 * Which ids of targets have the same URL: a dictionary with lists that are kept as they are (`TargetDictionary.mayRepeat`)
 * may have a URL more than once. Counts, filters and colours go by the first id of each.
 */
import type { TargetDictionary } from "#core/table/reference-table.ts";
import { hashText } from "#core/basics.ts";
import type { Pace } from "../pace.ts";

export type FirstTargets = ReturnType<typeof firstTargets>;

/** Ids between two looks at the clock. */
const STEP = 1024;

export function firstTargets(targets: TargetDictionary) {
  const seen = urlSet(targets);
  const repeated = (): boolean => seen.repeats() > 0;
  /** The first id with the URL of this one, as far as known; else the id itself. */
  const of = (id: number): number => (repeated() && id < seen.count() ? seen.firstOf(id) : id);
  return {
    /** Looks at the ids that came since the last time. */
    async update(pace: Pace): Promise<void> {
      while (targets.mayRepeat === true && seen.count() < targets.count) {
        for (let step = 0; step < STEP && seen.count() < targets.count; step += 1) seen.add();
        await pace.yieldIfDue(seen.count());
      }
    },
    of,
    /** Numbers by id: those of the same URL are added up at its first id, in place. */
    sum(numbers: Float64Array): void {
      if (!repeated()) return;
      for (const [id, number] of numbers.entries()) {
        const first = of(id);
        if (first === id || number === 0) continue;
        numbers[first] = (numbers[first] ?? 0) + number;
        numbers[id] = 0;
      }
    },
  };
}

/** URLs by their hashes, in numbers alone: the texts of all would take a multiple of the table. */
function urlSet(targets: TargetDictionary) {
  // URLs that are made to have one hash do not know this.
  const seed = Math.floor(Math.random() * 2 ** 32);
  let hashes = new Uint32Array(1024);
  let firsts = new Uint32Array(1024);
  /** Ids plus 1, at most half of the slots in use. */
  let slots = new Uint32Array(2048);
  let [count, repeats] = [0, 0];
  const slotOf = (hash: number, isSame: (id: number) => boolean): number => {
    let slot = hash % slots.length;
    for (let held = slots[slot] ?? 0; held !== 0; held = slots[slot] ?? 0) {
      if (hashes[held - 1] === hash && isSame(held - 1)) return slot;
      slot = (slot + 1) % slots.length;
    }
    return slot;
  };
  const grow = (): void => {
    hashes = twice(hashes);
    firsts = twice(firsts);
    slots = new Uint32Array(4 * count);
    for (let id = 0; id < count; id += 1) {
      if (firsts[id] === id) slots[slotOf(hashes[id] ?? 0, () => false)] = id + 1;
    }
  };
  return {
    /** The next id. */
    add(): void {
      if (count === hashes.length) grow();
      const url = targets.text(count);
      const hash = hashText(seed, url);
      const slot = slotOf(hash, (id) => targets.text(id) === url);
      const held = slots[slot] ?? 0;
      hashes[count] = hash;
      firsts[count] = held === 0 ? count : held - 1;
      if (held === 0) slots[slot] = count + 1;
      else repeats += 1;
      count += 1;
    },
    count: () => count,
    repeats: () => repeats,
    firstOf: (id: number): number => firsts[id] ?? id,
  };
}

function twice(numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(2 * numbers.length);
  grown.set(numbers);
  return grown;
}

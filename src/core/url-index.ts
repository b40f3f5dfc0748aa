/** URLs that have an id already, by their hashes: numbers alone, since texts would take a multiple. */
import { hashText } from "./text-hash.ts";

export interface UrlIndex {
  /** Id of the URL, -1 where it is not known. */
  find(url: string): number;
  /** False where the URL has an id already, or where there is no room for more. */
  add(id: number, url: string): boolean;
  readonly count: number;
  readonly byteLength: number;
}

/** `text`: of the ids that were added. */
/** `most`: URLs that there is room for. */
export function urlIndex(text: (id: number) => string, most: number): UrlIndex {
  // URLs that are made to have one hash do not know this.
  const seed = Math.floor(Math.random() * 2 ** 32);
  let hashes = new Uint32Array(2048);
  /** Ids plus 1, in at most half of the slots. */
  let slots = new Uint32Array(2048);
  let count = 0;
  const slotOf = (hash: number, url: string): number => {
    let slot = hash & (slots.length - 1);
    for (let held = slots[slot] as number; held !== 0; held = slots[slot] as number) {
      if (hashes[slot] === hash && text(held - 1) === url) return slot;
      slot = (slot + 1) & (slots.length - 1);
    }
    return slot;
  };
  const grow = (): void => {
    const [oldHashes, oldSlots] = [hashes, slots];
    hashes = new Uint32Array(2 * oldHashes.length);
    slots = new Uint32Array(2 * oldSlots.length);
    for (const [at, held] of oldSlots.entries()) {
      if (held === 0) continue;
      const hash = oldHashes[at] as number;
      let slot = hash & (slots.length - 1);
      while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
      slots[slot] = held;
      hashes[slot] = hash;
    }
  };
  return {
    find: (url) => (slots[slotOf(hashText(seed, url), url)] as number) - 1,
    add(id, url) {
      if (count >= most) return false;
      if (2 * count >= slots.length) grow();
      const hash = hashText(seed, url);
      const slot = slotOf(hash, url);
      if (slots[slot] !== 0) return false;
      slots[slot] = id + 1;
      hashes[slot] = hash;
      count += 1;
      return true;
    },
    get count() {
      return count;
    },
    get byteLength() {
      return hashes.byteLength + slots.byteLength;
    },
  };
}

/** The distinct URLs of a record, found by their bytes so that each is decoded once. */

export interface UrlList {
  /** Number of the URL, from 1 on: 0 is for rows without one. */
  add(bytes: Uint8Array, from: number, to: number): number;
  /** URL n + 1 at n. */
  readonly urls: readonly string[];
}

const FIRST_SLOTS = 1024;

/** Bytes that were added must stay as they are while the list is in use. */
export function urlList(): UrlList {
  const urls: string[] = [];
  const kept: Uint8Array[] = [];
  // Another start each time, so that no file can be made in which all hashes are equal.
  const seed = Math.floor(Math.random() * 2 ** 32);
  let slots = new Uint32Array(FIRST_SLOTS);
  let hashes = new Uint32Array(FIRST_SLOTS / 2);
  let last = 0;
  const decoder = new TextDecoder();

  const place = (hash: number, isIt: (id: number) => boolean): number => {
    let slot = hash & (slots.length - 1);
    while (slots[slot] !== 0 && !isIt(slots[slot] as number)) slot = (slot + 1) & (slots.length - 1);
    return slot;
  };
  const grow = (): void => {
    slots = new Uint32Array(slots.length * 2);
    const more = new Uint32Array(slots.length / 2);
    more.set(hashes);
    hashes = more;
    for (let id = 1; id <= urls.length; id += 1) slots[place(hashes[id - 1] as number, () => false)] = id;
  };
  return {
    urls,
    add(bytes, from, to) {
      // Neighbours mostly lie in the same file.
      if (last !== 0 && isEqual(kept[last - 1], bytes, from, to)) return last;
      const hash = hashOf(bytes, from, to, seed);
      const slot = place(hash, (id) => hashes[id - 1] === hash && isEqual(kept[id - 1], bytes, from, to));
      last = slots[slot] as number;
      if (last !== 0) return last;
      const url = bytes.subarray(from, to);
      urls.push(decoder.decode(url));
      last = kept.push(url);
      slots[slot] = last;
      hashes[last - 1] = hash;
      if (last * 2 >= slots.length) grow();
      return last;
    },
  };
}

function isEqual(kept: Uint8Array | undefined, bytes: Uint8Array, from: number, to: number): boolean {
  if (kept?.length !== to - from) return false;
  // From the end: names of files differ there.
  for (let at = kept.length - 1; at >= 0; at -= 1) if (kept[at] !== bytes[from + at]) return false;
  return true;
}

function hashOf(bytes: Uint8Array, from: number, to: number, seed: number): number {
  let hash = seed;
  let at = from;
  for (; at + 4 <= to; at += 4) {
    const four =
      (bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24);
    hash = mixed(hash, four);
  }
  for (; at < to; at += 1) hash = mixed(hash, bytes[at] as number);
  return hash >>> 0;
}

function mixed(hash: number, bits: number): number {
  const product = Math.imul(hash ^ bits, 0x9e37_79b1);
  return product ^ (product >>> 15);
}

/** Tag trees (ITU-T T.800 §B.10.2): numbers of a grid, told as far as they are needed. */

export interface TagTree {
  /** Whether the number at a place is below `bound`; as many bits are taken as that needs. */
  isBelow(at: number, bound: number, bit: () => number): boolean;
}

interface Level {
  readonly across: number;
  /** The least that a node may be, as far as bits told. */
  readonly least: Int32Array;
  /** 1 where it is known to be that. */
  readonly isKnown: Uint8Array;
}

/** `across` × `down` leaves. */
export function tagTree(across: number, down: number): TagTree {
  const levels: Level[] = [];
  for (let [x, y] = [across, down]; x * y > 0; x = Math.ceil(x / 2), y = Math.ceil(y / 2)) {
    levels.push({ across: x, least: new Int32Array(x * y), isKnown: new Uint8Array(x * y) });
    if (x * y === 1) break;
  }
  return {
    isBelow(at, bound, bit) {
      const [x, y] = [at % across, Math.floor(at / across)];
      let least = 0;
      let isKnown = false;
      for (let depth = levels.length - 1; depth >= 0; depth--) {
        const level = levels[depth] as Level;
        const node = (y >> depth) * level.across + (x >> depth);
        let value = Math.max(level.least[node] as number, least);
        while (value < bound && level.isKnown[node] === 0) {
          if (bit() === 1) level.isKnown[node] = 1;
          else value += 1;
        }
        level.least[node] = value;
        least = value;
        isKnown = level.isKnown[node] === 1;
      }
      return isKnown && least < bound;
    },
  };
}

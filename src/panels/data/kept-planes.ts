/** Slices that were read whole, so that going back to one shows it at once. */
import type { PlaneValues } from "../../core/plane-values.ts";

/** Bytes of values. */
const MOST = 64 * 1024 ** 2;

export interface KeptPlanes {
  get(key: string): PlaneValues | undefined;
  /** Only what has all its values: a chunk that failed may be there the next time. */
  keep(key: string, plane: PlaneValues): void;
}

/** The last ones looked at. */
export function keptPlanes(most = MOST): KeptPlanes {
  const kept = new Map<string, PlaneValues>();
  let bytes = 0;
  return {
    get: (key) => kept.get(key),
    keep(key, plane) {
      const size = plane.values.byteLength;
      const isWhole = plane.looks.every((look) => look === "read" || look === "missing");
      if (!isWhole || size > most / 2) return;
      bytes += size - (kept.get(key)?.values.byteLength ?? 0);
      kept.delete(key);
      kept.set(key, plane);
      for (const [oldest, { values }] of kept) {
        if (bytes <= most) break;
        kept.delete(oldest);
        bytes -= values.byteLength;
      }
    },
  };
}

/** The last few readings, kept so that their bytes and values can be asked for by window. */
import { RefscopeError } from "../core/errors.ts";
import type { ReadChunk } from "./read-chunk.ts";

const MOST_READINGS = 4;

export interface KeptReadings {
  add(chunk: ReadChunk): number;
  /** Throws `reading-gone`. */
  get(id: number): ReadChunk;
}

export function keepReadings(): KeptReadings {
  const kept = new Map<number, ReadChunk>();
  let lastId = 0;
  return {
    add(chunk) {
      lastId += 1;
      kept.set(lastId, chunk);
      for (const id of kept.keys()) if (kept.size > MOST_READINGS) kept.delete(id);
      return lastId;
    },
    get(id) {
      const chunk = kept.get(id);
      if (chunk !== undefined) return chunk;
      const fields = { code: "reading-gone", doing: "Looking into a chunk that was read earlier" };
      throw new RefscopeError({ ...fields, found: "that it is no longer kept", advice: "Select the chunk again." });
    },
  };
}

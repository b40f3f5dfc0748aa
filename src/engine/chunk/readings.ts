/** The last few readings, kept so that their bytes and values can be asked for by window. */
import { failure, WHOLE_SET } from "#core/findings/finding.ts";
import type { ReadChunk } from "./read-chunk.ts";

/** Readings kept as declared, and as many of trials: trying things out never drops what they are compared with. */
const MAX_READINGS = 4;

export type KeptReadings = ReturnType<typeof keepReadings>;

export function keepReadings() {
  const kept = new Map<number, ReadChunk>();
  let lastId = 0;
  return {
    add(chunk: ReadChunk): number {
      lastId += 1;
      kept.set(lastId, chunk);
      const alike = [...kept].filter(([, one]) => isTrial(one) === isTrial(chunk));
      for (const [id] of alike.slice(0, -MAX_READINGS)) kept.delete(id);
      return lastId;
    },
    /** Throws `reading-gone`. */
    get(id: number): ReadChunk {
      const chunk = kept.get(id);
      if (chunk !== undefined) return chunk;
      throw failure("reading-gone", WHOLE_SET, {});
    },
    /** The latest of a chunk for which the test holds. */
    latest: (array: string, coordinates: readonly number[], test: (chunk: ReadChunk) => boolean) =>
      [...kept.values()].findLast(
        (chunk) =>
          chunk.reading.array === array && equalCoordinates(chunk.reading.coordinates, coordinates) && test(chunk),
      ),
  };
}

const isTrial = ({ reading }: ReadChunk): boolean => reading.trial !== undefined;

const equalCoordinates = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((value, at) => value === b[at]);

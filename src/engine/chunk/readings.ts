/** The last few readings, kept so that their bytes and values can be asked for by window. */
import { lostChunks } from "#core/check/lost-chunks.ts";
import { failure, type Finding, WHOLE_SET } from "#core/findings/finding.ts";
import type { ReadChunk } from "./read-chunk.ts";
import type { ReadingTally } from "#core/values/reading-tally.ts";
import { type EngineSet, arrayNode, noteResult, isDocument } from "../engine-set.ts";
import type { CallContext } from "#core/byte-source.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { chunkReference } from "./chunk-reference.ts";
import { keptReading } from "./read-there.ts";

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

/**
 * How many chunks of each array were read and failed, and which targets answer. `parts`: checks, which tell of chunks
 * that were not read because their sources gave nothing when they were asked. Several may tell of the same ones.
 */
export function readingTally({ met, tally }: EngineSet, parts: readonly (Told | undefined)[]): ReadingTally {
  const told = new Map<string, number>();
  for (const part of parts) {
    const all = (part?.findings ?? []).map((found) => ({ found }));
    for (const [array, chunks] of lostChunks(all, "unreached")) told.set(array, Math.max(chunks, told.get(array) ?? 0));
  }
  const paths = new Set([...met.results.keys(), ...[...told.keys()].filter((path) => tally.arrays.has(path))]);
  const arrays = [...paths].map((path) => {
    const [all, unbuilt, out] = [met.failures, met.unbuilt, met.unreached].map((of) => of.get(path) ?? 0) as Counts;
    const read = met.results.get(path)?.size ?? 0;
    const { cells = 0, states } = tally.arrays.get(path) ?? {};
    // Chunks that were read once stay read.
    const most = Math.max(out, cells - (states?.missing ?? 0) - (read - out));
    const unreached = Math.min(most, Math.max(out, told.get(path) ?? 0));
    return {
      path,
      ok: read - all,
      failed: all - unbuilt - out,
      ...(unbuilt > 0 && { unbuilt }),
      ...(unreached > 0 && { unreached }),
    };
  });
  const answering = [...met.answers.values()].filter(Boolean).length;
  return { arrays, targets: { asked: met.answers.size, answering } };
}

interface Told {
  readonly findings: readonly Finding[];
}

type Counts = [all: number, unbuilt: number, unreached: number];

/**
 * Readings that an edited set takes over from its edition before: while one types, a chunk whose reference, metadata
 * and locations stayed as they were is not asked from its server again. The same edition always reads again.
 */
interface Carried {
  readonly set: WeakRef<EngineSet>;
  readonly question: string;
  readonly chunk: ReadChunk;
}

const MAX_CARRIED = 4;

export function carriedReadings() {
  const carried: Carried[] = [];
  return {
    async find(set: EngineSet, array: string, coordinates: readonly number[], context: CallContext) {
      const mayBe = carried.filter((one) => isEdition(one.set.deref(), set));
      if (mayBe.length === 0) return undefined;
      const { written, key, origin, ordinal } = await chunkReference(set, arrayNode(set, array), coordinates, context);
      const question = questionOf(set, array, key, written);
      const found = mayBe.find((one) => one.question === question)?.chunk;
      if (found === undefined) return undefined;
      noteResult(set, array, ordinal, keptReading(found.reading));
      const { origin: _, ...reading } = found.reading;
      return { ...found, reading: { ...reading, ...(origin === undefined ? {} : { origin }) } };
    },
    keep(set: EngineSet, chunk: ReadChunk): void {
      const { state, array, key, written } = chunk.reading;
      // Others cost no request.
      if (state !== "range" && state !== "whole") return;
      carried.unshift({ set: new WeakRef(set), question: questionOf(set, array, key, written), chunk });
      carried.length = Math.min(carried.length, MAX_CARRIED);
    },
  };
}

/** The same document, with targets in the same places; editions share where they come from. */
function isEdition(earlier: EngineSet | undefined, set: EngineSet): boolean {
  if (earlier === undefined || earlier === set) return false;
  if (!isDocument(earlier) || !isDocument(set)) return false;
  const { source, targets } = earlier;
  return (
    source.base === set.source.base &&
    targets.locations === set.targets.locations &&
    targets.files === set.targets.files
  );
}

/** With the same metadata and attributes. */
export const describedAlike = (one: ArrayNode, other: ArrayNode): boolean =>
  JSON.stringify([one.metadata, one.attributes], plain) === JSON.stringify([other.metadata, other.attributes], plain);

function questionOf(set: EngineSet, array: string, key: string, written: string): string {
  const { metadata, attributes } = arrayNode(set, array);
  return JSON.stringify([key, written, metadata, attributes], plain);
}

/** Objects of metadata are Maps, large integers bigints; JSON knows neither. */
function plain(_: string, value: unknown): unknown {
  if (value instanceof Map) return { map: [...(value as ReadonlyMap<string, unknown>)] };
  if (typeof value === "bigint") return { integer: String(value) };
  return typeof value === "number" && !Number.isFinite(value) ? { number: String(value) } : value;
}

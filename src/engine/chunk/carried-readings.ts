/**
 * Readings that an edited set takes over from its edition before: while one types, a chunk whose reference, metadata
 * and locations stayed as they were is not asked from its server again. The same edition always reads again.
 */
import type { CallContext } from "#core/byte-source.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { chunkReference } from "./chunk-reference.ts";
import { arrayNode, noteResult, isDocument, type EngineSet } from "../engine-set.ts";
import { keptReading } from "./read-there.ts";
import type { ReadChunk } from "./read-chunk.ts";

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

/** Notes results of reading chunks for the whole set: the tree, the map and the problems show them. */
import { gridOf, ordinalOf } from "#core/metadata/chunk-grid.ts";
import type { Finding } from "#core/findings/finding.ts";
import type { KeptReading } from "#core/table/reference.ts";
import { aboutChunk } from "../chunk/load-chunk.ts";
import { arrayNode, noteResult, type EngineSet } from "../engine-set.ts";
import type { EngineContext } from "../sessions.ts";
import { isOfSilentHost, type ReadOutcome } from "./read-chunks.ts";

/** Notes what reading a chunk of an array gave. */
export type NoteReading = (of: { readonly set: number; readonly array: string }, outcome: ReadOutcome) => void;

/** Milliseconds between two events of one set that chunks were read. */
const EVENT_PAUSE = 200;

export function readingNotes({ sessions, say }: Pick<EngineContext, "sessions" | "say">): NoteReading {
  const announced = new Map<number, ReturnType<typeof setTimeout>>();
  const announce = (set: number): void => {
    if (announced.has(set)) return;
    const later = () => {
      announced.delete(set);
      say({ kind: "read", set });
    };
    announced.set(set, setTimeout(later, EVENT_PAUSE));
  };
  return ({ set: id, array }, outcome) => {
    const { set, found } = sessions.get(id);
    const { chunk } = outcome;
    if (isOfSilentHost(outcome)) return announce(id);
    found.delete(chunk.key);
    found.set(chunk.key, findingsOf(outcome));
    noteReading(set, array, outcome);
    announce(id);
  };
}

/** Notes with the set alone what reading a chunk gave: `ok`, or why not. */
export function noteReading(set: EngineSet, array: string, outcome: ReadOutcome): void {
  const { shape, chunks } = arrayNode(set, array).metadata;
  const ordinal = ordinalOf(gridOf(shape, chunks), outcome.chunk.coordinates) ?? -1;
  noteResult(set, array, ordinal, keptOutcome(outcome));
}

function keptOutcome(outcome: ReadOutcome): KeptReading {
  if (outcome.kind === "failed") return { result: "failed", why: outcome.error };
  return outcome.kind === "missing" ? { result: "ok" } : { result: "ok", bytes: outcome.decoded.bytes.length };
}

function findingsOf(outcome: ReadOutcome): readonly Finding[] {
  const { chunk, findings } = outcome;
  return outcome.kind === "failed" ? [...findings, aboutChunk(outcome.error, chunk)] : findings;
}

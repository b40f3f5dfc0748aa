/** Which targets are listed, in which order, and where one of them stands. */
import type { CallContext } from "../../core/byte-source.ts";
import type { SourceColumn, SourcesSpec } from "../../core/sources.ts";
import { startPace, type Pace } from "../pace.ts";
import { placesInOrder } from "../table/radix.ts";
import { keptLast } from "./keep-last.ts";
import { bytesOf, referencesOf, sourceText, type SourceIndex } from "./source-index.ts";
import { endOfPrefix, firstNotBefore } from "./text-order.ts";

const MAX_LISTS = 4;

/** Places, in the order of the list. */
export function targetList(sources: SourceIndex, spec: SourcesSpec, context: CallContext): Promise<Uint32Array> {
  return keptLast(sources.kept.lists, JSON.stringify(spec), MAX_LISTS, async () => {
    const pace = startPace(context, "Listing targets", sources.count);
    return sorted(sources, await withText(sources, placesBelow(sources, spec.prefix), spec.text, pace), spec, pace);
  });
}

/** Places of the URLs that begin with a prefix. */
export function prefixRange(sources: SourceIndex, prefix: string): readonly [from: number, to: number] {
  const text = (place: number) => sourceText(sources, place);
  const from = firstNotBefore(text, prefix, 0, sources.named);
  if (from === sources.named || !text(from).startsWith(prefix)) return [from, from];
  return [from, endOfPrefix(text, prefix, from, sources.named)];
}

/** -1 where nothing refers to it. */
export function placeOfTarget(sources: SourceIndex, target: string | null): number {
  if (target === null) return sources.count > sources.named ? sources.named : -1;
  const place = firstNotBefore((at) => sourceText(sources, at), target, 0, sources.named);
  return place < sources.named && sourceText(sources, place) === target ? place : -1;
}

function placesBelow(sources: SourceIndex, prefix: string): Uint32Array {
  const [from, to] = prefix === "" ? [0, sources.count] : prefixRange(sources, prefix);
  return Uint32Array.from({ length: to - from }, (_, at) => from + at);
}

const LOOK = 0xfff;

async function withText(sources: SourceIndex, places: Uint32Array, text: string, pace: Pace): Promise<Uint32Array> {
  if (text === "") return places;
  let count = 0;
  for (const [at, place] of places.entries()) {
    if (place < sources.named && sourceText(sources, place).includes(text)) places[count++] = place;
    if ((at & LOOK) === LOOK) await pace.yieldIfDue(at);
  }
  return places.slice(0, count);
}

type Value = (sources: SourceIndex, place: number) => number;

const VALUES: Readonly<Record<Exclude<SourceColumn, "target">, Value>> = {
  references: referencesOf,
  bytes: bytesOf,
  arrays: ({ arrays }, place) => arrays[place] as number,
  end: ({ end }, place) => end[place] as number,
};

async function sorted(
  sources: SourceIndex,
  places: Uint32Array,
  { sort: { column, descending } }: SourcesSpec,
  pace: Pace,
): Promise<Uint32Array> {
  if (column === "target") return descending ? places.toReversed() : places;
  const values = Float64Array.from(places, (place) => VALUES[column](sources, place));
  // Equal ones stay in the order of their URLs.
  const most = descending ? values.reduce((a, b) => Math.max(a, b), 0) : 0;
  const order = await placesInOrder(descending ? values.map((value) => most - value) : values, pace);
  return Uint32Array.from(order, (at) => places[at] as number);
}

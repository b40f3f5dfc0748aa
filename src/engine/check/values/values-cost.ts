/** Cost of a deep check, known before any request. */
import { type CallContext, OWN_MERGE } from "#core/byte-source.ts";
import type { ValuesCost } from "#core/check/check.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { type ValuesRequest, MAX_CHUNKS, planValues, sampleOf } from "./plan.ts";
import { NO_FILE, type PlannedArray } from "./value-facts.ts";

/** `most`: chunks that are looked at one by one. Choosing among more would alone take seconds and much memory. */
export async function valuesCost(
  set: EngineSet,
  request: Pick<ValuesRequest, "chunks" | "array" | "only">,
  context: CallContext,
  most = MAX_CHUNKS,
): Promise<ValuesCost> {
  const about = request.only === undefined ? costByCounts(set, request, most) : undefined;
  if (about !== undefined) return about;
  const planned = await planValues(set, request, context);
  const sum = (of: (one: PlannedArray) => number) => planned.reduce((total, one) => total + of(one), 0);
  const known = (lengths: Float64Array) => lengths.filter((length) => !Number.isNaN(length));
  return {
    chunks: sum(({ ordinals }) => ordinals.length),
    of: sum(({ of }) => of),
    bytes: sum(({ lengths }) => known(lengths).reduce((total, length) => total + length, 0)),
    ofUnknownLength: sum(({ lengths }) => lengths.length - known(lengths).length),
    requests: sum(requestsOf),
  };
}

/** From what is counted already; `undefined` where chunks are so few, and all so known, that it can be told exactly. */
function costByCounts(
  { tally, hierarchy }: EngineSet,
  { array, chunks: wanted }: Pick<ValuesRequest, "chunks" | "array">,
  most: number,
): ValuesCost | undefined {
  const counts = [...tally.arrays].flatMap(([path, one]) => {
    const node = hierarchy.nodes.get(path);
    return node?.kind === "array" && (array === undefined || array === path) ? [{ node, ...one }] : [];
  });
  const sum = (of: (one: (typeof counts)[0]) => number) => counts.reduce((total, one) => total + of(one), 0);
  // For a sample references are fetched first.
  const isSample = typeof wanted === "object";
  const unread = isSample ? sum(({ states }) => states.unknown) : 0;
  const ofArray = ({ references, strays, states }: (typeof counts)[0]) =>
    references - strays + (isSample ? states.unknown : 0);
  const of = sum(ofArray);
  if (of <= most && unread === 0) return undefined;
  const sample = (share: number) => sum((one) => sampleOf(one.node, ofArray(one), share));
  const asked = typeof wanted === "object" ? sample(wanted.share) : wanted === "all" ? of : wanted;
  const chunks = Math.min(MAX_CHUNKS, asked);
  const share = chunks / of;
  const unknown = sum(({ states }) => states.whole) + unread;
  return {
    chunks,
    of,
    bytes: Math.round(sum(({ bytes }) => bytes) * share),
    ofUnknownLength: Math.round(unknown * share),
    requests: chunks,
    isAbout: true,
  };
}

/** Ranges of a file that lie near each other are asked for together; arrays are read one after another. */
function requestsOf({ files, offsets, lengths }: PlannedArray): number {
  const order = [...files.keys()].filter((at) => files[at] !== NO_FILE);
  order.sort((a, b) => (files[a] as number) - (files[b] as number) || (offsets[a] as number) - (offsets[b] as number));
  let [requests, file, start, end] = [0, NO_FILE, 0, 0];
  for (const at of order) {
    const [offset, length] = [offsets[at] as number, lengths[at] as number];
    const isNear = files[at] === file && offset - end <= OWN_MERGE.gap && offset + length - start <= OWN_MERGE.most;
    if (isNear) end = Math.max(end, offset + length);
    else [requests, file, start, end] = [requests + 1, files[at] as number, offset, offset + length];
  }
  return requests;
}

/** What a deep check would read, told before anything is asked for. */
import type { CallContext } from "../../../core/byte-source.ts";
import type { EngineSet } from "../../engine-set.ts";
import { MAX_BLOCK, MAX_GAP } from "../../many/blocks.ts";
import { planValues, type PlannedArray } from "./plan.ts";
import { NO_FILE } from "./value-facts.ts";

export interface ValuesCost {
  readonly chunks: number;
  /** Chunks that have a reference. */
  readonly of: number;
  /** Stored bytes, as far as the references say; chunks of which they do not. */
  readonly bytes: number;
  readonly ofUnknownLength: number;
  readonly requests: number;
}

export async function valuesCost(
  set: EngineSet,
  request: { readonly chunks: "all" | number; readonly array?: string | undefined },
  context: CallContext,
): Promise<ValuesCost> {
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

/** Ranges of a file that lie near each other are asked for together; arrays are read one after another. */
function requestsOf({ files, offsets, lengths }: PlannedArray): number {
  const order = [...files.keys()].filter((at) => files[at] !== NO_FILE);
  order.sort((a, b) => (files[a] as number) - (files[b] as number) || (offsets[a] as number) - (offsets[b] as number));
  let [requests, file, start, end] = [0, NO_FILE, 0, 0];
  for (const at of order) {
    const [offset, length] = [offsets[at] as number, lengths[at] as number];
    const isNear = files[at] === file && offset - end <= MAX_GAP && offset + length - start <= MAX_BLOCK;
    if (isNear) end = Math.max(end, offset + length);
    else [requests, file, start, end] = [requests + 1, files[at] as number, offset, offset + length];
  }
  return requests;
}

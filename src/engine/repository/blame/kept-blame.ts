/** A blame that is kept for its windows and its map. */
import { once } from "#core/basics.ts";
import type { CallContext } from "#core/byte-source.ts";
import type { KeptBlame } from "#engine/engine-set.ts";
import type { OpenedRepository } from "../set-repository.ts";
import { type AskedArray, blameArray } from "./blame-array.ts";
import { blameMap } from "./blame-map.ts";

const MAX_IN_WINDOW = 2 ** 20;

/** Throws what `blameArray` throws. */
export async function keepBlame(opened: OpenedRepository, asked: AskedArray, context: CallContext): Promise<KeptBlame> {
  const { blame, by, kinds } = await blameArray(opened, asked, context);
  const node = opened.hierarchy.nodes.get(asked.array);
  return {
    blame,
    chunks(from, to) {
      const start = Math.max(0, Math.min(from, by.length));
      const end = Math.min(to, start + MAX_IN_WINDOW);
      return { array: blame.array, from: start, by: by.slice(start, end), kinds: kinds.slice(start, end) };
    },
    map: once(() => (node?.kind === "array" ? blameMap(blame.grid, by, node.metadata) : by)),
  };
}

/** Whether a public store of the list can be read: it is opened as the page opens it, and one chunk is decoded. */
import { cellCount, coordinatesOf, gridOf } from "../../core/chunk-grid.ts";
import type { CallContext } from "../../core/byte-source.ts";
import { findingOfError } from "../../core/findings/failure.ts";
import type { Finding } from "../../core/findings/finding.ts";
import type { PublicStore } from "../../core/gallery/gallery.ts";
import type { ArrayNode } from "../../core/hierarchy.ts";
import { NO_LOCATIONS } from "../../core/location.ts";
import { chunkReference } from "../../engine/chunk/chunk-reference.ts";
import type { EngineSet } from "../../engine/engine-set.ts";
import { readOne } from "../../engine/many/read-chunks.ts";
import { openAny } from "../../engine/open/open-any.ts";
import type { Fetch } from "../../io/http-target.ts";
import { watchedFetch, type WatchedFetch } from "./watched-fetch.ts";

export type StoreReport = { readonly store: PublicStore } & (
  | {
      readonly kind: "read";
      readonly key: string;
      /** Decoded. */
      readonly bytes: number;
      /** Origins that let no page from elsewhere read them. */
      readonly closed: readonly string[];
    }
  /** It opened, but all chunks that were looked at are missing. */
  | { readonly kind: "nothing-there"; readonly format: string; readonly looked: number }
  | { readonly kind: "failed"; readonly during: "opening" | "reading"; readonly error: Finding }
  /** Not one of its servers answered. */
  | { readonly kind: "no-answer"; readonly error: Finding }
);

/** Throws only for an abort. */
export async function checkStore(
  store: PublicStore,
  context: CallContext,
  fetch: Fetch = globalThis.fetch,
): Promise<StoreReport> {
  const watched = watchedFetch(fetch);
  const report = await opened(store, watched, context);
  if (report.kind === "failed" && !watched.answered()) return { store, kind: "no-answer", error: report.error };
  return report;
}

async function opened(store: PublicStore, watched: WatchedFetch, context: CallContext): Promise<StoreReport> {
  let during: "opening" | "reading" = "opening";
  try {
    const found = await openAny(
      { kind: "url", url: store.address },
      {
        locations: NO_LOCATIONS,
        network: { http: { fetch: watched.fetch, followsRedirects: true, attempts: 2 } },
        options: store.array === null ? {} : { paths: pathsTo(store.array) },
        context,
      },
    );
    if (found.kind === "choose") return { store, kind: "nothing-there", format: found.title, looked: 0 };
    during = "reading";
    return await aChunk(store, found.set, watched, context);
  } catch (error) {
    context.signal.throwIfAborted();
    const doing = `${during === "opening" ? "Opening" : "Reading a chunk of"} ${store.address}`;
    return { store, kind: "failed", during, error: findingOfError(error, doing) };
  }
}

/** Groups on the way, and the array. */
const pathsTo = (array: string): readonly string[] =>
  array.split("/").map((_, index, parts) => parts.slice(0, index + 1).join("/"));

const MAX_ARRAYS = 4;

/** The first chunk, one in the middle and the last of a few arrays, until one decodes. */
async function aChunk(
  store: PublicStore,
  set: EngineSet,
  watched: WatchedFetch,
  context: CallContext,
): Promise<StoreReport> {
  let failed: Finding | undefined;
  let looked = 0;
  for (const node of arraysOf(set, store.array)) {
    for (const coordinates of someChunks(node)) {
      looked += 1;
      const outcome = await readOne({ set }, await chunkReference(set, node, coordinates, context), context);
      if (outcome.kind === "failed") failed ??= outcome.error;
      if (outcome.kind !== "decoded") continue;
      const { key } = outcome.chunk;
      return { store, kind: "read", key, bytes: outcome.decoded.bytes.length, closed: watched.closed() };
    }
  }
  if (failed !== undefined) return { store, kind: "failed", during: "reading", error: failed };
  return { store, kind: "nothing-there", format: set.format.label, looked };
}

/** The one that the list names; otherwise those of most dimensions, as what is measured has more than its axes. */
function arraysOf(set: EngineSet, named: string | null): readonly ArrayNode[] {
  const arrays = [...set.hierarchy.nodes.values()].filter((node) => node.kind === "array");
  const meant = arrays.filter(({ path }) => path === named);
  if (meant.length > 0) return meant;
  return arrays.toSorted((a, b) => b.metadata.shape.length - a.metadata.shape.length).slice(0, MAX_ARRAYS);
}

function someChunks({ metadata }: ArrayNode): readonly (readonly number[])[] {
  const grid = gridOf(metadata.shape, metadata.chunks);
  const cells = cellCount(grid);
  const ordinals = cells === 0 ? [] : [0, Math.floor(cells / 2), cells - 1];
  return [...new Set(ordinals)].map((ordinal) => coordinatesOf(grid, ordinal));
}

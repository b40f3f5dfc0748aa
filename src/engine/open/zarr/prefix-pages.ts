/** Chunks that a manifest gives by a prefix of their keys: whether each exists is asked when it is looked at. */
import type { CallContext } from "#core/byte-source.ts";
import { cellCount, coordinatesOf } from "#core/metadata/chunk-grid.ts";
import { chunkAt, failure, finding, placed, RefscopeError, targetAt } from "#core/findings/finding.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import type { ReferencePages } from "#core/table/reference-pages.ts";
import {
  addManifest,
  isRelativePath,
  pathBelow,
  storedGrid,
  storedSeparator,
  targetOf,
  type PrefixCover,
} from "#formats/chunk-manifest/index.ts";
import { negativeAnswer, refusal } from "#io/store-answer.ts";
import type { StoreContext } from "../store-set.ts";
import type { ReadManifest } from "./open-manifest.ts";

/** Page 0 has the chunks with their own entries and the certainly missing ones; every other page is one chunk. */
export function prefixPages(around: StoreContext, node: ArrayNode, read: ReadManifest): ReferencePages {
  const { cover } = read;
  const cells = cellCount(storedGrid(node.metadata));
  // Its entries are let go when they are rows.
  let first: ReadManifest | undefined = read;
  const below = targetBelow(node, read);
  return {
    unit: "object",
    words: ["chunk", "chunks"],
    isChunk: true,
    count: 1 + cover.count,
    pageOf: (ordinal) => 1 + (cover.indexOf(ordinal) ?? -1),
    visit: (page, see) => {
      if (page > 0) return see(cover.ordinalAt(page - 1));
      for (let ordinal = 0; ordinal < cells; ordinal += 1) if (cover.indexOf(ordinal) === undefined) see(ordinal);
    },
    cellsOf: (page) => (page > 0 ? 1 : cells - cover.count),
    async load(page, into, context) {
      if (page === 0) {
        const findings = first?.findings ?? [];
        if (first !== undefined) addManifest(first.manifest, into, first.base);
        first = undefined;
        return findings;
      }
      const ordinal = cover.ordinalAt(page - 1);
      const target = below(ordinal);
      if (await isPresent(around, node, ordinal, target, context))
        into.table.addWhole(into.array, ordinal, into.table.addTarget(target));
      return [];
    },
  };
}

/** Target of a prefix's chunk (or shard). Throws if its entry cannot be followed. */
export function targetBelow(node: ArrayNode, { cover, base }: ReadManifest): (ordinal: number) => string {
  const grid = storedGrid(node.metadata);
  const separator = storedSeparator(node.metadata);
  return (ordinal) => {
    const coordinates = coordinatesOf(grid, ordinal);
    const prefix = prefixAbove(cover, ordinal);
    if (prefix.value.kind === "refused")
      throw new RefscopeError(placed(prefix.value.reason, chunkAt(node.path, coordinates)));
    return targetOf(pathBelow(prefix, coordinates, separator), base);
  };
}

function prefixAbove(cover: PrefixCover, ordinal: number) {
  const index = cover.indexOf(ordinal);
  if (index === undefined) throw new RangeError(`Chunk ${ordinal} is below no prefix.`);
  return cover.prefixAt(index);
}

/** True if the target of a chunk exists. Throws if that cannot be known. */
export async function isPresent(
  { targets, store }: StoreContext,
  node: ArrayNode,
  ordinal: number,
  target: string,
  context: CallContext,
): Promise<boolean> {
  const resolution = targets.resolve(target);
  const isInStore = isRelativePath(target) && !target.startsWith("..");
  if (resolution.kind === "file" && resolution.byName !== true) return true;
  // A data: URL is what it says; an archive's listing is looked at when the chunk is read.
  if (resolution.kind === "data" || resolution.kind === "member") return true;
  if (resolution.kind !== "url") {
    // All of a folder is known: what is not in it does not exist.
    if (isInStore && store.keys !== undefined) return false;
    const elsewhere = finding("target-is-local", targetAt(target), { path: target, syntax: "name" });
    throw new RefscopeError(resolution.kind === "file" ? elsewhere : resolution.finding);
  }
  const place = chunkAt(node.path, coordinatesOf(storedGrid(node.metadata), ordinal));
  if (isInStore) {
    const answer = await store.stat(target, context);
    if (answer.kind === "denied") throw failure("chunk-denied", place, refusal(answer));
    return answer.kind === "present";
  }
  const { status, attempts, failure: broken } = await targets.probe(resolution, { furthest: undefined }, context);
  const negative = negativeAnswer(status);
  if (negative?.kind === "denied") throw failure("chunk-denied", place, refusal(negative));
  if (negative !== undefined) return false;
  if (broken !== undefined) throw new RefscopeError(broken);
  if (status !== undefined && status >= 400 && status !== 416)
    throw failure("http-status", targetAt(target), { status, expected: [206], attempts });
  return true;
}

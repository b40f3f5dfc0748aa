/** Chunks whose bytes are text: a page that a server sent, or a pointer, in place of the file. */
import { groupedBy } from "#core/basics.ts";
import { webPageIn, WEB_PAGE_HEAD } from "#core/check/web-page.ts";
import { NO_FILE, type ArrayFacts } from "../value-facts.ts";
import { explainSlots, ofChunks, slotsOfFile, type ValueRule, type ValuesView, withOthers } from "../value-rule.ts";
import { finding, nodeAt } from "#core/findings/finding.ts";
import { crc32c } from "#codecs/checksums/checksums.ts";
import { CODECS } from "#codecs/find-codec.ts";
import { cellCount } from "#core/metadata/chunk-grid.ts";
import { indexByteLength } from "#codecs/sharding/shard-index.ts";
import type { ShardReader } from "#engine/chunk/shard-reader.ts";

export const textForData: ValueRule = {
  id: "text-for-data",
  codes: ["values-are-text"],
  isOfDeclared: true,
  async ofSet(view, sink) {
    for (const [file, texts] of textsOf(view)) {
      const [first, ...others] = texts;
      if (first === undefined) continue;
      // All chunks of a file that is text; of what is no file those alone.
      for (const [facts, slots] of file === NO_FILE ? texts : []) explainSlots(facts, slots);
      for (const facts of file === NO_FILE ? [] : view.facts) explainSlots(facts, slotsOfFile(facts, file));
      const target = file === NO_FILE ? undefined : view.set.table.targets.text(file);
      const start = target === undefined ? undefined : await startOf(view, target);
      const page = start === undefined ? undefined : webPageIn(new TextEncoder().encode(start))?.words;
      const chunks = texts.reduce((sum, [, slots]) => sum + slots.length, 0);
      const found = ofChunks("values-are-text", ...first, { chunks, start: start?.slice(0, 80), page }, target);
      sink({ ...withOthers(found, others), count: chunks });
    }
  },
};

/** Chunks of each array whose bytes are text, by file. */
function textsOf({
  facts: all,
}: ValuesView): ReadonlyMap<number, readonly (readonly [ArrayFacts, readonly number[]])[]> {
  const files = new Map<number, (readonly [ArrayFacts, readonly number[]])[]>();
  for (const facts of all) {
    const slots = [...facts.isText.keys()].filter((slot) => facts.isText[slot] !== 0);
    for (const [file, own] of groupedBy(slots, (slot) => facts.files[slot] ?? NO_FILE))
      files.set(file, [...(files.get(file) ?? []), [facts, own]]);
  }
  return files;
}

/**
 * How the file begins; nothing where that cannot be read, or is no text: the magic of a data file says the contrary.
 */
async function startOf({ set, context }: ValuesView, target: string): Promise<string | undefined> {
  const resolution = set.targets.resolve(target);
  if (resolution.kind === "unresolved") return undefined;
  for (const length of [WEB_PAGE_HEAD, 1024, 64]) {
    try {
      const { bytes } = await set.targets.read(resolution, { offset: 0, length }, context);
      return bytes.includes(0) ? undefined : new TextDecoder().decode(bytes);
    } catch {
      context.signal.throwIfAborted();
    }
  }
  return undefined;
}

const MAX_SHARDS = 3;
const CHECKSUM_BYTES = 4;

/** Indexes of shards that are followed by a checksum which the metadata do not declare. */
export const shardIndexes: ValueRule = {
  id: "shard-indexes",
  codes: ["shard-index-checksum-undeclared"],
  async ofSet(view, sink) {
    for (const facts of view.facts) {
      const reader = readerOf(view, facts);
      if (reader === undefined) continue;
      const shards = await undeclared(view, facts, reader);
      if (shards > 0) sink(finding("shard-index-checksum-undeclared", nodeAt(facts.node.path), { shards }));
    }
  },
};

/**
 * Reader for shards whose index is first: an undeclared checksum after an index at the end makes it unreadable, which
 * is known already.
 */
function readerOf({ set }: ValuesView, { node }: ArrayFacts): ShardReader | undefined {
  const { sharding } = node.metadata;
  if (sharding?.indexLocation !== "start") return undefined;
  if (sharding.indexCodecs.some(({ id }) => CODECS.find(id)?.checksum !== undefined)) return undefined;
  return set.shards?.get(set.index.arrayIds.get(node.path) ?? -1);
}

/** Number of the first few shards that have an undeclared checksum; 0 unless all have one. */
async function undeclared({ context }: ValuesView, { node }: ArrayFacts, reader: ShardReader): Promise<number> {
  const { sharding } = node.metadata;
  if (sharding === undefined) return 0;
  let [seen, found] = [0, 0];
  for (let shard = 0; shard < Math.min(reader.pages.count, 4 * MAX_SHARDS) && seen < MAX_SHARDS; shard += 1) {
    const read = await reader.read(shard, context).catch(() => undefined);
    context.signal.throwIfAborted();
    const length = indexByteLength(sharding, cellCount(reader.innerGrid(shard)), CODECS);
    if (read?.kind !== "shard" || read.stored.size < length + CHECKSUM_BYTES) continue;
    seen += 1;
    const { bytes } = await read.stored.read({ offset: 0, length: length + CHECKSUM_BYTES }, context);
    const stated = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(length, true);
    if (crc32c(bytes.subarray(0, length)) === stated) found += 1;
  }
  return found === seen ? found : 0;
}

/** Indexes of shards that are followed by a checksum which the metadata do not declare. */
import { finding, nodeAt } from "#core/findings/finding.ts";
import { crc32c } from "#codecs/checksums/checksums.ts";
import { CODECS } from "#codecs/find-codec.ts";
import { cellCount } from "#core/metadata/chunk-grid.ts";
import { indexByteLength } from "#codecs/sharding/shard-index.ts";
import type { ShardReader } from "#engine/chunk/shard-reader.ts";
import type { ArrayFacts } from "../value-facts.ts";
import type { ValueRule, ValuesView } from "../value-rule.ts";

const MAX_SHARDS = 3;
const CHECKSUM_BYTES = 4;

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

/** Locates the shards of a sharded array: its references are of shards, in a table of their own. */
import type { CallContext } from "#core/byte-source.ts";
import { coordinatesOf } from "#core/metadata/chunk-grid.ts";
import type { Reference } from "#core/table/reference.ts";
import { tableBuilder } from "#core/table/table-builder.ts";
import { chunkPath } from "#formats/icechunk/index.ts";
import type { StoredShard } from "../chunk/shard-reader.ts";
import { shardReference, storedAt } from "../chunk/stored-shard.ts";
import type { TargetReader } from "../chunk/sources.ts";
import type { ArrayPagesOf } from "./array-pages-of.ts";

export const decodeInline = (raw: Uint8Array) => ({ bytes: raw.slice() });

/** Native shards are ranges of their chunk files, which are found like targets beside the repository. */
export function storedInIcechunk(of: ArrayPagesOf, targets: TargetReader) {
  const table = tableBuilder();
  const array = table.addArray(of.path, of.grid, "c/");
  const loaded = new Map<number, Promise<unknown>>();
  const load = async (page: number, context: CallContext): Promise<void> => {
    const known = loaded.get(page);
    if (known !== undefined) return void (await known);
    const loading = of.load(page, { table, array }, context);
    loaded.set(page, loading);
    // A failed or cancelled page is requested again.
    await loading.catch((error: unknown) => {
      loaded.delete(page);
      throw error;
    });
  };
  return async (shard: number, context: CallContext): Promise<StoredShard> => {
    await load(of.pageOf(shard), context);
    const reference = await shardReference({ table, array, decodeInline }, shard, context);
    const name = `shard ${coordinatesOf(of.grid, shard).join(".")}`;
    const stored = await storedAt(targets, placed(of, reference, shard), name, context);
    return stored.kind === "stored" ? { ...stored, inlineIsRaw: true } : stored;
  };
}

function placed({ kept }: ArrayPagesOf, reference: Reference, shard: number): Reference {
  const native = reference.kind === "native" ? kept.nativeAt(shard) : undefined;
  if (native === undefined) return reference;
  const { chunk, offset, length } = native;
  return { kind: "range", target: chunkPath(chunk), offset, length };
}

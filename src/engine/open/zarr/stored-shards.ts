/** Where the shards of an array are: objects of the store, or what a chunk manifest says of them. */
import type { CallContext } from "../../../core/byte-source.ts";
import type { ShardLayout } from "../../../core/metadata/array-metadata.ts";
import { chunkKey, coordinatesOf, gridOf } from "../../../core/metadata/chunk-grid.ts";
import { chunkAt, failure, finding, keyAt, RefscopeError, WHOLE_SET } from "../../../core/findings/finding.ts";
import type { ArrayNode } from "../../../core/metadata/hierarchy.ts";
import type { Reference } from "../../../core/table/reference.ts";
import type { PageSink } from "../../../core/table/reference-pages.ts";
import { tableBuilder } from "../../../core/table/table-builder.ts";
import { decodeInline } from "../../../formats/kerchunk-json/index.ts";
import { addManifest, storedGrid } from "../../../formats/chunk-manifest/index.ts";
import type { SetFormat } from "../../engine-set.ts";
import { rowOf } from "../../table/array-index.ts";
import { referenceAt } from "../../chunk/chunk-reference.ts";
import { openManifest, type OfManifest, type ReadManifest } from "./open-manifest.ts";
import { isPresent, targetBelow } from "./prefix-pages.ts";
import type { StoreContext } from "../store-set.ts";
import type { StoredShard } from "../../chunk/shard-reader.ts";
import { indexTable } from "../../table/table-index.ts";
import type { TargetReader } from "../target-reader.ts";

type Locate = (shard: number, context: CallContext) => Promise<StoredShard>;

export function storedNatively({ store, targets }: StoreContext, node: ArrayNode, layout: ShardLayout): Locate {
  const grid = gridOf(node.metadata.shape, layout.shape);
  return async (shard, context) => {
    const coordinates = coordinatesOf(grid, shard);
    const key = chunkKey(node.path, coordinates, layout.separator);
    const answer = await store.stat(key, context);
    if (answer.kind === "denied") {
      throw failure("chunk-denied", chunkAt(node.path, coordinates), { status: answer.status });
    }
    if (answer.kind === "absent") return { kind: "missing" };
    return located(targets, { kind: "whole", target: key }, key, context, answer.size);
  };
}

/** The manifest's references have a table of their own, by shard; it is read when the first shard is asked for. */
export function storedByManifest(of: OfManifest): Locate {
  const { around, node } = of;
  const grid = storedGrid(node.metadata);
  let reading: Promise<ShardReferences> | undefined;
  return async (shard, context) => {
    reading ??= shardReferences(of, context).catch((error: unknown) => {
      // Asked for again with the next shard.
      reading = undefined;
      throw error;
    });
    const { table, array, read } = await reading;
    const name = `shard ${coordinatesOf(grid, shard).join(".")}`;
    if (read.cover.indexOf(shard) !== undefined) {
      const target = targetBelow(node, read)(shard);
      if (!(await isPresent(around, node, shard, target, context))) return { kind: "missing" };
      return storedAt(around.targets, { kind: "whole", target }, name, context);
    }
    return storedAt(
      around.targets,
      await shardReference({ table, array, decodeInline }, shard, context),
      name,
      context,
    );
  };
}

/** Where shards have a table of their own. */
export async function shardReference(
  { table, array, decodeInline }: PageSink & Pick<SetFormat, "decodeInline">,
  shard: number,
  context: CallContext,
): Promise<Reference> {
  const live = table.live();
  const row = rowOf(await indexTable(live).arrayIndex(array, context), shard);
  return referenceAt({ table: live, format: { decodeInline } }, row).reference;
}

interface ShardReferences extends PageSink {
  readonly read: ReadManifest;
}

async function shardReferences(of: OfManifest, context: CallContext): Promise<ShardReferences> {
  const { around, node } = of;
  const table = tableBuilder();
  const array = table.addArray(node.path, storedGrid(node.metadata), "c/");
  const read = await openManifest(of, context);
  addManifest(read.manifest, { table, array }, read.base);
  around.table.log.addAll(read.findings);
  return { table, array, read };
}

/** From the reference of a shard. Throws `reference-bad` where there is nothing to follow. */
export async function storedAt(
  targets: TargetReader,
  reference: Reference,
  name: string,
  context: CallContext,
): Promise<StoredShard> {
  if (reference.kind === "missing") return { kind: "missing" };
  if (reference.kind === "range" || reference.kind === "whole") return located(targets, reference, name, context);
  if (reference.kind === "inline") return writtenInline(reference.bytes, name);
  const kind = { expected: "a range or a whole file", found: `a reference of the kind “${reference.kind}”` };
  const cause = reference.kind === "bad" ? reference.reason : finding("reference-malformed", WHOLE_SET, kind);
  throw failure("reference-bad", keyAt(name), { cause, format: "zarr" });
}

/** A shard whose bytes are in the document itself: its inner chunks are cut out of these, as fsspec does. */
function writtenInline(bytes: Uint8Array<ArrayBuffer>, name: string): StoredShard {
  return {
    kind: "stored",
    target: null,
    inline: bytes,
    name,
    offset: 0,
    size: bytes.length,
    read: (range) => {
      const part = bytes.slice(range.offset, range.offset + range.length);
      const request = { url: name, range, attempts: 0, bytesReceived: part.length, milliseconds: 0 };
      return Promise.resolve({ bytes: part, request, findings: [] });
    },
  };
}

async function located(
  targets: TargetReader,
  reference: Extract<Reference, { kind: "whole" | "range" }>,
  name: string,
  context: CallContext,
  known = reference.kind === "range" ? reference.length : undefined,
): Promise<StoredShard> {
  const { target } = reference;
  const offset = reference.kind === "range" ? reference.offset : 0;
  const resolution = targets.resolve(target);
  if (resolution.kind === "unresolved") throw new RefscopeError(resolution.finding);
  // Where the size is not known, the whole shard is.
  const whole = known === undefined ? await targets.read(resolution, undefined, context) : undefined;
  const size = known ?? whole?.bytes.length ?? 0;
  return {
    kind: "stored",
    target,
    name,
    offset,
    size,
    read: async (range, context) => {
      if (whole === undefined)
        return targets.read(resolution, { offset: offset + range.offset, length: range.length }, context);
      return { ...whole, bytes: whole.bytes.slice(range.offset, range.offset + range.length) };
    },
  };
}

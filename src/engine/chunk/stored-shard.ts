/** Shards by their references: what is stored of one, and how ranges of it are read. */
import type { CallContext } from "#core/byte-source.ts";
import { failure, finding, keyAt, RefscopeError, WHOLE_SET } from "#core/findings/finding.ts";
import type { PageSink } from "#core/table/reference-pages.ts";
import type { Reference } from "#core/table/reference.ts";
import type { SetFormat } from "../engine-set.ts";
import { rowOf } from "../table/array-index.ts";
import { indexTable } from "../table/table-index.ts";
import { referenceAt } from "./chunk-reference.ts";
import type { StoredShard } from "./shard-reader.ts";
import type { TargetReader } from "./sources.ts";

/** Reference of a shard, if shards have a table of their own. */
export async function shardReference(
  { table, array, decodeInline }: PageSink & Pick<SetFormat, "decodeInline">,
  shard: number,
  context: CallContext,
): Promise<Reference> {
  const live = table.live();
  const row = rowOf(await indexTable(live).arrayIndex(array, context), shard);
  return referenceAt({ table: live, format: { decodeInline } }, row).reference;
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

/** `known`: its size, if somebody has asked for it. */
export async function located(
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
  // The whole shard is read if its size is unknown.
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

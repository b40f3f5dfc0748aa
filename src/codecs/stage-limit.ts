/** How many bytes the stages of a chunk may give: bombs end here, before memory is taken. */
import type { Finding } from "../core/findings/finding.ts";
import { failure } from "../core/findings/failure.ts";
import { WHOLE_SET } from "../core/findings/place.ts";
import type { ChunkOutline } from "./codec.ts";
import type { PlannedCodec } from "./plan.ts";

/** A stage may give this many times the bytes of the decoded chunk: filters may narrow int64 to int8 later on. */
const WIDEST_STAGE = 8;
const STAGE_SLACK = 64 * 1024;
/** Most bytes that any stage gives, and all that is known for elements of no fixed size. */
const MAX_STAGE_BYTES = 2 ** 31 - 1;
const MAX_OBJECT_BYTES = 2 ** 28;
/** How many more bytes than the chunk has may be there where no codec turns its elements into others. */
const MAX_SURPLUS_BYTES = 2 ** 28;
/** A shard has an index beside its chunks, and each chunk its headers. */
const INNER_CHUNK_BYTES = 256;

/** Most bytes that any stage of the chunk may give. */
export function stageLimit({ dataType, elements }: ChunkOutline, planned: readonly PlannedCodec[]): number {
  if (dataType.kind === "object") return MAX_OBJECT_BYTES;
  const declared = elements * dataType.itemSize;
  const isPlain = planned.every(({ codec }) => codec?.kind === "bytes-bytes" || codec?.keepsSize === "fixed");
  // More than is declared is let through as far as it shows what is wrong, and as filters need.
  const more = Math.min((WIDEST_STAGE - 1) * declared, isPlain ? MAX_SURPLUS_BYTES : Infinity);
  const isSharded = planned.some(({ codec }) => codec?.id === "sharding_indexed");
  const headers = isSharded ? INNER_CHUNK_BYTES * elements : 0;
  return Math.min(MAX_STAGE_BYTES, declared + more + headers + STAGE_SLACK);
}

/** A chunk that no reader could hold: nothing of it is decoded. */
export function tooLarge({ dataType, elements, chunkShape }: ChunkOutline): Finding | undefined {
  const declared = elements * dataType.itemSize;
  if (declared <= MAX_STAGE_BYTES) return undefined;
  const facts = { size: declared, limit: MAX_STAGE_BYTES, shape: chunkShape, itemSize: dataType.itemSize };
  return failure("chunk-too-large", WHOLE_SET, facts).finding;
}

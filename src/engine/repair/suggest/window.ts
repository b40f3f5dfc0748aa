/** The bytes around a chunk's range, read once: where a shifted or longer range would find its bytes. */
import type { CallContext, ByteRange } from "#core/byte-source.ts";
import type { ChunkReference } from "#engine/chunk/chunk-reference.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { loadChunk } from "#engine/chunk/load-chunk.ts";
import { rangeReader } from "../search/range-reader.ts";
import type { Neighbours } from "./neighbours.ts";

/** How many bytes either way an offset is looked for. */
export const MAX_SHIFT = 64;

export interface ChunkWindow {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Start of the declared range in `bytes`. */
  readonly start: number;
  /** Length of the declared range, in bytes. */
  readonly length: number;
  /** True if the range can be moved: it is one of a target's bytes. */
  readonly movable: boolean;
}

/** A cut stream may be longer than its reference by this share of it. */
const LEAST_TAIL = 4096;
const MAX_TAIL = 1 << 20;

/** `undefined` where no bytes are available. */
export async function loadWindow(
  set: EngineSet,
  chunk: ChunkReference,
  { after }: Neighbours,
  context: CallContext,
): Promise<ChunkWindow | undefined> {
  const { reference } = chunk;
  if (reference.kind !== "range") {
    const loaded = await loadChunk(set, chunk, context);
    if (loaded.kind !== "bytes") return undefined;
    return { bytes: loaded.bytes, start: 0, length: loaded.bytes.length, movable: false };
  }
  const { offset, length, target } = reference;
  const room = after === undefined ? 0 : after.start - offset - length;
  const tail = Math.min(MAX_TAIL, Math.max(LEAST_TAIL, length, room + MAX_SHIFT));
  const head = Math.min(MAX_SHIFT, offset);
  const reader = rangeReader(set, context);
  const read = (range: ByteRange) => reader.bytes(target, range);
  const whole = await read({ offset: offset - head, length: head + length + tail });
  if (whole !== undefined) return { bytes: whole, start: head, length, movable: true };
  // The target may be shorter, or cannot be read at all.
  const { isRead, size } = await reader.probe(target);
  return isRead ? readShorter({ offset, length, head, tail, size }, read) : undefined;
}

interface Wanted extends ByteRange {
  readonly head: number;
  readonly tail: number;
  /** Size of the target, where it is known. */
  readonly size: number | undefined;
}

/** The target ends before the window does. */
async function readShorter(
  { offset, length, head, tail, size }: Wanted,
  read: (range: ByteRange) => Promise<Uint8Array<ArrayBuffer> | undefined>,
): Promise<ChunkWindow | undefined> {
  const from = offset - head;
  const tails =
    size === undefined ? [Math.min(tail, MAX_SHIFT), 4, 0, -4] : [Math.max(-length, size - offset - length)];
  for (const more of tails) {
    const wanted = head + length + more;
    if (wanted <= 0) continue;
    const bytes = await read({ offset: from, length: wanted });
    if (bytes !== undefined) return { bytes, start: head, length, movable: true };
  }
  return undefined;
}

/** The stored bytes of a chunk, its range shifted and lengthened as a trial says. */
import type { ByteRange, CallContext } from "#core/byte-source.ts";
import { type FactsOf, finding } from "#core/findings/finding.ts";
import type { Trial } from "#core/check/lab.ts";
import type { ChunkReference } from "../chunk/chunk-reference.ts";
import type { EngineSet } from "../engine-set.ts";
import { loadChunk, placeOf, type LoadedChunk } from "../chunk/load-chunk.ts";

/**
 * Ranges are asked for where they come to lie. What has no range (inline values, whole objects, native chunks) is cut:
 * nothing lies before its beginning, which is an error, nor behind its end, which a finding says.
 *
 * Never throws but for an abort: what went wrong is part of the answer, as code `trial-range`.
 */
export async function loadTrial(
  set: EngineSet,
  chunk: ChunkReference,
  { shift = 0, lengthen = 0 }: Trial,
  context: CallContext,
): Promise<LoadedChunk> {
  const { reference } = chunk;
  if (shift === 0 && lengthen === 0) return loadChunk(set, chunk, context);
  if (reference.kind === "range") {
    const range = movedRange(reference, { shift, lengthen });
    if ("problem" in range) return { kind: "failed", error: impossible(chunk, range), findings: [] };
    return loadChunk(set, { ...chunk, reference: { ...reference, ...range } }, context);
  }
  const loaded = await loadChunk(set, chunk, context);
  return loaded.kind === "bytes" ? cutBytes(loaded, chunk, { shift, lengthen }) : loaded;
}

/** Move of a range, in bytes. */
export type Move = Required<Pick<Trial, "shift" | "lengthen">>;

/** Moves a range; returns the problem if it would begin before 0, or have no bytes. */
export function movedRange(
  { offset, length }: ByteRange,
  { shift, lengthen }: Move,
): ByteRange | FactsOf<"trial-range"> {
  const moved = { offset: offset + shift, length: length + lengthen };
  const isWhole = [shift, lengthen, moved.offset + moved.length].every(Number.isSafeInteger);
  if (!isWhole) return { problem: "fraction", ...moved, shift, lengthen };
  if (moved.offset < 0) return { problem: "before-start", ...moved, shift, lengthen };
  return moved.length <= 0 ? { problem: "no-bytes", ...moved, shift, lengthen } : moved;
}

function impossible(chunk: ChunkReference, facts: FactsOf<"trial-range">) {
  return finding("trial-range", placeOf(chunk), facts);
}

function cutBytes(loaded: LoadedChunk & { readonly kind: "bytes" }, chunk: ChunkReference, move: Move): LoadedChunk {
  const { bytes, findings } = loaded;
  const range = movedRange({ offset: 0, length: bytes.length }, move);
  if ("problem" in range) return { ...loaded, kind: "failed", error: impossible(chunk, range), findings };
  const { offset, length } = range;
  if (offset >= bytes.length) {
    const error = impossible(chunk, { problem: "past-end", offset, length, ...move });
    return { ...loaded, kind: "failed", error, findings };
  }
  const isCut = offset + length > bytes.length;
  const cut = () => finding("trial-cut", placeOf(chunk), { size: bytes.length });
  const stored = bytes.subarray(offset, offset + length);
  return { ...loaded, bytes: stored, findings: isCut ? [...findings, cut()] : findings };
}

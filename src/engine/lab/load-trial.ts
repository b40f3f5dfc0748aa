/** The stored bytes of a chunk, its range shifted and lengthened as a trial says. */
import type { ByteRange, CallContext } from "../../core/byte-source.ts";
import type { ErrorFields } from "../../core/errors.ts";
import type { Finding } from "../../core/finding.ts";
import type { Trial } from "../../core/lab.ts";
import type { ChunkReference } from "../chunk/chunk-reference.ts";
import type { EngineSet } from "../engine-set.ts";
import { loadChunk, type LoadedChunk } from "../chunk/load-chunk.ts";

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
    if ("error" in range) return { kind: "failed", error: { ...range.error, where: chunk.key }, findings: [] };
    return loadChunk(set, { ...chunk, reference: { ...reference, ...range } }, context);
  }
  const loaded = await loadChunk(set, chunk, context);
  return loaded.kind === "bytes" ? cutBytes(loaded, chunk.key, { shift, lengthen }) : loaded;
}

type Move = Required<Pick<Trial, "shift" | "lengthen">>;

/** Where a range comes to lie; an error where it would begin before 0, or have no bytes. */
export function movedRange(
  { offset, length }: ByteRange,
  { shift = 0, lengthen = 0 }: Pick<Trial, "shift" | "lengthen">,
): ByteRange | { readonly error: ErrorFields } {
  const moved = { offset: offset + shift, length: length + lengthen };
  const error = moveProblem(moved, { shift, lengthen });
  return error === undefined ? moved : { error };
}

function moveProblem({ offset, length }: ByteRange, { shift, lengthen }: Move): ErrorFields | undefined {
  const advice = "Shift and lengthen it by less.";
  const isWhole =
    Number.isSafeInteger(shift) && Number.isSafeInteger(lengthen) && Number.isSafeInteger(offset + length);
  if (!isWhole)
    return { ...TRIAL_RANGE, expected: "whole numbers of bytes", found: `${shift} and ${lengthen}`, advice };
  if (offset < 0) return { ...TRIAL_RANGE, expected: "a beginning at 0 or later", found: String(offset), advice };
  if (length <= 0) return { ...TRIAL_RANGE, expected: "a length of at least 1", found: String(length), advice };
  return undefined;
}

const TRIAL_RANGE = { code: "trial-range", doing: "Moving the range of a chunk" } as const;

function cutBytes(loaded: LoadedChunk & { readonly kind: "bytes" }, key: string, move: Move): LoadedChunk {
  const { bytes, findings } = loaded;
  const range = movedRange({ offset: 0, length: bytes.length }, move);
  const problem = "error" in range ? range.error : undefined;
  if ("error" in range || range.offset >= bytes.length) {
    const before = move.shift < 0 ? "nothing lies before the first byte of this reference" : "no bytes are left";
    const error = { ...TRIAL_RANGE, ...problem, where: key, found: problem?.found ?? before };
    return { ...loaded, kind: "failed", error, findings };
  }
  const end = range.offset + range.length;
  const cut = bytes.subarray(range.offset, end);
  return {
    ...loaded,
    bytes: cut,
    findings: end > bytes.length ? [...findings, cutFinding(key, bytes.length)] : findings,
  };
}

function cutFinding(key: string, length: number): Finding {
  const message = `The reference has no range: nothing is known to lie behind its ${length} bytes, and the trial's range was cut there.`;
  return { code: "trial-cut", severity: "info", key, message };
}

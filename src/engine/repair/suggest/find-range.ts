/** Repairs of the range, for chunks that do not decode as declared: another offset, another length. */
import type { ChunkMetadata } from "#core/metadata/array-metadata.ts";
import type { Trial } from "#core/check/lab.ts";
import type { Evidence } from "#core/repair.ts";
import type { Attempt, Move } from "./attempts.ts";
import { proofOf, type Candidate, type Search } from "./candidate.ts";
import { isChecksum, isCompressor, keepsSize, mayBegin, streamEnd } from "./codec-roles.ts";
import { bareName } from "#core/metadata/codec-table.ts";
import { MAX_SHIFT } from "./window.ts";

const CHECKSUM_BYTES = 4;

/** Shape of stored bytes by the declared list of codecs. */
export interface StoredShape {
  /** The outermost compressor; `undefined` where sizes follow from the chunk. */
  readonly compressor: string | undefined;
  /** Bytes of the checksums around it. */
  readonly extra: number;
  /** Stored bytes of the chunk, where only checksums change their number. */
  readonly size: number | undefined;
}

export function storedShape({ decoding }: Pick<ChunkMetadata, "decoding">, expected: number): StoredShape {
  const names = decoding.map(({ id }) => bareName(id));
  const at = names.findIndex(isCompressor);
  const around = at < 0 ? names : names.slice(0, at);
  const extra = around.filter(isChecksum).length * CHECKSUM_BYTES;
  const isPlain = at < 0 && names.every((name) => keepsSize(name) || isChecksum(name));
  return { compressor: names[at], extra, size: isPlain ? expected + extra : undefined };
}

/** Offsets within 64 bytes: where the compressor's signature is, else wherever decoding succeeds. The nearest first. */
export async function otherOffsets(search: Search): Promise<readonly Candidate[]> {
  const { window, attempts, metadata } = search;
  const shape = storedShape(search.metadata, search.attempts.expected);
  const isTold = shape.compressor !== undefined || metadata.decoding.some(({ id }) => isChecksum(id));
  if (!window.movable || !isTold) return [];
  const found: Candidate[] = [];
  for (const shift of nearShifts()) {
    if (!attempts.mayGoOn()) break;
    const candidate = await tryShift(search, shape, shift);
    if (candidate === undefined) continue;
    found.push(candidate);
    if (candidate.score > 0.8 && !isTaken(search, shift)) break;
  }
  return found;
}

/** True if another reference begins there: small chunks lie within reach of each other. */
function isTaken({ neighbours, range }: Search, shift: number): boolean {
  return range !== undefined && neighbours.starts?.has(range.offset + shift) === true;
}

const PRICE_OF_TAKEN = 0.5;

/** 1, -1, 2, -2, … */
function nearShifts(): readonly number[] {
  return Array.from({ length: 2 * MAX_SHIFT }, (_, at) => (at % 2 === 0 ? 1 : -1) * (Math.floor(at / 2) + 1));
}

async function tryShift(search: Search, shape: StoredShape, shift: number): Promise<Candidate | undefined> {
  const { window, attempts, metadata } = search;
  const { compressor } = shape;
  const at = window.start + shift;
  if (at < 0 || (compressor !== undefined && mayBegin(compressor, window.bytes, at) === false)) return undefined;
  const attempt = await attempts.run(metadata.decoding, { shift, lengthen: 0 });
  if (attempt.fits) return rangeCandidate(search, attempt, { shift, lengthen: 0 }, compressor);
  const lengthen = await lengthenTo(search, shape, shift);
  if (lengthen === undefined || lengthen === 0) return undefined;
  const longer = await attempts.run(metadata.decoding, { shift, lengthen });
  return longer.fits ? rangeCandidate(search, longer, { shift, lengthen }, compressor) : undefined;
}

/** Number of bytes by which the range must be longer to end with the stream. */
async function lengthenTo(
  { window, attempts }: Search,
  { compressor, extra, size }: StoredShape,
  shift: number,
): Promise<number | undefined> {
  if (size !== undefined) return size - window.length;
  const from = window.start + shift;
  const limit = attempts.expected * 2 + 65_536;
  const end = compressor === undefined ? undefined : await streamEnd(compressor, window.bytes.subarray(from), limit);
  return end === undefined ? undefined : end + extra - window.length;
}

const NEAR_LENGTHS = [4, 8, -4, 12, 16, 1, 2, 3, 5, 6, 7, -1, -2, -3, -8] as const;

/**
 * Lengths at the declared offset: what the stream says, what the chunk's size says, where the next reference begins.
 */
export async function otherLengths(search: Search): Promise<readonly Candidate[]> {
  const { window, attempts, metadata, neighbours, range } = search;
  if (!window.movable) return [];
  const shape = storedShape(search.metadata, search.attempts.expected);
  const stated = await lengthenTo(search, shape, 0);
  const room =
    neighbours.after === undefined || range === undefined ? [] : [neighbours.after.start - range.offset - range.length];
  const guesses = shape.size !== undefined ? [] : [...room, ...(stated === undefined ? NEAR_LENGTHS : [])];
  const lengths = new Set([...(stated === undefined ? [] : [stated]), ...guesses]);
  for (const lengthen of lengths) {
    if (lengthen === 0 || !attempts.mayGoOn()) continue;
    const attempt = await attempts.run(metadata.decoding, { shift: 0, lengthen });
    if (attempt.fits) return [rangeCandidate(search, attempt, { shift: 0, lengthen }, shape.compressor)];
  }
  return [];
}

function rangeCandidate(search: Search, attempt: Attempt, move: Move, compressor: string | undefined): Candidate {
  const { shift, lengthen } = move;
  const proof = proofOf(attempt);
  const fits = neighbourEvidence(search, move);
  const begins: readonly Evidence[] =
    shift === 0 || compressor === undefined ? [] : [{ kind: "stream-begins", codec: compressor }];
  const price = (shift !== 0 && lengthen !== 0 ? 0.05 : 0) + (isTaken(search, shift) ? PRICE_OF_TAKEN : 0);
  const score = Math.min(0.99, proof.score + 0.01 * fits.length - price);
  return {
    change: { kind: "move", ...move },
    trial: moveTrial(move),
    bytes: attempt.stages.at(-1) ?? new Uint8Array(),
    evidence: [...begins, ...proof.evidence, ...fits],
    score,
  };
}

export function moveTrial({ shift, lengthen }: Move): Trial {
  return { ...(shift === 0 ? {} : { shift }), ...(lengthen === 0 ? {} : { lengthen }) };
}

/** Evidence if the moved range ends where another reference begins, or begins where another ends. */
export function neighbourEvidence({ neighbours, range }: Search, { shift, lengthen }: Move): readonly Evidence[] {
  if (range === undefined) return [];
  const start = range.offset + shift;
  const end = start + range.length + lengthen;
  const touched = [
    ...(neighbours.before?.end === start ? ["before" as const] : []),
    ...(neighbours.after?.start === end ? ["after" as const] : []),
  ];
  return touched.map((neighbour) => ({ kind: "adjoins", neighbour }));
}

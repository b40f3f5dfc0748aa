/** Ranges in which a chunk may be: those that nothing claims, and what the chunks around it let expect. */
import type { CallContext } from "#core/byte-source.ts";
import { chunkBytes, type ChunkMetadata } from "#core/metadata/array-metadata.ts";
import { mayBegin, streamEnd } from "../suggest/codec-roles.ts";
import { openAttempts, type Attempt } from "../suggest/attempts.ts";
import { seamColumn } from "../suggest/values-of.ts";
import { storedShape, type StoredShape } from "../suggest/find-range.ts";
import type { Gap } from "./claims.ts";
import type { RangeReader } from "./range-reader.ts";

export interface RangeCandidate {
  readonly target: string | null;
  readonly offset: number;
  readonly length: number;
  /** How it decodes: exactly the bytes of the chunk. */
  readonly attempt: Attempt;
  /** Stored as it is, its rows do not end where rows should. */
  readonly hasSeam?: boolean;
}

export interface DecodingTask {
  readonly metadata: ChunkMetadata;
  readonly stored: StoredShape;
  /** Bytes that the chunk decodes to. */
  readonly expected: number;
  readonly reader: RangeReader;
  readonly context: CallContext;
}

export const decodingTask = (metadata: ChunkMetadata, reader: RangeReader, context: CallContext): DecodingTask => {
  const expected = chunkBytes(metadata);
  return { metadata, expected, stored: storedShape(metadata, expected), reader, context };
};

/** The range, where it is read and decodes to exactly the bytes of the chunk. */
export async function tryRange(
  { metadata, reader, context }: DecodingTask,
  target: string | null,
  range: { readonly offset: number; readonly length: number },
): Promise<RangeCandidate | undefined> {
  const bytes = await reader.bytes(target, range);
  if (bytes === undefined) return undefined;
  const window = { bytes, start: 0, length: bytes.length, movable: true };
  const attempt = await openAttempts(metadata, window, context.signal).run(metadata.decoding);
  if (!attempt.fits) return undefined;
  const isPlain = attempt.verified.length + attempt.sound.length === 0;
  const hasSeam = isPlain && seamColumn(metadata, attempt.stages.at(-1) ?? bytes) !== undefined;
  return { target, ...range, attempt, hasSeam };
}

const MAX_GAP = 2 ** 20;

/** Chunks that may lie in the gap: from its beginning, up to its end, or at one of `expected` offsets. */
export async function candidatesIn(
  task: DecodingTask,
  target: string | null,
  gap: Gap,
  offsets: readonly number[],
): Promise<readonly RangeCandidate[]> {
  const { size } = task.stored;
  if (size !== undefined) return plainIn(task, target, gap, offsets, size);
  const length = Math.min(gap.end - gap.start, Math.max(64, Math.min(MAX_GAP, task.expected * 2 + 65_536)));
  const bytes = await task.reader.bytes(target, { offset: gap.start, length });
  if (bytes === undefined) return [];
  const inside = { base: gap.start, gap: gap.end, offsets };
  return streamsIn(task, target, bytes, inside);
}

/** Without a compressor, sizes follow from the chunk: any place decodes, so that only few are worth a look. */
async function plainIn(
  task: DecodingTask,
  target: string | null,
  gap: Gap,
  offsets: readonly number[],
  size: number,
): Promise<readonly RangeCandidate[]> {
  const places = new Set([...offsets, gap.start, gap.end - size]);
  const found: RangeCandidate[] = [];
  for (const offset of places) {
    if (offset < gap.start || offset + size > gap.end) continue;
    const candidate = await tryRange(task, target, { offset, length: size });
    if (candidate !== undefined) found.push(candidate);
  }
  return found;
}

interface Inside {
  /** Start of the bytes in the target, and end of the gap. */
  readonly base: number;
  readonly gap: number;
  readonly offsets: readonly number[];
}

const MAX_STREAMS = 48;
const MAX_ENDS = 512;

async function streamsIn(
  { metadata, stored: { compressor, extra }, expected, context }: DecodingTask,
  target: string | null,
  bytes: Uint8Array<ArrayBuffer>,
  { base, gap, offsets }: Inside,
): Promise<readonly RangeCandidate[]> {
  const window = { bytes, start: 0, length: bytes.length, movable: true };
  const attempts = openAttempts(metadata, window, context.signal);
  const limit = expected * 2 + 65_536;
  const found: RangeCandidate[] = [];
  const tried = { streams: 0 };
  for (const at of beginnings(
    compressor,
    bytes,
    offsets.map((offset) => offset - base),
  )) {
    if (tried.streams >= MAX_STREAMS || !attempts.mayGoOn()) break;
    const end = compressor === undefined ? undefined : await streamEnd(compressor, bytes.subarray(at), limit);
    const lengths = end === undefined ? [gap - base - at] : [end + extra];
    for (const length of lengths) {
      if (length <= 0 || at + length > bytes.length) continue;
      tried.streams += 1;
      const attempt = await attempts.run(metadata.decoding, { shift: at, lengthen: length - bytes.length });
      if (attempt.fits) found.push({ target, offset: base + at, length, attempt });
    }
  }
  return found;
}

/** The beginning, the places that are expected, and wherever a stream of the codec may begin. */
function beginnings(compressor: string | undefined, bytes: Uint8Array, expected: readonly number[]): readonly number[] {
  const first = [0, ...expected.filter((at) => at > 0 && at < bytes.length)];
  const hasMark = compressor !== undefined && mayBegin(compressor, bytes, 0) !== undefined;
  if (!hasMark) return [...new Set(first)];
  const places = new Set(first.filter((at) => mayBegin(compressor, bytes, at) === true));
  for (let at = 1; at < bytes.length && places.size < MAX_ENDS; at += 1) {
    if (mayBegin(compressor, bytes, at) === true) places.add(at);
  }
  return [...places];
}

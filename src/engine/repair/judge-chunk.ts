/** One chunk read as declared and with a trial: which of the two is right, as far as is known. */
import { type ArrayMetadata, type ChunkMetadata, metadataOfChunk } from "#core/metadata/array-metadata.ts";
import type { CallContext } from "#core/byte-source.ts";
import type { ChunkVerdict, ForeseenChunk, ReadOutcome } from "#core/repair-offer.ts";
import { statistics } from "#core/values/statistics.ts";
import { crc32 } from "#codecs/checksums/checksums.ts";
import { decodeChunk, type DecodedChunk } from "../chunk/decode-chunk.ts";
import { isChecksum, isCompressor } from "./suggest/codec-roles.ts";
import { lessMixed } from "./suggest/compare.ts";
import { entropyAs, evenStep, isTurned, notFinite, ordersBetter, seamColumn } from "./suggest/values-of.ts";
import { sameBytes } from "#core/bytes.ts";

export interface JudgedReading {
  readonly metadata: ChunkMetadata;
  /** Extent of the chunk inside the array. */
  readonly inside: readonly number[];
  readonly decoded: Pick<DecodedChunk, "bytes" | "values" | "error">;
}

/** @param moved whether the trial reads other bytes than are declared */
export function judgeChunk(declared: JudgedReading, trial: JudgedReading, moved: boolean) {
  const fingerprint = fingerprintOf(trial);
  const outcomes = { before: readOutcome(declared), after: readOutcome(trial) };
  const verdict = verdictOf(declared, trial, moved);
  return { verdict, ...outcomes, ...(fingerprint === undefined ? {} : { fingerprint }) };
}

interface WithBytes {
  readonly metadata: ChunkMetadata;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

function verdictOf(declared: JudgedReading, trial: JudgedReading, moved: boolean): ChunkVerdict {
  const [before, after] = [readBytes(declared), readBytes(trial)];
  if (after === undefined) return before === undefined ? "failing" : "worse";
  if (before === undefined) return isImplausible(after) ? "undecided" : "better";
  if (haveEqualValues(before, after)) return "same";
  if (speaksFor(after, before)) return "better";
  if (speaksFor(before, after)) return "worse";
  return moved && isProven(declared.metadata) ? "worse" : "undecided";
}

function readBytes({ metadata, decoded: { bytes, values, error } }: JudgedReading): WithBytes | undefined {
  return bytes === undefined || values === undefined || error !== undefined ? undefined : { metadata, bytes };
}

function haveEqualValues(one: WithBytes, other: WithBytes): boolean {
  const [a, b] = [one.metadata, other.metadata];
  return a.dataType.text === b.dataType.text && a.order === b.order && sameBytes(one.bytes, other.bytes);
}

/** A stream that decodes to its end, or whose checksum holds, does not do so by accident. */
const isProven = ({ decoding }: ChunkMetadata): boolean =>
  decoding.some(({ id }) => isCompressor(id) || isChecksum(id));

function isImplausible({ metadata, bytes }: WithBytes): boolean {
  return metadata.dataType.kind !== "object" && isTurned(metadata, bytes);
}

/** True if the one has far more order than the other: the search for repairs uses the same test. */
function speaksFor(one: WithBytes, other: WithBytes): boolean {
  const { metadata, bytes } = one;
  if (metadata.dataType.kind === "object" || other.metadata.dataType.kind === "object") return false;
  const [evenOne, evenOther] = [evenStep(metadata, bytes), evenStep(other.metadata, other.bytes)];
  if (evenOne !== undefined || evenOther !== undefined) return evenOne !== undefined && evenOther === undefined;
  if (ordersBetter(other, one) !== undefined) return true;
  if (ordersBetter(one, other) !== undefined) return false;
  if (notFinite(metadata, bytes) + MORE_NOT_FINITE < notFinite(other.metadata, other.bytes)) return true;
  const [entropyOne, entropyOther] = [entropyAs(metadata, bytes), entropyAs(other.metadata, other.bytes)];
  if (lessMixed(entropyOther, entropyOne) !== undefined) return true;
  return seamColumn(metadata, bytes) === undefined && seamColumn(other.metadata, other.bytes) !== undefined;
}

/** Share of the values. */
const MORE_NOT_FINITE = 0.1;

/** The bytes of the values, and what they are taken for. */
export function fingerprintOf({ metadata, decoded }: Pick<JudgedReading, "metadata" | "decoded">): string | undefined {
  const { bytes, values, error } = decoded;
  if (bytes === undefined || values === undefined || error !== undefined) return undefined;
  return `${metadata.dataType.text} ${metadata.order} ${bytes.length} ${crc32(bytes)}`;
}

export function readOutcome({ metadata, inside, decoded: { values, error } }: JudgedReading): ReadOutcome {
  if (error !== undefined) return { kind: "failed", error };
  if (values === undefined) return { kind: "no-values" };
  const { fillValue } = metadata;
  const { minimum, maximum } = statistics(values, inside, { fillValue, scaled: false });
  const isEmpty = minimum === undefined || maximum === undefined;
  return isEmpty ? { kind: "reads" } : { kind: "reads", range: [minimum, maximum] };
}

/** Reads a chunk's stored bytes once more, as any reader would. */
export async function foreseenChunk(
  declared: ArrayMetadata,
  coordinates: readonly number[],
  stored: Uint8Array,
  { signal }: CallContext,
): Promise<ForeseenChunk> {
  const metadata = metadataOfChunk(declared, coordinates);
  const fingerprint = fingerprintOf({ metadata, decoded: await decodeChunk(metadata, new Uint8Array(stored), signal) });
  return { coordinates, ...(fingerprint === undefined ? {} : { fingerprint }) };
}

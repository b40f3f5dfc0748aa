/** Ranges that fit a chunk, as repairs of its reference. */
import { metadataOfChunk } from "../../../core/metadata/array-metadata.ts";
import { chunkBytes } from "../../../core/metadata/chunk-bytes.ts";
import type { CallContext } from "../../../core/byte-source.ts";
import type { Certainty, NotEditable, RepairChange } from "../../../core/repair.ts";
import type { RepairOffer } from "../../../core/repair-offer.ts";
import type { ForeseenChunk } from "../../../core/repair-offer.ts";
import type { TableEdit } from "../../../core/studio.ts";
import { decodeChunk } from "../../chunk/decode-chunk.ts";
import type { ChunkReference } from "../../chunk/chunk-reference.ts";
import type { EngineSet } from "../../engine-set.ts";
import { fingerprintOf } from "../judge-chunk.ts";
import { moveTrial } from "../suggest/find-range.ts";
import type { FoundRanges } from "./chunk-search.ts";
import { rangeReader } from "./range-reader.ts";
import type { OwnReference, Weighed } from "./weigh.ts";
import { editsOrWhyNot, notEditable, writtenTarget } from "./written-reference.ts";

/** Where two fit as well, both are offered. */
const AS_WELL = 0.75;
const MAX_OFFERS = 3;

export async function rangeOffers(
  set: EngineSet,
  chunk: ChunkReference,
  { ranges, own, place }: FoundRanges,
  context: CallContext,
): Promise<readonly RepairOffer[]> {
  const best = ranges[0]?.score ?? 0;
  const good = ranges.filter(({ score }) => score > best - AS_WELL).slice(0, MAX_OFFERS);
  // Any place decodes a plain chunk: of two that fit as well neither is told.
  if (good.length > 1 && good.some(({ proof }) => proof === "size")) return [];
  const refused = notEditable(set, place.row);
  const offers: RepairOffer[] = [];
  for (const range of good) {
    const seen = await confirmed(set, chunk, range, context);
    if (seen !== undefined) offers.push(offerOf(set, chunk, { range, own, seen, refused, isOnly: good.length === 1 }));
  }
  return offers;
}

/** Read once more as any reader would read it: what its values are then. */
async function confirmed(
  set: EngineSet,
  { node, coordinates }: ChunkReference,
  { target, offset, length }: Weighed,
  context: CallContext,
): Promise<ForeseenChunk | undefined> {
  const bytes = await rangeReader(set, context).bytes(target, { offset, length });
  if (bytes === undefined) return undefined;
  const metadata = metadataOfChunk(node.metadata, coordinates);
  const decoded = await decodeChunk(metadata, new Uint8Array(bytes), context.signal);
  const fingerprint = fingerprintOf({ metadata, decoded });
  return fingerprint === undefined ? undefined : { coordinates, fingerprint };
}

interface Offered {
  readonly range: Weighed;
  readonly own: OwnReference;
  readonly seen: ForeseenChunk;
  readonly refused: NotEditable | undefined;
  readonly isOnly: boolean;
}

function offerOf(
  set: EngineSet,
  { node, key, written, coordinates }: ChunkReference,
  { range, own, seen, refused, isOnly }: Offered,
): RepairOffer {
  const { target, offset, length, evidence } = range;
  const url = writtenTarget(set, target);
  const edit: TableEdit = { kind: "set-reference", key, value: `[${JSON.stringify(url)},${offset},${length}]` };
  const bytes = chunkBytes(metadataOfChunk(node.metadata, coordinates));
  const trial = trialOf(range, own);
  return {
    change: changeOf(range, own),
    certainty: isOnly ? certaintyOf(range) : "needs-you",
    key,
    array: node.path,
    ...editsOrWhyNot(refused ?? [edit]),
    before: written,
    after: `[${JSON.stringify(target)}, ${offset}, ${length}]`,
    evidence: [...evidence, { kind: "exact-size", bytes }],
    chunks: [seen],
    ...(trial && { trial }),
  };
}

/** A checksum that holds where a chunk of this array is expected is no accident. */
const certaintyOf = ({ proof, isPlaced }: Weighed): Certainty => (proof === "checksum" && isPlaced ? "safe" : "likely");

function changeOf({ target, offset, length }: Weighed, own: OwnReference): RepairChange {
  const isSameStart = own.offset === offset;
  const isSameLength = own.length === length;
  if (own.target !== target) {
    return isSameStart && isSameLength
      ? { kind: "target", target }
      : { kind: "target", target, range: { offset, length } };
  }
  if (own.offset !== undefined && isSameLength) return { kind: "move", shift: offset - own.offset, lengthen: 0 };
  return isSameStart ? { kind: "length", length } : { kind: "range", offset, length };
}

function trialOf({ target, offset, length }: Weighed, own: OwnReference): RepairOffer["trial"] {
  if (own.target !== target || own.offset === undefined || own.length === undefined) return undefined;
  return moveTrial({ shift: offset - own.offset, lengthen: length - own.length });
}

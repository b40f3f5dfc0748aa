/** Ranges that fit a chunk, as repairs of its reference. */
import { chunkBytes, metadataOfChunk } from "#core/metadata/array-metadata.ts";
import type { CallContext } from "#core/byte-source.ts";
import type { Certainty, RepairChange } from "#core/repair.ts";
import type { RepairOffer } from "#core/repair-offer.ts";
import type { ChunkReference } from "#engine/chunk/chunk-reference.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { foreseenChunk } from "../judge-chunk.ts";
import { moveTrial } from "../suggest/find-range.ts";
import type { FoundRanges } from "./chunk-search.ts";
import { rangeReader } from "./range-reader.ts";
import type { OwnReference, Weighed } from "./weigh.ts";
import { editsOrWhyNot, notEditable, writtenTarget } from "./written-reference.ts";

/** Ratio of weights from which on two candidates are both offered. */
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
    const { target, offset, length } = range;
    const bytes = await rangeReader(set, context).bytes(target, { offset, length });
    const seen = bytes && (await foreseenChunk(chunk.node.metadata, chunk.coordinates, bytes, context));
    if (seen?.fingerprint === undefined) continue;
    const certainty = good.length === 1 ? certaintyOf(range) : "needs-you";
    const offer = offerOf(set, chunk, range, own);
    offers.push({ ...offer, ...editsOrWhyNot(refused ?? offer.edits), certainty, chunks: [seen] });
  }
  return offers;
}

function offerOf(
  set: EngineSet,
  { node, key, written, coordinates }: ChunkReference,
  range: Weighed,
  own: OwnReference,
): Omit<RepairOffer, "certainty" | "chunks"> {
  const { target, offset, length, evidence } = range;
  const url = writtenTarget(set, target);
  const bytes = chunkBytes(metadataOfChunk(node.metadata, coordinates));
  const trial = trialOf(range, own);
  return {
    change: changeOf(range, own),
    key,
    array: node.path,
    edits: [{ kind: "set-reference", key, value: `[${JSON.stringify(url)},${offset},${length}]` }],
    before: written,
    after: `[${JSON.stringify(target)}, ${offset}, ${length}]`,
    evidence: [...evidence, { kind: "exact-size", bytes }],
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

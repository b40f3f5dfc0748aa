/**
 * Chunks that the file stored without a filter: their values inline, encoded as the metadata claim, where that
 * decodes.
 */
import { storeOnly } from "#codecs/store-only.ts";
import type { CallContext } from "#core/byte-source.ts";
import { chunkBytes, metadataOfChunk } from "#core/metadata/array-metadata.ts";
import type { RepairOffer, RepairSearch } from "#core/repair-offer.ts";
import type { RepairSubject } from "#core/repair.ts";
import { toBase64 } from "#core/values/fill-bytes.ts";
import { cut } from "#core/words.ts";
import { decodeChunk } from "#engine/chunk/decode-chunk.ts";
import { keyOfRow } from "#engine/edit/document-index.ts";
import { arrayNode, type EngineSet } from "#engine/engine-set.ts";
import { undoFilters } from "#codecs/pipeline.ts";
import { foreseenChunk } from "../judge-chunk.ts";
import { MAX_READ_AGAIN, type Member, memberAt, rowsWhere } from "./alike/alike-offer.ts";
import { type RepairLimits, withBudget } from "./budget.ts";
import { type RangeReader, rangeReader } from "./range-reader.ts";
import { editsOrWhyNot, notEditable, writtenValue } from "./written-reference.ts";

/** All of them, or none where one does not decode or is beyond the limits. `undefined` where the cause is another. */
export async function inlineRepair(
  set: EngineSet,
  subjects: readonly RepairSubject[],
  context: CallContext,
  limits: RepairLimits,
): Promise<RepairSearch | undefined> {
  const [subject] = subjects;
  if (subject?.kind !== "chunk" || set.met.unfiltered.size === 0) return undefined;
  const paths = [...new Set(subjects.flatMap((one) => (one.kind === "chunk" ? one.array : [])))];
  const ids = new Set(paths.map((path) => set.index.arrayIds.get(path)));
  const rows = await rowsWhere(set.table, ({ array }, at) => ids.has(array[at]), context);
  const members = rows.flatMap((row) => memberAt(set, row) ?? []).filter((one) => filtersOf(set, one) !== undefined);
  const isSubject = ({ array, coordinates }: Member) =>
    array === subject.array && coordinates.join() === subject.coordinates.join();
  if (!members.some(isSubject)) return undefined;
  const budget = withBudget(set, limits);
  const reader = rangeReader(budget.set, context);
  const label = "Decoding chunks that were stored without a filter";
  const encodedAt = (member: Member, done: number) => {
    context.report({ label, done, total: members.length, unit: "chunks" });
    return encodedChunk(budget.set, member, reader);
  };
  const about = { change: { kind: "inline" }, certainty: "safe", evidence: [{ kind: "file-mask" }] } as const;
  const offer = await inlineOffer(budget.set, members, encodedAt, about, context);
  const ended = budget.ended();
  return { subject, offers: offer === undefined ? [] : [offer], spent: budget.spent(), ...(ended && { ended }) };
}

const filtersOf = ({ met }: EngineSet, { range: { target, offset, length } }: Member) =>
  met.unfiltered.get(`${target} ${offset} ${length}`);

/** Offer to write chunks inline as `storedAt` gives them; `undefined` where one is not known or does not decode. */
export async function inlineOffer<M extends Pick<Member, "row" | "array" | "coordinates">>(
  set: EngineSet,
  members: readonly M[],
  storedAt: (member: M, index: number) => Promise<Uint8Array | undefined> | Uint8Array | undefined,
  { evidence, ...about }: Pick<RepairOffer, "change" | "certainty" | "evidence">,
  context: CallContext,
): Promise<RepairOffer | undefined> {
  const values = new Map<string, string>();
  const chunks: RepairOffer["chunks"][number][] = [];
  const [first] = members;
  for (const [index, member] of members.entries()) {
    const { metadata } = arrayNode(set, member.array);
    const stored = await storedAt(member, index);
    const ofChunk = metadataOfChunk(metadata, member.coordinates);
    const decoded = stored && (await decodeChunk(ofChunk, stored.slice(), context.signal));
    if (stored === undefined || decoded?.bytes?.length !== chunkBytes(ofChunk) || decoded.error !== undefined)
      return undefined;
    values.set(keyOfRow(set, member.row), `"base64:${toBase64(stored)}"`);
    if (chunks.length < MAX_READ_AGAIN) chunks.push(await foreseenChunk(metadata, member.coordinates, stored, context));
  }
  const [[key, after] = []] = values;
  if (first === undefined || key === undefined || after === undefined) return undefined;
  const refused = members.map(({ row }) => notEditable(set, row)).find((why) => why !== undefined);
  return {
    ...about,
    key,
    array: first.array,
    ...editsOrWhyNot(refused ?? [{ kind: "set-references", values: [...values] }]),
    before: writtenValue(set, first.row) ?? "",
    after: cut(after, 80),
    evidence: [...evidence, { kind: "chunks-decode", read: members.length }],
    alike: { references: members.length, read: members.length },
    chunks,
  };
}

/** `undefined` where its bytes are not to be had. */
async function encodedChunk(set: EngineSet, member: Member, reader: RangeReader): Promise<Uint8Array | undefined> {
  const bytes = await reader.bytes(member.range.target, member.range);
  const used = filtersOf(set, member);
  if (bytes === undefined || used === undefined) return undefined;
  const plain = await undoFilters(used, bytes).catch(() => undefined);
  const { decoding } = metadataOfChunk(arrayNode(set, member.array).metadata, member.coordinates);
  const declared = decoding.map(({ id, configuration }) => new Map([["id", id], ...configuration])).toReversed();
  return plain && storeOnly(declared, plain);
}

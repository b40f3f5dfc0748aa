/** Inline values without the zero bytes at their end: padded, where every one then decodes. */
import type { CallContext } from "#core/byte-source.ts";
import { chunkBytes, metadataOfChunk } from "#core/metadata/array-metadata.ts";
import { coordinatesOf, gridOf } from "#core/metadata/chunk-grid.ts";
import type { RepairOffer, RepairSearch } from "#core/repair-offer.ts";
import type { RepairSubject } from "#core/repair.ts";
import { TARGET_INLINE } from "#core/table/reference-table.ts";
import { isCharacters, isCutAtEnd } from "#core/values/cut-end.ts";
import { toBase64 } from "#core/values/fill-bytes.ts";
import { cut } from "#core/words.ts";
import { decodeChunk } from "#engine/chunk/decode-chunk.ts";
import { referenceAt } from "#engine/chunk/chunk-reference.ts";
import { keyOfRow } from "#engine/edit/document-index.ts";
import { arrayNode, type EngineSet } from "#engine/engine-set.ts";
import { ordinalOfRow } from "#engine/table/batch.ts";
import { foreseenChunk } from "../judge-chunk.ts";
import { MAX_READ_AGAIN, rowsWhere } from "./alike/alike-offer.ts";
import { editsOrWhyNot, notEditable, writtenValue } from "./written-reference.ts";

/** Bytes of all padded values. */
const MAX_PADDED = 16 * 2 ** 20;

/** `undefined` where the cause is another. Needs no request. */
export async function padRepair(
  set: EngineSet,
  subjects: readonly RepairSubject[],
  context: CallContext,
): Promise<RepairSearch | undefined> {
  const [subject] = subjects;
  if (subject?.kind !== "chunk") return undefined;
  const { metadata } = arrayNode(set, subject.array);
  const id = set.index.arrayIds.get(subject.array);
  const isInline = (array: number | undefined, target: number | undefined) => array === id && target === TARGET_INLINE;
  const rows = await rowsWhere(set.table, ({ array, target }, at) => isInline(array[at], target[at]), context);
  const grid = gridOf(metadata.shape, metadata.chunks);
  const values: (readonly [string, string])[] = [];
  const padded: number[] = [];
  const chunks: RepairOffer["chunks"][number][] = [];
  let room = MAX_PADDED;
  for (const row of rows) {
    const { reference } = referenceAt(set, row);
    const ordinal = ordinalOfRow(set.table, row);
    if (reference.kind !== "inline" || ordinal < 0) continue;
    const coordinates = coordinatesOf(grid, ordinal);
    const ofChunk = metadataOfChunk(metadata, coordinates);
    const size = chunkBytes(ofChunk);
    if (reference.bytes.length >= size) continue;
    room -= size;
    if (room < 0 || !isCutAtEnd(metadata, coordinates, reference.bytes)) return undefined;
    const bytes = new Uint8Array(size);
    bytes.set(reference.bytes);
    const decoded = await decodeChunk(ofChunk, bytes.slice(), context.signal);
    if (decoded.error !== undefined || decoded.bytes?.length !== size) return undefined;
    values.push([keyOfRow(set, row), `"base64:${toBase64(bytes)}"`]);
    padded.push(row);
    if (chunks.length < MAX_READ_AGAIN) chunks.push(await foreseenChunk(metadata, coordinates, bytes, context));
  }
  const [[key, after] = []] = values;
  const [first] = padded;
  if (first === undefined || key === undefined || after === undefined) return undefined;
  const refused = padded.map((row) => notEditable(set, row)).find((why) => why !== undefined);
  const offer: RepairOffer = {
    change: { kind: "pad" },
    certainty: isCharacters(metadata.dataType) ? "safe" : "likely",
    key,
    array: subject.array,
    ...editsOrWhyNot(refused ?? [{ kind: "set-references", values }]),
    before: writtenValue(set, first) ?? "",
    after: cut(after, 80),
    evidence: [{ kind: "zeros-cut" }, { kind: "chunks-decode", read: values.length }],
    alike: { references: values.length, read: values.length },
    chunks,
  };
  return { subject, offers: [offer], spent: { bytes: 0, requests: 0 } };
}

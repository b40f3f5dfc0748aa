/** Inline values without the zero bytes at their end: padded, where every one then decodes. */
import type { CallContext } from "#core/byte-source.ts";
import { chunkBytes, metadataOfChunk } from "#core/metadata/array-metadata.ts";
import { coordinatesOf, gridOf } from "#core/metadata/chunk-grid.ts";
import type { RepairSearch } from "#core/repair-offer.ts";
import type { RepairSubject } from "#core/repair.ts";
import { TARGET_INLINE } from "#core/table/reference-table.ts";
import { isCharacters, isCutAtEnd } from "#core/values/cut-end.ts";
import { referenceAt } from "#engine/chunk/chunk-reference.ts";
import { arrayNode, type EngineSet } from "#engine/engine-set.ts";
import { ordinalOfRow } from "#engine/table/batch.ts";
import { rowsWhere } from "./alike/alike-offer.ts";
import { inlineOffer } from "./inline-offer.ts";

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
  const { array } = subject;
  const { metadata } = arrayNode(set, array);
  const id = set.index.arrayIds.get(array);
  const isInline = (of: number | undefined, target: number | undefined) => of === id && target === TARGET_INLINE;
  const rows = await rowsWhere(set.table, (columns, at) => isInline(columns.array[at], columns.target[at]), context);
  const grid = gridOf(metadata.shape, metadata.chunks);
  const short = rows.flatMap((row) => {
    const { reference } = referenceAt(set, row);
    const ordinal = ordinalOfRow(set.table, row);
    if (reference.kind !== "inline" || ordinal < 0) return [];
    const coordinates = coordinatesOf(grid, ordinal);
    const size = chunkBytes(metadataOfChunk(metadata, coordinates));
    return reference.bytes.length < size ? [{ row, array, coordinates, size, bytes: reference.bytes }] : [];
  });
  const isAll = short.every(({ coordinates, bytes }) => isCutAtEnd(metadata, coordinates, bytes));
  if (!isAll || short.reduce((sum, { size }) => sum + size, 0) > MAX_PADDED) return undefined;
  const padded = ({ bytes, size }: (typeof short)[number]) => {
    const whole = new Uint8Array(size);
    whole.set(bytes);
    return whole;
  };
  const certainty = isCharacters(metadata.dataType) ? "safe" : "likely";
  const about = { change: { kind: "pad" }, certainty, evidence: [{ kind: "zeros-cut" }] } as const;
  const offer = await inlineOffer(set, short, padded, about, context);
  return offer && { subject, offers: [offer], spent: { bytes: 0, requests: 0 } };
}

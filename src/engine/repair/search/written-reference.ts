/** References as the document has them, so that an edit changes nothing that it need not. */
import { FIRST_SPECIAL_TARGET, TARGET_INLINE } from "#core/table/reference-table.ts";
import { isDocument, type EngineSet } from "#engine/engine-set.ts";
import { referenceAt } from "#engine/chunk/chunk-reference.ts";
import { columnsAt } from "#engine/table/batch.ts";
import type { NotEditable } from "#core/repair.ts";
import type { RepairOffer } from "#core/repair-offer.ts";
import type { TableEdit } from "#core/studio.ts";

/** JSON text of the row's value, its URL unrendered; `undefined` where it was not kept whole. */
export function writtenValue(set: EngineSet, row: number): string | undefined {
  const { table } = set;
  const { target, offset, length } = columnsAt(table, row);
  if (target === TARGET_INLINE) return `"${new TextDecoder().decode(table.inline.slice(offset, length))}"`;
  const { reference } = referenceAt(set, row);
  if (reference.kind !== "range" && reference.kind !== "whole") return undefined;
  const url = target < FIRST_SPECIAL_TARGET ? table.targets.written(target) : null;
  return JSON.stringify(reference.kind === "whole" ? [url] : [url, reference.offset, reference.length]);
}

/** A URL as the document has it before rendering. */
export function writtenTarget({ table: { targets } }: EngineSet, target: string | null): string | null {
  if (target === null) return null;
  for (let id = 0; id < Math.min(targets.count, MAX_COMPARED); id += 1) {
    if (targets.text(id) === target) return targets.written(id);
  }
  return target;
}

const MAX_COMPARED = 200_000;

/** Edits of an offer, or the reason why there are none. */
export const editsOrWhyNot = (edits: readonly TableEdit[] | NotEditable): Pick<RepairOffer, "edits" | "refused"> =>
  typeof edits === "string" ? { edits: [], refused: edits } : { edits };

export function notEditable(set: EngineSet, row: number): NotEditable | undefined {
  if (!isDocument(set)) return "not-a-document";
  return row >= 0 && set.index.originOf?.(row).kind === "gen" ? "generated" : undefined;
}

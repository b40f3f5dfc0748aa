/** A reference to a target, whole or a range, as a row of a table; `undefined` where it is none. */
import type { Reference } from "#core/table/reference.ts";
import type { TableBuilder } from "#core/table/table-builder.ts";

export function addInTarget(builder: TableBuilder, array: number, ordinal: number, reference: Reference) {
  if (reference.kind !== "range" && reference.kind !== "whole") return undefined;
  const target = reference.target === null ? null : builder.addTarget(reference.target);
  if (reference.kind === "whole") return builder.addWhole(array, ordinal, target);
  return builder.addRange(array, ordinal, target, reference.offset, reference.length);
}

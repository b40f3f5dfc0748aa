import type { CardVariable } from "#core/dataset-card.ts";
import { typeName } from "#core/metadata/data-type.ts";

/** "int16, packed", "float32, big-endian": as readers name it, with what they do not see. */
export function typeWords({ type, isPacked }: Pick<CardVariable, "type" | "isPacked">): string {
  const name = typeName(type.text);
  return [
    name.length > 40 ? `${name.slice(0, 39)}…` : name,
    ...(isPacked ? ["packed"] : []),
    ...(type.isBigEndian && type.itemSize > 1 ? ["big-endian"] : []),
  ].join(", ");
}

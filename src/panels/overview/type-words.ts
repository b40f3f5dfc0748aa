import type { CardVariable } from "../../core/dataset-card.ts";

/** "int16, packed", "float32, big-endian": as readers name it, with what they do not see. */
export function typeWords({ type, isPacked }: Pick<CardVariable, "type" | "isPacked">): string {
  return [
    typeName(type),
    ...(isPacked ? ["packed"] : []),
    ...(type.isBigEndian && type.itemSize > 1 ? ["big-endian"] : []),
  ].join(", ");
}

function typeName({ kind, itemSize, text }: CardVariable["type"]): string {
  if (kind === "int" || kind === "uint" || kind === "float" || kind === "complex") return `${kind}${itemSize * 8}`;
  if (kind === "bool") return kind;
  if (kind === "datetime" || kind === "timedelta") return `${kind}64`;
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

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
  switch (kind) {
    case "int":
    case "uint":
    case "float":
    case "complex":
      return `${kind}${itemSize * 8}`;
    case "bool":
      return "bool";
    case "datetime":
      return "datetime64";
    case "timedelta":
      return "timedelta64";
    case "bytes":
    case "unicode":
    case "void":
    case "narrow":
    case "object":
    case "structured":
      return text.length > 40 ? `${text.slice(0, 39)}…` : text;
  }
}

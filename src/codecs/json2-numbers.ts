/** Values of a JSON list as elements of a type with a size, which NumPy casts to it. */
import type { DataType } from "../core/data-type.ts";
import { fillBytes } from "../core/fill-bytes.ts";
import { parseJson } from "../core/parse-json.ts";
import { toLittleEndianC } from "../core/little-endian.ts";
import { decodeFailed } from "./failure.ts";

/**
 * In the byte order of the type. Only what NumPy takes without loss: integers in range, booleans, numbers, text; what it
 * would cut or parse is refused. Throws `decode-failed`.
 */
export function itemBytes(codec: string, text: string, type: Exclude<DataType, { kind: "object" }>): Uint8Array {
  const little = littleBytes(text, type);
  if (little === undefined) {
    const written = text.length > 40 ? `${text.slice(0, 40)}…` : text;
    throw decodeFailed(codec, `values of type ${type.text.slice(0, 80)}`, written);
  }
  // Turning little-endian bytes round is what turning them to little-endian is.
  return toLittleEndianC(little, { dataType: type, chunks: [], order: "C" });
}

function littleBytes(text: string, type: Exclude<DataType, { kind: "object" }>) {
  // MessagePack read as bytes, which NumPy takes for text in ASCII.
  const value = text.startsWith('b"') ? atob(text.slice(2, -1)) : parseJson(text).value;
  switch (type.kind) {
    case "float":
      if (value === null) return fillBytes(Number.NaN, type);
      return typeof value === "number" || typeof value === "bigint" ? fillBytes(value, type) : undefined;
    case "int":
    case "uint":
      return fillBytes(typeof value === "boolean" ? Number(value) : value, type);
    case "bool":
      return fillBytes(value, type);
    case "unicode":
      return typeof value === "string" && isFit(text, value) ? fillBytes(value, type) : undefined;
    case "datetime":
    case "timedelta":
      return typeof value === "string" ? undefined : fillBytes(value, type);
    case "bytes": {
      if (typeof value !== "string" || !isAscii(value)) return undefined;
      const bytes = new Uint8Array(type.itemSize);
      bytes.set(new TextEncoder().encode(value).subarray(0, type.itemSize));
      return bytes;
    }
    case "complex":
    case "void":
    case "narrow":
    case "structured":
      return undefined;
  }
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false;
  return true;
}

function isFit(written: string, value: string): boolean {
  return !written.startsWith('b"') || isAscii(value);
}

/** What an entry of a manifest says, from its JSON value. Nothing here throws: what cannot be used is a bad entry. */
import { describeJson, isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";

export type Entry =
  /** `{}`, or the path `""` with which VirtualiZarr marks a missing chunk. */
  | { readonly kind: "empty"; readonly notes: readonly EntryNote[] }
  | { readonly kind: "whole"; readonly path: string; readonly notes: readonly EntryNote[] }
  | {
      readonly kind: "range";
      readonly path: string;
      readonly offset: number;
      readonly length: number;
      readonly notes: readonly EntryNote[];
    }
  /** `text`: as an inline value of Kerchunk is written, JSON string text without its quotes. */
  | { readonly kind: "inline"; readonly text: string; readonly notes: readonly EntryNote[] }
  /** `code` for the finding, `reason` a sentence. */
  | { readonly kind: "bad"; readonly code: string; readonly reason: string; readonly notes: readonly EntryNote[] };

/** Worth a finding, though the entry can be used. */
export type EntryNote = "checksum" | "data-and-path" | "inline-base64" | "inline-text" | "unknown-member";

/** Path of entries whose bytes stand in the entry (VirtualiZarr's `ChunkManifest`). */
export const INLINED = "__inlined__";

type Bad = Extract<Entry, { kind: "bad" }>;

const MEMBERS = new Set(["path", "offset", "length", "checksum", "data"]);
const BASE64 = "base64:";

export function entryOf(value: JsonValue): Entry {
  if (typeof value === "string" && value.startsWith(BASE64)) return inlineOf(value, []);
  if (!isJsonObject(value)) {
    return bad(
      "reference-malformed",
      `The entry is ${describeJson(value)}; an object with the member "path" is expected.`,
    );
  }
  const notes: EntryNote[] = value.has("checksum") ? ["checksum"] : [];
  for (const key of value.keys()) if (!MEMBERS.has(key)) notes.push("unknown-member");
  if (value.size === 0) return { kind: "empty", notes };
  return value.has("data") ? dataEntry(value, notes) : pathEntry(value, notes);
}

function dataEntry(value: JsonObject, notes: EntryNote[]): Entry {
  const data = value.get("data");
  const path = value.get("path");
  if (path !== undefined && path !== INLINED && path !== "" && path !== null) notes.push("data-and-path");
  if (typeof data !== "string") {
    const reason = `The member "data" is ${describeJson(data)}; a text (base64, or the bytes as text) is expected.`;
    return bad("inline-malformed", reason, notes);
  }
  return inlineOf(data, notes);
}

/**
 * Nobody has written down how bytes are written: what begins with “base64:” is base64, as Kerchunk has it, and so is what
 * could not be anything else, padding and all; other texts stand for their UTF-8.
 */
function inlineOf(data: string, notes: EntryNote[]): Entry {
  const prefixed = data.startsWith(BASE64);
  const letters = prefixed ? data.slice(BASE64.length) : data;
  if (isBase64(letters)) {
    return { kind: "inline", text: `${BASE64}${letters}`, notes: [...notes, "inline-base64"] };
  }
  if (prefixed) return bad("inline-bad-base64", "The text after “base64:” is not base64.", notes);
  if (/[\ud800-\udfff]/u.test(data)) {
    return bad("reference-malformed", "The text holds half a surrogate pair, which cannot be encoded as UTF-8.", notes);
  }
  return { kind: "inline", text: JSON.stringify(data).slice(1, -1), notes: [...notes, "inline-text"] };
}

function isBase64(text: string): boolean {
  if (text.length % 4 !== 0) return false;
  const pads = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const other = text.search(/[^A-Za-z0-9+/]/);
  return other === -1 ? pads === 0 : other === text.length - pads;
}

function pathEntry(value: JsonObject, notes: readonly EntryNote[]): Entry {
  const path = value.get("path");
  if (path === "") return { kind: "empty", notes };
  if (typeof path !== "string") {
    const found = path === undefined ? "is absent" : `is ${describeJson(path)}`;
    return bad("reference-malformed", `The member "path" ${found}; the path or URL of a file is expected.`, notes);
  }
  if (path === INLINED) {
    return bad("inline-malformed", `The path is “${INLINED}”, and the member "data" with the bytes is absent.`, notes);
  }
  const offset = sizeOf("offset", value.get("offset"));
  if (typeof offset === "object") return { ...offset, notes };
  const length = sizeOf("length", value.get("length"));
  if (typeof length === "object") return { ...length, notes };
  if (length === undefined) return openEnded(path, offset ?? 0, notes);
  const from = offset ?? 0;
  if (!Number.isSafeInteger(from + length)) return { ...tooLarge("end", `${from} + ${length}`), notes };
  return { kind: "range", path, offset: from, length, notes };
}

function openEnded(path: string, offset: number, notes: readonly EntryNote[]): Entry {
  if (offset === 0) return { kind: "whole", path, notes };
  const reason = `The entry has the offset ${offset} and no length: the chunk would reach to the end of the file, which no reference can say.`;
  return bad("reference-length-absent", reason, notes);
}

/** In bytes; null is taken for absent. */
function sizeOf(what: "offset" | "length", value: JsonValue | undefined): number | undefined | Bad {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "bigint") return value < 0n ? negative(what, String(value)) : tooLarge(what, String(value));
  if (typeof value !== "number") {
    return bad(`reference-${what}-not-a-number`, `The ${what} is ${describeJson(value)}; an integer is expected.`);
  }
  if (!Number.isFinite(value)) return bad(`reference-${what}-not-a-number`, `The ${what} is ${value}.`);
  if (value < 0) return negative(what, String(value));
  if (!Number.isInteger(value)) {
    return bad(`reference-${what}-fractional`, `The ${what} is ${value}; it must be an integer.`);
  }
  return Number.isSafeInteger(value) ? value : tooLarge(what, String(value));
}

function negative(what: string, text: string): Bad {
  return bad(`reference-${what}-negative`, `The ${what} is ${shortened(text)}; it must not be negative.`);
}

function tooLarge(what: string, text: string): Bad {
  const reason = `The ${what} is ${shortened(text)}, which is beyond 2^53 − 1: no file is so large.`;
  return bad(`reference-${what}-too-large`, reason);
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

function bad(code: string, reason: string, notes: readonly EntryNote[] = []): Bad {
  return { kind: "bad", code, reason, notes };
}

/** What an entry of a manifest says, from its JSON value. Nothing here throws: what cannot be used is a bad entry. */
import { cut } from "../../core/words.ts";
import { unreadableInline } from "../../core/unreadable-inline.ts";
import { type Code, type FactsOf, finding, type Finding } from "../../core/findings/finding.ts";
import { WHOLE_SET } from "../../core/findings/place.ts";
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
  /** `found`: why; the caller, who knows the key, gives it a place. */
  | { readonly kind: "bad"; readonly found: Finding; readonly notes: readonly EntryNote[] };

/** Worth a finding, though the entry can be used. */
export type EntryNote =
  | "manifest-checksum-unverified"
  | "manifest-data-and-path"
  | "manifest-inline-base64"
  | "manifest-inline-text"
  | "manifest-member-unknown";

/** Path of entries whose bytes stand in the entry (VirtualiZarr's `ChunkManifest`). */
export const INLINED = "__inlined__";

type Bad = Extract<Entry, { kind: "bad" }>;

const MEMBERS = new Set(["path", "offset", "length", "checksum", "data"]);
const BASE64 = "base64:";
const WITH_PATH = "an object whose “path” is the path or URL of a file";

export function entryOf(value: JsonValue): Entry {
  if (typeof value === "string" && value.startsWith(BASE64)) return inlineOf(value, []);
  if (!isJsonObject(value)) {
    return bad("reference-malformed", { expected: WITH_PATH, found: describeJson(value) });
  }
  const notes: EntryNote[] = value.has("checksum") ? ["manifest-checksum-unverified"] : [];
  for (const key of value.keys()) if (!MEMBERS.has(key)) notes.push("manifest-member-unknown");
  if (value.size === 0) return { kind: "empty", notes };
  return value.has("data") ? dataEntry(value, notes) : pathEntry(value, notes);
}

function dataEntry(value: JsonObject, notes: EntryNote[]): Entry {
  const data = value.get("data");
  const path = value.get("path");
  if (path !== undefined && path !== INLINED && path !== "" && path !== null) notes.push("manifest-data-and-path");
  if (typeof data !== "string") {
    return bad("inline-malformed", { found: describeJson(data) }, notes);
  }
  return inlineOf(data, notes);
}

/**
 * It is specified nowhere how bytes are written: what begins with “base64:” is base64, as Kerchunk has it, and so is what
 * could not be anything else, padding and all; other texts stand for their UTF-8.
 */
function inlineOf(data: string, notes: EntryNote[]): Entry {
  const prefixed = data.startsWith(BASE64);
  const letters = prefixed ? data.slice(BASE64.length) : data;
  if (isBase64(letters)) {
    return { kind: "inline", text: `${BASE64}${letters}`, notes: [...notes, "manifest-inline-base64"] };
  }
  if (prefixed) return { kind: "bad", found: unreadableInline("bad-base64"), notes };
  if (/[\ud800-\udfff]/u.test(data)) return { kind: "bad", found: unreadableInline("lone-surrogate"), notes };
  return { kind: "inline", text: JSON.stringify(data).slice(1, -1), notes: [...notes, "manifest-inline-text"] };
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
    const found = path === undefined ? "an object without it" : `an object whose “path” is ${describeJson(path)}`;
    return bad("reference-malformed", { expected: WITH_PATH, found }, notes);
  }
  if (path === INLINED) {
    return bad("inline-malformed", { found: undefined }, notes);
  }
  const offset = sizeOf("offset", value.get("offset"));
  if (typeof offset === "object") return { ...offset, notes };
  const length = sizeOf("length", value.get("length"));
  if (typeof length === "object") return { ...length, notes };
  if (length === undefined) return openEnded(path, offset ?? 0, notes);
  const from = offset ?? 0;
  if (!Number.isSafeInteger(from + length)) {
    return bad("reference-end-too-large", { written: `${from} + ${length}` }, notes);
  }
  return { kind: "range", path, offset: from, length, notes };
}

function openEnded(path: string, offset: number, notes: readonly EntryNote[]): Entry {
  if (offset === 0) return { kind: "whole", path, notes };
  return bad("reference-length-absent", { offset }, notes);
}

/** In bytes; null is taken for absent. */
function sizeOf(what: "offset" | "length", value: JsonValue | undefined): number | undefined | Bad {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "bigint" && typeof value !== "number") {
    return bad(`reference-${what}-not-a-number`, { written: describeJson(value) });
  }
  const facts = { written: cut(String(value), 40) };
  if (value < 0)
    return bad(Number.isFinite(Number(value)) ? `reference-${what}-negative` : `reference-${what}-not-a-number`, facts);
  if (typeof value === "bigint" || Number.isInteger(value)) {
    return Number.isSafeInteger(value) ? Number(value) : bad(`reference-${what}-too-large`, facts);
  }
  return bad(`reference-${what}-${Number.isFinite(value) ? "fractional" : "not-a-number"}`, facts);
}

function bad<C extends Code>(code: C, facts: FactsOf<C>, notes: readonly EntryNote[] = []): Bad {
  return { kind: "bad", found: finding(code, WHOLE_SET, facts), notes };
}

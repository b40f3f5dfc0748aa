/** Reads a chunk manifest, from its file's text or from the array's metadata. */
import { chunkName, coordinatesOf, type KeySeparator } from "#core/metadata/chunk-grid.ts";
import { failedAt, failure, finding, keyAt, nodeAt, placed, WHOLE_SET, unlessFinding } from "#core/findings/finding.ts";
import type { Code, FactsOf, Finding, Place } from "#core/findings/finding.ts";
import { jsonFindings } from "#core/json/json-finding.ts";
import { describeJson, isJsonObject, type JsonObject, type JsonOddity, type JsonValue } from "#core/json/json.ts";
import { eachJsonMember, writeJson } from "#core/json/parse-json.ts";
import { STRAY_CODES } from "#core/table/reference-table.ts";
import { unreadableInline } from "#core/table/reference.ts";
import { cut } from "#core/words.ts";
import { type KeyMeaning, meaningOf, type StrayReason } from "./chunk-ordinal.ts";
import { copied, type Entries, entryWriter, type EntryWriter, PATH_NONE, type Placed, WHOLE } from "./entries.ts";
import type { PrefixEntry, PrefixMeaning } from "./prefixes.ts";

// The members of a manifest's text, one at a time: no tree of a million entries is ever built, keys become no property
// names, their order and repetition survive. Entries in the usual spelling are read by one expression.

interface MemberVisitor {
  /** `{"path": …, "offset": …, "length": …}` and nothing else; both integers are safe. */
  range(key: string, path: string, offset: number, length: number): void;
  other(key: string, value: JsonValue): void;
}

/** A string without escapes, and an integer that cannot be unsafe. */
const TEXT = String.raw`"([ !#-\[\]-\uffff]*)"`;
const BYTES = String.raw`(0|[1-9]\d{0,14})`;
const USUAL = new RegExp(
  [TEXT, ":", "\\{", '"path"', ":", TEXT, ",", '"offset"', ":", BYTES, ",", '"length"', ":", BYTES, "\\}"].join(
    String.raw`[ \t\n\r]*`,
  ),
  "y",
);

/**
 * Calls the visitor for each member of the object that the text is.
 * @returns what is odd about the text, but for repeated keys of the manifest itself
 * @throws RefscopeError `json-invalid`, `json-too-deep`, or `chunk-manifest-not-an-object`
 */
export function eachMember(text: string, visitor: MemberVisitor): readonly JsonOddity[] {
  const usual = (from: number): number | undefined => {
    USUAL.lastIndex = from;
    const found = USUAL.exec(text);
    if (found === null) return undefined;
    visitor.range(found[1] ?? "", found[2] ?? "", Number(found[3]), Number(found[4]));
    return from + found[0].length;
  };
  const oddities = eachJsonMember(text, usual, (key, value) => visitor.other(key, value));
  if (oddities !== undefined) return oddities;
  const start = text.replace(/^\ufeff/, "").trimStart();
  throw failure("chunk-manifest-not-an-object", WHOLE_SET, { found: start.slice(0, 20) });
}

/** Size of a manifest's text: 256 MB. Ask for the size before fetching one. */
export const MAX_MANIFEST_BYTES = 256 * 1024 * 1024;

export type ManifestSource =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "inline"; readonly value: JsonObject };

/** Which array a manifest is of. */
export interface ManifestPlace {
  readonly array: string;
  /** Grid of what its keys name: `storedGrid`. */
  readonly grid: readonly number[];
  /** How the array's metadata write those keys; absent = Zarr v3's default. */
  readonly separator?: KeySeparator;
  /** Store key or URL of its file; absent where it is in the array's metadata. */
  readonly key?: string;
}

export interface Manifest {
  readonly array: string;
  readonly entries: Entries;
  /** Paths as written, each once, in the order met. */
  readonly paths: readonly string[];
  /** Entries that represent many chunks, of which nothing says which exist: those below one are unknown, not missing. */
  readonly prefixes: readonly PrefixEntry[];
  readonly findings: readonly Finding[];
}

export interface ManifestLimits {
  readonly bytes: number;
  readonly entries: number;
  readonly prefixes: number;
  /** More keys than this that are not a chunk's: the document is of another kind, or the metadata are. */
  readonly strays: number;
}

const LIMITS: ManifestLimits = { bytes: MAX_MANIFEST_BYTES, entries: 5_000_000, prefixes: 100_000, strays: 1_000_000 };

/**
 * Reads all of a manifest, or nothing.
 * @throws RefscopeError where the text is not JSON, not an object of chunk keys, or larger than the limits
 */
export const readManifest = (source: ManifestSource, place: ManifestPlace, limits: ManifestLimits = LIMITS): Manifest =>
  unlessFinding(
    () => readAll(source, place, limits),
    (error) => {
      throw failedAt(error, place.key === undefined ? nodeAt(place.array) : keyAt(place.key));
    },
  );

function readAll(source: ManifestSource, place: ManifestPlace, limits: ManifestLimits): Manifest {
  const reading = startReading(place, limits);
  let oddities: readonly JsonOddity[] = [];
  if (source.kind === "inline") {
    for (const [key, value] of source.value) reading.other(key, value);
  } else {
    // A character is at least one byte.
    if (source.text.length > limits.bytes) throw tooLarge("bytes", limits.bytes);
    oddities = eachMember(source.text, reading);
  }
  return finish(reading, place, oddities);
}

interface Reading {
  readonly writer: EntryWriter;
  readonly notes: EntryNotes;
  /** Prefixes by key; the last of equal keys counts. */
  readonly prefixes: Map<string, PrefixEntry>;
  range(key: string, path: string, offset: number, length: number): void;
  other(key: string, value: JsonValue): void;
}

function startReading(place: ManifestPlace, limits: ManifestLimits): Reading {
  const writer = entryWriter();
  const notes = entryNotes(place.array);
  const prefixes = new Map<string, PrefixEntry>();
  const usable = (key: string, meaning: Placed["meaning"]): Placed => {
    if (writer.count >= limits.entries) throw tooLarge("entries", limits.entries);
    if (meaning.kind === "stray") {
      if (writer.strayCount >= limits.strays) {
        throw failure("too-many-stray-keys", WHOLE_SET, { strays: limits.strays + 1, limit: limits.strays });
      }
      notes.stray(key, meaning.reason);
    }
    return { key, meaning };
  };
  const addPrefix = (key: string, meaning: PrefixMeaning, entry: Entry): void => {
    if (prefixes.size >= limits.prefixes) throw tooLarge("prefixes", limits.prefixes);
    notes.prefix(key, entry);
    const own = copied(key);
    // The later of two counts, and stands behind.
    prefixes.delete(own);
    prefixes.set(own, { key: own, meaning, value: valueBelow(entry) });
  };
  const add = (key: string, meaning: KeyMeaning, value: JsonValue): void => {
    const entry = entryOf(value);
    if (meaning.kind !== "prefix") addEntry({ writer, notes }, usable(key, meaning), entry, value);
    else if ((entry.kind === "range" || entry.kind === "inline") && meaning.prefix.before !== "")
      addEntry({ writer, notes }, usable(key, { kind: "stray", reason: "wrong-rank" }), entry, value);
    else addPrefix(key, meaning.prefix, entry);
  };
  const meaningHere = (key: string): KeyMeaning => meaningOf(key, place.grid, place.separator);
  return {
    writer,
    notes,
    prefixes,
    other: (key, value) => add(key, meaningHere(key), value),
    range(key, path, offset, length) {
      const meaning = meaningHere(key);
      if (meaning.kind === "prefix" || path === "" || path === INLINED || !Number.isSafeInteger(offset + length)) {
        add(key, meaning, new Map<string, JsonValue>(Object.entries({ path, offset, length })));
        return;
      }
      writer.add(usable(key, meaning), writer.pathId(path), offset, length);
    },
  };
}

function valueBelow(entry: Entry): PrefixEntry["value"] {
  if (entry.kind === "empty") return { kind: "empty" };
  if (entry.kind === "whole") return { kind: "path", path: copied(entry.path) };
  if (entry.kind === "bad") return { kind: "refused", reason: entry.found };
  const has = entry.kind === "range" ? "range" : "bytes";
  return { kind: "refused", reason: finding("manifest-prefix-unusable", WHOLE_SET, { has }) };
}

function addEntry({ writer, notes }: Pick<Reading, "writer" | "notes">, at: Placed, entry: Entry, value: JsonValue) {
  notes.entry(at.key, entry);
  if (entry.kind === "empty") writer.add(at, PATH_NONE, 0, 0);
  else if (entry.kind === "whole") writer.add(at, writer.pathId(entry.path), 0, WHOLE);
  else if (entry.kind === "range") writer.add(at, writer.pathId(entry.path), entry.offset, entry.length);
  else if (entry.kind === "inline") writer.addOdd(at, { kind: "inline", text: entry.text });
  else {
    const text = writeJson(value);
    const written = text.length > 500 ? `${text.slice(0, 500)}…` : text;
    writer.addOdd(at, { kind: "bad", reference: { reason: entry.found, written } });
  }
}

function finish({ writer, notes, prefixes }: Reading, place: ManifestPlace, oddities: readonly JsonOddity[]): Manifest {
  const { entries, repeated } = writer.finish();
  if (isOtherManifest(entries)) throw failure("chunk-manifest-other-kind", WHOLE_SET, {});
  for (const one of repeated) notes.repeated(chunkName(coordinatesOf(place.grid, one.ordinal), "."), one.same);
  const odd = jsonFindings(oddities, place.key === undefined ? nodeAt(place.array) : keyAt(place.key));
  return {
    array: place.array,
    entries,
    paths: entries.paths,
    prefixes: [...prefixes.values()],
    findings: [...notes.list(), ...odd],
  };
}

/** The archive DANDI keeps files of the same name, with the members `fields` and `entries`. */
function isOtherManifest({ count, strays }: Entries): boolean {
  if (count === 0 || strays.size < count) return false;
  const keys = new Set([...strays.values()].slice(0, 20).map(({ key }) => key));
  return keys.has("entries") && keys.has("fields");
}

const tooLarge = (what: "bytes" | "entries" | "prefixes", limit: number) =>
  failure("chunk-manifest-too-large", WHOLE_SET, { what, limit, found: undefined });

// Findings about the entries of a manifest: one for each code, with the first place and a count.

type EntryNotes = ReturnType<typeof entryNotes>;

function entryNotes(array: string) {
  const kept = new Map<string, { readonly first: Finding; count: number }>();
  /** `make` is called only for the first of its code. */
  const add = (code: string, key: string, make: (place: Place) => Finding): void => {
    const known = kept.get(code);
    if (known !== undefined) known.count += 1;
    else kept.set(code, { first: make(keyAt(copied(array === "" ? key : `${array}/${key}`))), count: 1 });
  };
  const note = <C extends Code>(code: C, key: string, facts: FactsOf<C>): void => {
    add(code, key, (place) => finding(code, place, facts));
  };
  return {
    entry(key: string, entry: Entry): void {
      if (entry.kind === "empty") note("manifest-empty-entry", key, {});
      if (entry.kind === "bad") add(entry.found.code, key, (place) => placed(entry.found, place));
      for (const one of new Set(entry.notes)) note(one, key, {});
    },
    stray(key: string, reason: StrayReason): void {
      note(STRAY_CODES[reason], key, {});
    },
    /** An entry for many chunks. */
    prefix(key: string, entry: Entry): void {
      note("manifest-prefix-entry", key, {});
      if (entry.kind === "range") note("manifest-prefix-unusable", key, { has: "range" });
      if (entry.kind === "inline") note("manifest-prefix-unusable", key, { has: "bytes" });
      if (entry.kind === "bad") add(entry.found.code, key, (place) => placed(entry.found, place));
    },
    /** `same`: the key is written twice; else two spellings name one chunk. */
    repeated(key: string, same: boolean): void {
      note(same ? "manifest-duplicate-key" : "manifest-duplicate-chunk", key, {});
    },
    list: (): readonly Finding[] =>
      [...kept.values()].map(({ first, count }) => (count === 1 ? first : { ...first, count })),
  };
}

// Reads an entry of a manifest from its JSON value. Never throws: unusable values become bad entries.

type Entry = { readonly notes: readonly EntryNote[] } &
  /** `{}`, or the path `""` with which VirtualiZarr marks a missing chunk. */
  (
    | { readonly kind: "empty" }
    | { readonly kind: "whole"; readonly path: string }
    | { readonly kind: "range"; readonly path: string; readonly offset: number; readonly length: number }
    /** `text`: as an inline value of Kerchunk is written, JSON string text without its quotes. */
    | { readonly kind: "inline"; readonly text: string }
    /** `found`: why; the caller, who knows the key, gives it a place. */
    | { readonly kind: "bad"; readonly found: Finding }
  );

/** Worth a finding, though the entry can be used. */
type EntryNote =
  | "manifest-checksum-unverified"
  | "manifest-data-and-path"
  | "manifest-inline-base64"
  | "manifest-inline-text"
  | "manifest-member-unknown";

/** Path of entries whose bytes are in the entry (VirtualiZarr's `ChunkManifest`). */
const INLINED = "__inlined__";

type Bad = Extract<Entry, { kind: "bad" }>;

const MEMBERS = new Set(["path", "offset", "length", "checksum", "data"]);
const BASE64 = "base64:";
const WITH_PATH = "an object whose “path” is the path or URL of a file";

function entryOf(value: JsonValue): Entry {
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
 * could not be anything else, padding and all; other texts represent their UTF-8.
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
  const offset = byteCount("offset", value.get("offset"));
  if (typeof offset === "object") return { ...offset, notes };
  const length = byteCount("length", value.get("length"));
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

/** A size in bytes; null counts as absent. */
function byteCount(what: "offset" | "length", value: JsonValue | undefined): number | undefined | Bad {
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

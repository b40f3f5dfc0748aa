/**
 * One reference set while its members are being read: takes the entries that the scanner leaves, keeps what does not
 * go into columns, and counts what there is to say about them.
 */
import { nodePathOf } from "#core/metadata/hierarchy-path.ts";
import { failure, finding, keyAt, placed, WHOLE_SET } from "#core/findings/finding.ts";
import { FindingLog } from "#core/findings/finding-log.ts";
import { ARRAY_NONE, LENGTH_BIG, ORDINAL_STRAY, type BadReference } from "#core/table/reference-table.ts";
import type { Reference } from "#core/table/reference.ts";
import { gridOfMetadata, gridOfMetadataV3 } from "./grid.ts";
import { asciiText, decodeString, decodeText } from "./json-bytes.ts";
import { metadataValue, referenceValue, type BadValue, type ReferenceValue } from "./reference-value.ts";
import { asReference, columnsOf, writtenText } from "./value-columns.ts";
import type { Scanner } from "./scan-wasm.ts";
import { isMetadataKey, slots, splitsOf, type Slots } from "./slots.ts";

export interface MetadataEntry {
  readonly key: string;
  readonly value: Reference;
  /** Table rows whose keys precede it in the document. */
  readonly row: number;
  /** The URL as written, where rendering made another of it. */
  readonly written?: string;
  /** Ordinal of the entry of `gen` that made it; absent for what is in `refs`. */
  readonly gen?: number;
  /** `gen` put it in the place of a reference in `refs`. */
  readonly overrides?: boolean;
  /** Written as a JSON object, not as text that holds one. */
  readonly isObject?: true;
}

/** A member of an object: its key as text, and key (with quotes) and value as index ranges of the bytes. */
export interface Member {
  readonly key: string;
  readonly keyFrom: number;
  readonly keyTo: number;
  readonly from: number;
  readonly to: number;
  /** Ordinal of the entry of `gen` that made it; absent for what is written. */
  readonly gen?: number;
}

/** Metadata keys that were there already when `gen` made them: of written ones, and of ones that `gen` had made. */
export interface MetadataRepeats {
  readonly overrides: string[];
  readonly collisions: { readonly key: string; readonly earlier: number; readonly later: number }[];
}

/** A target, whole or a part. */
export type PlainValue = Extract<ReferenceValue, { kind: "whole" | "range" }>;

interface SetParts {
  readonly scanner: Scanner;
  readonly slots: Slots;
  readonly metadata: Map<string, MetadataEntry>;
  readonly bad: Map<number, BadReference>;
  readonly bigLengths: Map<number, number>;
  readonly findings: FindingLog;
  readonly repeats: MetadataRepeats;
}

export interface ReferenceSet extends SetParts {
  /** Lists [url, offset, length], and of chunk keys also [url], that were taken here: what only reference sets have. */
  readonly lists: () => number;
  /** `bytes`: buffer holding the field; may differ from the scanner's. */
  addMember(member: Member, bytes: Uint8Array): void;
  /** A reference whose key is not a chunk's, and whose value has nothing wrong with it. */
  addStray(key: string, value: PlainValue): void;
  /** A placeholder row for a dropped entry. */
  addBad(key: string, value: BadValue, written: string): void;
}

/** Bad references whose details are kept. */
export const MAX_BAD = 1_000_000;
const MAX_PREFIXES = 200_000;
const encoder = new TextEncoder();

export interface SetLimits {
  readonly bad: number;
  readonly metadataBytes: number;
}

const OBJECT_START = 0x7b;
const LIMITS: SetLimits = { bad: MAX_BAD, metadataBytes: 2 ** 30 };

export function referenceSet(scanner: Scanner, limits: SetLimits = LIMITS): ReferenceSet {
  const set: SetState = {
    scanner,
    limits,
    slots: slots(),
    metadata: new Map(),
    bad: new Map(),
    bigLengths: new Map(),
    findings: new FindingLog(),
    repeats: { overrides: [], collisions: [] },
    prefixes: new Set(),
    metadataBytes: 0,
    lists: 0,
  };
  return {
    ...set,
    lists: () => set.lists,
    addMember: (member, bytes) =>
      isMetadataKey(member.key) ? addMetadata(set, member, bytes) : addReference(set, member, bytes),
    addStray(key, value) {
      if (value.kind === "range") set.lists += 1;
      addRow(set, { array: ARRAY_NONE, rest: key }, value, "");
    },
    addBad: (key, value, written) => addRow(set, locate(set, key, undefined), value, written),
  };
}

interface SetState extends SetParts {
  readonly limits: SetLimits;
  /** Raw prefixes the scanner knows, as Latin-1 text. */
  readonly prefixes: Set<string>;
  metadataBytes: number;
  lists: number;
}

function addMetadata(set: SetState, { key, from, to, gen }: Member, bytes: Uint8Array): void {
  const value = metadataValue(bytes, from, to);
  noteValue(set, key, value);
  set.metadataBytes += to - from;
  const limit = set.limits.metadataBytes;
  if (set.metadataBytes > limit) throw failure("too-much-metadata", keyAt(key), { limit });
  const known = set.metadata.get(key);
  if (known !== undefined) noteRepeat(set, known, gen);
  const reference = asReference(value, bytes, from, to);
  const row = known?.row ?? set.scanner.rows;
  const made = gen === undefined ? {} : { gen, overrides: known !== undefined && !isOnlyMade(known) };
  const written = bytes[from] === OBJECT_START ? { isObject: true as const } : {};
  set.metadata.set(key, { key, value: reference, row, ...made, ...written });
  if (key === ".zarray" || (key.endsWith("/.zarray") && key !== "/.zarray")) learnArray(set, key, reference);
  else if (key === "zarr.json" || key.endsWith("/zarr.json")) learnArrayV3(set, key, reference);
}

const isOnlyMade = ({ gen, overrides }: MetadataEntry): boolean => gen !== undefined && overrides !== true;

function noteRepeat(set: SetState, known: MetadataEntry, gen: number | undefined): void {
  if (gen === undefined) {
    set.findings.add(finding("duplicate-key", keyAt(known.key), {}));
  } else if (known.gen === undefined) set.repeats.overrides.push(known.key);
  else set.repeats.collisions.push({ key: known.key, earlier: known.gen, later: gen });
}

/** The array of a `.zarray`: its grid, where the metadata is in the set, and how its keys begin. */
function learnArray(set: SetState, key: string, reference: Reference): void {
  const path = nodePathOf(key);
  const id = set.slots.obtain(path);
  const slot = set.slots.all[id];
  if (slot === undefined) return;
  const grid = reference.kind === "inline" ? gridOfMetadata(decodeText(reference.bytes).text) : undefined;
  slot.final = grid;
  slot.awaited = reference.kind === "range" || reference.kind === "whole";
  if (slot.scanned === undefined && grid !== undefined) {
    slot.scanned = grid;
    set.scanner.setGrid(id, grid.grid, grid.separator === "/" ? "/" : ".");
  }
  // Keys nearly always spell the path as the standard library, or as ujson does; other spellings are learnt when met.
  addPrefix(set, id, encoder.encode(rawPrefix(path, "/")));
  addPrefix(set, id, encoder.encode(rawPrefix(path, "\\/")));
}

/** Keys of Zarr v3 are rarely written into sets: they are settled at the end, by what the metadata say. */
function learnArrayV3(set: SetState, key: string, reference: Reference): void {
  if (reference.kind !== "inline") return;
  const { text } = decodeText(reference.bytes);
  const grid = gridOfMetadataV3(text);
  if (grid === undefined) return;
  const slot = set.slots.all[set.slots.obtain(nodePathOf(key))];
  if (slot === undefined) return;
  slot.final = grid === "unread" ? undefined : grid;
  slot.gridUnread = grid === "unread";
}

function rawPrefix(path: string, slash: string): string {
  return path === "" ? "" : JSON.stringify(`${path}/`).slice(1, -1).replaceAll("/", slash);
}

function addPrefix(set: SetState, slot: number, raw: Uint8Array): void {
  const text = String.fromCharCode(...raw.subarray(0, 4096));
  if (raw.length > 4096 || set.prefixes.has(text) || set.prefixes.size >= MAX_PREFIXES) return;
  set.prefixes.add(text);
  set.scanner.addPrefix(raw, slot);
}

function addReference(set: SetState, { key, keyFrom, keyTo, from, to }: Member, bytes: Uint8Array): void {
  const value = referenceValue(bytes, from, to);
  noteValue(set, key, value);
  const written = value.kind === "bad" ? writtenText(bytes, from, to) : "";
  const isList = value.kind === "range" || value.kind === "whole";
  if (value.kind === "range" || (isList && splitsOf(key).length > 0)) set.lists += 1;
  addRow(set, locate(set, key, bytes.subarray(keyFrom + 1, keyTo - 1)), value, written);
}

interface Location {
  readonly array: number;
  readonly rest: string;
}

/** To which array a key belongs. Its ordinal is settled at the end, when all metadata are known. */
function locate(set: SetState, key: string, raw: Uint8Array | undefined): Location {
  const splits = splitsOf(key);
  for (const { path, rest } of splits) {
    const id = set.slots.find(path);
    if (id !== undefined) {
      if (raw !== undefined) learnSpelling(set, id, path, raw, rest);
      return { array: id, rest };
    }
  }
  // An array whose metadata may follow. Where a shorter path is possible too, all is left open.
  const [only] = splits;
  if (only === undefined || splits.length > 1 || /(?:^|\/)c$/.test(only.path)) return { array: ARRAY_NONE, rest: key };
  const id = set.slots.obtain(only.path);
  if (raw !== undefined) learnSpelling(set, id, only.path, raw, only.rest);
  return { array: id, rest: only.rest };
}

function learnSpelling(set: SetState, id: number, path: string, raw: Uint8Array, rest: string): void {
  // Coordinates are plain digits, dots and slashes; each slash may be escaped.
  for (const tail of [rest, rest.replaceAll("/", "\\/")]) {
    const prefix = raw.subarray(0, Math.max(0, raw.length - tail.length));
    const endsWell = prefix.length === 0 || prefix.at(-1) === 47;
    if (!endsWell || asciiText(raw, prefix.length, raw.length) !== tail) continue;
    if (decodeString(prefix).text === (path === "" ? "" : `${path}/`)) return addPrefix(set, id, prefix);
  }
}

function addRow(set: SetState, { array, rest }: Location, value: ReferenceValue, written: string): void {
  const { scanner } = set;
  const columns = columnsOf(scanner, value);
  const row = scanner.addRow({ array, ordinal: ORDINAL_STRAY, ...columns });
  scanner.keepKey(row, utf8(rest));
  if (value.kind === "range" && columns.length === LENGTH_BIG) set.bigLengths.set(row, value.length);
  if (value.kind !== "bad") return;
  const limit = set.limits.bad;
  if (set.bad.size >= limit) throw failure("too-many-malformed-references", WHOLE_SET, { limit });
  set.bad.set(row, { reason: value.found, written });
}

const SHORT = new Uint8Array(256);

/** For the short ones a loop is faster than the call. Good until the next call. */
function utf8(text: string): Uint8Array {
  const { length } = text;
  if (length > SHORT.length) return encoder.encode(text);
  for (let at = 0; at < length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 127) return encoder.encode(text);
    SHORT[at] = code;
  }
  return SHORT.subarray(0, length);
}

function noteValue({ findings }: SetState, key: string, value: ReferenceValue): void {
  if (value.kind === "bad") findings.add(placed(value.found, keyAt(key)));
  else if (value.kind === "inline" && value.oddity === "non-ascii") {
    findings.add(finding("inline-non-ascii", keyAt(key), {}));
  }
}

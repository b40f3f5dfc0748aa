/** Reads a chunk manifest, from its file's text or from the array's metadata. */
import { chunkName, coordinatesOf, type KeySeparator } from "../../core/chunk-grid.ts";
import { RefscopeError } from "../../core/errors.ts";
import { failedAt, failure } from "../../core/findings/failure.ts";
import { finding, type Finding } from "../../core/findings/finding.ts";
import { keyAt, nodeAt, WHOLE_SET } from "../../core/findings/place.ts";
import { jsonFindings } from "../../core/json-finding.ts";
import { writeJson } from "../../core/json-write.ts";
import type { JsonObject, JsonOddity, JsonValue } from "../../core/json.ts";
import { meaningOf, type KeyMeaning } from "./chunk-ordinal.ts";
import {
  copied,
  entryWriter,
  PATH_NONE,
  WHOLE,
  type Entries,
  type EntryWriter,
  type Placed,
  type RepeatedChunk,
} from "./entries.ts";
import { entryOf, INLINED, type Entry } from "./entry.ts";
import { entryNotes, type EntryNotes } from "./entry-findings.ts";
import { eachMember } from "./members.ts";
import type { PrefixEntry, PrefixMeaning } from "./prefixes.ts";

/** Size of a manifest's text: 256 MB. Ask for the size before fetching one. */
export const MAX_MANIFEST_BYTES = 256 * 1024 * 1024;

export type ManifestSource =
  { readonly kind: "text"; readonly text: string } | { readonly kind: "inline"; readonly value: JsonObject };

/** Which array a manifest is of. */
export interface ManifestPlace {
  readonly array: string;
  /** Grid of what its keys name: `storedGrid`. */
  readonly grid: readonly number[];
  /** How the array's metadata write those keys; absent = Zarr v3's default. */
  readonly separator?: KeySeparator;
  /** Store key or URL of its file; absent where it stands in the array's metadata. */
  readonly key?: string;
}

export interface Manifest {
  readonly array: string;
  readonly entries: Entries;
  /** Paths as written, each once, in the order met. */
  readonly paths: readonly string[];
  /** Entries that stand for many chunks, of which nothing says which exist: those below one are unknown, not missing. */
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
export function readManifest(source: ManifestSource, place: ManifestPlace, limits: ManifestLimits = LIMITS): Manifest {
  try {
    return readAll(source, place, limits);
  } catch (error) {
    if (!(error instanceof RefscopeError)) throw error;
    throw failedAt(error, place.key === undefined ? nodeAt(place.array) : keyAt(place.key));
  }
}

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
  /** By key: the last of the same counts. */
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
    else if (isRange(entry) && meaning.prefix.before !== "")
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

/** What is of one chunk; at a key with too few coordinates it is a mistake, and no prefix. */
const isRange = ({ kind }: Entry): boolean => kind === "range" || kind === "inline";

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
  for (const one of repeated) notes.repeated(nameOf(one, place), one.same);
  const odd = jsonFindings(oddities, place.key === undefined ? nodeAt(place.array) : keyAt(place.key));
  return {
    array: place.array,
    entries,
    paths: entries.paths,
    prefixes: [...prefixes.values()],
    findings: [...notes.list(), ...odd],
  };
}

function nameOf({ ordinal }: RepeatedChunk, { grid }: ManifestPlace): string {
  return chunkName(coordinatesOf(grid, ordinal), ".");
}

/** The archive DANDI keeps files of the same name, with the members `fields` and `entries`. */
function isOtherManifest({ count, strays }: Entries): boolean {
  if (count === 0 || strays.size < count) return false;
  const keys = new Set([...strays.values()].slice(0, 20).map(({ key }) => key));
  return keys.has("entries") && keys.has("fields");
}

const tooLarge = (what: "bytes" | "entries" | "prefixes", limit: number) =>
  failure("chunk-manifest-too-large", WHOLE_SET, { what, limit, found: undefined });

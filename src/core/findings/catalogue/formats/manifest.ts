/** Chunk manifests of Zarr v3 (the storage transformer proposed in zarr-specs issue 287): where each says its chunks are. */
import { nodeOf, type Place } from "../../place.ts";
import { about, type Entry } from "../entry.ts";
import type { NoFacts } from "../../fact.ts";
import { count, listed, quoted } from "../../../words.ts";

const IGNORED =
  "zarr-python does not know storage transformers and refuses the array; readers that ignore them show the fill value.";
const NO_STANDARD =
  "The proposal leaves this open, and few readers know chunk manifests at all: others may read it differently.";
const UNKNOWN = "Every chunk of the array is unknown; none is read as the fill value.";
const GIVE_MANIFEST = "Give the manifest that the array's metadata name.";

const { error, warning, note } = about("references", { readers: NO_STANDARD });
const ignored = about("references", { readers: IGNORED });
const ignored2 = about("metadata", { readers: IGNORED });
const ofReferences = about("references");

/** A finding on an entry that can be used; the place is its key. */
function noted(of: Pick<Entry<NoFacts>, "title" | "severity" | "readers"> & { explain: string; remedy?: string }) {
  const { explain, ...rest } = of;
  return ofReferences.graded({
    ...rest,
    explain: explain,
  });
}

/** `directory`: relative to the store's root, `""` the root itself, `".."` what holds the store. */
type PathBase = { readonly path: string; readonly directory: string };

function directoryName(directory: string, place: Place): string {
  if (directory === "..") return "the directory that holds the store";
  if (directory === nodeOf(place)) return "the array's own directory";
  return directory === "" ? "the store's root" : `the group ${quoted(directory, 120)}`;
}

/** `asked`: the first few paths, from the store's root; `count`: how many in all. */
type PathNotFound = { readonly path: string; readonly asked: readonly string[]; readonly count: number };

type MissingManifest =
  { readonly problem: "no-path" | "absent" } | { readonly problem: "status"; readonly status: number };

function explainMissing(facts: MissingManifest): string {
  const expected = "A JSON document, the chunk manifest, says where the array's chunks are";
  if (facts.problem === "no-path") return `${expected}; the array's metadata do not name one. ${UNKNOWN}`;
  if (facts.problem === "status") return `${expected}; the server answered status ${facts.status} for it. ${UNKNOWN}`;
  return `${expected}; there is no such file. ${UNKNOWN}`;
}

type TooLarge = {
  readonly what: "bytes" | "entries" | "prefixes";
  readonly limit: number;
  /** Absent where nothing beyond the limit was counted. */
  readonly found: number | undefined;
};

export const MANIFEST = {
  "storage-transformer-unknown": ignored2.error<{ readonly name: string }>({
    title: "Unknown storage transformer",
    explain: ({ name }) =>
      `The array's chunks pass through the storage transformer ${quoted(name, 80)}; only chunk-manifest-json can be read, so what is stored may not be what the array's metadata describe.`,
    remedy: "Do not trust the array's chunks here; read it with the software that wrote it.",
  }),
  "chunk-manifest-repeated": ignored2.warning({
    title: "More than one chunk manifest",
    explain: "An array should have one chunk manifest; this is another, and the first is used.",
    remedy: "Merge the manifests into one.",
  }),
  "chunk-manifest-invalid": ignored2.error<{ readonly found: string }>({
    title: "The metadata do not say where the chunk manifest is",
    explain: ({ found }) =>
      `The transformer chunk-manifest-json needs the member “manifest” in its configuration, a path or an object; it is ${found}. Which chunks exist is unknown.`,
    remedy: 'Give the manifest\'s path in zarr.json ("./manifest.json").',
  }),
  "chunk-manifest-missing": ignored.error<MissingManifest>({
    title: "The chunk manifest is missing",
    explain: explainMissing,
    remedy: "Add the manifest to the store.",
    action: ({ problem }) => (problem === "status" ? "locations" : undefined),
  }),
  "chunk-manifest-prefix": error({
    title: "Chunk manifest loaded too late",
    explain: () =>
      `The manifest could not be read when the set was opened. It can be now, and has entries for prefixes of keys, whose chunks are told apart only from the beginning. ${UNKNOWN}`,
    remedy: "Open the set again.",
  }),
  "chunk-manifest-not-an-object": ignored.error<{ readonly found: string }>({
    title: "The chunk manifest is not an object",
    explain: ({ found }) =>
      `A chunk manifest is a JSON object of chunk keys, beginning with “{”; this ${found === "" ? "is empty" : `begins with ${quoted(found, 20)}`}. ${UNKNOWN}`,
    remedy: "Give the manifest that the array's metadata name, or correct its text.",
  }),
  "chunk-manifest-other-kind": ignored.error({
    title: "Unsupported manifest type",
    explain: () =>
      `A chunk manifest is an object of chunk keys; this has the members “fields” and “entries” of a list of files, as the DANDI archive keeps them. ${UNKNOWN}`,
    remedy: GIVE_MANIFEST,
  }),
  "chunk-manifest-too-large": ignored.error<TooLarge>({
    title: "The chunk manifest is too large",
    explain: ({ what, limit, found }) =>
      `The manifest has ${found === undefined ? `more than ${count(limit)}` : count(found)} ${what}; at most ${count(limit)} are read. ${UNKNOWN}`,
    remedy: "Store this many references as Kerchunk Parquet.",
  }),
  "manifest-path-base": ofReferences.note<PathBase>({
    title: "Base folder of relative paths was inferred",
    explain: ({ path, directory }, place) =>
      `The manifest's relative paths are taken from ${directoryName(directory, place)}, where ${quoted(path, 120)} was found.`,
    readers: "The proposal does not say where relative paths begin: other readers may take another directory.",
  }),
  "manifest-path-not-found": ofReferences.warning<PathNotFound>({
    title: "Relative paths in the manifest not found",
    explain: ({ path, asked, count: all }) =>
      `The manifest's relative paths, such as ${quoted(path, 120)}, lead to no file: not from the array's directory, its parents, or the directory that holds the store. Asked for, from the store's root: ${listed([...asked.map((one) => quoted(one, 120)), ...(all > asked.length ? [`${count(all - asked.length)} more`] : [])])}.`,
    remedy: "Give the files beside the store, or add a rewrite rule from the path as written to where the file is.",
    readers: "Other readers do not find the files either, unless they run in the directory that the paths begin in.",
    about: "source",
    action: "locations",
  }),
  "manifest-checksum-unverified": noted({
    title: "A checksum that is not verified",
    severity: "info",
    explain:
      "The entry has a checksum, but nothing says what kind it is or which bytes it covers, so it is not verified.",
    readers: NO_STANDARD,
  }),
  "manifest-data-and-path": noted({
    title: "An entry with both bytes and a path",
    severity: "warning",
    explain: "The entry has both its bytes (“data”) and a path; the bytes are used.",
    remedy: "Remove one of them.",
    readers: NO_STANDARD,
  }),
  "manifest-inline-base64": noted({
    title: "Bytes in the manifest, read as base64",
    severity: "info",
    explain:
      "The chunk's bytes are in the manifest, and nothing says how they are encoded: the text is read as base64.",
    readers: NO_STANDARD,
  }),
  "manifest-inline-text": noted({
    title: "Bytes in the manifest, read as text",
    severity: "info",
    explain: "The chunk's bytes are in the manifest; the text is not base64, so it is read as the bytes of its UTF-8.",
    readers: NO_STANDARD,
  }),
  "manifest-member-unknown": noted({
    title: "An entry with members that are not known",
    severity: "info",
    explain:
      "The entry has members other than path, offset, length, checksum and data, whose meaning is not known; they are ignored.",
    readers: NO_STANDARD,
  }),
  "manifest-empty-entry": noted({
    title: "An entry for an empty chunk",
    severity: "info",
    explain: "The entry says that the chunk is empty ({}, or an empty path): it reads as the fill value.",
    readers: "VirtualiZarr writes such entries for missing chunks.",
  }),
  "manifest-prefix-entry": noted({
    title: "Prefix entry",
    severity: "info",
    explain:
      "The key is what the keys of many chunks begin with: each of these is taken to be at the entry's path with the rest of its key appended, unless it has an entry of its own or below a longer prefix. Whether it exists is asked when it is looked at; until then it is unknown, not missing.",
    readers: "The proposal mentions such entries without saying how they are read; few readers know them.",
  }),
  "manifest-prefix-unusable": error<{ readonly has: "range" | "bytes" }>({
    title: "Invalid prefix entry",
    explain: ({ has }) =>
      `The key is what the keys of many chunks begin with, and the entry has ${has === "range" ? "a range of a file (“offset”, “length”)" : "the bytes themselves"}, which can be of one chunk only. It is not followed: the chunks below it are unknown.`,
    remedy: "Give the entry a path alone, or write an entry for each chunk.",
  }),
  "manifest-prefix-base": note<{ readonly path: string }>({
    title: "Where an entry for many chunks begins is not known",
    explain: ({ path }) =>
      `The entry's path ${quoted(path, 120)} is relative. No chunk was found below it from the array's directory, its parents, or the directory that holds the store; it is taken from the array's own directory.`,
  }),
  "manifest-duplicate-key": noted({
    title: "A chunk's key is written more than once",
    severity: "warning",
    explain: "The chunk's key is written more than once; the last entry counts.",
    remedy: "Remove the others.",
    readers: "Python's json keeps the last entry, too.",
  }),
  "manifest-duplicate-chunk": noted({
    title: "Several entries for one chunk",
    severity: "warning",
    explain:
      "The chunk has several entries under different spellings of its key (0.0, 0/0, c/0/0, c.0.0); the last one counts.",
    remedy: "Keep one entry for each chunk.",
    readers: "Other readers may use another one.",
  }),
  "inline-malformed": warning<{ readonly found: string | undefined }>({
    title: "An inline entry without its bytes",
    explain: ({ found }) =>
      found === undefined
        ? "The path says that the bytes are in the entry (“__inlined__”), but the member “data” is absent."
        : `The member “data” must be a text (base64 or plain text); found ${found}.`,
    remedy: "Correct the entry; the chunk cannot be read.",
  }),
  "reference-length-absent": warning<{ readonly offset: number }>({
    title: "An entry with an offset and no length",
    explain: ({ offset }) =>
      `The entry has the offset ${offset} and no length: the chunk would reach to the end of the file, which a reference cannot say.`,
    remedy: "Give the entry its length in bytes.",
  }),
};

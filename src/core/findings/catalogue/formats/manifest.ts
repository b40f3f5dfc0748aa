/**
 * Chunk manifests of Zarr v3 (the storage transformer proposed in zarr-specs issue 287): where each says its chunks
 * are.
 */
import { nodeOf, type Place } from "#core/findings/fact.ts";
import { about } from "../entry.ts";
import { count, listed, quoted } from "#core/words.ts";

const IGNORED =
  "zarr-python does not know storage transformers and refuses the array. Readers that ignore them return the fill value.";
const NO_STANDARD =
  "The proposal leaves this open, and few readers know chunk manifests. Others may read it differently.";
const UNKNOWN = "Every chunk of the array is unknown; Refscope reads none as the fill value.";
const GIVE_MANIFEST = "Provide the manifest that the array's metadata names.";

const { error, warning, note } = about("references", { readers: NO_STANDARD });
const ignored = about("references", { readers: IGNORED });
const metadata = about("metadata", { readers: IGNORED });
const references = about("references");

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
  | { readonly problem: "no-path" | "absent" }
  | { readonly problem: "status"; readonly status: number };

function explainMissing(facts: MissingManifest): string {
  const expected = "The chunk manifest, a JSON document, says where the array's chunks are";
  if (facts.problem === "no-path") return `${expected}, but the array's metadata does not name one. ${UNKNOWN}`;
  if (facts.problem === "status") return `${expected}, but the server returned ${facts.status} for it. ${UNKNOWN}`;
  return `${expected}, but there is no such file. ${UNKNOWN}`;
}

type TooLarge = {
  readonly what: "bytes" | "entries" | "prefixes";
  readonly limit: number;
  /** Absent where nothing beyond the limit was counted. */
  readonly found: number | undefined;
};

export const MANIFEST = {
  "storage-transformer-unknown": metadata.error<{ name: string }>("Unknown storage transformer", {
    explain: ({ name }) =>
      `The array's chunks pass through the storage transformer ${quoted(name, 80)}. Refscope reads only chunk-manifest-json, so the stored data may not be what the array's metadata describes.`,
    remedy: "Read the array with the software that wrote it, and do not trust its chunks here.",
  }),
  "chunk-manifest-repeated": metadata.warning("More than one chunk manifest", {
    explain: "An array should have one chunk manifest; this is another. Refscope uses the first.",
    remedy: "Merge the manifests into one.",
  }),
  "chunk-manifest-invalid": metadata.error<{ found: string }>("Location of the chunk manifest missing", {
    explain: ({ found }) =>
      `chunk-manifest-json: expected the field “manifest” of the configuration to be a path or an object; found ${found}. It is not known which chunks exist.`,
    remedy: 'Write the manifest\'s path into zarr.json ("./manifest.json").',
  }),
  "chunk-manifest-missing": ignored.error<MissingManifest>("Chunk manifest not found", {
    explain: explainMissing,
    remedy: "Add the manifest to the store.",
    action: ({ problem }) => (problem === "status" ? "locations" : undefined),
  }),
  "chunk-manifest-prefix": error("Chunk manifest loaded too late", {
    explain: () =>
      `The manifest could not be read when the dataset was opened. It can be read now, and has prefix entries, whose chunks can be told apart only when the dataset opens. ${UNKNOWN}`,
    remedy: "Open the dataset again.",
  }),
  "chunk-manifest-not-an-object": ignored.error<{ found: string }>("Chunk manifest is not an object", {
    explain: ({ found }) =>
      `Expected a JSON object of chunk keys, beginning with “{”; ${found === "" ? "the manifest is empty" : `found ${quoted(found, 20)}`}. ${UNKNOWN}`,
    remedy: "Provide the manifest that the array's metadata names, or correct its text.",
  }),
  "chunk-manifest-other-kind": ignored.error("Unsupported manifest type", {
    explain: () =>
      `Expected an object of chunk keys; found the fields “fields” and “entries” of a file list, as kept by the DANDI archive. ${UNKNOWN}`,
    remedy: GIVE_MANIFEST,
  }),
  "chunk-manifest-too-large": ignored.error<TooLarge>("Chunk manifest too large", {
    explain: ({ what, limit, found }) =>
      `The manifest has ${found === undefined ? `more than ${count(limit)}` : count(found)} ${what}; Refscope reads at most ${count(limit)}. ${UNKNOWN}`,
    remedy: "Store this many references as Kerchunk Parquet.",
  }),
  "manifest-path-base": references.note<PathBase>("Base folder of relative paths was inferred", {
    explain: ({ path, directory }, place) =>
      `Refscope resolves the manifest's relative paths from ${directoryName(directory, place)}, where it found ${quoted(path, 120)}.`,
    readers: "The proposal does not say where relative paths begin. Other readers may use another directory.",
  }),
  "manifest-path-not-found": references.warning<PathNotFound>("Relative paths in the manifest not found", {
    explain: ({ path, asked, count: all }) =>
      `The manifest's relative paths, such as ${quoted(path, 120)}, lead to no file from the array's directory, its parents, or the directory that holds the store. Requested, from the store's root: ${listed([...asked.map((one) => quoted(one, 120)), ...(all > asked.length ? [`${count(all - asked.length)} more`] : [])])}.`,
    remedy: "Put the files next to the store, or add a rewrite rule from the path as written to the file's place.",
    readers: "Other readers do not find the files either, unless they run in the directory where the paths begin.",
    about: "source",
    action: "locations",
  }),
  "manifest-checksum-unverified": note("Checksum not verified", {
    explain:
      "The entry has a checksum, but nothing says what kind it is or which bytes it covers. Refscope does not verify it.",
  }),
  "manifest-data-and-path": warning("Entry with both bytes and a path", {
    explain: "The entry has both its bytes (“data”) and a path. Refscope uses the bytes.",
    remedy: "Remove one of them.",
  }),
  "manifest-inline-base64": note("Inline bytes read as base64", {
    explain:
      "The chunk's bytes are in the manifest, and nothing says how they are encoded. Refscope reads the text as base64.",
  }),
  "manifest-inline-text": note("Inline bytes read as text", {
    explain: "The chunk's bytes are in the manifest. The text is not base64, so Refscope reads it as UTF-8 bytes.",
  }),
  "manifest-member-unknown": note("Unknown fields in an entry", {
    explain:
      "The entry has fields other than path, offset, length, checksum and data. Refscope ignores them, as their meaning is not known.",
  }),
  "manifest-empty-entry": note("Entry for an empty chunk", {
    explain: "The entry says that the chunk is empty ({}, or an empty path). The chunk reads as the fill value.",
    readers: "VirtualiZarr writes such entries for missing chunks.",
  }),
  "manifest-prefix-entry": note("Prefix entry", {
    explain:
      "The key is a prefix of many chunk keys. Refscope looks for each of these chunks at the entry's path plus the rest of its key, unless it has its own entry or one with a longer prefix. A chunk is unknown, not missing, until Refscope requests it.",
    readers: "The proposal mentions such entries without saying how to read them; few readers know them.",
  }),
  "manifest-prefix-unusable": error<{ has: "range" | "bytes" }>("Invalid prefix entry", {
    explain: ({ has }) =>
      `The key is a prefix of many chunk keys, but the entry has ${has === "range" ? "a range of a file (“offset”, “length”)" : "the bytes themselves"}, which can belong to only one chunk. Refscope does not use it, so the chunks below it are unknown.`,
    remedy: "Leave only a path in the entry, or write an entry for each chunk.",
  }),
  "manifest-prefix-base": note<{ path: string }>("Base folder of a prefix entry unknown", {
    explain: ({ path }) =>
      `The entry's path ${quoted(path, 120)} is relative. No chunk was found below it from the array's directory, its parents, or the directory that holds the store. Refscope resolves it from the array's own directory.`,
  }),
  "manifest-duplicate-key": warning("Duplicate chunk key", {
    explain: "The chunk's key occurs more than once; the last entry counts.",
    remedy: "Remove the others.",
    readers: "Python's json also keeps the last entry.",
  }),
  "manifest-duplicate-chunk": warning("Several entries for one chunk", {
    explain:
      "The chunk has several entries under different spellings of its key (0.0, 0/0, c/0/0, c.0.0); the last one counts.",
    remedy: "Keep one entry for each chunk.",
    readers: "Other readers may use a different entry.",
  }),
  "inline-malformed": warning<{ found: string | undefined }>("Inline entry without bytes", {
    explain: ({ found }) =>
      found === undefined
        ? "The path says that the bytes are in the entry (“__inlined__”), but the field “data” is missing."
        : `Expected the field “data” to be text (base64 or plain text); found ${found}.`,
    remedy: "Correct the entry: the chunk cannot be read.",
  }),
  "reference-length-absent": warning<{ offset: number }>("Entry with an offset but no length", {
    explain: ({ offset }) =>
      `The entry has the offset ${offset} but no length. The chunk would reach to the end of the file, which a reference cannot express.`,
    remedy: "Add the entry's length in bytes.",
  }),
};

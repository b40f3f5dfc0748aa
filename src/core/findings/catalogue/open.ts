/**
 * Opening: files as the browser or the disk gives them, URLs and files that hold no dataset, arrays that are not
 * there.
 */
import { about } from "./entry.ts";
import type { Finding } from "../fact.ts";
import { counted, cut } from "#core/words.ts";

const STORE_METADATA = "Zarr metadata (zarr.json, .zmetadata, .zgroup or .zarray)";
const NO_READER = "Readers are not affected: this is about Refscope itself.";

type NoSet = { readonly among: "folder" } | { readonly among: "files"; readonly files: number };

const ANY_SET =
  "a Zarr store, an Icechunk repository, a Kerchunk Parquet folder, a Kerchunk JSON file (plain, .gz or .zst) or a ZIP archive of one";

const { error } = about("source");
const document = about("document");

const PLAIN = "Expected one reference file, plain or compressed with gzip or Zstandard";
type NoArray = { found: "nothing" | "group" | "broken"; cause?: Finding; near?: string | undefined };

/** `near`: what is there and has nearly this name. */
const meant = (near: string | undefined): string => (near === undefined ? "" : ` Did you mean “${cut(near, 200)}”?`);

const CHANGED = "It may have changed, moved or been deleted since you opened it. Open it again.";

export const OPEN = {
  "no-reference-set": error<NoSet>("No dataset found", {
    explain: (facts) =>
      facts.among === "folder"
        ? `Expected ${STORE_METADATA}, or an Icechunk repository (repo, or refs/). Found neither in the folder.`
        : `Expected ${ANY_SET}. Found none among ${counted(facts.files, "file")}.`,
    remedy: ({ among }) =>
      among === "folder"
        ? "Open the store's root."
        : "Drop the folder or the reference file, alone or together with the files it points to.",
    readers: "Readers also find nothing to open there.",
    noSet: true,
  }),
  "not-a-document": error<{ format: string }>("Only Kerchunk JSON can be edited", {
    explain: ({ format }) => `Refscope can edit and export only Kerchunk JSON documents; this dataset is ${format}.`,
    readers: NO_READER,
  }),
  /** `found`: what is at the path; `reason`: why a broken node is. */
  "no-such-array": error<NoArray>("No array at this path", {
    explain: ({ found, near }) => {
      if (found === "nothing") return `There is nothing at this path.${meant(near)}`;
      if (found === "group") return "Expected an array at this path; found a group.";
      return "The array's metadata cannot be used.";
    },
    readers: ({ found }) => (found === "broken" ? "Most readers raise for this array only." : "Readers also raise."),
    about: "metadata",
  }),
  "document-too-large": document.error("Document too large to show as text", {
    explain: "The document has more than 512 MB of text, the most that fits into one string here.",
    remedy: "Open it without rendering it: info and digest read documents of any size.",
    readers: "Python's readers have no such limit.",
  }),
  "not-utf-8": document.error<{ text?: string | undefined }>("Not UTF-8 text", {
    explain: ({ text }) =>
      `Expected UTF-8 text; some of the document's bytes are not UTF-8${text === undefined ? "" : " and are shown as �"}.`,
    remedy: "Write the document in UTF-8.",
    readers: "Python raises UnicodeDecodeError and opens nothing of the dataset.",
  }),
  "not-opened": error<{ reason: string }>("Dataset not opened", {
    explain: ({ reason }) => `The dataset was not opened: ${reason.replace(/\.$/, "")}.`,
    readers: "It is not known whether other readers open it.",
  }),
  "link-private-address": error<{ host: string }>("Link to a private network", {
    explain: ({ host }) =>
      `The link leads to ${host}, which is on this machine or a private network. Refscope has not requested anything from it yet.`,
    remedy: "If you trust the source of the link, press Retry to open it.",
    readers: "fsspec reads from there without asking.",
  }),
  "container-not-supported": error<{ container: "zip" | "tar" | "7z" }>("Archive where a document was expected", {
    explain: ({ container }) => `${PLAIN}; found a ${container} archive.`,
    remedy: "Unpack it and open the files or the folder in it.",
    readers: "fsspec reads it as the document and fails, unless its URL says how to open the archive.",
  }),
  "compression-not-supported": error<{ compression: "xz" | "bzip2" | "lz4" }>("Unsupported compression", {
    explain: ({ compression }) => `${PLAIN}; this one is compressed with ${compression}.`,
    remedy: "Decompress it and open the result.",
    readers: "fsspec reads xz, bzip2 and lz4 if told to (target_options).",
  }),
  "read-failed": error<{ reason: string }>("Reading was interrupted", {
    explain: ({ reason }) => `The file could not be read to its end: ${reason.replace(/\.$/, "")}.`,
    remedy: CHANGED,
    readers: "Other programs may be able to read it.",
  }),
  "decompress-failed": error<{ problem: "damaged"; compression: "gzip" | "Zstandard"; reason: string }>(
    "Decompression failed",
    {
      explain: ({ compression, reason }) => `The file's ${compression} data is damaged or incomplete: ${reason}.`,
      remedy: "Download or recreate the file: it is damaged or truncated.",
      readers: "fsspec also raises.",
    },
  ),
  "file-unreadable": error<{ reason: string; near?: string | undefined }>("File cannot be read", {
    explain: ({ reason, near }) => `The file could not be read: ${reason.replace(/\.$/, "")}.${meant(near)}`,
    remedy: CHANGED,
    readers: "Other programs may be able to read it.",
  }),
  "file-not-given": error("File not provided", {
    explain: "The file is not among those you provided.",
    remedy: "Open the file again, together with the reference file.",
    readers: "Readers that have the file can read it.",
    action: "locations",
  }),
  "link-leads-out": error("Link leaves the directory", {
    explain: "Expected a file inside the directory; found a symbolic link that leads out of it, or to nothing.",
    remedy: "Open a directory that contains both the link and the file it leads to.",
    readers: "fsspec follows links, wherever they lead.",
  }),
  "directory-given": error("Directory instead of a file", {
    explain: "Expected a file; found a directory.",
    remedy: "Choose one of the files in it.",
    readers: "Readers of files also raise.",
  }),
  "too-many-files": error<{ limit: number }>("Too many files", {
    explain: ({ limit }) => `Refscope opens at most ${counted(limit, "file")} at once; there are more.`,
    remedy: "Open the reference file and only the files it points to, or a directory further down.",
    readers: "Other readers do not list files to open a dataset.",
  }),
};

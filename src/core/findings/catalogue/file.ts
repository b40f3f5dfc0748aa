/** Files as the browser or the disk gives them, and compressed documents. */
import { about } from "./entry.ts";
import { counted } from "../../words.ts";

const PLAIN = "Expected one reference file, plain or compressed with gzip or Zstandard";
const CHANGED = "It may have changed, moved or been deleted since you opened it. Open it again.";

const { error } = about("source");

export const FILES = {
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
  "file-unreadable": error<{ reason: string }>("File cannot be read", {
    explain: ({ reason }) => `The file could not be read: ${reason.replace(/\.$/, "")}.`,
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

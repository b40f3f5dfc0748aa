/** Files as the browser or the disk gives them, and compressed documents. */
import { about } from "./entry.ts";
import { counted } from "../../words.ts";

const PLAIN = "One reference document was expected, plain or compressed with gzip or Zstandard";
const CHANGED = "It may have changed, moved or been deleted since you opened it. Open it again.";

const { error } = about("source");

export const FILES = {
  "container-not-supported": error<{ readonly container: "zip" | "tar" | "7z" }>({
    title: "Archive where a document was expected",
    explain: ({ container }) => `${PLAIN}; this is a ${container} archive.`,
    remedy: "Unpack it and open the files or the folder in it.",
    readers: "fsspec takes it for the document and fails, unless its URL says how to open the archive.",
  }),
  "compression-not-supported": error<{ readonly compression: "xz" | "bzip2" | "lz4" }>({
    title: "Unsupported compression",
    explain: ({ compression }) => `${PLAIN}; this is compressed with ${compression}.`,
    remedy: "Decompress it and open the result.",
    readers: "fsspec reads xz, bzip2 and lz4 where it is asked to (target_options).",
  }),
  "read-failed": error<{ readonly reason: string }>({
    title: "Reading was interrupted",
    explain: ({ reason }) => `The file could not be read to its end: ${reason.replace(/\.$/, "")}.`,
    remedy: CHANGED,
    readers: "Other programs may be able to read it.",
  }),
  "decompress-failed": error<{
    readonly problem: "damaged";
    readonly compression: "gzip" | "Zstandard";
    readonly reason: string;
  }>({
    title: "The compressed file cannot be decompressed",
    explain: ({ compression, reason }) =>
      `The file's ${compression} data was expected whole and undamaged; decompressing it failed: ${reason}.`,
    remedy: "The file is damaged or was cut short: download or make it again.",
    readers: "fsspec raises as well.",
  }),
  "file-unreadable": error<{ readonly reason: string }>({
    title: "A file cannot be read",
    explain: ({ reason }) => `The file could not be read: ${reason.replace(/\.$/, "")}.`,
    remedy: CHANGED,
    readers: "Other programs may be able to read it.",
  }),
  "file-not-given": error({
    title: "File not provided",
    explain: "There is no such file among those that were given.",
    remedy: "Give the file again, together with the reference file.",
    readers: "Readers that have the file read it.",
    action: "locations",
  }),
  "link-leads-out": error({
    title: "Link leaves the directory",
    explain:
      "A file below the directory that was given was expected; this is a symbolic link that leads out of it, or to nothing.",
    remedy: "Give a directory that holds both the link and what it leads to.",
    readers: "fsspec follows links, wherever they lead.",
  }),
  "directory-given": error({
    title: "A directory instead of a file",
    explain: "A file was expected; this is a directory.",
    remedy: "Name one of the files in it.",
    readers: "Readers of files raise as well.",
  }),
  "too-many-files": error<{ readonly limit: number }>({
    title: "Too many files",
    explain: ({ limit }) => `At most ${counted(limit, "file")} are taken at once; there are more.`,
    remedy: "Give the reference file and only the files that it points at, or a directory further down.",
    readers: "Other readers do not list files to open a set.",
  }),
};

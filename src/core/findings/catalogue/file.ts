/** Files as the browser or the disk gives them, and compressed documents. */
import { targetAt, WHOLE_SET } from "../place.ts";
import { entry } from "./entry.ts";
import type { NoFacts } from "../fact.ts";
import { counted } from "../../words.ts";

const FILE = targetAt("data/ocean-a.nc");

const PLAIN = "One reference document was expected, plain or compressed with gzip or Zstandard";
const CHANGED = "It may have changed, moved or been deleted since you opened it. Open it again.";

export const FILES = {
  "container-not-supported": entry<{ readonly container: "zip" | "tar" | "7z" }>({
    title: "Archive where a document was expected",
    severity: "error",
    explain: ({ container }) => `${PLAIN}; this is a ${container} archive.`,
    remedy: "Unpack it and open the files or the folder in it.",
    readers: "fsspec takes it for the document and fails, unless its URL says how to open the archive.",
    about: "source",
    example: { place: WHOLE_SET, facts: { container: "tar" } },
  }),
  "compression-not-supported": entry<{ readonly compression: "xz" | "bzip2" | "lz4" }>({
    title: "Unsupported compression",
    severity: "error",
    explain: ({ compression }) => `${PLAIN}; this is compressed with ${compression}.`,
    remedy: "Decompress it and open the result.",
    readers: "fsspec reads xz, bzip2 and lz4 where it is asked to (target_options).",
    about: "source",
    example: { place: WHOLE_SET, facts: { compression: "xz" } },
  }),
  "read-failed": entry<{ readonly reason: string }>({
    title: "Reading was interrupted",
    severity: "error",
    explain: ({ reason }) => `The file could not be read to its end: ${reason.replace(/\.$/, "")}.`,
    remedy: CHANGED,
    readers: "Other programs may be able to read it.",
    about: "source",
    example: { place: WHOLE_SET, facts: { reason: "A requested file could not be found" } },
  }),
  "decompress-failed": entry<{
    readonly problem: "damaged";
    readonly compression: "gzip" | "Zstandard";
    readonly reason: string;
  }>({
    title: "The compressed file cannot be decompressed",
    severity: "error",
    explain: ({ compression, reason }) =>
      `The file's ${compression} data was expected whole and undamaged; decompressing it failed: ${reason}.`,
    remedy: "The file is damaged or was cut short: download or make it again.",
    readers: "fsspec raises as well.",
    about: "source",
    example: {
      place: WHOLE_SET,
      facts: { problem: "damaged", compression: "gzip", reason: "unexpected end of data" },
    },
  }),
  "file-unreadable": entry<{ readonly reason: string }>({
    title: "A file cannot be read",
    severity: "error",
    explain: ({ reason }) => `The file could not be read: ${reason.replace(/\.$/, "")}.`,
    remedy: CHANGED,
    readers: "Other programs may be able to read it.",
    about: "source",
    example: { place: FILE, facts: { reason: "permission denied" } },
  }),
  "file-not-given": entry<NoFacts>({
    title: "File not provided",
    severity: "error",
    explain: () => "There is no such file among those that were given.",
    remedy: "Give the file again, together with the reference file.",
    readers: "Readers that have the file read it.",
    about: "source",
    action: "locations",
    example: { place: FILE, facts: {} },
  }),
  "link-leads-out": entry<NoFacts>({
    title: "Link leaves the directory",
    severity: "error",
    explain: () =>
      "A file below the directory that was given was expected; this is a symbolic link that leads out of it, or to nothing.",
    remedy: "Give a directory that holds both the link and what it leads to.",
    readers: "fsspec follows links, wherever they lead.",
    about: "source",
    example: { place: FILE, facts: {} },
  }),
  "directory-given": entry<NoFacts>({
    title: "A directory instead of a file",
    severity: "error",
    explain: () => "A file was expected; this is a directory.",
    remedy: "Name one of the files in it.",
    readers: "Readers of files raise as well.",
    about: "source",
    example: { place: targetAt("data"), facts: {} },
  }),
  "too-many-files": entry<{ readonly limit: number }>({
    title: "Too many files",
    severity: "error",
    explain: ({ limit }) => `At most ${counted(limit, "file")} are taken at once; there are more.`,
    remedy: "Give the reference file and only the files that it points at, or a directory further down.",
    readers: "Other readers do not list files to open a set.",
    about: "source",
    example: { place: targetAt("data"), facts: { limit: 500_000 } },
  }),
};

/** ZIP archives and what is in them. */
import { about } from "../entry.ts";
import type { Finding } from "../../fact.ts";
import { count, counted, quoted } from "../../../words.ts";

const MAKE_AGAIN = "The archive is damaged or incomplete. Recreate it.";
const PYTHON_REFUSES = "Python's zipfile refuses the archive, too.";
const PYTHON_RAISES = "Python's zipfile raises as well when the file is read.";
const PYTHON_READS = "Python's zipfile reads it: it has no such limit.";
const LEFT_OUT = "Python's zipfile lists it; zarr-python sees a key of that name.";

const METHODS: ReadonlyMap<number, string> = new Map([
  [1, "Shrink"],
  [6, "Implode"],
  [9, "Deflate64"],
  [12, "bzip2"],
  [14, "LZMA"],
  [20, "Zstandard, by its former number"],
  [93, "Zstandard"],
  [95, "xz"],
  [98, "PPMd"],
  [99, "AES encryption"],
]);

type DamagedZip =
  | { readonly problem: "zip64-record"; readonly at: number }
  | { readonly problem: "directory"; readonly offset: number; readonly length: number }
  | { readonly problem: "records"; readonly records: number };

function explainDamagedZip(facts: DamagedZip): string {
  switch (facts.problem) {
    case "zip64-record":
      return `The archive's zip64 end record was expected at byte ${facts.at}, where its locator says; it is not there.`;
    case "directory":
      return `The archive's directory of ${counted(facts.length, "byte")} was expected at byte ${facts.offset}; it is neither there nor just before its end record.`;
    case "records":
      return `The directory must have a record for each file up to its end; after ${counted(facts.records, "record")} there is something else.`;
  }
}

type DamagedEntry =
  | { readonly problem: "stored-size"; readonly stored: number; readonly size: number }
  | { readonly problem: "ratio"; readonly compressed: number; readonly size: number; readonly limit: number }
  | { readonly problem: "stream"; readonly cause: Finding }
  | { readonly problem: "inflated-size"; readonly inflated: number; readonly size: number }
  | { readonly problem: "crc"; readonly declared: number; readonly computed: number }
  | { readonly problem: "header"; readonly at: number }
  | { readonly problem: "overlap"; readonly end: number; readonly next: number }
  | { readonly problem: "outside"; readonly at: number; readonly archive: number };

const hex = (value: number): string => `0x${value.toString(16).padStart(8, "0")}`;

function explainDamagedEntry(facts: DamagedEntry): string {
  switch (facts.problem) {
    case "stored-size":
      return `The file is stored as it is, so its two sizes must be equal; the archive says ${count(facts.stored)} stored for ${counted(facts.size, "byte")}.`;
    case "ratio":
      return `One deflated byte expands to at most ${facts.limit}; the archive says ${counted(facts.size, "byte")} for ${count(facts.compressed)}.`;
    case "stream":
      return "The file's compressed data is damaged.";
    case "inflated-size":
      return `According to the archive's directory the file inflates to ${counted(facts.size, "byte")}; it actually inflates to ${count(facts.inflated)}.`;
    case "crc":
      return `According to the archive the file has the CRC-32 ${hex(facts.declared)}; its bytes have ${hex(facts.computed)}.`;
    case "header":
      return `The file's header was expected at byte ${facts.at} of the archive; something else is there.`;
    case "overlap":
      return `The file's data would go on to byte ${facts.end} of the archive, but at byte ${facts.next} another file or the directory begins: one stream that stands for several files is how archives are made to exhaust memory.`;
    case "outside":
      return `The archive has ${counted(facts.archive, "byte")}; the file's data would begin at byte ${facts.at}.`;
  }
}

const { error, warning, note } = about("source");
const pythonRefuses = about("source", { readers: PYTHON_REFUSES });

export const ARCHIVES = {
  "zip-not-found": pythonRefuses.error<{ readonly size: number; readonly searched: number }>({
    title: "Not a ZIP archive",
    explain: ({ size, searched }) =>
      `A ZIP archive ends with its directory and an end record; the last ${count(searched)} of the file's ${counted(size, "byte")} hold neither.`,
    remedy: "If the file was cut short in copying, copy it again.",
  }),
  "zip-damaged": pythonRefuses.error<DamagedZip>({
    title: "The archive's directory is damaged",
    explain: explainDamagedZip,
    remedy: MAKE_AGAIN,
  }),
  "zip-too-large": error<{
    readonly unit: "file" | "byte";
    readonly limit: number;
    readonly found: number | undefined;
  }>({
    title: "The archive's directory is too large",
    explain: ({ unit, limit, found }) =>
      `A directory of at most ${counted(limit, unit)} is read; this one has ${found === undefined ? "more" : count(found)}.`,
    remedy: "Unpack it and open the folder, or only the part you need.",
    readers: PYTHON_READS,
  }),
  "zip-split": pythonRefuses.error({
    title: "Part of a split archive",
    explain: "An archive in one file was expected; this is one file of an archive that was split into several.",
    remedy: "Join the parts (zip -s 0) and open the result.",
  }),
  "zip-count": warning<{ readonly declared: number; readonly listed: number }>({
    title: "Wrong file count in the archive",
    explain: ({ declared, listed: found }) =>
      `The archive's end record counts ${counted(declared, "file")}, its directory lists ${count(found)}.`,
    remedy: "The archive was not written properly: compare it with its source.",
    readers: "Python's zipfile reads what the directory lists.",
  }),
  "zip-name-twice": warning<{ readonly name: string }>({
    title: "Duplicate name in the archive",
    explain: ({ name }) => `The archive holds ${quoted(name)} more than once; the last one is read.`,
    readers: "Python's zipfile reads the last one, too.",
  }),
  "zip-name-unsafe": warning<{ readonly name: string }>({
    title: "Archive entry points outside the archive",
    explain: ({ name }) =>
      `The archive's file ${quoted(name)} was left out: its name is absolute or leads out of the archive.`,
    readers: LEFT_OUT,
  }),
  "zip-link": warning<{ readonly name: string }>({
    title: "Symbolic link in the archive",
    explain: ({ name }) =>
      `The archive's file ${quoted(name)} was left out: it is a symbolic link, and links are not followed.`,
    readers: "Python's zipfile reads the text of the link as the file.",
  }),
  "zip-record-damaged": warning<{ readonly name: string }>({
    title: "Archive entry without a valid size or position",
    explain: ({ name }) =>
      `The archive's file ${quoted(name)} was left out: its sizes or its position are missing or beyond any file.`,
    readers: "Python's zipfile lists it, and raises when it is read.",
  }),
  "zip-name-encoding": note<{ readonly name: string; readonly utf8: string }>({
    title: "File name is probably UTF-8",
    explain: ({ name, utf8 }) =>
      `The name ${quoted(name)} was read as CP437, as the archive's flags require; as UTF-8 it would be ${quoted(utf8)}.`,
    readers: "Python's zipfile reads it as CP437, too.",
  }),
  "zip-entry-damaged": error<DamagedEntry>({
    title: "Damaged file in the archive",
    explain: explainDamagedEntry,
    remedy: "The archive is damaged there: make it again; its other files can still be read.",
    readers: PYTHON_RAISES,
  }),
  "zip-entry-too-large": error<
    | { readonly problem: "limit"; readonly size: number; readonly limit: number }
    | { readonly problem: "ratio"; readonly size: number; readonly compressed: number; readonly limit: number }
  >({
    title: "File in the archive is too large",
    explain: (facts) =>
      facts.problem === "limit"
        ? `A file that is read whole may have at most ${counted(facts.limit, "byte")}; this one has ${count(facts.size)}.`
        : `In a file this large, one deflated byte may expand to at most ${facts.limit}; this one has ${counted(facts.size, "byte")} out of ${count(facts.compressed)}, like archives made to exhaust memory.`,
    remedy: "If you trust the archive, unpack it and open the folder.",
    readers: PYTHON_READS,
  }),
  "zip-method-unsupported": error<{ readonly method: number }>({
    title: "Unsupported ZIP compression method",
    explain: ({ method }) =>
      `A file stored as it is (method 0) or deflated (method 8) was expected; this one has method ${method}${METHODS.has(method) ? ` (${METHODS.get(method) ?? ""})` : ""}.`,
    remedy: "Recreate the archive with its files stored uncompressed: a store's chunks are already compressed.",
    readers: "Python's zipfile reads bzip2 and LZMA as well, and raises for the others.",
  }),
  "zip-member-missing": error<{ readonly name: string; readonly files: number }>({
    title: "File not found in the archive",
    explain: ({ name, files }) =>
      `The file ${quoted(name)} should be in the archive; of the ${counted(files, "file")} that are in it, none has this name.`,
    remedy: "Correct the name in the references, or give the archive that they were made from.",
    readers: "fsspec raises: “There is no item named … in the archive”.",
  }),
  "zip-entry-encrypted": error({
    title: "Encrypted file in the archive",
    explain: "The file is encrypted.",
    remedy: "Unpack the archive with its password and open the folder.",
    readers: "Python's zipfile asks for a password and raises without one.",
  }),
};

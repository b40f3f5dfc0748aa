/** ZIP archives and their files. */
import { about } from "../entry.ts";
import type { Finding } from "#core/findings/fact.ts";
import { count, counted, quoted } from "#core/words.ts";
import { sentenceOf, type ToldBy } from "#core/words/sentences.ts";

const MAKE_AGAIN = "The archive is damaged or incomplete. Recreate it.";
const PYTHON_REFUSES = "Python's zipfile also refuses the archive.";
const PYTHON_RAISES = "Python's zipfile also raises when it reads the file.";
const PYTHON_READS = "Python's zipfile has no such limit.";
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

const DAMAGED_ZIPS = {
  "zip64-record": ({ at }: { at: number }) =>
    `Expected the archive's zip64 end record at byte ${at}, as its locator says; it is not there.`,
  directory: ({ offset, length }: { offset: number; length: number }) =>
    `Expected the archive's directory of ${counted(length, "byte")} at byte ${offset}; it is neither there nor just before its end record.`,
  records: ({ records }: { records: number }) =>
    `Expected the directory to have a record for each file up to its end; something else follows ${counted(records, "record")}.`,
};

const hex = (value: number): string => `0x${value.toString(16).padStart(8, "0")}`;

const DAMAGED_ENTRIES = {
  "stored-size": ({ stored, size }: { stored: number; size: number }) =>
    `The file is stored uncompressed, so its two sizes must be equal; the archive says ${count(stored)} and ${counted(size, "byte")}.`,
  ratio: ({ compressed, size, limit }: { compressed: number; size: number; limit: number }) =>
    `One deflated byte expands to at most ${limit}; the archive says ${count(compressed)} expand to ${counted(size, "byte")}.`,
  stream: "The file's compressed data is damaged.",
  "inflated-size": ({ inflated, size }: { inflated: number; size: number }) =>
    `The archive's directory says that the file inflates to ${counted(size, "byte")}; it inflates to ${count(inflated)}.`,
  crc: ({ declared, computed }: { declared: number; computed: number }) =>
    `Expected the CRC-32 ${hex(declared)}; found ${hex(computed)}.`,
  header: ({ at }: { at: number }) => `Expected the file's header at byte ${at} of the archive; found something else.`,
  overlap: ({ end, next }: { end: number; next: number }) =>
    `The file's data would extend to byte ${end} of the archive, but another file or the directory begins at byte ${next}. Overlapping files like these are used to exhaust memory.`,
  outside: ({ at, archive }: { at: number; archive: number }) =>
    `The file's data would begin at byte ${at}; the archive has only ${counted(archive, "byte")}.`,
};

const { error, warning, note } = about("source");
const pythonRefuses = about("source", { readers: PYTHON_REFUSES });

const leftOut =
  (why: string) =>
  ({ name }: { readonly name: string }) =>
    `Refscope left out the file ${quoted(name)}: ${why}.`;

type ZipTooLarge = { unit: "file" | "byte"; limit: number; found: number | undefined };

export const ARCHIVES = {
  "zip-not-found": pythonRefuses.error<{ size: number; searched: number }>("Not a ZIP archive", {
    explain: ({ size, searched }) =>
      `A ZIP archive ends with its directory and an end record; the last ${count(searched)} of the file's ${counted(size, "byte")} contain neither.`,
    remedy: "If the file was truncated in copying, copy it again.",
  }),
  "zip-damaged": pythonRefuses.error<ToldBy<typeof DAMAGED_ZIPS>>("Damaged archive directory", {
    explain: sentenceOf(DAMAGED_ZIPS, "problem"),
    remedy: MAKE_AGAIN,
  }),
  "zip-too-large": error<ZipTooLarge>("Archive directory too large", {
    explain: ({ unit, limit, found }) =>
      `Refscope reads directories of at most ${counted(limit, unit)}; this one has ${found === undefined ? "more" : count(found)}.`,
    remedy: "Unpack it, and open the folder or only the part you need.",
    readers: PYTHON_READS,
  }),
  "zip-split": pythonRefuses.error("Part of a split archive", {
    explain: "Expected an archive in one file; found one part of a split archive.",
    remedy: "Join the parts (zip -s 0) and open the result.",
  }),
  "zip-count": warning<{ declared: number; listed: number }>("Wrong file count in the archive", {
    explain: ({ declared, listed: found }) =>
      `The archive's end record counts ${counted(declared, "file")}; its directory lists ${count(found)}.`,
    remedy: "Compare the archive with its source: it was not written properly.",
    readers: "Python's zipfile reads what the directory lists.",
  }),
  "zip-name-twice": warning<{ name: string }>("Duplicate name in the archive", {
    explain: ({ name }) => `The archive contains ${quoted(name)} more than once; Refscope reads the last one.`,
    readers: "Python's zipfile also reads the last one.",
  }),
  "zip-name-unsafe": warning<{ name: string }>("Archive entry points outside the archive", {
    explain: leftOut("its name is absolute or leads out of the archive"),
    readers: LEFT_OUT,
  }),
  "zip-link": warning<{ name: string }>("Symbolic link in the archive", {
    explain: leftOut("it is a symbolic link, and Refscope does not follow links"),
    readers: "Python's zipfile reads the text of the link as the file.",
  }),
  "zip-record-damaged": warning<{ name: string }>("Archive entry without a valid size or position", {
    explain: leftOut("its sizes or position are missing or impossible"),
    readers: "Python's zipfile lists it, and raises when it reads it.",
  }),
  "zip-name-encoding": note<{ name: string; utf8: string }>("File name is probably UTF-8", {
    explain: ({ name, utf8 }) =>
      `Refscope read the name ${quoted(name)} as CP437, as the archive's flags require. As UTF-8 it would be ${quoted(utf8)}.`,
    readers: "Python's zipfile also reads it as CP437.",
  }),
  "zip-entry-damaged": error<ToldBy<typeof DAMAGED_ENTRIES> & { cause?: Finding }>("Damaged file in the archive", {
    explain: sentenceOf(DAMAGED_ENTRIES, "problem"),
    remedy: "Recreate the archive: it is damaged there. Its other files can still be read.",
    readers: PYTHON_RAISES,
  }),
  "zip-entry-too-large": error<
    | { problem: "limit"; size: number; limit: number }
    | { problem: "ratio"; size: number; compressed: number; limit: number }
  >("File in the archive is too large", {
    explain: (facts) =>
      facts.problem === "limit"
        ? `Refscope reads whole files of at most ${counted(facts.limit, "byte")}; this one has ${count(facts.size)}.`
        : `In a file this large, one deflated byte may expand to at most ${facts.limit}. Here ${count(facts.compressed)} expand to ${counted(facts.size, "byte")}, as in archives made to exhaust memory.`,
    remedy: "If you trust the archive, unpack it and open the folder.",
    readers: PYTHON_READS,
  }),
  "zip-method-unsupported": error<{ method: number }>("Unsupported ZIP compression method", {
    explain: ({ method }) =>
      `Expected a stored (method 0) or deflated (method 8) file; found method ${method}${METHODS.has(method) ? ` (${METHODS.get(method) ?? ""})` : ""}.`,
    remedy: "Recreate the archive with its files stored uncompressed: a store's chunks are already compressed.",
    readers: "Python's zipfile also reads bzip2 and LZMA, and raises for the others.",
  }),
  "zip-member-missing": error<{ name: string; files: number }>("File not found in the archive", {
    explain: ({ name, files }) =>
      `Expected the file ${quoted(name)} in the archive; none of its ${counted(files, "file")} has this name.`,
    remedy: "Correct the name in the references, or open the archive that they were made from.",
    readers: "fsspec raises: “There is no item named … in the archive”.",
  }),
  "zip-entry-encrypted": error("Encrypted file in the archive", {
    explain: "The file is encrypted.",
    remedy: "Unpack the archive with its password and open the folder.",
    readers: "Python's zipfile asks for a password and raises without one.",
  }),
};

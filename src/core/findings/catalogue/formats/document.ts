/** Kerchunk JSON documents: their text, their outer form, their version. */
import { about, type Refusing } from "../entry.ts";
import { counted, quoted } from "#core/words.ts";

const REFUSED_BY_ALL = "fsspec and all other readers refuse the document.";
const OPENS_NOTHING = "fsspec cannot open it.";
const OURS = "This is Refscope's own limit: fsspec reads such a document if there is enough memory.";
const REFSCOPE_ONLY = "Other readers are not affected.";
const OPEN_A_SET = "Open a reference file written by kerchunk or VirtualiZarr: an object with “version” and “refs”.";
const DOWNLOAD_AGAIN = "Download or rewrite the file.";

/** Before the place at which reading stopped. */
const afterReferences = (read: number) => `after ${counted(read, "reference")}`;

const MAGIC_NAMES = {
  gzip: "gzip-compressed data",
  zstd: "Zstandard-compressed data",
  zip: "a ZIP archive",
  parquet: "a Parquet file",
  hdf5: "an HDF5 (or netCDF-4) file",
  netcdf3: "a netCDF-3 file",
  grib: "a GRIB file",
  tiff: "a TIFF file",
  png: "a PNG image",
  jpeg: "a JPEG image",
  pdf: "a PDF file",
};

/** Names of JSON documents that are not reference files. */
const KIND_NAMES = {
  stac: "a STAC document without an embedded dataset",
  "zarr-v3": "a Zarr version 3 metadata document (zarr.json)",
  zarray: "the metadata document of one Zarr array (.zarray)",
  zmetadata: "a consolidated Zarr metadata document (.zmetadata)",
  zgroup: "the metadata document of one Zarr group (.zgroup)",
  zattrs: "the attributes document of one Zarr array (.zattrs)",
  "parquet-zmetadata": "the .zmetadata of a Kerchunk Parquet dataset (open its folder)",
  geojson: "GeoJSON",
  "icechunk-snapshot": "a ref file of an Icechunk repository (open the repository's folder)",
  "chunk-manifest": "a chunk manifest of one array",
  pairs: "a list of text pairs (a store's entries as key and base64)",
  "empty-list": "an empty JSON list",
};

/** `names`: of its members, the first few; `items`: of a list. */
type NotASetFacts = {
  readonly kind?: keyof typeof KIND_NAMES;
  readonly names?: readonly string[];
  readonly members?: number;
  readonly items?: number;
};

function notASet({ kind, names = [], members = 0, items }: NotASetFacts): string {
  if (kind !== undefined) return `This is ${KIND_NAMES[kind]}, not a reference file.`;
  if (items !== undefined)
    return `This is a JSON list of ${counted(items, "item")}, none of which is a reference file.`;
  const few = names.map((name) => quoted(name, 60)).join(", ");
  const more = members > names.length ? ", …" : "";
  return `This is a JSON object with ${few}${more}, but without references or Zarr metadata.`;
}

const { error, note } = about("document");
const source = about("source");
const refusedByAll = about("document", { readers: REFUSED_BY_ALL });

type JsonMalformed = { expected: string; found: string; line: number; byte: number; read: number };

export const DOCUMENT = {
  "json-malformed": refusedByAll.error<JsonMalformed>("Document is not JSON", {
    explain: ({ expected, found, line, byte, read }) =>
      `Line ${line}, byte ${byte} (${afterReferences(read)}): expected ${expected}; found ${JSON.stringify(found)}.`,
    remedy: "Correct the document there, or rewrite it with the tool that made it.",
  }),
  "json-truncated": refusedByAll.error<{ bytes: number; read: number }>("Truncated document", {
    explain: ({ bytes, read }) =>
      `The data ends after ${counted(bytes, "byte")} and ${counted(read, "reference")}, before the end of the JSON document.`,
    remedy: DOWNLOAD_AGAIN,
  }),
  "json-entry-too-long": error<{ byte: number; limit: number; read: number }>("Entry too long", {
    explain: ({ byte, limit, read }) =>
      `The entry at byte ${byte} (${afterReferences(read)}) has more than ${limit >> 20} MiB, the most Refscope reads, or never ends.`,
    remedy: "Put such data into a separate file, and refer to it.",
    readers: OURS,
  }),
  "member-unknown": note<{ names: readonly string[]; members: number }>("Unknown top-level fields", {
    explain: ({ names, members }) =>
      `Besides “refs” the document has ${names.map((name) => quoted(name, 60)).join(", ")}${members > names.length ? ", …" : ""}, which Version 1 does not define.`,
    readers: "Readers ignore them.",
  }),
  "version-missing": error("“refs” without “version”", {
    explain:
      "The document has “refs” but no “version”. Python's reader reads it as Version 0, where “refs” is an ordinary key, and finds no array.",
    remedy: 'Add “"version": 1” to the document.',
    readers: "fsspec opens a dataset with the single key “refs”; zarr-python finds nothing in it.",
  }),
  "version-unknown": error<Refusing & { version: string }>("Unsupported version", {
    explain: ({ version }) =>
      `Expected the number 1; found ${version}. Python's reader rejects the dataset; Refscope shows it as Version 1.`,
    remedy: "Set “version” to the number 1.",
    readers: "fsspec raises ValueError and opens nothing; reference-spec-reader may read it.",
  }),
  "refs-not-object": error<Refusing>("“refs” is not an object", {
    explain: "“refs” is not an object, so the dataset has no references. Python's reader fails on it.",
    remedy: "Write the references as an object of keys and values.",
    readers: "fsspec raises AttributeError and opens nothing.",
  }),
  "document-empty": refusedByAll.error("Document is empty", {
    explain: "Expected a JSON object; the document is empty.",
    remedy: 'Open a reference file, or start with {"version": 1, "refs": {}}.',
  }),
  "not-json": source.error<{ magic?: keyof typeof MAGIC_NAMES; head?: string }>("Not a JSON document", {
    explain: ({ magic, head = "" }) => {
      if (magic !== undefined) return `This is ${MAGIC_NAMES[magic]}, not a JSON document.`;
      if (head.includes("\uFFFD")) return "This is binary data, not a JSON document.";
      const what = head.startsWith("<") ? "This is XML, not JSON" : "This is not a JSON document";
      return `${what}. It begins with ${JSON.stringify(head)}.`;
    },
    remedy: ({ head = "" }) =>
      head.startsWith("<")
        ? "Check the URL: object stores send this for a file that does not exist or may not be read."
        : OPEN_A_SET,
    readers: OPENS_NOTHING,
    noSet: true,
  }),
  "not-a-reference-set": source.error<NotASetFacts>("Not a reference file", {
    explain: notASet,
    remedy: OPEN_A_SET,
    readers: "fsspec may read any object as Version 0; no reader finds an array in it.",
  }),
  "choice-unknown": error<{ choice: string }>("No dataset with that ID", {
    explain: ({ choice }) => `None of the datasets in the document has the ID ${quoted(choice)}.`,
    remedy: "Open the document again and choose from the list.",
    readers: REFSCOPE_ONLY,
  }),
  "read-stalled": source.error<{ byte: number; milliseconds: number }>("Reading the document stalled", {
    explain: ({ byte, milliseconds }) =>
      `Expected more of the document after byte ${byte}; nothing arrived for ${counted(Math.round(milliseconds / 1000), "second")}.`,
    remedy: "Try again: the server or the disk has stopped responding.",
    readers: "Other readers wait for as long as their own limits allow.",
  }),
  "document-redirected": source.note("Document was redirected", {
    explain: (_, place) =>
      `The server redirected to ${place.kind === "target" ? place.target : "another URL"}, and the document was read from there. Relative sources are resolved against the original URL.`,
    readers: "fsspec also follows redirects.",
  }),
};

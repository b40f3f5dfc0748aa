/** Kerchunk JSON documents as wholes: their text, their outer form, their version. */
import { about, type Refusing } from "../entry.ts";
import { counted, quoted } from "../../../words.ts";

const REFUSED_BY_ALL = "fsspec and every other reader refuse the document.";
const OPENS_NOTHING = "fsspec opens no set from it.";
const OURS = "This is Refscope's own limit: fsspec reads such a document if memory suffices.";
const REFSCOPE_ONLY = "Other readers are not affected.";
const OPEN_A_SET = "Open a reference file written by kerchunk or VirtualiZarr: an object with “version” and “refs”.";
const DOWNLOAD_AGAIN = "Download the file or write it again.";

/** Before the place at which reading stopped. */
const afterReferences = (read: number) => `after ${counted(read, "reference")}`;

type Magic = "gzip" | "zstd" | "zip" | "parquet" | "hdf5" | "netcdf3" | "grib" | "tiff";

const MAGIC_NAMES: Readonly<Record<Magic, string>> = {
  gzip: "gzip-compressed data",
  zstd: "Zstandard-compressed data",
  zip: "a ZIP archive",
  parquet: "a Parquet file",
  hdf5: "an HDF5 (or netCDF-4) file",
  netcdf3: "a netCDF-3 file",
  grib: "a GRIB file",
  tiff: "a TIFF file",
};

/** What a JSON document is when it is not a reference set. */
type DocumentKind =
  | "stac"
  | "zarr-v3"
  | "zarray"
  | "zmetadata"
  | "zgroup"
  | "zattrs"
  | "parquet-zmetadata"
  | "geojson"
  | "icechunk-snapshot"
  | "chunk-manifest"
  | "pairs"
  | "empty-list";

const KIND_NAMES: Readonly<Record<DocumentKind, string>> = {
  stac: "a STAC document without any embedded reference set",
  "zarr-v3": "a Zarr version 3 metadata document (zarr.json)",
  zarray: "the metadata document of one Zarr array (.zarray)",
  zmetadata: "a consolidated metadata document of Zarr (.zmetadata)",
  zgroup: "the metadata document of one Zarr group (.zgroup)",
  zattrs: "the attributes document of one Zarr array (.zattrs)",
  "parquet-zmetadata": "the .zmetadata of a Kerchunk Parquet set: open the folder it is in",
  geojson: "GeoJSON",
  "icechunk-snapshot": "a reference file of an Icechunk repository: open the repository's folder",
  "chunk-manifest": "a chunk manifest of one array",
  pairs: "a list of pairs of texts (a store's entries as key and base64)",
  "empty-list": "an empty JSON list",
};

/** `names`: of its members, the first few; `items`: of a list. */
type NotASetFacts = {
  readonly kind?: DocumentKind;
  readonly names?: readonly string[];
  readonly members?: number;
  readonly items?: number;
};

function notASet({ kind, names = [], members = 0, items }: NotASetFacts): string {
  if (kind !== undefined) return `This is ${KIND_NAMES[kind]}, not a reference set.`;
  if (items !== undefined) return `This is a JSON list of ${counted(items, "item")}, none of which is a reference set.`;
  const few = names.map((name) => quoted(name, 60)).join(", ");
  const more = members > names.length ? ", …" : "";
  return `This is a JSON object with ${few}${more}, but with no reference and no Zarr metadata.`;
}

const { error, note } = about("document");
const ofSource = about("source");
const refusedByAll = about("document", { readers: REFUSED_BY_ALL });

export const DOCUMENT = {
  "json-malformed": refusedByAll.error<{
    readonly expected: string;
    readonly found: string;
    readonly line: number;
    readonly byte: number;
    readonly read: number;
  }>({
    title: "The document is not JSON",
    explain: ({ expected, found, line, byte, read }) =>
      `At line ${line}, byte ${byte}, ${afterReferences(read)}, ${expected} was expected, but found ${JSON.stringify(found)}.`,
    remedy: "Correct the document there, or write it again with the tool that made it.",
  }),
  "json-truncated": refusedByAll.error<{ readonly bytes: number; readonly read: number }>({
    title: "Truncated document",
    explain: ({ bytes, read }) =>
      `The data end after ${counted(bytes, "byte")} and ${counted(read, "reference")}, before the JSON document does.`,
    remedy: `The file was cut off. ${DOWNLOAD_AGAIN}`,
  }),
  "json-entry-too-long": error<{ readonly byte: number; readonly limit: number; readonly read: number }>({
    title: "Entry too long",
    explain: ({ byte, limit, read }) =>
      `The entry at byte ${byte}, ${afterReferences(read)}, has more than the ${limit >> 20} MiB that a single entry may have, or never ends.`,
    remedy: "Put such data into a separate file and refer to it.",
    readers: OURS,
  }),
  "member-unknown": note<{ readonly names: readonly string[]; readonly members: number }>({
    title: "Unknown top-level fields",
    explain: ({ names, members }) =>
      `Beside “refs” the document has ${names.map((name) => quoted(name, 60)).join(", ")}${members > names.length ? ", …" : ""}, which Version 1 does not know.`,
    readers: "Readers skip them.",
  }),
  "version-missing": error({
    title: "“refs” without “version”",
    explain:
      "The document has “refs” but no “version”. Python's reader takes it for Version 0, in which “refs” is a key like any other, and finds no array.",
    remedy: 'Add “"version": 1” to the document.',
    readers: "fsspec opens a set with the one key “refs”; zarr-python finds nothing in it.",
  }),
  "version-unknown": error<Refusing & { readonly version: string }>({
    title: "Unsupported version",
    explain: ({ version }) =>
      `The version is ${version}; only the number 1 is known, and Python's reader refuses the set. It is shown as Version 1.`,
    remedy: "Set “version” to the number 1.",
    readers: "fsspec raises ValueError and opens nothing; reference-spec-reader may read on.",
  }),
  "refs-not-object": error<Refusing>({
    title: "“refs” is not an object",
    explain: "“refs” is not an object, so the set has no references; Python's reader fails on it.",
    remedy: "Write the references as an object of keys and values.",
    readers: "fsspec raises AttributeError and opens nothing.",
  }),
  "document-empty": refusedByAll.error({
    title: "The document is empty",
    explain: "The document is empty: a JSON object is expected.",
    remedy: 'Open a reference file, or start with {"version": 1, "refs": {}}.',
  }),
  "not-json": ofSource.error<{ readonly magic?: Magic; readonly head?: string }>({
    title: "Not a JSON document",
    explain: ({ magic, head = "" }) => {
      if (magic !== undefined) return `This is ${MAGIC_NAMES[magic]}, not a JSON document.`;
      const what = head.startsWith("<") ? "This is XML, not JSON" : "This is not a JSON document";
      return `${what}; it begins with ${JSON.stringify(head)}.`;
    },
    remedy: ({ head = "" }) =>
      head.startsWith("<") ? "Object stores send this for a file that does not exist or may not be read." : OPEN_A_SET,
    readers: OPENS_NOTHING,
    noSet: true,
  }),
  "not-a-reference-set": ofSource.error<NotASetFacts>({
    title: "Not a reference set",
    explain: notASet,
    remedy: OPEN_A_SET,
    readers: "fsspec may take any object for Version 0; no reader finds an array in it.",
  }),
  "choice-unknown": error<{ readonly choice: string }>({
    title: "No dataset with that ID",
    explain: ({ choice }) => `None of the reference sets in the document has the id ${quoted(choice)}.`,
    remedy: "Open the document again and choose from the list.",
    readers: REFSCOPE_ONLY,
  }),
  "read-stalled": ofSource.error<{ readonly byte: number; readonly milliseconds: number }>({
    title: "Reading the document stalled",
    explain: ({ byte, milliseconds }) =>
      `More of the document was expected after byte ${byte}; nothing came for ${counted(Math.round(milliseconds / 1000), "second")}.`,
    remedy: "The server or the disk has stopped answering; try again.",
    readers: "Other readers wait for as long as their own limits say.",
  }),
  "document-redirected": ofSource.note({
    title: "Document was redirected",
    explain: (_, place) =>
      `The server redirected to ${place.kind === "target" ? place.target : "another address"}, and the document was read there. Relative targets are resolved against the address that was given.`,
    readers: "fsspec follows redirects as well.",
  }),
};

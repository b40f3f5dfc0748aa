/** Data files (HDF5, NetCDF-3, GRIB, DMR++): what is wrong with one, and what its readers make of it. */
import { about } from "../entry.ts";
import { count, counted, listed, quoted } from "#core/words.ts";

export type DataFileFormat = "HDF5" | "NetCDF" | "GRIB" | "DMR++";

const AGAIN = "Fetch the file again from where it was made, and compare sizes or checksums.";
const NOT_IN_KERCHUNK = "Kerchunk and VirtualiZarr write the array without references, or leave it out.";

/**
 * `structure`: in the format's own words; `offset` from the first byte of the file; the rest are short noun phrases.
 */
type Damaged = {
  readonly format: DataFileFormat;
  readonly structure: string;
  readonly offset: number;
  readonly expected: string;
  readonly found: string;
};

const KERCHUNK = {
  dimensions: "as the names of the dimensions",
  filters: "as the order of the filters",
  references: "as references",
  shape: "as the shape",
  attribute: "as an attribute",
  fill: "as the fill value",
  format: "as the format",
} as const;

const { error, warning, note } = about("source");

export const DATA_FILE = {
  "data-file-damaged": error<Damaged>("Damaged file", {
    explain: ({ format, structure, offset, expected, found }) =>
      `The ${format} file's ${structure} at byte ${offset} should be ${expected}; found ${found}.`,
    brief: ({ structure }) => `damaged ${structure}`,
    remedy: AGAIN,
    readers: "The format's own library refuses what is below this place, too.",
  }),
  "data-file-cut": error<{ format: DataFileFormat; says: number; size: number }>("The file is cut", {
    explain: ({ format, says, size: is }) =>
      `By its own header the ${format} file has ${counted(says, "byte")}, but it ends after ${count(is)}.`,
    remedy: AGAIN,
    readers: "The format's own library refuses the file. References to what is cut off fail or read as fill value.",
  }),
  "data-file-longer": note<{ format: DataFileFormat; says: number; size: number }>("The file goes on after its end", {
    explain: ({ format, says, size: is }) =>
      `By its own header the ${format} file has ${counted(says, "byte")}; ${counted(is - says, "more byte")} follow.`,
    remedy: "Nothing need be done if a program appends its own bytes; else fetch the file again.",
    readers: "The format's own library reads the file and leaves these bytes out.",
  }),
  "data-file-size-unknown": error("The file's size is not known", {
    explain: "The server does not say how large the file is, and its index is found from its ends.",
    remedy: "Download the file and open it here, or let the server send Content-Length.",
    readers: "Python needs the size, too.",
  }),
  "data-file-too-large": error<{ what: string; limit: number }>("Too much for a page", {
    explain: ({ what, limit }) => `The file has more than ${count(limit)} ${what}, which is as much as is read.`,
    remedy: "Make the references in Python, and open those.",
    readers: "Python has no such limit.",
  }),
  "kerchunk-would-write": note<{ what: keyof typeof KERCHUNK; kerchunk: string; here: string }>(
    "Kerchunk writes it otherwise",
    {
      explain: ({ what, kerchunk, here }) =>
        `${quoted(here)} is taken ${KERCHUNK[what]}. Kerchunk 0.2.7 writes ${quoted(kerchunk)}.`,
      remedy: "Where both are compared, expect them to differ here.",
      readers: "What is shown here is what the file's own library reads.",
    },
  ),
  "hdf5-open-for-write": error("Not closed by its writer", {
    explain: "The file is marked as open for writing: a program is still writing it, or ended without closing it.",
    remedy: "Wait for the writer to close the file. If none is running, clear the mark in a copy: h5clear -s FILE.",
    readers: "HDF5 refuses to open it, and with it h5py, netCDF4 and Kerchunk. What is shown here may be incomplete.",
  }),
  "hdf5-no-space": note("No elements", {
    explain: "The dataset has a null dataspace: it holds no elements, so there is no array for it.",
    readers: "Kerchunk leaves it out.",
  }),
  "hdf5-elsewhere": warning<{ how: "external" | "virtual" }>("Values in other files", {
    explain: ({ how }) =>
      how === "external"
        ? "The dataset's values are stored in external files, so this file has no bytes to refer to."
        : "The dataset is virtual: its values are parts of datasets in other files. It is left out.",
    remedy: "Make references to the files that hold the values.",
    readers: "Kerchunk writes an array without references, which reads as fill value.",
  }),
  "hdf5-filter-unknown": error<{ filter: string }>("No codec for a filter", {
    explain: ({ filter }) => `The dataset's chunks are encoded with ${filter}, for which numcodecs has no codec.`,
    remedy: "Repack the file with a filter that numcodecs has: h5repack -f GZIP=4.",
    readers: NOT_IN_KERCHUNK,
  }),
  "hdf5-type-unread": error<{ type: string }>("Elements that Zarr has no type for", {
    explain: ({ type }) => `The dataset has ${type}, which Zarr cannot refer to. It is left out.`,
    readers: NOT_IN_KERCHUNK,
  }),
  "hdf5-values-inlined": note<{ type: string }>("Values written into the references", {
    explain: ({ type }) => `The dataset has ${type}, which no reference can point to: its values are kept inline.`,
    readers: "Kerchunk does the same for strings, and writes arrays without references for other types.",
  }),
  "hdf5-padding-kept": note("Padding of strings as stored", {
    explain:
      "The dataset has strings that end at their first zero byte or before spaces, and too many of them to look through when the file is opened. Where other bytes stand behind the end of a string, they are shown.",
    readers: "HDF5, and with it h5py, cuts them off. Kerchunk refers to the bytes as they are stored.",
  }),
  "hdf5-filter-mask": note<{ chunks: number }>("Chunks stored without a filter", {
    explain: ({ chunks }) =>
      `${counted(chunks, "chunk")} of the dataset ${chunks === 1 ? "was" : "were"} stored without one of its filters, as the file's index says.`,
    readers:
      "References that Refscope writes hold the values of these chunks. Kerchunk 0.2.7 ignores the mask: there these chunks fail to decode, or decode to wrong values.",
  }),
  "hdf5-mask-unwritten": error("Chunks that references cannot express", {
    explain:
      "Some chunks of the dataset were stored without one of its filters, and its values are too many to keep them inline. It is left out.",
    remedy: "Repack the file: h5repack -f GZIP=4.",
    readers: "Kerchunk 0.2.7 ignores this: these chunks fail to decode, or decode to wrong values.",
  }),
  "hdf5-shuffle-rest": warning<{ elementsize: number }>("Shuffle with a rest", {
    explain: ({ elementsize }) =>
      `The bytes that the filter shuffle was given are no multiple of its element size, ${elementsize}. HDF5 leaves what is left over where it is.`,
    remedy: "Put shuffle before the checksum and the other filters, and repack the file: h5repack.",
    readers:
      "HDF5 reads the file. numcodecs refuses such chunks (“Shuffle buffer is not an integer multiple of elementsize”), so no reader of references does.",
  }),
  "hdf5-external-link": note<{ file: string; path: string }>("A link to another file", {
    explain: ({ file, path }) => `The name leads to ${quoted(path)} in the file ${quoted(file)}.`,
    readers: "Kerchunk drops it.",
  }),
  "hdf5-attribute-latin1": note<{ names: readonly string[] }>("Attributes that are not UTF-8", {
    explain: ({ names }) =>
      `${listed(names.map(quoted))} ${names.length === 1 ? "is" : "are"} not valid UTF-8, so Latin-1 is assumed.`,
    remedy: "Write attributes as UTF-8.",
    readers: "Kerchunk stops at such an attribute and writes the array without its references: it reads as fill value.",
  }),
  "hdf5-attribute-unread": note<{ names: readonly string[] }>("Attributes that JSON cannot hold", {
    explain: ({ names }) =>
      `${listed(names.map(quoted))} ${names.length === 1 ? "has a type" : "have types"} that JSON has no word for, and ${names.length === 1 ? "is" : "are"} left out.`,
    readers:
      "Kerchunk stops at some such attributes and writes the array without its references: it reads as fill value.",
  }),
  "hdf5-several-scales": warning<{ axis: number; scales: number; taken: string }>("Several scales on a dimension", {
    explain: ({ axis, scales, taken }) =>
      `Dimension ${axis} has ${counted(scales, "dimension scale")}; the first, ${quoted(taken)}, gives its name.`,
    readers: "Kerchunk and VirtualiZarr refuse the dataset.",
  }),
  "grib-several-fields": note<{ messages: number; fields: number }>("Several fields in a message", {
    explain: ({ messages, fields }) =>
      `${counted(messages, "message")} of the file ${messages === 1 ? "has" : "have"} ${fields} fields. A reference reaches the first field of a message; the others are written inline, a message each.`,
    readers: "Kerchunk's scan_grib takes only the first field of each message.",
  }),
  "grib-points-unknown": error("Field of unknown size", {
    explain: "Nothing in the message says how many points its grid has. The field is left out.",
    remedy: "Read it with eccodes.",
    readers: "eccodes counts the points by the kind of grid, where it knows it.",
  }),
  "grib-index-stale": error<{ entries: number; wrong: number; offset: number; unlisted: number }>(
    "The index is of another packing of the file",
    {
      explain: ({ entries, wrong, offset, unlisted }) =>
        [
          wrong > 0 &&
            `${wrong} of ${counted(entries, "entry", "entries")} point to where no message of that length begins, the first to byte ${offset}.`,
          unlisted > 0 && `${counted(unlisted, "message")} of the file ${unlisted === 1 ? "has" : "have"} no entry.`,
        ]
          .filter(Boolean)
          .join(" "),
      remedy: "Make the index again from this file: wgrib2 FILE > FILE.idx.",
      readers: "Readers that go by the index fetch parts of messages, which fail to decode.",
    },
  ),
};

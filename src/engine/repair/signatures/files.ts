/** Whole files, never chunks: recognised by a few letters at their beginning. */
import { beginsWith, factsOf, shownText, viewOf, type Recognise } from "./signature.ts";

/** FITS standard 4.0 §4.4.1.1. */
export const fits: Recognise = (bytes) =>
  beginsWith(bytes, "SIMPLE  =") ? { name: "fits", label: "FITS, the beginning of a file", facts: [] } : undefined;

/** Apache Parquet, "File format". */
export const parquet: Recognise = (bytes) =>
  beginsWith(bytes, "PAR1") ? { name: "parquet", label: "Parquet, the beginning of a file", facts: [] } : undefined;

/** Icechunk's own files begin with `ICE🧊CHUNK` (Icechunk specification, "File layout"). */
export const icechunk: Recognise = (bytes) =>
  beginsWith(bytes, [0x49, 0x43, 0x45, 0xf0, 0x9f, 0xa7, 0x8a, 0x43, 0x48, 0x55, 0x4e, 0x4b])
    ? { name: "icechunk", label: "Icechunk, a file of metadata", facts: [] }
    : undefined;

const METHODS: ReadonlyMap<number, string> = new Map([
  [0, "stored"],
  [8, "Deflate"],
  [9, "Deflate64"],
  [12, "bzip2"],
  [14, "LZMA"],
  [93, "Zstandard"],
]);
const LOCAL_HEADER = 30;

/** A zip archive, or an entry of one (APPNOTE 6.3.10 §4.3.7): offsets into archives often forget the entry's header. */
export const zip: Recognise = (bytes) => {
  if (beginsWith(bytes, [0x50, 0x4b, 1, 2])) return { name: "zip", label: "zip, an archive's directory", facts: [] };
  if (beginsWith(bytes, [0x50, 0x4b, 5, 6])) return { name: "zip", label: "zip, an archive's end", facts: [] };
  if (!beginsWith(bytes, [0x50, 0x4b, 3, 4]) || bytes.length < LOCAL_HEADER) return undefined;
  const view = viewOf(bytes);
  const nameEnd = LOCAL_HEADER + view.getUint16(26, true);
  const method = view.getUint16(8, true);
  const facts = factsOf({
    Entry: shownText(bytes.subarray(LOCAL_HEADER, nameEnd)),
    Method: METHODS.get(method) ?? `number ${method}`,
    "Its data begin": `at byte ${nameEnd + view.getUint16(28, true)}`,
  });
  return { name: "zip", label: "zip, the header of an entry", facts };
};

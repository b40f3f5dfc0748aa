/** Whole files and parts of them, and bytes in no format: all the same, or text. */
import { gribSections, type GribSection } from "#codecs/grib/sections.ts";
import type { Signature } from "#core/check/lab.ts";
import { beginsWith, factsOf, shownText, viewOf, type Recognise } from "./signature.ts";

/**
 * Formats that their first bytes tell, and nothing else of them is shown: FITS 4.0 §4.4.1.1, Apache Parquet, Icechunk,
 * LZ4.
 */
const BEGINNINGS: readonly (readonly [magic: readonly number[] | string, name: string, label: string])[] = [
  ["SIMPLE  =", "fits", "FITS, the beginning of a file"],
  ["PAR1", "parquet", "Parquet, the beginning of a file"],
  [
    [0x49, 0x43, 0x45, 0xf0, 0x9f, 0xa7, 0x8a, 0x43, 0x48, 0x55, 0x4e, 0x4b],
    "icechunk",
    "Icechunk, a file of metadata",
  ],
  [[0x50, 0x4b, 1, 2], "zip", "zip, an archive's directory"],
  [[0x50, 0x4b, 5, 6], "zip", "zip, an archive's end"],
  [[0x02, 0x21, 0x4c, 0x18], "lz4", "LZ4, legacy frame"],
];

export const beginning: Recognise = (bytes) => {
  const known = BEGINNINGS.find(([magic]) => beginsWith(bytes, magic));
  return known === undefined ? undefined : { name: known[1], label: known[2], facts: [] };
};

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

// An HDF5 file, and the pieces of one that carry a signature (HDF5 File Format Specification 3.0, §§II–IV).

const HDF5_MAGIC = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a];

export const hdf5: Recognise = (bytes) => {
  if (!beginsWith(bytes, HDF5_MAGIC)) return undefined;
  const version = bytes[8];
  const sizesAt = (version ?? 0) < 2 ? 13 : 9;
  const facts = factsOf({
    "Superblock version": version === undefined ? undefined : String(version),
    "Size of offsets": bytes[sizesAt] === undefined ? undefined : `${bytes[sizesAt]} bytes`,
    "Size of lengths": bytes[sizesAt + 1] === undefined ? undefined : `${bytes[sizesAt + 1]} bytes`,
  });
  return { name: "hdf5", label: "HDF5, the beginning of a file", facts };
};

const HDF5_PIECES: ReadonlyMap<string, string> = new Map([
  ["TREE", "B-tree node, version 1"],
  ["BTHD", "B-tree header, version 2"],
  ["BTIN", "B-tree inner node, version 2"],
  ["BTLF", "B-tree leaf, version 2"],
  ["SNOD", "symbol table node"],
  ["HEAP", "local heap"],
  ["GCOL", "global heap collection"],
  ["FRHP", "fractal heap header"],
  ["FHDB", "fractal heap direct block"],
  ["FHIB", "fractal heap indirect block"],
  ["FSHD", "free-space header"],
  ["FSSE", "free-space sections"],
  ["SMTB", "shared message table"],
  ["SMLI", "shared message list"],
  ["OHDR", "object header, version 2"],
  ["OCHK", "object header continuation"],
  ["FAHD", "fixed array header of chunks"],
  ["FADB", "fixed array data block of chunks"],
  ["EAHD", "extensible array header of chunks"],
  ["EAIB", "extensible array index block of chunks"],
  ["EASB", "extensible array secondary block of chunks"],
  ["EADB", "extensible array data block of chunks"],
]);

/** Pieces on which wrong offsets often land. All but `TREE` (sometimes that too) have small numbers after the name. */
export const hdf5Piece: Recognise = (bytes) => {
  if (bytes.length < 8) return undefined;
  const name = String.fromCharCode(...bytes.subarray(0, 4));
  const what = HDF5_PIECES.get(name);
  if (what === undefined || (bytes[4] as number) > 16) return undefined;
  const facts = factsOf({
    Piece: name,
    Kind: name === "TREE" ? (bytes[4] === 1 ? "index of chunks" : "group") : undefined,
    Level: name === "TREE" ? String(bytes[5]) : undefined,
    Entries: name === "TREE" ? String(viewOf(bytes).getUint16(6, true)) : undefined,
    Meaning: "part of a file's own structure, not a chunk of data",
  });
  return { name: "hdf5", label: `HDF5, ${what}`, facts };
};

// A classic netCDF file (NetCDF Classic Format Specification; version byte 5 is CDF-5).

const NETCDF3_VERSIONS: ReadonlyMap<number, string> = new Map([
  [1, "classic"],
  [2, "64-bit offsets"],
  [5, "64-bit data (CDF-5)"],
]);

export const netcdf3: Recognise = (bytes) => {
  const version = NETCDF3_VERSIONS.get(bytes[3] ?? 0);
  if (!beginsWith(bytes, "CDF") || version === undefined || bytes.length < 8) return undefined;
  const records = bytes[3] === 5 ? undefined : viewOf(bytes).getUint32(4);
  const count = records === 0xffff_ffff ? "not said (streaming)" : String(records);
  const facts = factsOf({ Version: version, Records: records === undefined ? undefined : count });
  return { name: "netcdf3", label: `netCDF 3, ${version}, the beginning of a file`, facts };
};

// A GRIB message (WMO Manual on Codes, FM 92; edition 1 and 2), with what each of its sections says.

const INDICATOR = 8;
/** The first fields of a message are shown. */
const MAX_SECTIONS = 24;

export const grib: Recognise = (bytes) => {
  if (!beginsWith(bytes, "GRIB") || bytes.length < INDICATOR) return undefined;
  const { edition, sections, problem } = gribSections(bytes);
  if (edition === undefined) return undefined;
  const facts: Signature["facts"][number][] = sections.slice(0, MAX_SECTIONS).map(sectionFact);
  if (sections.length > MAX_SECTIONS)
    facts.push({ term: "More sections", value: String(sections.length - MAX_SECTIONS) });
  if (problem !== undefined) facts.push({ term: "Problem", value: problem });
  return { name: "grib", label: `GRIB, edition ${edition}`, facts };
};

/** Terms must differ: fields of one message repeat the numbers of sections. */
function sectionFact({ name, offset, length, facts }: GribSection): Signature["facts"][number] {
  const said = facts.map(({ label, value }) => `${label} ${value}`);
  return { term: `${name} at ${offset}`, value: [`${length} bytes`, ...said].join("; ") };
}

// A TIFF or BigTIFF file (TIFF 6.0 §2; BigTIFF).

export const tiff: Recognise = (bytes) => {
  const isLittle = beginsWith(bytes, "II");
  if ((!isLittle && !beginsWith(bytes, "MM")) || bytes.length < 8) return undefined;
  const view = viewOf(bytes);
  const version = view.getUint16(2, isLittle);
  const isBig = version === 43 && view.getUint16(4, isLittle) === 8 && bytes.length >= 16;
  if (version !== 42 && !isBig) return undefined;
  const first = isBig ? view.getBigUint64(8, isLittle) : view.getUint32(4, isLittle);
  const order = isLittle ? "little-endian" : "big-endian";
  const name = isBig ? "BigTIFF" : "TIFF";
  const facts = factsOf({ "Byte order": order, "First directory": `at byte ${first}` });
  return { name: "tiff", label: `${name}, ${order}, the beginning of a file`, facts };
};

// A PNG image (PNG specification, third edition, §§5.2 and 11.2.1).

const COLOURS: ReadonlyMap<number, string> = new Map([
  [0, "grey"],
  [2, "RGB"],
  [3, "palette"],
  [4, "grey with alpha"],
  [6, "RGB with alpha"],
]);

export const png: Recognise = (bytes) => {
  if (!beginsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return undefined;
  if (!beginsWith(bytes, "IHDR", 12) || bytes.length < 26) return { name: "png", label: "PNG image", facts: [] };
  const view = viewOf(bytes);
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  const facts = factsOf({
    Width: `${width} pixels`,
    Height: `${height} pixels`,
    "Bits a channel": String(bytes[24]),
    Colours: COLOURS.get(bytes[25] ?? -1) ?? "unknown",
  });
  return { name: "png", label: `PNG image, ${width} × ${height} pixels`, facts };
};

// A JPEG image (ITU-T T.81, Annex B): its frame header is looked for among the first segments.

const MAX_SEGMENTS = 64;
/** Start-of-frame markers, without those of tables (C4, CC) and extensions (C8). */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

export const jpeg: Recognise = (bytes) => {
  if (!beginsWith(bytes, [0xff, 0xd8, 0xff]) || (bytes[3] ?? 0) < 0xc0) return undefined;
  const at = frameAt(bytes);
  if (at === undefined) return { name: "jpeg", label: "JPEG image", facts: [] };
  const view = viewOf(bytes);
  const [height, width] = [view.getUint16(at + 5), view.getUint16(at + 7)];
  const facts = factsOf({
    Width: `${width} pixels`,
    Height: `${height} pixels`,
    "Bits a channel": String(bytes[at + 4]),
    Channels: String(bytes[at + 9]),
    Process: bytes[at + 1] === 0xc3 ? "lossless" : bytes[at + 1] === 0xc2 ? "progressive" : "sequential",
  });
  return { name: "jpeg", label: `JPEG image, ${width} × ${height} pixels`, facts };
};

function frameAt(bytes: Uint8Array): number | undefined {
  const view = viewOf(bytes);
  let at = 2;
  for (let segment = 0; segment < MAX_SEGMENTS && at + 10 <= bytes.length; segment += 1) {
    if (bytes[at] !== 0xff) return undefined;
    if (isFrame(bytes[at + 1] as number)) return at;
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

// A Python pickle (pickletools, protocols 2 to 5). Never decoded: it is a program.

const PROTO = 0x80;
const FRAME = 0x95;
const STOP = 0x2e;

export const pickle: Recognise = (bytes) => {
  const protocol = bytes[1] ?? 0;
  if (bytes[0] !== PROTO || bytes.length < 4 || protocol < 2 || protocol > 5) return undefined;
  // From protocol 4 on a frame follows; before, the end must do.
  const isSure = protocol >= 4 ? bytes[2] === FRAME : bytes.at(-1) === STOP;
  if (!isSure) return undefined;
  return {
    name: "pickle",
    label: `Python pickle, protocol ${protocol}`,
    facts: factsOf({ Protocol: String(protocol) }),
  };
};

// Bytes in no format: all the same, or text, which may say what it is.

const LEAST = 8;

export const same: Recognise = (bytes) => {
  const [first] = bytes;
  if (first === undefined || bytes.length < LEAST || !areAll(bytes, first)) return undefined;
  if (first === 0) return { name: "zeros", label: "all zeros", facts: [] };
  return { name: "constant", label: `all bytes ${first.toString(16).padStart(2, "0")}`, facts: [] };
};

function areAll(bytes: Uint8Array, value: number): boolean {
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] !== value) return false;
  return true;
}

const LOOKED_AT = 4096;
const MAX_JSON = 64 * 1024;

/** Texts that servers and repositories send in place of data. */
const TEXTS: readonly (readonly [RegExp, name: string, label: string])[] = [
  [/^\s*(?:<!doctype html|<html)/i, "html", "an HTML page"],
  [/^\s*<\?xml|^\s*<Error>/, "xml", "an XML document"],
  [/^version https:\/\/git-lfs\.github\.com\//, "git-lfs", "a pointer of Git LFS in place of a file"],
];

/** ASCII with spaces or line ends in it; JSON also without. */
export const text: Recognise = (bytes) => {
  const beginning = bytes.subarray(0, LOOKED_AT);
  if (bytes.length < LEAST || !beginning.every(isText)) return undefined;
  const shown = shownText(beginning, LOOKED_AT);
  const known = TEXTS.find(([pattern]) => pattern.test(shown));
  if (known !== undefined) return { name: known[1], label: known[2], facts: firstLine(shown) };
  if (isJson(bytes)) return { name: "json", label: "JSON text", facts: firstLine(shown) };
  return /[ \n]/.test(shown) ? { name: "text", label: "ASCII text", facts: firstLine(shown) } : undefined;
};

const isText = (byte: number): boolean =>
  (byte >= 0x20 && byte < 0x7f) || byte === 0x0a || byte === 0x0d || byte === 0x09;

const firstLine = (shown: string): Signature["facts"] =>
  factsOf({ "First line": shown.trimStart().slice(0, 80).split("\n", 1)[0] });

/** An object or a list. Long ones are recognised by how they begin. */
function isJson(bytes: Uint8Array): boolean {
  const start = new TextDecoder().decode(bytes.subarray(0, MAX_JSON));
  if (!/^\s*(?:\{\s*["}]|\[\s*["{[\]\-\dtfn])/.test(start)) return false;
  if (bytes.length > MAX_JSON) return true;
  try {
    JSON.parse(start);
    return true;
  } catch {
    return false;
  }
}

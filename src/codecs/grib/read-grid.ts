/**
 * Grids of latitudes and longitudes in messages of edition 1: section 2 (FM 92 of 1988, code table 6), in
 * millidegrees.
 */
import { pointsOfRows } from "#core/plane/grib-rows.ts";
import { decodeFailed } from "../codec.ts";
import { damaged, gridUnsupported } from "./failure.ts";
import { ibmFloat, signed, signed32, unsigned24, view } from "./numbers.ts";
import type { Rotation } from "./rotation.ts";
import { gridName, sectionName1 } from "./tables.ts";
import { MAX_GAUSSIAN } from "./gaussian.ts";

const MISSING_16 = 0xffff;

interface Kind {
  readonly name: string;
  readonly isGaussian: boolean;
  readonly isRotated: boolean;
}

/** Not rotated Gaussian grids, here as in edition 2: eccodes gives their own latitudes, not the earth's. */
const KINDS: ReadonlyMap<number, Kind> = new Map([
  [0, { name: "latitude/longitude", isGaussian: false, isRotated: false }],
  [4, { name: "Gaussian latitude/longitude", isGaussian: true, isRotated: false }],
  [10, { name: "rotated latitude/longitude", isGaussian: false, isRotated: true }],
]);

/** Throws `grib-grid-unsupported`, `decode-failed`. */
export function readGrid1(codec: string, section: Uint8Array | undefined, what: Wanted): Grid {
  if (section === undefined) throw gridUnsupported(codec, `${what}s`, "a message of GRIB edition 1 without a grid");
  const data = view(section);
  const type = section.length > 5 ? data.getUint8(5) : -1;
  const kind = KINDS.get(type);
  if (kind === undefined) throw gridUnsupported(codec, `${what}s`, `a grid of GRIB edition 1 of type ${type}`);
  const length = kind.isRotated ? 42 : 28;
  if (section.length < length) {
    throw decodeFailed(codec, `${length} bytes`, `${section.length} bytes`, `${sectionName1(2)} of GRIB edition 1`);
  }
  const name = `${kind.name} in GRIB edition 1`;
  const [rows, flags, step, scan] = [data.getUint16(8), data.getUint8(16), data.getUint16(25), data.getUint8(27)];
  const rowLengths = rowLengths1(section);
  if (kind.isRotated && rowLengths !== undefined) {
    throw gridUnsupported(codec, `${what}s`, `${name}, whose rows have lengths of their own`);
  }
  const refused = 0x1f | (kind.isGaussian ? 32 : 0) | (rowLengths === undefined ? 0 : 0xff);
  if ((scan & refused) !== 0 || rows === MISSING_16) {
    throw gridUnsupported(codec, `${what}s`, `${name}, with scanning mode ${scan}, in which rows are not alike`);
  }
  const degrees = (at: number) => signed(unsigned24(data, at), 24) / 1000;
  const columns = rowLengths?.reduce((most, one) => Math.max(most, one), 1) ?? data.getUint16(6);
  return {
    name,
    points: rowPoints1(section) ?? columns * rows,
    columns,
    rows,
    rowLengths,
    firstLatitude: degrees(10),
    firstLongitude: degrees(13),
    lastLatitude: degrees(17),
    lastLongitude: degrees(20),
    rowStep: step === MISSING_16 || (flags & 128) === 0 ? undefined : step / 1000,
    westwards: (scan & 128) !== 0,
    northwards: (scan & 64) !== 0,
    columnsFirst: (scan & 32) !== 0,
    ...(kind.isGaussian ? { gaussian: parallels(codec, what, step, name) } : {}),
    rotation: kind.isRotated ? rotation1(data) : undefined,
  };
}

function rotation1(data: DataView): Rotation {
  return {
    latitude: signed(unsigned24(data, 32), 24) / 1000,
    longitude: signed(unsigned24(data, 35), 24) / 1000,
    angle: ibmFloat(data.getUint32(38)),
  };
}

/** Points of rows that have lengths of their own; `undefined` where rows are alike, or nothing says. */
export function rowPoints1(section: Uint8Array): number | undefined {
  const lengths = rowLengths1(section);
  if (lengths === undefined || section.length < 28) return undefined;
  const degrees = (at: number) => signed(unsigned24(view(section), at), 24);
  return pointsOfRows({ type: section[5] as number, lengths, west: degrees(13), east: degrees(20) });
}

/**
 * The rows' own lengths, which come after the vertical coordinates; `undefined` where rows are alike, or nothing says.
 */
function rowLengths1(section: Uint8Array): readonly number[] | undefined {
  if (section.length < 10) return undefined;
  const data = view(section);
  const [columns, rows, place] = [data.getUint16(6), data.getUint16(8), data.getUint8(4)];
  const list = place - 1 + data.getUint8(3) * 4;
  if (columns !== MISSING_16 || rows === MISSING_16 || place === 255 || list + rows * 2 > section.length)
    return undefined;
  return Array.from({ length: rows }, (_, row) => data.getUint16(list + row * 2));
}

// Grids of latitudes and longitudes in messages of edition 2: section 3 (FM 92, templates 3.0, 3.1, 3.40).

/** Units of a degree, unless the message names another: microdegrees. */
const SUBDIVISIONS = 1_000_000;
const MISSING_32 = 0xffffffff;

/** Bytes of section 3 that each template needs; after them stand the lengths of rows, where rows have their own. */
const LENGTHS: ReadonlyMap<number, number> = new Map([
  [0, 72],
  [1, 84],
  [40, 72],
]);

const ROTATED = 1;
const GAUSSIAN = 40;

/** Throws `grib-grid-unsupported`, `decode-failed`. */
export function readGrid2(codec: string, section: Uint8Array, what: Wanted): Grid {
  const data = view(section);
  const template = data.getUint16(12);
  const name = `grid definition template 3.${template}, ${gridName(template)}`;
  const length = LENGTHS.get(template);
  if (length === undefined) throw gridUnsupported(codec, `${what}s`, name);
  if (section.length < length) {
    throw damaged(codec, 3, `${length} bytes for template 3.${template}`, `${section.length} bytes`);
  }
  const [rows, flags, scan] = [data.getUint32(34), data.getUint8(54), data.getUint8(71)];
  const rowLengths = data.getUint32(30) === MISSING_32 ? readRowLengths(codec, section, length, rows) : undefined;
  if (template === ROTATED && rowLengths !== undefined) {
    throw gridUnsupported(codec, `${what}s`, `${name}, whose rows have lengths of their own`);
  }
  const isGaussian = template === GAUSSIAN;
  // Rows in alternating directions are turned with their values, as eccodes' coordinates are.
  // eccodes goes along the rows of a Gaussian grid whatever its message says, and from the first point of reduced ones.
  const refused = 0x0f | (isGaussian ? 32 : 0) | (rowLengths === undefined ? 0 : 0xff);
  if ((scan & refused) !== 0 || rows === MISSING_32) {
    throw gridUnsupported(codec, `${what}s`, `${name}, with scanning mode ${scan}, in which rows are not alike`);
  }
  const degrees = inDegrees(data);
  const step = data.getUint32(67);
  return {
    name,
    points: data.getUint32(6),
    columns: rowLengths === undefined ? data.getUint32(30) : rowLengths.reduce((most, one) => Math.max(most, one), 1),
    rows,
    rowLengths,
    firstLatitude: degrees(signed32(data, 46)),
    firstLongitude: degrees(signed32(data, 50)),
    lastLatitude: degrees(signed32(data, 55)),
    lastLongitude: degrees(signed32(data, 59)),
    rowStep: step === MISSING_32 || (flags & 16) === 0 ? undefined : degrees(step),
    westwards: (scan & 128) !== 0,
    northwards: (scan & 64) !== 0,
    columnsFirst: (scan & 32) !== 0,
    ...(isGaussian ? { gaussian: parallels(codec, what, step, name) } : {}),
    rotation: template === ROTATED ? rotation2(data, degrees) : undefined,
  };
}

/** The list after the template: octet 11 says how many bytes each number has, and there is one a row. */
function readRowLengths(codec: string, section: Uint8Array, from: number, rows: number): readonly number[] {
  const data = view(section);
  const size = data.getUint8(10);
  if (![1, 2, 4].includes(size) || rows * size > section.length - from) {
    const found = `${section.length - from} bytes, ${size} for each`;
    throw damaged(codec, 3, `the lengths of ${rows} rows`, found);
  }
  return Array.from({ length: rows }, (_, row) => {
    const at = from + row * size;
    if (size === 1) return data.getUint8(at);
    return size === 2 ? data.getUint16(at) : data.getUint32(at);
  });
}

function inDegrees(data: DataView): (value: number) => number {
  const angle = data.getUint32(38);
  const parts = data.getUint32(42);
  const subdivisions = parts === MISSING_32 || parts === 0 ? SUBDIVISIONS : parts;
  return (value) => (value / subdivisions) * (angle === 0 ? 1 : angle);
}

function rotation2(data: DataView, degrees: (value: number) => number): Rotation {
  return {
    latitude: degrees(signed32(data, 72)),
    longitude: degrees(signed32(data, 76)),
    angle: data.getFloat32(80),
  };
}

/** Throws `grib-grid-unsupported` where there are none, or more than are computed. */
export function parallels(codec: string, what: Wanted, between: number, name: string): number {
  if (between > 0 && between <= MAX_GAUSSIAN) return between;
  throw gridUnsupported(codec, `${what}s`, `${name}, with ${between} parallels between a pole and the equator`);
}

/** A grid of latitudes and longitudes as a message of either edition describes it. */
export type Wanted = "latitude" | "longitude";

export interface Grid {
  /** For errors: "grid definition template 3.40, Gaussian latitude/longitude". */
  readonly name: string;
  /** Number of points that the message states. */
  readonly points: number;
  /** Points of every row; of the longest one where rows have lengths of their own. */
  readonly columns: number;
  readonly rows: number;
  /** Points of each row, where they differ. */
  readonly rowLengths?: readonly number[] | undefined;
  readonly firstLatitude: number;
  readonly firstLongitude: number;
  readonly lastLatitude: number;
  readonly lastLongitude: number;
  /** Between rows; `undefined` where it is not given. */
  readonly rowStep: number | undefined;
  readonly westwards: boolean;
  readonly northwards: boolean;
  readonly columnsFirst: boolean;
  /** Parallels between a pole and the equator of a Gaussian grid. */
  readonly gaussian?: number;
  readonly rotation?: Rotation | undefined;
}

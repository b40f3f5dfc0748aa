/** Grids of latitudes and longitudes in messages of edition 1: section 2 (FM 92 of 1988, code table 6), in millidegrees. */
import { decodeFailed } from "../failure.ts";
import { gridUnsupported } from "./failure.ts";
import type { Grid, Wanted } from "./latitude-longitude-grid.ts";
import { ibmFloat, signed, unsigned24, view } from "./numbers.ts";
import { parallels } from "./read-grid-2.ts";
import type { Rotation } from "./rotation.ts";
import { sectionName1 } from "./tables.ts";

const MISSING = 0xffff;

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
  if ((scan & refused) !== 0 || rows === MISSING) {
    throw gridUnsupported(codec, `${what}s`, `${name}, with scanning mode ${scan}, in which rows are not alike`);
  }
  const degrees = (at: number) => signed(unsigned24(data, at), 24) / 1000;
  const columns = rowLengths?.reduce((most, one) => Math.max(most, one), 1) ?? data.getUint16(6);
  return {
    name,
    points: rowLengths?.reduce((sum, one) => sum + one, 0) ?? columns * rows,
    columns,
    rows,
    rowLengths,
    firstLatitude: degrees(10),
    firstLongitude: degrees(13),
    lastLatitude: degrees(17),
    lastLongitude: degrees(20),
    rowStep: step === MISSING || (flags & 128) === 0 ? undefined : step / 1000,
    westwards: (scan & 128) !== 0,
    northwards: (scan & 64) !== 0,
    columnsFirst: (scan & 32) !== 0,
    ...(kind.isGaussian ? { gaussian: parallels(codec, what, step, name) } : {}),
    rotation: kind.isRotated ? readRotation(data) : undefined,
  };
}

function readRotation(data: DataView): Rotation {
  return {
    latitude: signed(unsigned24(data, 32), 24) / 1000,
    longitude: signed(unsigned24(data, 35), 24) / 1000,
    angle: ibmFloat(data.getUint32(38)),
  };
}

/** The rows' own lengths, which come after the vertical coordinates; `undefined` where rows are alike, or nothing says. */
export function rowLengths1(section: Uint8Array): readonly number[] | undefined {
  if (section.length < 10) return undefined;
  const data = view(section);
  const [columns, rows, place] = [data.getUint16(6), data.getUint16(8), data.getUint8(4)];
  const list = place - 1 + data.getUint8(3) * 4;
  if (columns !== MISSING || rows === MISSING || place === 255 || list + rows * 2 > section.length) return undefined;
  return Array.from({ length: rows }, (_, row) => data.getUint16(list + row * 2));
}

/**
 * Facts of a field: parameter, level, times, member, shape of the grid (FM 92: sections 1, 3 and 4; in edition 1
 * sections 1 and 2).
 */
import { pointsOfRows } from "#core/plane/grib-rows.ts";
import { levelName, levelName1, parameterOf, parameterOf1, type Parameter } from "./names.ts";
import type { GribMessage, Section } from "./scan-messages.ts";

export interface FieldFacts {
  readonly parameter: Parameter;
  /** eccodes' `typeOfLevel`. */
  readonly levelType: string;
  readonly level: number;
  /** Seconds since 1970. */
  readonly reference: number;
  readonly valid: number;
  /** Number of the ensemble's member. */
  readonly member: number | undefined;
  /** The section that describes the grid. */
  readonly grid: Section | undefined;
  /** Rows and columns as values follow each other; `undefined`: points in a row. */
  readonly shape: readonly [number, number] | undefined;
  /** Latitude is the second of the two. */
  readonly isByColumns: boolean;
  readonly points: number | undefined;
}

export interface GribField extends FieldFacts {
  readonly message: GribMessage;
  readonly sections: ReadonlyMap<number, Section>;
}

/** Fields of one array. */
export type Group = readonly [GribField, ...GribField[]];

export function gridKey({ bytes }: Section): string {
  let key = "";
  for (const byte of bytes) key += String.fromCharCode(byte);
  return key;
}

type Field = GribMessage["fields"][number];

/** Zeros where the section is shorter than its template. */
function reader({ bytes }: Section) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const uint = (at: number, size: number): number => {
    let value = 0;
    for (let place = at; place < at + size; place += 1)
      value = value * 256 + (place < view.byteLength ? view.getUint8(place) : 0);
    return value;
  };
  /** The first bit is the sign. */
  const int = (at: number, size: number): number => {
    const [value, sign] = [uint(at, size), 2 ** (size * 8 - 1)];
    return value < sign ? value : sign - value;
  };
  return { uint, int };
}

type Reader = ReturnType<typeof reader>;

export const factsOf = (message: GribMessage, field: Field): FieldFacts | undefined =>
  message.edition === 1 ? facts1(field) : facts2(message, field);

/** Values by a number of the message. */
type Numbers = Readonly<Record<number, number | undefined>>;

const DAY = 86_400;
/** Seconds of GRIB's units of time; months and years are counted as eccodes does. */
const UNITS: Numbers = { 0: 60, 1: 3600, 2: DAY, 3: 30 * DAY, 4: 365 * DAY, 10: 10_800, 11: 21_600, 12: 43_200, 13: 1 };

const secondsOf = (year: number, month: number, day: number, hour: number, minute: number, second = 0): number =>
  Date.UTC(year, month - 1, day, hour, minute, second) / 1000;

/** Year to second, in seven bytes. */
const momentAt = ({ uint }: Reader, at: number): number =>
  secondsOf(uint(at, 2), uint(at + 2, 1), uint(at + 3, 1), uint(at + 4, 1), uint(at + 5, 1), uint(at + 6, 1));

/** Offsets of the end of the interval, for templates of statistics over one. */
const ENDS: Numbers = { 8: 34, 9: 47, 10: 35, 11: 37, 12: 36 };
/** Chemistry and aerosols have more before the time. */
const SHIFTS: Numbers = { 40: 2, 41: 2, 44: 11, 45: 11, 48: 24, 49: 24 };
const MISSING = 2 ** 32 - 1;

function facts2({ discipline }: GribMessage, field: Field): FieldFacts | undefined {
  const [identification, grid, product] = [1, 3, 4].map((number) => field.get(number));
  if (identification === undefined || grid === undefined || product === undefined) return undefined;
  const [one, four] = [reader(identification), reader(product)];
  const template = four.uint(7, 2);
  const at = 17 + (SHIFTS[template] ?? 0);
  const [surface, second] = [surfaceAt(four, at + 5), surfaceAt(four, at + 11)];
  const isLayer = second.type !== 255 && second.type === surface.type;
  const levelType = levelName(surface.type, isLayer);
  const level = levelType === "isobaricInhPa" || levelType === "isobaricLayer" ? surface.value / 100 : surface.value;
  const reference = momentAt(one, 12);
  const end = ENDS[template];
  const valid =
    end === undefined ? reference + four.int(at + 1, 4) * (UNITS[four.uint(at, 1)] ?? 3600) : momentAt(four, end);
  const parameter = parameterOf({
    numbers: [discipline, four.uint(9, 1), four.uint(10, 1)],
    centre: one.uint(5, 2),
    surface: surface.type,
    level: surface.value,
  });
  const member = template === 1 || template === 11 ? four.uint(35, 1) : undefined;
  return { parameter, levelType, level, reference, valid, member, ...gridFacts2(grid) };
}

function surfaceAt({ uint, int }: Reader, at: number) {
  const value = uint(at + 2, 4) === MISSING ? 0 : int(at + 2, 4) / 10 ** int(at + 1, 1);
  return { type: uint(at, 1), value: uint(at + 1, 1) === 255 ? 0 : value };
}

/** Templates whose columns and rows stand at 30 and 34; where the mode of scanning stands. */
const SCANS: Numbers = {
  0: 71,
  1: 71,
  2: 71,
  3: 71,
  40: 71,
  41: 71,
  42: 71,
  43: 71,
  20: 64,
  30: 64,
  31: 64,
  140: 64,
  10: 59,
  110: 56,
};

function gridFacts2(grid: Section) {
  const { uint } = reader(grid);
  const [columns, rows, points] = [uint(30, 4), uint(34, 4), uint(6, 4)];
  const scan = SCANS[uint(12, 2)];
  return { grid, points, ...laidOut(columns, rows, points, scan === undefined ? undefined : uint(scan, 1)) };
}

function laidOut(columns: number, rows: number, points: number | undefined, scan: number | undefined) {
  const isByColumns = ((scan ?? 0) & 32) !== 0;
  const isGrid = scan !== undefined && columns * rows > 0 && columns * rows === (points ?? columns * rows);
  const shape: readonly [number, number] = isByColumns ? [columns, rows] : [rows, columns];
  return { shape: isGrid ? shape : undefined, isByColumns };
}

// Edition 1.

function facts1(field: Field): FieldFacts | undefined {
  const product = field.get(1);
  if (product === undefined) return undefined;
  const one = reader(product);
  const { uint } = one;
  const surface = uint(9, 1);
  const levelType = levelName1(surface);
  // A layer has its top and its bottom in a byte each; depths are in centimetres.
  const level = levelType.endsWith("Layer") ? uint(10, 1) : uint(10, 2);
  const reference = secondsOf(
    (uint(24, 1) - 1) * 100 + uint(12, 1),
    uint(13, 1),
    uint(14, 1),
    uint(15, 1),
    uint(16, 1),
  );
  const range = uint(20, 1);
  const steps = range === 10 ? uint(18, 2) : [2, 3, 4, 5].includes(range) ? uint(19, 1) : uint(18, 1);
  const parameter = parameterOf1({
    table: uint(3, 1),
    number: uint(8, 1),
    centre: uint(4, 1),
    surface,
    level,
  });
  return {
    parameter,
    levelType,
    level: surface === 111 || surface === 112 ? level / 100 : level,
    reference,
    valid: reference + steps * (UNITS[uint(17, 1)] ?? 3600),
    // ECMWF's local use of section 1 has the member's number.
    member: product.length > 51 && uint(4, 1) === 98 && uint(40, 1) === 1 ? uint(49, 1) : undefined,
    ...gridFacts1(field),
  };
}

const SPECTRAL = [50, 60, 70, 80];

/** Rows have lengths of their own, which stand behind the vertical coordinates; or points are pairs of coefficients. */
function pointsOf1(grid: Section, rows: number | undefined): number | undefined {
  const { uint, int } = reader(grid);
  const type = uint(5, 1);
  if (SPECTRAL.includes(type)) return (uint(6, 2) + 1) * (uint(6, 2) + 2);
  const place = uint(4, 1);
  if (rows === undefined || rows === 0xffff || place === 0xff) return undefined;
  const at = place - 1 + uint(3, 1) * 4;
  const lengths = Array.from({ length: rows }, (_, row) => uint(at + 2 * row, 2));
  return pointsOfRows({ type, lengths, west: int(13, 3), east: int(20, 3) });
}

/** Bits of the bit-map, or values in simple packing; `undefined` for a constant field, and other packings. */
function stored1(field: Field): number | undefined {
  const [bitmap, data] = [field.get(3), field.get(4)];
  if (bitmap !== undefined) return (bitmap.length - 6) * 8 - reader(bitmap).uint(3, 1);
  if (data === undefined) return undefined;
  const { uint } = reader(data);
  const [flags, bits] = [uint(3, 1), uint(10, 1)];
  return bits === 0 || flags > 15 ? undefined : Math.floor(((data.length - 11) * 8 - flags) / bits);
}

function gridFacts1(field: Field) {
  const grid = field.get(2);
  if (grid === undefined) return { grid, points: undefined, shape: undefined, isByColumns: false };
  const { uint } = reader(grid);
  const [columns, rows] = [uint(6, 2), uint(8, 2)];
  const isReduced = columns === 0xffff || rows === 0xffff;
  const counted = pointsOf1(grid, isReduced ? rows : undefined);
  const points = counted !== undefined && isReduced ? (stored1(field) ?? counted) : counted;
  return { grid, points, ...laidOut(columns, rows, points, isReduced ? undefined : uint(27, 1)) };
}

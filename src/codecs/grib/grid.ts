/**
 * Latitudes and longitudes of all points of a regular latitude/longitude grid (FM 92, template 3.0), in degrees, computed
 * in the order of operations of eccodes' iterator, so that every bit agrees: coordinates are added up from the first,
 * the last is the one that is written.
 */
import { damaged, gridUnsupported } from "./failure.ts";
import { gridSection } from "./message.ts";
import { checkCount, type ReadOptions } from "./read-options.ts";
import { signed32, view } from "./numbers.ts";
import { gridName } from "./tables.ts";

/** In microdegrees, where the message names no other unit. */
const SUBDIVISIONS = 1_000_000;
const MISSING = 0xffffffff;

interface Grid {
  readonly columns: number;
  readonly rows: number;
  readonly firstLatitude: number;
  readonly firstLongitude: number;
  readonly lastLatitude: number;
  readonly lastLongitude: number;
  /** Between rows; `undefined` where it is not given. */
  readonly rowStep: number | undefined;
  readonly westwards: boolean;
  readonly northwards: boolean;
  readonly columnsFirst: boolean;
}

/** A coordinate for each point. Throws `grib-not-a-message`, `grib-grid-unsupported`, `decode-failed`, `decode-too-large`. */
export function messageCoordinates(
  bytes: Uint8Array,
  what: "latitude" | "longitude",
  options: ReadOptions,
): Float64Array<ArrayBuffer> {
  const { codec } = options;
  const section = gridSection(codec, bytes, `${what}s`);
  const grid = readGrid(codec, section, what);
  const points = view(section).getUint32(6);
  checkCount(points, options);
  const { columns, rows } = grid;
  if (columns * rows !== points) {
    throw damaged(codec, 3, `${columns} × ${rows} points, as the grid says`, `${points} points`);
  }
  const axis = what === "latitude" ? latitudes(codec, grid) : longitudes(grid);
  const byRow = what === "latitude";
  const out = new Float64Array(points);
  for (let i = 0; i < points; i++) {
    const [inner, outer] = grid.columnsFirst
      ? [i % rows, Math.floor(i / rows)]
      : [Math.floor(i / columns), i % columns];
    out[i] = axis[byRow ? inner : outer] as number;
  }
  return out;
}

function readGrid(codec: string, section: Uint8Array, what: "latitude" | "longitude"): Grid {
  const data = view(section);
  const template = data.getUint16(12);
  const name = `grid definition template 3.${template}, ${gridName(template)}`;
  if (template !== 0) throw gridUnsupported(codec, `${what}s`, name);
  if (section.length < 72) throw damaged(codec, 3, "72 bytes for template 3.0", `${section.length} bytes`);
  const [columns, rows, flags, scan] = [data.getUint32(30), data.getUint32(34), data.getUint8(54), data.getUint8(71)];
  if (columns === MISSING || rows === MISSING) {
    throw gridUnsupported(codec, `${what}s`, `${name}, whose rows have lengths of their own`);
  }
  if ((scan & 0x1f) !== 0) {
    throw gridUnsupported(codec, `${what}s`, `${name}, with scanning mode ${scan}, in which rows are not alike`);
  }
  const angle = data.getUint32(38);
  const parts = data.getUint32(42);
  const subdivisions = parts === MISSING || parts === 0 ? SUBDIVISIONS : parts;
  const degrees = (value: number) => (value / subdivisions) * (angle === 0 ? 1 : angle);
  const step = data.getUint32(67);
  return {
    columns,
    rows,
    firstLatitude: degrees(signed32(data, 46)),
    firstLongitude: degrees(signed32(data, 50)),
    lastLatitude: degrees(signed32(data, 55)),
    lastLongitude: degrees(signed32(data, 59)),
    rowStep: step === MISSING || (flags & 16) === 0 ? undefined : degrees(step),
    westwards: (scan & 128) !== 0,
    northwards: (scan & 64) !== 0,
    columnsFirst: (scan & 32) !== 0,
  };
}

function latitudes(codec: string, grid: Grid): Float64Array {
  const { firstLatitude, lastLatitude, rows, northwards } = grid;
  const isInOrder = northwards ? firstLatitude <= lastLatitude : firstLatitude >= lastLatitude;
  if (!isInOrder) {
    const expected = `latitudes that go ${northwards ? "north" : "south"}, as the scanning mode says`;
    throw damaged(codec, 3, expected, `first ${firstLatitude}, last ${lastLatitude}`);
  }
  const size = grid.rowStep ?? Math.abs(firstLatitude - lastLatitude) / (rows - 1);
  return axisOf(rows, firstLatitude, northwards ? -size : size, lastLatitude, -1);
}

function longitudes({ columns, firstLongitude, lastLongitude, westwards }: Grid): Float64Array {
  const [from, to] = westwards ? [lastLongitude, firstLongitude] : [firstLongitude, lastLongitude];
  const span = to > from ? to - from : to + 360 - from;
  const size = columns > 1 ? span / (columns - 1) : 0;
  const wraps = !westwards && firstLongitude + (columns - 2) * size > 360;
  const first = wraps ? firstLongitude - 360 : firstLongitude;
  const last = lastLongitude > 360 ? lastLongitude - 360 * Math.ceil((lastLongitude - 360) / 360) : lastLongitude;
  return axisOf(columns, first, westwards ? -size : size, last, 1);
}

/** `sign`: whether the step is added or taken away, as eccodes does for latitudes. */
function axisOf(length: number, first: number, step: number, last: number, sign: 1 | -1): Float64Array {
  const axis = new Float64Array(length);
  let at = first;
  for (let i = 0; i < length; i++) {
    axis[i] = at;
    at = sign === 1 ? at + step : at - step;
  }
  if (length > 0) axis[length - 1] = last;
  return axis;
}

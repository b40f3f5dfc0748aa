/**
 * Coasts over a picture whose sides are longitudes and latitudes: a grid that is flipped or shifted is seen at a
 * glance.
 */
import type { Axis } from "#core/cf/axis.ts";
import { cellSize, type CellView } from "./camera.ts";
import type { Draw } from "./Layers.tsx";

/** Longitude, latitude, longitude … in degrees. */
export type CoastLine = Float32Array<ArrayBuffer>;

const PER_DEGREE = 100;

export function decodeCoasts(base64: string): readonly CoastLine[] {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.codePointAt(0) ?? 0);
  let at = 0;
  const next = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0;
      value |= (byte & 127) << shift;
      if (byte < 128) return value & 1 ? -(value + 1) / 2 : value / 2;
    }
  };
  const lines: CoastLine[] = [];
  while (at < bytes.length) {
    const count = next();
    const place = [0, 0];
    lines.push(
      Float32Array.from(
        { length: 2 * count },
        (_, each) => (place[each & 1] = (place[each & 1] ?? 0) + next()) / PER_DEGREE,
      ),
    );
  }
  return lines;
}

/** From a coordinate to a place among the cells: the middle of the first is 0.5. */
type PlaceOf = (degrees: number) => number;

interface DegreeAxis {
  readonly placeOf: PlaceOf;
  readonly least: number;
  readonly greatest: number;
}

/** `undefined` where the values do not rise or fall all along. Longitudes may jump by 360. */
export function degreeAxis(numbers: ArrayLike<number>, wraps: boolean): DegreeAxis | undefined {
  const count = numbers.length;
  if (count < 2) return undefined;
  const values = new Float64Array(count);
  for (let at = 0; at < count; at += 1) {
    const value = numbers[at] ?? Number.NaN;
    const before = values[at - 1] ?? value;
    values[at] = wraps ? before + modulo(value - before + 180, 360) - 180 : value;
  }
  const [first = 0, second = 0] = values;
  const sign = second > first ? 1 : -1;
  for (let at = 1; at < count; at += 1) {
    if (!(((values[at] ?? 0) - (values[at - 1] ?? 0)) * sign > 0)) return undefined;
  }
  const last = values[count - 1] ?? 0;
  const half = [(second - first) / 2, (last - (values[count - 2] ?? 0)) / 2] as const;
  const ends = [first - half[0], last + half[1]];
  const placeOf = (degrees: number) => {
    let [low, high] = [0, count - 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (((values[middle] ?? 0) - degrees) * sign <= 0) low = middle;
      else high = middle;
    }
    const [from, to] = [values[low] ?? 0, values[high] ?? 0];
    // Beyond the ends as between the last two.
    return low + 0.5 + (degrees - from) / (to - from);
  };
  return { placeOf, least: Math.min(...ends), greatest: Math.max(...ends) };
}

const modulo = (value: number, by: number) => ((value % by) + by) % by;

interface CoastSides {
  readonly down: Axis | undefined;
  readonly across: Axis | undefined;
  /** Rows from the last to the first. */
  readonly isTurned: boolean;
}

/** True if one side counts longitudes and the other latitudes, in degrees. */
export function isGeographic({ down, across }: Pick<CoastSides, "down" | "across">): boolean {
  const roles = [down, across].map((axis) => (axis?.values?.kind === "numbers" ? axis.role : "other"));
  return roles.includes("latitude") && roles.includes("longitude");
}

/** A line in cells, and the box that it is in: what is not on the screen is not drawn. */
interface Coast {
  readonly path: Path2D;
  readonly box: { left: number; right: number; top: number; bottom: number };
}

export type Coasts = readonly Coast[];

/** Path over the whole slice; `undefined` if its sides are not degrees. */
export function coastPath(lines: readonly CoastLine[], sides: CoastSides): Coasts | undefined {
  const { down, across, isTurned } = sides;
  if (!isGeographic(sides) || down?.values?.kind !== "numbers" || across?.values?.kind !== "numbers") return undefined;
  const rows = degreeAxis(down.values.numbers, down.role === "longitude");
  const columns = degreeAxis(across.values.numbers, across.role === "longitude");
  if (rows === undefined || columns === undefined) return undefined;
  const height = down.values.numbers.length;
  const [longitudes, latitudes] = across.role === "longitude" ? [columns, rows] : [rows, columns];
  const coasts: Coast[] = [];
  const first = Math.floor((longitudes.least - 180) / 360);
  const last = Math.ceil((longitudes.greatest + 180) / 360);
  // A globe at most twice: what lies about says nothing of a grid of many turns.
  for (let turn = first; turn <= Math.min(last, first + 3); turn += 1) {
    for (const line of lines) addLine(line, turn * 360);
  }
  return coasts;

  function addLine(line: CoastLine, shift: number): void {
    const path = new Path2D();
    const box = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
    let isDown = false;
    for (let at = 0; at < line.length; at += 2) {
      const [longitude, latitude] = [(line[at] ?? 0) + shift, line[at + 1] ?? 0];
      const isSeen = isNear(longitudes, longitude) && isNear(latitudes, latitude);
      if (isSeen) {
        const [x, y] = across?.role === "longitude" ? [longitude, latitude] : [latitude, longitude];
        const row = rows?.placeOf(y) ?? 0;
        const place = [columns?.placeOf(x) ?? 0, isTurned ? height - row : row] as const;
        box.left = Math.min(box.left, place[0]);
        box.right = Math.max(box.right, place[0]);
        box.top = Math.min(box.top, place[1]);
        box.bottom = Math.max(box.bottom, place[1]);
        if (isDown) path.lineTo(...place);
        else path.moveTo(...place);
      }
      isDown = isSeen;
    }
    if (box.left < box.right || box.top < box.bottom) coasts.push({ path, box });
  }
}

/** Degrees beyond the ends where a line still begins. */
const BEYOND = 10;
const isNear = ({ least, greatest }: DegreeAxis, degrees: number) =>
  degrees >= least - BEYOND && degrees <= greatest + BEYOND;

/** Dark with a light core: seen on any colour. */
export function coastDrawing(coasts: Coasts, view: CellView, corner: { readonly x: number; readonly y: number }): Draw {
  const cell = cellSize(view);
  const { area, camera, extent } = view;
  const placed = new Path2D();
  const toPixels = { a: cell.width, d: cell.height, e: -camera.x * cell.width, f: -camera.y * cell.height };
  const [right, bottom] = [camera.x + area.width / cell.width, camera.y + area.height / cell.height];
  for (const { path, box } of coasts) {
    const isSeen = box.right >= camera.x && box.left <= right && box.bottom >= camera.y && box.top <= bottom;
    if (isSeen) placed.addPath(path, toPixels);
  }
  return ({ context }) => {
    context.save();
    context.translate(corner.x, corner.y);
    context.beginPath();
    context.rect(
      0,
      0,
      Math.min(area.width, (extent.columns - camera.x) * cell.width),
      Math.min(area.height, (extent.rows - camera.y) * cell.height),
    );
    context.clip();
    context.lineJoin = "round";
    for (const [width, colour] of [
      [2.25, "rgb(255 255 255 / 70%)"],
      [1, "rgb(20 24 30 / 85%)"],
    ] as const) {
      context.lineWidth = width;
      context.strokeStyle = colour;
      context.stroke(placed);
    }
    context.restore();
  };
}

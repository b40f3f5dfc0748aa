/** Shapes of plots: from values to paths with gaps where values are missing. Pure; boxes are in CSS pixels. */
import type { PlaneNumbers } from "#core/plane/plane.ts";
import type { Area } from "../cell-map/camera.ts";
import type { ValueRange } from "../cell-map/paint-values.ts";

/** From the least to the greatest finite value; `undefined` if none is finite. */
export function extentOf(...columns: readonly Iterable<number>[]): ValueRange | undefined {
  let [minimum, maximum] = [Infinity, -Infinity];
  for (const column of columns) {
    for (const value of column) {
      if (!Number.isFinite(value)) continue;
      if (value < minimum) minimum = value;
      if (value > maximum) maximum = value;
    }
  }
  return minimum > maximum ? undefined : { minimum, maximum };
}

/** Height of a value; what lies beyond the extent, or is infinite, stands at its edge. All the same: in the middle. */
export function scaleOf({ minimum, maximum }: ValueRange, { height }: Area): (value: number) => number {
  const range = maximum - minimum;
  return (value) => {
    if (!(range > 0)) return height / 2;
    return height - Math.max(0, Math.min(1, (value - minimum) / range)) * height;
  };
}

/** Place after a key; `undefined` if it does not move. */
export function movedPlace(key: string, index: number, count: number): number | undefined {
  const page = Math.max(1, Math.round(count / 10));
  const targets: ReadonlyMap<string, number> = new Map([
    ["ArrowLeft", index - 1],
    ["ArrowRight", index + 1],
    ["PageUp", index - page],
    ["PageDown", index + page],
    ["Home", 0],
    ["End", count - 1],
  ]);
  const target = targets.get(key);
  return target === undefined ? undefined : Math.max(0, Math.min(count - 1, target));
}

// Lines: the first value stands at the left edge, the last at the right one.

/**
 * NaN and infinite values are missing. Where many values share a pixel, their whole extent is drawn. `line`: an SVG path, in
 * which a value between two gaps is a dot; `middle`: the median of each pixel, "" where no values share pixels; `gaps`:
 * short ticks at the lower edge, where values are missing; `y`: height of a value. `extent`: of the plot, where it has
 * other lines.
 */
export function lineShape(values: PlaneNumbers, box: Area, extent = extentOf(values)) {
  const y = scaleOf(extent ?? { minimum: 0, maximum: 0 }, box);
  const gaps = gapTicks(values, box);
  return values.length > 2 * box.width
    ? { line: crowdedLine(values, box, y), middle: middleLine(values, box, y), gaps, extent, y }
    : { line: plainLine(values, box, y), middle: "", gaps, extent, y };
}

function middleLine(values: PlaneNumbers, box: Area, y: (value: number) => number): string {
  const medians = Float64Array.from({ length: Math.floor(box.width) }, (_, pixel) => {
    const finite = pixelOf(values, pixel, box)
      .filter((value) => Number.isFinite(value))
      .sort();
    return finite[Math.floor(finite.length / 2)] ?? Number.NaN;
  });
  return plainLine(medians, { ...box, width: medians.length - 1 }, y);
}

/** The values that share a pixel. */
const pixelOf = (values: PlaneNumbers, pixel: number, { width }: Area): PlaneNumbers =>
  values.subarray(Math.floor((pixel / width) * values.length), Math.floor(((pixel + 1) / width) * values.length));

/** Horizontal place of the value at `index`. A single value is in the middle. */
export function placeOf(index: number, count: number, width: number): number {
  return count < 2 ? width / 2 : (index / (count - 1)) * width;
}

/** The value nearest to a horizontal place. */
export function indexAt(x: number, count: number, width: number): number {
  if (count < 2 || width <= 0) return 0;
  return Math.max(0, Math.min(count - 1, Math.round((x / width) * (count - 1))));
}

const place = (x: number, y: number) => `${x.toFixed(1)} ${y.toFixed(1)}`;

function plainLine(values: PlaneNumbers, { width }: Area, y: (value: number) => number): string {
  const parts: string[] = [];
  let drawing = false;
  for (const [index, value] of values.entries()) {
    if (!Number.isFinite(value)) {
      drawing = false;
      continue;
    }
    const at = place(placeOf(index, values.length, width), y(value));
    // A line of no length has round ends: a value between two gaps is seen as a dot.
    parts.push(drawing ? `L${at}` : `M${at}h0`);
    drawing = true;
  }
  return parts.join("");
}

/** One vertical stroke a pixel from its lowest to its highest value; strokes are joined unless a gap lies between. */
function crowdedLine(values: PlaneNumbers, box: Area, y: (value: number) => number): string {
  const parts: string[] = [];
  let drawing = false;
  for (let pixel = 0; pixel < box.width; pixel += 1) {
    const shared = pixelOf(values, pixel, box);
    const extent = extentOf(shared);
    if (extent === undefined) {
      drawing = false;
      continue;
    }
    parts.push(`${drawing ? "L" : "M"}${place(pixel, y(extent.minimum))}L${place(pixel, y(extent.maximum))}`);
    drawing = shared.every((value) => Number.isFinite(value));
  }
  return parts.join("");
}

function gapTicks(values: PlaneNumbers, { width, height }: Area): string {
  const pixels = new Set<number>();
  for (const [index, value] of values.entries()) {
    if (!Number.isFinite(value)) pixels.add(Math.round(placeOf(index, values.length, width)));
  }
  return [...pixels].map((pixel) => `M${pixel} ${height}v-5`).join("");
}

// Bins: columns with an entry a bin, side by side, become steps, bands and bars.

/** Start and width of a bin. */
export function binAt(bin: number, bins: number, width: number): { readonly x: number; readonly width: number } {
  const x = (bin / bins) * width;
  return { x, width: ((bin + 1) / bins) * width - x };
}

/** The bin at a horizontal place. */
export function binUnder(x: number, bins: number, width: number): number {
  if (width <= 0) return 0;
  return Math.max(0, Math.min(bins - 1, Math.floor((x / width) * bins)));
}

const round = (value: number): string => String(Math.round(value * 10) / 10);

/** Bands thinner than this would not be seen. */
const THINNEST = 1.5;

interface Drawn {
  readonly box: Area;
  readonly y: (value: number) => number;
  /** Bins that are drawn; absent = all. */
  readonly only?: (bin: number) => boolean;
}

/** A rectangle a bin, from the least value to the greatest. */
export function bandPath(minimum: Float64Array, maximum: Float64Array, { box, y, only = () => true }: Drawn): string {
  let path = "";
  for (const [bin, low] of minimum.entries()) {
    const high = maximum[bin] as number;
    if (Number.isNaN(low) || Number.isNaN(high) || !only(bin)) continue;
    const { x, width } = binAt(bin, minimum.length, box.width);
    const [top, bottom] = [y(high), y(low)];
    const height = Math.max(THINNEST, bottom - top);
    const from = Math.min(top, box.height - height);
    path += `M${round(x)} ${round(from)}h${round(width)}v${round(height)}h${round(-width)}z`;
  }
  return path;
}

/** A level a bin, joined with the next; a gap where nothing is known. */
export function stepPath(values: Float64Array, { box, y, only = () => true }: Drawn): string {
  let path = "";
  let isOpen = false;
  for (const [bin, value] of values.entries()) {
    if (Number.isNaN(value) || !only(bin)) {
      isOpen = false;
      continue;
    }
    const { x, width } = binAt(bin, values.length, box.width);
    path += isOpen ? `V${round(y(value))}` : `M${round(x)} ${round(y(value))}`;
    path += `H${round(x + width)}`;
    isOpen = true;
  }
  return path;
}

/** A bar a bin, from the lower edge; none where nothing is known, and a line where it is 0. */
export function barPath(values: Float64Array, { box, y, only = () => true }: Drawn): string {
  let path = "";
  for (const [bin, value] of values.entries()) {
    if (Number.isNaN(value) || !only(bin)) continue;
    const { x, width } = binAt(bin, values.length, box.width);
    const height = Math.max(1, box.height - y(value));
    const gap = width > 6 ? 1 : 0;
    path += `M${round(x)} ${round(box.height - height)}h${round(width - gap)}v${round(height)}h${round(gap - width)}z`;
  }
  return path;
}

/** Bins that follow each other, together. */
export function runsOf(marked: ReadonlySet<number>): readonly { readonly from: number; readonly to: number }[] {
  const runs: { from: number; to: number }[] = [];
  for (const bin of [...marked].toSorted((one, other) => one - other)) {
    const last = runs.at(-1);
    if (last !== undefined && last.to === bin) last.to = bin + 1;
    else runs.push({ from: bin, to: bin + 1 });
  }
  return runs;
}

/** Line plots: from values to a path with gaps where values are missing. Boxes are in CSS pixels. */
import type { PlaneNumbers } from "#core/plane/plane.ts";
import type { Area } from "../cell-map/camera.ts";

/**
 * NaN and infinite values are missing. Where many values share a pixel, their whole extent is drawn. `line`: an SVG path, in
 * which a value between two gaps is a dot; `gaps`: short ticks at the lower edge, where values are missing.
 */
export function lineShape(values: PlaneNumbers, box: Area) {
  const { missing, minimum, maximum } = extentOf(values);
  if (minimum === undefined || maximum === undefined) {
    return { line: "", gaps: gapTicks(values, box), missing, minimum, maximum };
  }
  const y = heightOf(box, minimum, maximum);
  const line = isCrowded(values, box) ? crowdedLine(values, box, y) : plainLine(values, box, y);
  return { line, gaps: missing === 0 ? "" : gapTicks(values, box), missing, minimum, maximum };
}

const isCrowded = ({ length }: PlaneNumbers, { width }: Area): boolean => length > 2 * width;

/** The median of each pixel, over the extent that `lineShape` draws; "" where no values share pixels. */
export function middleLine(values: PlaneNumbers, box: Area): string {
  const { minimum, maximum } = extentOf(values);
  if (minimum === undefined || maximum === undefined || !isCrowded(values, box)) return "";
  const medians = Float64Array.from({ length: Math.floor(box.width) }, (_, pixel) => {
    const finite = pixelOf(values, pixel, box)
      .filter((value) => Number.isFinite(value))
      .sort();
    return finite[Math.floor(finite.length / 2)] ?? Number.NaN;
  });
  return plainLine(medians, { ...box, width: medians.length - 1 }, heightOf(box, minimum, maximum));
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

/** Vertical place of a value; values that are all alike run along the middle. */
export function heightOf({ height }: Area, minimum: number, maximum: number): (value: number) => number {
  const extent = maximum - minimum;
  return (value) => (extent > 0 ? height - ((value - minimum) / extent) * height : height / 2);
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

export function extentOf(values: PlaneNumbers) {
  let missing = 0;
  let minimum: number | undefined;
  let maximum: number | undefined;
  for (const value of values) {
    if (!Number.isFinite(value)) {
      missing += 1;
      continue;
    }
    if (minimum === undefined || value < minimum) minimum = value;
    if (maximum === undefined || value > maximum) maximum = value;
  }
  return { missing, minimum, maximum };
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
    const { missing, minimum, maximum } = extentOf(pixelOf(values, pixel, box));
    if (minimum === undefined || maximum === undefined) {
      drawing = false;
      continue;
    }
    parts.push(`${drawing ? "L" : "M"}${place(pixel, y(minimum))}L${place(pixel, y(maximum))}`);
    drawing = missing === 0;
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

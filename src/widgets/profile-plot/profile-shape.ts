/** Paths of a profile: from columns with an entry a bin to steps, bands and bars. Pure; in CSS pixels. */
import type { Area } from "../cell-map/camera.ts";
import type { ValueRange } from "../cell-map/paint-values.ts";

/** Over all that is finite; `undefined` where nothing is. */
export function extentOf(...columns: readonly (readonly number[] | Float64Array)[]): ValueRange | undefined {
  let [minimum, maximum] = [Infinity, -Infinity];
  for (const column of columns) {
    for (const value of column) {
      if (!Number.isFinite(value)) continue;
      minimum = Math.min(minimum, value);
      maximum = Math.max(maximum, value);
    }
  }
  return minimum > maximum ? undefined : { minimum, maximum };
}

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

/** Height of a value; what lies beyond the extent, or is infinite, stands at its edge. All the same: in the middle. */
export function scaleOf({ minimum, maximum }: ValueRange, { height }: Area): (value: number) => number {
  const range = maximum - minimum;
  return (value) => {
    if (!(range > 0)) return height / 2;
    return height - Math.max(0, Math.min(1, (value - minimum) / range)) * height;
  };
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

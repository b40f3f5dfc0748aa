/** How values of a chunk are painted: as Data paints the slice, else over the chunk's own range, and north up. */
import { isNorthLast } from "#core/cf/axis.ts";
import type { ValuesReport } from "#core/reading.ts";
import { packedDecimals, readableNumber } from "#core/values/number-text.ts";
import type { Painted } from "#store/state.ts";
import { useAppState } from "#store/react.tsx";
import { type Colormap, colourAt, isColormap } from "#widgets/values/colormap.ts";
import type { ValueTabProps } from "./use-value-view.ts";
import { shownDate } from "./value-words.ts";

export interface Painting {
  readonly colormap: Colormap;
  /** `undefined` where there is no value. */
  readonly range: Painted["range"] | undefined;
  /** Rows from the last to the first. */
  readonly isTurned: boolean;
}

export function usePainting({ array, values, view, axes }: Omit<ValueTabProps, "set" | "reading">): Painting {
  const { shown, scaled } = view;
  const of = useAppState(({ painted }) => (painted?.array === array.path ? painted : undefined));
  const isNorthUp = shown.row !== undefined && isNorthLast(axes[shown.row]);
  return {
    colormap: isColormap(of?.colormap) ? of.colormap : "viridis",
    range:
      of !== undefined && (values.scaling === undefined || of.scaled === scaled) ? of.range : ownRange(values, scaled),
    isTurned: isNorthUp && (of?.isTurned ?? true),
  };
}

/** Range of the chunk's values; raw ones without those that are missing in the CF view. */
export function ownRange({ raw, scaled: decoded, scaling }: ValuesReport, scaled: boolean): Painting["range"] {
  const isPacked = scaling !== undefined && scaling.time === undefined && scaling.readAs === undefined;
  const { counts, ...of } = scaled || isPacked ? (decoded ?? raw) : raw;
  const ends = [counts?.minimum ?? Number(of.minimum), counts?.maximum ?? Number(of.maximum)];
  const { scaleFactor, addOffset } = scaling ?? { scaleFactor: 1, addOffset: 0 };
  const shown = scaled || !isPacked ? ends : ends.map((end) => (end - addOffset) / scaleFactor);
  const [minimum, maximum] = [Math.min(...shown), Math.max(...shown)];
  return Number.isFinite(minimum) && Number.isFinite(maximum) ? { minimum, maximum, logarithmic: false } : undefined;
}

/** `rgb(68 1 84 / 30%)`, a tint behind text. */
export function tintOf({ colormap, range }: Painting, value: number): string | undefined {
  if (range === undefined || !Number.isFinite(value)) return undefined;
  const on = (one: number) => (range.logarithmic ? Math.log(one) : one);
  const [low, high] = [on(range.minimum), on(range.maximum)];
  const share = high > low ? (on(value) - low) / (high - low) : 0.5;
  return colourAt(colormap, Math.max(0, Math.min(1, share || 0)), " / 30%");
}

/** Decimals of packed integers in the CF view; `undefined` where the type says how many there are. */
export function decimalsOf({ scaling, dtype }: ValuesReport, scaled: boolean): number | undefined {
  const isInteger = /^[<>|=]?(?:[iu]\d|u?int)/.test(dtype);
  return scaled && scaling !== undefined && isInteger ? packedDecimals(scaling) : undefined;
}

/** Characters of a number that leave room for five columns. */
const CELL = 5;
/** "2026-01-01 00:30:00" */
const DATE = 19;

/** Numbers as cells of a table show them, with as many decimals each; what is exact is one step away. */
export function cellWriter(values: ValuesReport, scaled: boolean) {
  const { minimum = 0, maximum = 0 } = ownRange(values, scaled) ?? {};
  const whole = [minimum, maximum].map((end) => String(Math.trunc(Math.abs(end))).length + (end < 0 ? 1 : 0));
  const packed = decimalsOf(values, scaled);
  const decimals = Math.max(0, Math.min(packed ?? CELL, CELL - 1 - Math.max(...whole)));
  const most = Math.max(Math.abs(minimum), Math.abs(maximum));
  const isSmall = packed === undefined && most > 0 && most < 0.01;
  const write = (exact: string): string => {
    const value = Number(exact);
    if (!/[.e]/.test(exact) || !Number.isFinite(value)) return shownDate(readableNumber(exact));
    const isPlain = value === 0 || (!isSmall && Math.abs(value) < 1e7);
    return (isPlain ? value.toFixed(decimals) : value.toExponential(2)).replaceAll("-", "−").replace("e+", "e");
  };
  const ends = scaled ? (values.scaled ?? values.raw) : values.raw;
  const isTime = scaled && values.scaling?.time !== undefined;
  const longest = Math.max(...[ends.minimum, ends.maximum].map((end) => write(end ?? "").length));
  return { write, characters: isTime ? DATE : longest };
}

/** Which values have which colours: the range with its histogram, whose ends are dragged, or the classes. */
import { type KeyboardEvent, type PointerEvent, useDeferredValue, useMemo, useRef, useState } from "react";
import type { PlaneValues } from "#core/plane/plane-values.ts";
import type { ValueRange } from "#widgets/cell-map/paint-values.ts";
import { Choice } from "#widgets/controls/Segmented.tsx";
import { type Colormap, COLORMAPS, colourAt, hintedColormap, isColormap } from "#widgets/values/colormap.ts";
import {
  chosenRange,
  colourRange,
  histogram,
  RANGE_MODES,
  RANGE_WORDS,
  valueAtShare,
} from "#widgets/plane/colour-range.ts";
import type { ColourRange, RangeMode } from "#widgets/plane/colour-range.ts";
import styles from "./Dock.module.css";
import { useShown } from "./shown-array.ts";

export function RangePart() {
  const { look, colours, change, label, progress } = useShown();
  const { shown } = progress;
  const { range: choice, classes } = colours;
  const range = useMemo(() => (shown === undefined ? undefined : colourRange(choice, shown)), [choice, shown]);
  if (classes !== undefined) return <Classes />;
  return (
    <section className={styles.range} aria-label="Range of the colours">
      <div className={`row gap-8 fine ${styles.head}`}>
        <RangeChoice range={range} />
        <ColourChoice />
        <label className="inline-row gap-4 quiet" title="Colours by the logarithm of the value">
          <input
            type="checkbox"
            checked={look.range.logarithmic}
            onChange={({ target }) => change({ range: { ...look.range, logarithmic: target.checked } })}
          />
          Log
        </label>
      </div>
      <RangeBrush range={range} />
      <div className={styles.legend}>
        <End end="low" text={label(range?.minimum)} />
        <span className={`inline-row gap-6 ${styles.noData}`}>no data</span>
        <End end="high" text={label(range?.maximum)} />
      </div>
    </section>
  );
}

function RangeChoice({ range }: { readonly range: ColourRange | undefined }) {
  const { look, colours, change } = useShown();
  const auto = chosenRange({ ...look.range, mode: "auto" }, colours.colormap).mode;
  const words = { ...RANGE_WORDS, auto: `Auto: ${auto === "symmetric" ? "around 0" : "full range"}` };
  return (
    <Choice
      label="Range"
      value={look.range.mode}
      options={RANGE_MODES.map((value) => ({ value, text: words[value] }))}
      className={styles.choice}
      onValue={(mode) =>
        change({
          range: {
            ...look.range,
            ...(range && { low: range.minimum, high: range.maximum }),
            mode: mode as RangeMode,
          },
        })
      }
    />
  );
}

/** An end of the range: typed where it is chosen by hand. */
function End({ end, text }: { readonly end: BrushEnd; readonly text: string }) {
  const { look, change } = useShown();
  if (look.range.mode !== "fixed") return <span>{text}</span>;
  return (
    <input
      type="number"
      aria-label={end === "low" ? "Lowest value" : "Highest value"}
      step="any"
      value={Number((look.range[end] ?? 0).toPrecision(6))}
      onChange={({ target }) => {
        if (Number.isFinite(target.valueAsNumber)) change({ range: { ...look.range, [end]: target.valueAsNumber } });
      }}
    />
  );
}

/** Which colours values have: chosen, or as the attributes of the array ask for. */
function ColourChoice() {
  const { look, colours, change } = useShown();
  const hinted = hintedColormap(colours.hint);
  return (
    <select
      aria-label="Colours"
      value={look.colormap}
      onChange={({ target }) => change({ colormap: isColormap(target.value) ? target.value : "auto" })}
    >
      <option value="auto">Auto: {isColormap(hinted) ? hinted : "classes"}</option>
      {COLORMAPS.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  );
}

/** Meaning of each colour, if values are classes. */
function Classes() {
  const { colormap, classes, hint } = useShown().colours;
  if (classes === undefined || hint?.kind !== "flags") return null;
  return (
    <section className={styles.range} aria-label="Classes and their colours">
      <div className={`row gap-8 fine ${styles.head}`}>
        <b>Classes</b>
        <ColourChoice />
      </div>
      <ul className={styles.classes}>
        {hint.meanings.map((meaning, at) => (
          <li key={hint.values[at]} title={`${meaning} (${hint.values[at]})`}>
            <i style={{ background: colourAt(colormap, (at + 1) / classes.size) }} /> {meaning}
          </li>
        ))}
        <li title="Values that flag_values does not list">
          <i style={{ background: colourAt(colormap, 0) }} /> other
        </li>
      </ul>
    </section>
  );
}

type BrushEnd = "low" | "high";

/** From which value to which the histogram goes: all of the slice, and the ends wherever they are. */
export const brushScale = (slice: ValueRange, ends: ValueRange): ValueRange => ({
  minimum: Math.min(slice.minimum, ends.minimum),
  maximum: Math.max(slice.maximum, ends.maximum),
});

/** 0 to 1. */
export function shareOn({ minimum, maximum }: ValueRange, value: number): number {
  return maximum > minimum ? Math.max(0, Math.min(1, (value - minimum) / (maximum - minimum))) : 0.5;
}

export const valueOn = ({ minimum, maximum }: ValueRange, share: number): number =>
  minimum + Math.max(0, Math.min(1, share)) * (maximum - minimum);

const STEP = 0.01;
const PAGE = 0.1;

/** Shares of the scale by which keys move a handle. */
const MOVES: Readonly<Record<string, number>> = {
  ArrowLeft: -STEP,
  ArrowDown: -STEP,
  ArrowRight: STEP,
  ArrowUp: STEP,
  PageDown: -PAGE,
  PageUp: PAGE,
  Home: -1,
  End: 1,
};

/** New value of a handle at `value` for a key; `undefined` if the key does not move it. */
export function movedBy(key: string, value: number, scale: ValueRange): number | undefined {
  const by = MOVES[key];
  if (by === undefined) return undefined;
  return Math.max(scale.minimum, Math.min(scale.maximum, value + by * (scale.maximum - scale.minimum)));
}

/** The range with one end at a value; the ends never meet. */
export function withEnd(
  { minimum, maximum }: ValueRange,
  end: BrushEnd,
  value: number,
  scale: ValueRange,
): { readonly low: number; readonly high: number } {
  const apart = STEP * (scale.maximum - scale.minimum);
  const round = (one: number) => Number(one.toPrecision(12));
  return end === "low"
    ? { low: round(Math.min(value, maximum - apart)), high: maximum }
    : { low: minimum, high: round(Math.max(value, minimum + apart)) };
}

const ENDS: readonly BrushEnd[] = ["low", "high"];
const NAMES: Readonly<Record<BrushEnd, string>> = { low: "Lowest colour", high: "Highest colour" };
/** Places the handles, and moves them by keys and pointer. */
function useBrush(range: ColourRange | undefined) {
  const { look, change, progress } = useShown();
  const { shown } = progress;
  const box = useRef<HTMLDivElement>(null);
  // While a handle is dragged the histogram under it stands still.
  const [held, setHeld] = useState<ValueRange>();
  const whole = useMemo(() => scaleOf(shown, range), [shown, range]);
  const scale = held ?? whole;
  // After the picture, and not at all for a slice that is gone by then.
  const counted = useDeferredValue(shown);
  const over = useDeferredValue(scale);
  const bars = useMemo(() => (counted === undefined ? undefined : histogram(counted, over)), [counted, over]);
  const valueOf = (end: BrushEnd) => (end === "low" ? range?.minimum : range?.maximum) ?? 0;
  const move = (end: BrushEnd, value: number) => {
    if (range !== undefined && scale !== undefined)
      change({ range: { ...look.range, ...withEnd(range, end, value, scale), mode: "fixed" } });
  };
  const handleEvents = (end: BrushEnd) => ({
    onKeyDown: (event: KeyboardEvent) => {
      const moved = scale === undefined || event.altKey ? undefined : movedBy(event.key, valueOf(end), scale);
      if (moved === undefined) return;
      event.preventDefault();
      move(end, moved);
    },
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      setHeld(scale);
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const { left = 0, width = 1 } = box.current?.getBoundingClientRect() ?? {};
      if (held !== undefined) move(end, valueOn(held, (event.clientX - left) / width));
    },
    onPointerUp: () => setHeld(undefined),
    onPointerCancel: () => setHeld(undefined),
  });
  const reset = () => change({ range: { ...look.range, mode: "auto" } });
  return { box, scale, counts: bars?.counts ?? [], valueOf, handleEvents, reset };
}

function RangeBrush({ range }: { readonly range: ColourRange | undefined }) {
  const { colours, label } = useShown();
  const { box, scale, counts, valueOf, handleEvents, reset } = useBrush(range);
  return (
    <div ref={box} className={styles.brush} onDoubleClick={reset}>
      <Bars counts={counts} />
      <div className={styles.ramp} style={{ backgroundImage: rampOf(scale, range, colours.colormap) }} />
      {scale === undefined || range === undefined
        ? null
        : ENDS.map((end) => (
            <div
              key={end}
              role="slider"
              tabIndex={0}
              aria-label={NAMES[end]}
              aria-valuemin={scale.minimum}
              aria-valuemax={scale.maximum}
              aria-valuenow={valueOf(end)}
              aria-valuetext={label(valueOf(end))}
              title={`${NAMES[end]}: ${label(valueOf(end))}. Drag or use the arrow keys; a double click resets.`}
              className={styles.handle}
              style={{ left: `${shareOn(scale, valueOf(end)) * 100}%` }}
              {...handleEvents(end)}
            />
          ))}
    </div>
  );
}

function scaleOf(shown: PlaneValues | undefined, range: ColourRange | undefined): ValueRange | undefined {
  if (shown?.minimum === undefined || shown.maximum === undefined || range === undefined) return undefined;
  return brushScale({ minimum: shown.minimum, maximum: shown.maximum }, range);
}

const STOPS = 16;

/** The colours over the histogram's values: those of the ends beyond them. */
function rampOf(scale: ValueRange | undefined, range: ColourRange | undefined, colormap: Colormap): string | undefined {
  if (scale === undefined || range === undefined) return undefined;
  const stops = Array.from({ length: STOPS + 1 }, (_, at) => {
    const place = shareOn(scale, valueAtShare(range, at / STOPS)) * 100;
    return `${colourAt(colormap, at / STOPS)} ${place.toFixed(2)}%`;
  });
  return `linear-gradient(90deg, ${stops.join(", ")})`;
}

function Bars({ counts }: { readonly counts: readonly number[] }) {
  // A cube root: bars of rare values are seen beside those of common ones.
  const height = (count: number) => Math.cbrt(count / Math.max(1, ...counts));
  return (
    <svg
      className={styles.bars}
      viewBox={`0 0 ${Math.max(1, counts.length)} 1`}
      preserveAspectRatio="none"
      role="img"
      aria-label="How often values occur"
    >
      {counts.map((count, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a bin is its place
        <rect key={at} x={at + 0.08} width={0.84} y={1 - height(count)} height={height(count)} />
      ))}
    </svg>
  );
}

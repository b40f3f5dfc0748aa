/** How often values occur, with two handles: from which value to which the colours run. */
import { useDeferredValue, useMemo, useRef, useState, type KeyboardEvent, type PointerEvent } from "react";
import { colormapTable, COLORMAP_SIZE, type Colormap } from "../../widgets/colormap.ts";
import type { ValueRange } from "../../widgets/cell-map/paint-values.ts";
import { brushScale, movedBy, shareOn, valueOn, withEnd, type BrushEnd } from "./brush.ts";
import { histogram, valueAtShare, type ColourRange } from "./colour-range.ts";
import type { PlaneValues } from "../../core/plane-values.ts";
import styles from "./Dock.module.css";

interface RangeBrushProps {
  /** `undefined` while nothing was read. */
  readonly shown: PlaneValues | undefined;
  readonly range: ColourRange | undefined;
  readonly colormap: Colormap;
  readonly label: (value: number) => string;
  readonly onEnds: (ends: { readonly low: number; readonly high: number }) => void;
  /** Back to all of the slice. */
  readonly onReset: () => void;
}

const ENDS: readonly BrushEnd[] = ["low", "high"];
const NAMES: Readonly<Record<BrushEnd, string>> = { low: "Lowest colour", high: "Highest colour" };

export function RangeBrush({ shown, range, colormap, label, onEnds, onReset }: RangeBrushProps) {
  const box = useRef<HTMLDivElement>(null);
  // While a handle is dragged the histogram under it stands still.
  const [held, setHeld] = useState<ValueRange>();
  const whole = useMemo(() => scaleOf(shown, range), [shown, range]);
  const scale = held ?? whole;
  // After the picture, and not at all for a slice that is gone by then.
  const counted = useDeferredValue(shown);
  const bars = useMemo(() => (counted === undefined ? undefined : histogram(counted, scale)), [counted, scale]);
  const valueOf = (end: BrushEnd) => (end === "low" ? range?.minimum : range?.maximum) ?? 0;
  const move = (end: BrushEnd, value: number) => {
    if (range !== undefined && scale !== undefined) onEnds(withEnd(range, end, value, scale));
  };
  const onDrag = (end: BrushEnd) => (event: PointerEvent<HTMLElement>) => {
    const { left = 0, width = 1 } = box.current?.getBoundingClientRect() ?? {};
    if (held !== undefined) move(end, valueOn(held, (event.clientX - left) / width));
  };
  const onKeyDown = (end: BrushEnd) => (event: KeyboardEvent) => {
    const moved = scale === undefined || event.altKey ? undefined : movedBy(event.key, valueOf(end), scale);
    if (moved === undefined) return;
    event.preventDefault();
    move(end, moved);
  };
  return (
    <div ref={box} className={styles.brush} onDoubleClick={onReset}>
      <Bars counts={bars?.counts ?? []} />
      <div className={styles.ramp} style={{ backgroundImage: rampOf(scale, range, colormap) }} />
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
              onKeyDown={onKeyDown(end)}
              onPointerDown={(event) => {
                event.currentTarget.setPointerCapture(event.pointerId);
                setHeld(scale);
              }}
              onPointerMove={onDrag(end)}
              onPointerUp={() => setHeld(undefined)}
              onPointerCancel={() => setHeld(undefined)}
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
  const table = colormapTable(colormap);
  const stops = Array.from({ length: STOPS + 1 }, (_, at) => {
    const colour = Math.round((at / STOPS) * (COLORMAP_SIZE - 1)) * 3;
    const place = shareOn(scale, valueAtShare(range, at / STOPS)) * 100;
    return `rgb(${table[colour] ?? 0} ${table[colour + 1] ?? 0} ${table[colour + 2] ?? 0}) ${place.toFixed(2)}%`;
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

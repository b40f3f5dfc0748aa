import { useId, useState, type KeyboardEvent, type PointerEvent } from "react";
import { useElementWidth } from "../element-width.ts";
import { movedPlace } from "../values/line-plot.ts";
import { Lanes, lanesHeight, type PlottedBins } from "./Lanes.tsx";
import { binUnder } from "./profile-shape.ts";
import styles from "./ProfilePlot.module.css";

export interface ProfilePlotProps extends PlottedBins {
  /** Description of the plot, and the fact that it shows. */
  readonly label: string;
  /** Text for a bin. */
  readonly readout: (bin: number) => string;
  /** Text while no bin is pointed at; absent = the ends of the axis. */
  readonly resting?: string;
  /** Labels at both ends of the axis. */
  readonly ends: readonly [string, string];
  /** Room for the scale, in CSS pixels, where plots below each other are to begin at one place; it may need more. */
  readonly room?: number;
}

/** Letters of the scale's labels are so wide at most, and the labels so far from the plot. */
const [LETTER, GAP, LEAST_GUTTER, MOST_GUTTER] = [6.4, 8, 28, 128];

/** How values run along an axis, a bin a place: for pointer and keyboard, with what is marked in its own colour. */
export function ProfilePlot({ label, readout, resting, ends, room = 0, ...plotted }: ProfilePlotProps) {
  const { bins, lanes, marked } = plotted;
  const [frame, space] = useElementWidth<HTMLDivElement>();
  const gutter = Math.max(room, gutterFor(lanes));
  const width = Math.max(1, space - gutter);
  const { shown, isSaid, handlers } = useBinCursor({ bins, marked, gutter, width });
  const id = useId();
  const isCompact = resting === undefined;
  return (
    <div className="narrow">
      <div
        ref={frame}
        className={styles.plot}
        role="application"
        aria-roledescription="profile"
        aria-label={label}
        aria-describedby={id}
        data-bins={bins}
        data-marked={marked.size}
        tabIndex={0}
        {...handlers}
      >
        <svg width={space} height={lanesHeight(lanes)} aria-hidden="true">
          <Lanes {...plotted} gutter={gutter} width={width} cursor={shown} />
        </svg>
      </div>
      {isCompact && shown !== undefined ? null : (
        <div className={styles.ends} style={{ marginInlineStart: gutter }} aria-hidden="true">
          <span>{ends[0]}</span>
          <span>{ends[1]}</span>
        </div>
      )}
      <p id={id} className={styles.readout} data-compact={isCompact} aria-live={isSaid ? "polite" : "off"}>
        {shown === undefined ? resting : readout(shown)}
      </p>
    </div>
  );
}

function gutterFor(lanes: PlottedBins["lanes"]): number {
  const widest = Math.max(0, ...lanes.flatMap(({ scale }) => scale.map((text) => text.length)));
  return Math.round(Math.min(MOST_GUTTER, Math.max(LEAST_GUTTER, widest * LETTER))) + GAP;
}

interface Cursor {
  readonly bins: number;
  readonly marked: ReadonlySet<number>;
  /** Left of the bins, and over all of them. */
  readonly gutter: number;
  readonly width: number;
}

/** The bin that is pointed at, or chosen by keys: these begin with what is marked. */
function useBinCursor({ bins, marked, gutter, width }: Cursor) {
  const [pointed, setPointed] = useState<number>();
  const [chosen, setChosen] = useState<number>();
  const [first = 0] = marked;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.metaKey || event.ctrlKey) return;
    const isLeft = event.key === "Escape" && chosen !== undefined;
    const isBegun = chosen === undefined && (event.key === "ArrowLeft" || event.key === "ArrowRight");
    const moved = isBegun ? first : movedPlace(event.key, chosen ?? first, bins);
    if (!isLeft && moved === undefined) return;
    event.preventDefault();
    setPointed(undefined);
    setChosen(isLeft ? undefined : moved);
  };
  const handlers = {
    onKeyDown,
    onBlur: () => setChosen(undefined),
    onPointerMove: ({ clientX, currentTarget }: PointerEvent<HTMLElement>) =>
      setPointed(binUnder(clientX - currentTarget.getBoundingClientRect().left - gutter, bins, width)),
    onPointerLeave: () => setPointed(undefined),
  };
  return { shown: pointed ?? chosen, isSaid: chosen !== undefined, handlers };
}

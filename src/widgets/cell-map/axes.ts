/** Labels along the two sides of a map. */
import { cellAlong, cellSize, type CellView, placeAlong, type Span } from "./camera.ts";
import { cssColour } from "./palette.ts";
import type { Painter } from "./signs.ts";
import type { Spacing } from "./spacing.ts";

export interface Tick {
  /** Place in cells; the middle of the third is 2.5. */
  readonly at: number;
  readonly text: string;
}

/** The ticks of one side for the cells that are seen, of which each takes `side` pixels. */
export type Ticks = (seen: Span, side: number) => readonly Tick[];

export interface Axes {
  readonly across: Ticks;
  readonly down: Ticks;
  /**
   * Ticks stand below the cells, not above them. In pixels: room left free at their upper and right end, for names, and
   * the width of what stands beside the cells.
   */
  readonly below?: { readonly top: number; readonly right: number; readonly left: number };
}

/** Room for ticks beside the cells, and for frames around those at the other ends. */
const ABOVE = { left: 52, top: 22, right: 6, bottom: 6 } as const;
const BELOW = { top: 3, right: 4, bottom: 20 } as const;

export const marginsOf = ({ below }: Axes) => (below === undefined ? ABOVE : { ...BELOW, left: below.left });

/** A round number of cells between ticks, so that they are at least `room` pixels apart. */
export function tickStep(side: number, room: number): number {
  const least = Math.max(1, room / Math.max(side, 1e-12));
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5, 10].find((factor) => factor * power >= least - 1e-9) ?? 10;
  return Math.max(1, Math.round(factor * power));
}

const DIGIT = 7;
const LINE = 18;
/** Between lines of unequal cells. */
const LEAST_LINE = 13;

/** Cells by number, counted from `first`. */
export function numbered(
  first: { readonly row: number; readonly column: number },
  extent: { readonly columns: number },
): Axes {
  const ticks = (first: number, room: number): Ticks => {
    return ({ from, to }, side) => {
      const step = tickStep(side, room);
      const start = Math.ceil(from / step) * step;
      const count = Math.max(0, Math.ceil((to - start) / step));
      return Array.from({ length: count }, (_, at) => {
        const cell = start + at * step;
        return { at: cell + 0.5, text: (first + cell).toLocaleString("en") };
      });
    };
  };
  const widest = (first.column + extent.columns).toLocaleString("en").length * DIGIT + 12;
  return { across: ticks(first.column, widest), down: ticks(first.row, LINE) };
}

/** A tick where it is drawn: pixels from the corner of the cells. */
export interface PlacedTick {
  readonly at: number;
  readonly text: string;
}

/** Ticks of what is seen, without those that have no room, and how far down cells go. `widthOf`: pixels of a text. */
export function placedTicks(view: CellView, axes: Axes, widthOf: (text: string) => number) {
  const { area, camera, extent, spacing } = view;
  const { below } = axes;
  const cell = cellSize(view);
  const seen = (at: number, shown: number, count: number, along: Spacing | undefined) => ({
    from: cellAlong(along, at),
    to: Math.min(count, cellAlong(along, at + shown)),
  });
  const across: PlacedTick[] = [];
  let last = -Infinity;
  for (const { at, text } of axes.across(
    seen(camera.x, area.width / cell.width, extent.columns, spacing?.columns),
    cell.width,
  )) {
    const x = (placeAlong(spacing?.columns, at) - camera.x) * cell.width;
    const half = widthOf(text) / 2 + 4;
    if (below !== undefined && x + half > area.width - below.right) continue;
    // Between unequal cells there may be less room than between equal ones.
    if (spacing?.columns !== undefined && x - half < last) continue;
    last = x + half;
    across.push({ at: x, text });
  }
  const down: PlacedTick[] = [];
  last = -Infinity;
  for (const { at, text } of axes.down(
    seen(camera.y, area.height / cell.height, extent.rows, spacing?.rows),
    cell.height,
  )) {
    const y = (placeAlong(spacing?.rows, at) - camera.y) * cell.height;
    if (y > area.height || y < (below?.top ?? 0)) continue;
    if (spacing?.rows !== undefined && y < last + LEAST_LINE) continue;
    last = y;
    down.push({ at: y, text });
  }
  // Cells that are no wider than high may leave some of the room free.
  const width = Math.min(area.width, (extent.columns - camera.x) * cell.width);
  return { across, down, width, height: Math.min(area.height, (extent.rows - camera.y) * cell.height) };
}

/** Draws in a context that starts at the corner of the frame. */
export function drawAxes({ context, palette }: Painter, view: CellView, axes: Axes): void {
  const { below } = axes;
  const { left, top } = marginsOf(axes);
  context.fillStyle = cssColour(palette["--ink-2"]);
  context.font = "11px system-ui, sans-serif";
  context.textBaseline = "middle";
  context.textAlign = "center";
  const { across, down, height } = placedTicks(view, axes, (text) => context.measureText(text).width);
  const bottom = top + height;
  for (const { at, text } of across) {
    context.fillText(text, left + Math.max(at, 4), below === undefined ? top - 9 : bottom + 12);
    if (below !== undefined) context.fillRect(Math.round(left + at), bottom + 1, 1, 4);
  }
  context.textAlign = "right";
  for (const { at, text } of down) {
    context.fillText(text, left - 7, top + Math.max(at, 5), left - 9);
    if (below !== undefined) context.fillRect(left - 5, Math.round(top + at), 4, 1);
  }
}

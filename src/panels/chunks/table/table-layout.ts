/** Widths and visibility of the columns, remembered between visits. */
import type { ColumnSizingState, ColumnVisibilityState } from "@tanstack/react-table";
import { remember, rememberedObject } from "../../../store/browser-storage.ts";
import { COLUMNS } from "./columns.ts";

/** Sets with templates or gen have a column more, and a layout of their own. */
const placeOf = (rendered: boolean): string => `refscope.manifest.1${rendered ? ".rendered" : ""}`;
const WIDEST = 4000;
/** Narrower windows start without the columns that repeat what others say: coordinates, then the end. */
const WIDE_WINDOW = 1440;
const NARROW_WINDOW = 1400;
const FROM_WIDTH = 128;

/** Below this all columns that are shown at first still fit side by side, if they start narrower. */
const SMALL_WINDOW = 1200;
const SMALL_WIDTHS: ColumnSizingState = { key: 72, state: 74, offset: 76, length: 66, read: 84 };

export interface TableLayout {
  readonly sizing: ColumnSizingState;
  readonly visibility: ColumnVisibilityState;
  readonly more: boolean;
}

/** What was remembered, as far as it can be understood. `rendered`: rows have an origin. */
export function storedLayout(windowWidth: number, rendered: boolean): TableLayout {
  const { sizing, visibility, more } = rememberedObject(placeOf(rendered));
  // What the column of origins takes.
  const width = rendered ? windowWidth - FROM_WIDTH : windowWidth;
  return {
    sizing: { ...(windowWidth < SMALL_WINDOW ? SMALL_WIDTHS : {}), ...picked(sizing, isWidth) },
    visibility: {
      coordinates: width > WIDE_WINDOW,
      end: width >= NARROW_WINDOW,
      from: rendered && windowWidth >= SMALL_WINDOW,
      ...picked(visibility, isBoolean),
    },
    more: more === true,
  };
}

export function rememberLayout(layout: TableLayout, rendered: boolean): void {
  remember(placeOf(rendered), JSON.stringify(layout));
}

const isBoolean = (value: unknown): value is boolean => typeof value === "boolean";
const isWidth = (value: unknown): value is number =>
  typeof value === "number" && Number.isFinite(value) && value >= 1 && value <= WIDEST;

function picked<T>(value: unknown, is: (value: unknown) => value is T): Record<string, T> {
  if (typeof value !== "object" || value === null) return {};
  const given = new Map<string, unknown>(Object.entries(value));
  const known = COLUMNS.flatMap(({ id }): [string, T][] => {
    const one = given.get(id);
    return is(one) ? [[id, one]] : [];
  });
  return Object.fromEntries(known);
}

/**
 * The columns as a CSS grid. The target and what reading gave take what is left of the width until the target is sized by hand; from then on an
 * empty last track does.
 */
export function gridTemplate(
  columns: readonly { readonly id: string; readonly size: number }[],
  sized: boolean,
): string {
  const tracks = columns.map(({ id, size }) =>
    !sized && (id === "target" || id === "read")
      ? `minmax(${size}px, ${id === "target" ? "1fr" : "0.5fr"})`
      : `${size}px`,
  );
  const stretches = !sized && columns.some(({ id }) => id === "target");
  return [...tracks, ...(stretches ? [] : ["minmax(0, 1fr)"])].join(" ");
}

/**
 * Rows of equal height in a scrolled element, however many there are. A page's element can only be so high (Chromium
 * about 16.7 million px), so that beyond `TALLEST` the scroll bar is a scaled picture of the true position. The true
 * position (`top`, in px of unscaled rows) is kept apart, and all steps but a drag of the scroll bar are made on it.
 */
export const TALLEST = 8_000_000;

export interface RowGeometry {
  readonly rows: number;
  /** All sizes in CSS pixels. */
  readonly rowHeight: number;
  /** Height in which rows are seen, without a header. */
  readonly viewport: number;
}

export interface RowRange {
  readonly from: number;
  /** Excluded. */
  readonly to: number;
}

const fullHeight = (geometry: RowGeometry) => geometry.rows * geometry.rowHeight;

/** Height of the element that represents all rows. */
export const elementHeight = (geometry: RowGeometry): number => Math.min(TALLEST, fullHeight(geometry));

export const lastTop = (geometry: RowGeometry): number => Math.max(0, fullHeight(geometry) - geometry.viewport);

export const clampTop = (geometry: RowGeometry, top: number): number => Math.max(0, Math.min(top, lastTop(geometry)));

const lastScroll = (geometry: RowGeometry): number => Math.max(0, elementHeight(geometry) - geometry.viewport);

export const isScaled = (geometry: RowGeometry): boolean => fullHeight(geometry) > TALLEST;

/** Where the scroll bar is for a true position. */
export function scrollOfTop(geometry: RowGeometry, top: number): number {
  if (!isScaled(geometry)) return top;
  return (top / lastTop(geometry)) * lastScroll(geometry);
}

/** The true position that a place of the scroll bar means. */
export function topOfScroll(geometry: RowGeometry, scrollTop: number): number {
  if (!isScaled(geometry)) return clampTop(geometry, scrollTop);
  return clampTop(geometry, (scrollTop / lastScroll(geometry)) * lastTop(geometry));
}

/**
 * The true position after the element scrolled from `before.scrollTop` to `scrollTop`. A move of less than a screen
 * is a gesture (touch, keys of the browser) and is taken as it is; a longer one is a drag of the scroll bar, where one
 * pixel of the bar is many screens, and is scaled.
 */
export function topAfterScroll(
  geometry: RowGeometry,
  before: { readonly top: number; readonly scrollTop: number },
  scrollTop: number,
): number {
  if (!isScaled(geometry)) return clampTop(geometry, scrollTop);
  const moved = scrollTop - before.scrollTop;
  if (Math.abs(moved) >= geometry.viewport) return topOfScroll(geometry, scrollTop);
  const top = clampTop(geometry, before.top + moved);
  // At an end of the bar a gesture cannot go on: what is left of less than a screen is taken with it.
  if (scrollTop <= 0 && top < geometry.viewport) return 0;
  return top;
}

/** Rows that are seen, partly seen ones included. */
export function rowsSeen(geometry: RowGeometry, top: number): RowRange {
  const from = Math.floor(top / geometry.rowHeight);
  const to = Math.ceil((top + geometry.viewport) / geometry.rowHeight);
  return { from: Math.max(0, Math.min(from, geometry.rows)), to: Math.max(0, Math.min(to, geometry.rows)) };
}

/** Whole rows that fit on a screen, at least one: the step of PageUp and PageDown. */
export function rowsPerPage(geometry: RowGeometry): number {
  return Math.max(1, Math.floor(geometry.viewport / geometry.rowHeight));
}

/** The nearest position that shows the whole row. */
export function topShowing(geometry: RowGeometry, top: number, row: number): number {
  const start = row * geometry.rowHeight;
  const end = start + geometry.rowHeight;
  if (start < top) return clampTop(geometry, start);
  if (end > top + geometry.viewport) return clampTop(geometry, end - geometry.viewport);
  return clampTop(geometry, top);
}

/** Shows the row in the middle, unless it is wholly seen already. */
export function topCentring(geometry: RowGeometry, top: number, row: number): number {
  if (topShowing(geometry, top, row) === top) return top;
  const middle = row * geometry.rowHeight - (geometry.viewport - geometry.rowHeight) / 2;
  return clampTop(geometry, Math.round(middle / geometry.rowHeight) * geometry.rowHeight);
}

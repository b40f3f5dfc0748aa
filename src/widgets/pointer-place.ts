/** Where a pointer is, in CSS pixels. */

interface ClientPoint {
  readonly clientX: number;
  readonly clientY: number;
}

/** From the element's top left corner. */
export function pointIn(
  element: Element,
  { clientX, clientY }: ClientPoint,
): { readonly x: number; readonly y: number } {
  const box = element.getBoundingClientRect();
  return { x: clientX - box.left, y: clientY - box.top };
}

/** A pointer that moved no farther meant a click. */
export const CLICK_TOLERANCE = 4;

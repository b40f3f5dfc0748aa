/** The three heights of the sheet of a chunk: its name and how reading it went, half of the screen, all of it. */
export const SHEET_HEIGHTS = ["peek", "half", "full"] as const;
export type SheetHeight = (typeof SHEET_HEIGHTS)[number];

/** Where the sheet rests, as parts of the room there is: name and outcome take about a sixth. */
const RESTS: Readonly<Record<SheetHeight, number>> = { peek: 1 / 6, half: 1 / 2, full: 1 };

/** One step up or down; the last one either way stays. */
export function nextHeight(height: SheetHeight, step: 1 | -1): SheetHeight {
  return SHEET_HEIGHTS[SHEET_HEIGHTS.indexOf(height) + step] ?? height;
}

/** Where a sheet that is let go of comes to rest. */
export function nearestHeight(pixels: number, room: number): SheetHeight {
  const part = room > 0 ? pixels / room : 0;
  const away = (height: SheetHeight) => Math.abs(RESTS[height] - part);
  return SHEET_HEIGHTS.toSorted((a, b) => away(a) - away(b))[0] ?? "half";
}

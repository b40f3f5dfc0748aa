/** A squarified treemap (Bruls, Huizing, van Wijk 2000): rectangles of given areas that are nearly squares. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** @param sizes above 0, the largest first; @returns a box each, which fill `room` together */
export function squarified(sizes: readonly number[], room: Box): readonly Box[] {
  const boxes: Box[] = [];
  let [rest, left] = [sizes.reduce((sum, size) => sum + size, 0), room];
  for (let from = 0; from < sizes.length;) {
    const scale = (left.width * left.height) / rest;
    const to = rowEnd(sizes, from, Math.min(left.width, left.height), scale);
    const row = sizes.slice(from, to);
    const sum = row.reduce((all, size) => all + size, 0);
    left = layRow(row, sum, sum / rest, left, boxes);
    rest -= sum;
    from = to;
  }
  return boxes;
}

/** Sizes are added to a row along the shorter side while its worst box gets no longer. */
function rowEnd(sizes: readonly number[], from: number, side: number, scale: number): number {
  let [to, sum, worst] = [from, 0, Infinity];
  for (; to < sizes.length; to += 1) {
    const next = sum + (sizes[to] as number) * scale;
    const [largest, smallest] = [(sizes[from] as number) * scale, (sizes[to] as number) * scale];
    const ratio = Math.max((side * side * largest) / (next * next), (next * next) / (side * side * smallest));
    if (ratio > worst) return to;
    [sum, worst] = [next, ratio];
  }
  return to;
}

/** @returns the room beside the row */
function layRow(row: readonly number[], sum: number, share: number, room: Box, boxes: Box[]): Box {
  const { x, y, width, height } = room;
  let at = 0;
  for (const size of row) {
    const part = size / sum;
    boxes.push(
      width >= height
        ? { x, y: y + at * height, width: width * share, height: part * height }
        : { x: x + at * width, y, width: part * width, height: height * share },
    );
    at += part;
  }
  return width >= height
    ? { x: x + width * share, y, width: width * (1 - share), height }
    : { x, y: y + height * share, width, height: height * (1 - share) };
}

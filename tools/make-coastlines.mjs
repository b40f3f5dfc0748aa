/**
 * Writes `src/widgets/cell-map/coast-data.ts` from Natural Earth's land at 1:110 m (public domain) as the npm package
 * world-atlas has it (TopoJSON): `node tools/make-coastlines.mjs land-110m.json`.
 */
import { readFileSync, writeFileSync } from "node:fs";

const { arcs, transform } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const PER_DEGREE = 100;
const bytes = [];
const put = (value) => {
  let rest = value < 0 ? -2 * value - 1 : 2 * value;
  while (rest > 127) {
    bytes.push((rest & 127) | 128);
    rest >>>= 7;
  }
  bytes.push(rest);
};
/** Where the map was cut no coast is. */
const isCut = ([x, y], [toX, toY]) =>
  Math.abs(x - toX) > 180 || (Math.abs(x) > 179.99 && Math.abs(toX) > 179.99) || (y < -89.9 && toY < -89.9);
const lines = arcs.flatMap((arc) => {
  let [x, y] = [0, 0];
  const points = arc.map(([dx, dy]) => {
    [x, y] = [x + dx, y + dy];
    return [0, 1].map((side) => [x, y][side] * transform.scale[side] + transform.translate[side]);
  });
  const parts = [[]];
  for (const [at, point] of points.entries()) {
    if (at > 0 && isCut(points[at - 1], point)) parts.push([]);
    parts.at(-1).push(point);
  }
  return parts.filter((part) => part.length > 1);
});
for (const line of lines) {
  put(line.length);
  let before = [0, 0];
  for (const point of line) {
    const now = point.map((degrees) => Math.round(degrees * PER_DEGREE));
    put(now[0] - before[0]);
    put(now[1] - before[1]);
    before = now;
  }
}
const text = Buffer.from(bytes).toString("base64");
writeFileSync(
  new URL("../src/widgets/cell-map/coast-data.ts", import.meta.url),
  `/**
 * Coasts at 1:110 m, of Natural Earth (public domain); \`tools/make-coastlines.mjs\` writes this file. Lines of points in
 * hundredths of a degree: how many points, then the differences of longitude and latitude, zigzag varints in base64.
 */
export const COASTS =
  "${text}";
`,
);
console.log(
  lines.length,
  "lines,",
  lines.reduce((sum, line) => sum + line.length, 0),
  "points,",
  text.length,
  "characters",
);

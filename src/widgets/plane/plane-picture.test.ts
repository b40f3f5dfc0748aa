import { expect, it } from "vitest";
import { planeChunks, planeExtent, type Plane } from "#core/plane/plane.ts";
import { packed } from "../cell-map/palette.ts";
import { COLORMAP_SIZE, colormapTable } from "../values/colormap.ts";
import { shareOf, type ColourRange } from "./colour-range.ts";
import { planePicture, type PlaneLook } from "./plane-picture.ts";
import { collectPlane } from "#core/plane/plane-values.ts";

const VALUES = [-9, -1, -0.25, 0, 0.1, 0.5, 1, 1.75, 2, 3, Number.NaN, Infinity, -Infinity, 100, 1e-9, 2.0000001];
const PLANE: Plane = { row: 0, column: 1, at: [0, 0] };
const SHAPE = [4, 4];

function look(range: ColourRange, isTurned: boolean): PlaneLook {
  const extent = planeExtent(PLANE, SHAPE);
  const collector = collectPlane(extent, { down: 1, across: 1 }, 1);
  const place = { top: 0, left: 0, rows: 4, columns: 4 };
  collector.put(0, { ...place, kind: "values", values: Float64Array.from(VALUES) });
  const chunks = planeChunks(PLANE, [1, 1], SHAPE);
  const side = { down: 4, across: 4 };
  const plane = collector.look();
  return {
    plane,
    extent,
    isTurned,
    chunks,
    side,
    range,
    colormap: "viridis",
    edges: false,
    lines: [],
  };
}

/** Colour by the range, a value at a time. */
function colourOf(range: ColourRange, value: number): number {
  if (!Number.isFinite(value)) return 0;
  const table = colormapTable("viridis");
  const [r = 0, g = 0, b = 0] = table.subarray(Math.round(shareOf(range, value) * (COLORMAP_SIZE - 1)) * 3);
  return packed({ r, g, b });
}

it.each<readonly [string, ColourRange]>([
  ["a plain range", { minimum: -1, maximum: 2, logarithmic: false }],
  ["a logarithmic one", { minimum: 0.1, maximum: 3, logarithmic: true }],
  ["values all alike", { minimum: 1, maximum: 1, logarithmic: false }],
])("paints each value in the colour of its share: %s", (_, range) => {
  for (const isTurned of [false, true]) {
    const [tile] = planePicture(look(range, isTurned), new Map()).tiles;
    const rows = [0, 1, 2, 3].map((row) => VALUES.slice(row * 4, row * 4 + 4));
    const shown = (isTurned ? rows.toReversed() : rows).flat();
    // No colour of a value depends on the palette.
    expect([...(tile?.pixels({} as never) ?? [])]).toEqual(shown.map((value) => colourOf(range, value)));
  }
});

it("paints another slice anew, though the colours go from and to the same values", () => {
  const painted = new Map();
  const range = { minimum: -1, maximum: 2, logarithmic: false };
  const [first, again, other] = [look(range, false), look(range, false), look(range, false)];
  const pictures = [first, { ...first }, again, other].map((one) =>
    planePicture({ ...one, lines: undefined }, painted),
  );
  expect(pictures[1]?.tiles[0]).toBe(pictures[0]?.tiles[0]);
  expect(pictures[1]?.name).toBe(pictures[0]?.name);
  expect(pictures[2]?.tiles[0]).not.toBe(pictures[0]?.tiles[0]);
  expect(new Set(pictures.map(({ name }) => name)).size).toBe(3);
});

it("makes room for values when the first come, and has none of them before", () => {
  const collector = collectPlane({ rows: 2, columns: 3 }, { down: 1, across: 1 }, 2);
  expect([...collector.look().values]).toEqual(Array.from({ length: 6 }).fill(Number.NaN));
});

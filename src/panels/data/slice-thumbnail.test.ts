import { expect, it } from "vitest";
import { collectPlane } from "#core/plane/plane-values.ts";
import { colormapTable } from "#widgets/values/colormap.ts";
import { THUMBNAIL } from "#widgets/values/thumbnails.ts";
import { thumbnailOf } from "./PlaneFigure.tsx";

it("has the value nearest to each pixel, north up, and nothing where nothing is", () => {
  const collector = collectPlane({ rows: 2, columns: 2 }, { down: 1, across: 1 }, 1);
  const values = Float64Array.of(0, 1, Number.NaN, 0.5);
  collector.put(0, { kind: "values", values, top: 0, left: 0, rows: 2, columns: 2 });
  const range = { minimum: 0, maximum: 1, logarithmic: false };
  const { width, height } = THUMBNAIL;
  const table = colormapTable("viridis");
  for (const isTurned of [false, true]) {
    const pixels = thumbnailOf(collector.look(), range, "viridis", isTurned);
    const at = (x: number, y: number) => [...pixels.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)];
    const [top, bottom] = isTurned ? [height - 1, 0] : [0, height - 1];
    expect(at(0, top)).toEqual([...table.subarray(0, 3), 255]);
    expect(at(width - 1, top)).toEqual([...table.subarray(255 * 3, 256 * 3), 255]);
    expect(at(0, bottom)).toEqual([0, 0, 0, 0]);
  }
});

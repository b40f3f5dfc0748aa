/** Tiles put together, thinned planes, and where parts of a picture stand. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chunkAt, finding } from "#core/findings/finding.ts";
import { planeChunks, type PlaneNumbers } from "#core/plane/plane.ts";
import { planePicture, windowOf, type PlaneLook } from "#widgets/plane/plane-picture.ts";
import { collectPlane, emptyPlane, SQUARE, stepsFor } from "#core/plane/plane-values.ts";

const STEPS = { down: 1, across: 1 };

describe("a plane of which tiles come in", () => {
  it("has what came, says of each chunk what it is, and which squares changed", () => {
    const plane = collectPlane({ rows: 2, columns: SQUARE + 2 }, STEPS, 3);
    const values = Float64Array.of(3, Number.NaN, -1, 7);
    plane.put(1, { kind: "values", values, top: 0, left: SQUARE - 1, rows: 2, columns: 2 });
    plane.put(2, {
      kind: "failed",
      error: finding("no-values", chunkAt("a", [0, 2]), {}),
      top: 0,
      left: 0,
      rows: 0,
      columns: 0,
    });
    const look = plane.look();
    expect(look).toMatchObject({ minimum: -1, maximum: 7, looks: ["unread", "read", "failed"] });
    // Counted on over all planes.
    const [first = 0, second] = look.squares;
    expect(first).toBeGreaterThan(0);
    expect(second).toBe(first);
    expect([...look.values.subarray(SQUARE - 1, SQUARE + 1)]).toEqual([3, Number.NaN]);
    expect(look.failed.get(2)?.code).toBe("no-values");
  });

  it("does not call a chunk failed of whose source nothing came", () => {
    const plane = collectPlane({ rows: 1, columns: 4 }, STEPS, 4);
    const at = chunkAt("a", [0]);
    const errors = [
      finding("offline", at, {}),
      finding("host-unreachable", at, { reason: "ENOTFOUND" }),
      finding("chunk-denied", at, { status: 403 }),
      finding("no-values", at, {}),
    ];
    for (const [chunk, error] of errors.entries())
      plane.put(chunk, { kind: "failed", error, top: 0, left: chunk, rows: 1, columns: 1 });
    expect(plane.look().looks).toEqual(["unreached", "unreached", "unreached", "failed"]);
    expect([...plane.look().failed.values()]).toEqual(errors);
  });

  it("has single precision only while all tiles have it", () => {
    const plane = collectPlane({ rows: 1, columns: 3 }, STEPS, 3);
    const put = (at: number, values: PlaneNumbers) =>
      plane.put(at, { kind: "values", values, top: 0, left: at, rows: 1, columns: 1 });
    put(0, Float32Array.of(0.5));
    expect(plane.look().values).toEqual(Float32Array.of(0.5, Number.NaN, Number.NaN));
    put(1, Float64Array.of(0.1));
    put(2, Float32Array.of(0.25));
    expect(plane.look().values).toEqual(Float64Array.of(0.5, 0.1, 0.25));
  });

  it("is thinned until it fits, the longer side first", () => {
    expect(stepsFor({ rows: 10, columns: 10 })).toEqual(STEPS);
    const law = fc.property(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 1, max: 1e6 }), (rows, columns) => {
      const { down, across } = stepsFor({ rows, columns }, 10_000);
      expect(Math.ceil(rows / down) * Math.ceil(columns / across)).toBeLessThanOrEqual(10_000);
    });
    fc.assert(law);
    // Long sides take no more time.
    expect(stepsFor({ rows: 1e15, columns: 1e15 }, 10_000)).toMatchObject({ down: expect.closeTo(1e13, -2) as number });
    expect(stepsFor({ rows: 3, columns: 1e15 }, 9_000)).toEqual({ down: 1, across: Math.ceil(1e15 / 3000) });
  });
});

describe("a picture of a plane", () => {
  const chunks = planeChunks({ row: 0, column: 1, at: [0, 0] }, [2, 2], [4, 3]);
  const look = (rows: boolean): PlaneLook => ({
    plane: emptyPlane(4),
    extent: { rows: 6, columns: 5 },
    isTurned: rows,
    chunks,
    side: { down: 4, across: 3 },
    range: undefined,
    colormap: "viridis",
    edges: true,
    lines: undefined,
  });

  it("has every element in one chunk's window, whichever way it is turned", () => {
    for (const turned of [false, true]) {
      const seen = new Set<string>();
      for (let at = 0; at < 4; at += 1) {
        const { rows, columns } = windowOf(look(turned), at);
        for (let row = rows.from; row < rows.to; row += 1) {
          for (let column = columns.from; column < columns.to; column += 1) seen.add(`${row} ${column}`);
        }
      }
      expect(seen.size).toBe(30);
    }
    expect(windowOf(look(true), 0).rows).toEqual({ from: 2, to: 6 });
  });

  it("shows what was not read as such, and edges between chunks", () => {
    const picture = planePicture(look(false), new Map());
    expect(picture.tiles).toEqual([]);
    expect(picture.areas?.map(({ look: one }) => one)).toEqual(["unread", "unread", "unread", "unread"]);
    expect(picture.edges).toEqual({ rows: [4], columns: [3] });
    expect(planePicture(look(true), new Map()).edges?.rows).toEqual([2]);
  });
});

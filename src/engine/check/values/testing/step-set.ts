/** For tests: values by step, level, row and column, in chunks as wished; with times, if they are given. */
import { cellCount, coordinatesOf } from "#core/metadata/chunk-grid.ts";
import type { Finding } from "#core/findings/finding.ts";
import { inThread } from "#engine/chunk/chunk-decoder.ts";
import { context } from "#engine/repair/suggest/testing/damaged-set.ts";
import { madeSet } from "#engine/check/testing/made-set.ts";
import { checkValues } from "../check-values.ts";

export type Value = (step: number, level: number, y: number, x: number) => number;

export interface Made {
  readonly steps?: number;
  /** Chunk lengths of time, level, y, x. */
  readonly chunks?: readonly [number, number, number, number];
  readonly times?: readonly number[] | undefined;
  readonly attributes?: object;
  readonly size?: readonly [number, number, number];
  /** Integers are stored as they wrap. */
  readonly dtype?: "<f4" | "<i2";
  /** The declared order: elements are stored in C order. */
  readonly order?: "C" | "F";
}

const SIZE = [5, 8, 12] as const;

const inline = (array: Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer> | Int16Array<ArrayBuffer>) =>
  `base64:${Buffer.from(array.buffer).toString("base64")}`;

export async function findingsOfSteps(value: Value, made: Made = {}): Promise<readonly Finding[]> {
  const { steps = 8, size = SIZE, chunks = [1, ...size], attributes = {}, dtype = "<f4", order = "C" } = made;
  const shape = [steps, ...size];
  const plain = { zarr_format: 2, fill_value: null, order: "C", compressor: null, filters: null };
  const references: Record<string, string> = {
    "t/.zarray": JSON.stringify({ ...plain, order, dtype, shape, chunks }),
    "t/.zattrs": JSON.stringify({ _ARRAY_DIMENSIONS: ["time", "level", "y", "x"], ...attributes }),
  };
  if (made.times !== undefined) {
    references["time/.zarray"] = JSON.stringify({ ...plain, dtype: "<f8", shape: [steps], chunks: [steps] });
    references["time/.zattrs"] = JSON.stringify({ _ARRAY_DIMENSIONS: ["time"], units: "days since 2000-01-01" });
    references["time/0"] = inline(Float64Array.from(made.times));
  }
  const grid = shape.map((length, at) => Math.ceil(length / (chunks[at] ?? 1)));
  for (let chunk = 0; chunk < cellCount(grid); chunk += 1) {
    const at = coordinatesOf(grid, chunk);
    const numbers = dtype === "<i2" ? Int16Array : Float32Array;
    const values = new numbers(
      Array.from({ length: cellCount(chunks) }, (_, element) => {
        const [step = 0, level = 0, row = 0, column = 0] = coordinatesOf(chunks, element).map(
          (one, axis) => one + (at[axis] ?? 0) * (chunks[axis] ?? 1),
        );
        return value(step, level, row, column);
      }),
    );
    references[`t/${at.join(".")}`] = inline(values);
  }
  const { findings } = await checkValues(await madeSet(references), { chunks: "all", decoder: inThread }, context());
  return findings;
}

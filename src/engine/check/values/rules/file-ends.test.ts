/**
 * Files whose length is not a multiple of the chunk length: where they end shows in missing steps, and in the
 * coordinate.
 */
import { describe, expect, it } from "vitest";
import { explained } from "#core/findings/explain.ts";
import { inThread } from "#engine/chunk/chunk-decoder.ts";
import { context } from "#engine/repair/suggest/testing/damaged-set.ts";
import { checkReferences } from "#engine/check/check-references.ts";
import { causesOfParts } from "../../set-checks.ts";
import { madeSet } from "#engine/check/testing/made-set.ts";
import { checkValues } from "../check-values.ts";

const EDGE = 31;
const FILL = -999;

interface Made {
  /** Steps of the array, and those that each chunk has; `undefined` for chunks without a reference. */
  readonly steps: number;
  readonly chunks: readonly (number | undefined)[];
  readonly fill?: number;
  readonly hasTimes?: boolean;
  /** Missing in the first columns alone. */
  readonly isPartly?: boolean;
  readonly value?: (step: number) => number;
}

const inline = (array: Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer>) =>
  `base64:${Buffer.from(array.buffer).toString("base64")}`;

function made({ steps, chunks, fill = FILL, hasTimes = true, isPartly = false, value = Math.cos }: Made) {
  const plain = { zarr_format: 2, order: "C", compressor: null, filters: null };
  const references: Record<string, string> = {
    "v/.zarray": JSON.stringify({ ...plain, dtype: "<f4", shape: [steps, 4], chunks: [EDGE, 2], fill_value: fill }),
    "v/.zattrs": JSON.stringify({ _ARRAY_DIMENSIONS: ["time", "x"] }),
  };
  if (hasTimes) {
    const times = Float64Array.from({ length: steps }, (_, at) => at);
    references["time/.zarray"] = JSON.stringify({
      ...plain,
      dtype: "<f8",
      shape: [steps],
      chunks: [steps],
      fill_value: null,
    });
    references["time/.zattrs"] = JSON.stringify({ _ARRAY_DIMENSIONS: ["time"], units: "days since 2003-01-01" });
    references["time/0"] = inline(times);
  }
  for (const [chunk, filled] of chunks.entries()) {
    if (filled === undefined) continue;
    for (const column of [0, 1]) {
      const values = Float32Array.from({ length: EDGE * 2 }, (_, at) => {
        const step = Math.floor(at / 2);
        const isMissing = step >= filled && !(isPartly && column === 1);
        return isMissing ? fill : 20 + 5 * value(0.1 * (chunk * EDGE + step) + at);
      });
      references[`v/${chunk}.${column}`] = inline(values);
    }
  }
  return madeSet(references);
}

async function causes(about: Made) {
  const set = await made(about);
  const values = await checkValues(set, { chunks: "all", decoder: inThread }, context());
  return causesOfParts(set, [await checkReferences(set, context()), values]).filter(
    ({ code }) => code !== "coordinate-absent" && code !== "fill-value-confusing",
  );
}

const full = (count: number): number[] => Array.from({ length: count }, () => EDGE);
// 365 and 366 days in chunks of 31.
const EARLY = [...full(22), 25, undefined];
const LATE = [...full(11), 24, ...full(11), 25];

describe("a file that ends inside a chunk is named", () => {
  it("where the next was put over its end, and the missing end follows from it", async () => {
    const found = await causes({ steps: 731, chunks: EARLY });
    expect(found.map(({ code }) => code)).toEqual(["file-ends-inside-chunk"]);
    const facts = { problem: "early", chunk: 11, shift: 24, begins: "2004-01-01", reads: "2003-12-08" };
    expect(found).toMatchObject([{ facts }]);
    const { message, remedy } = explained(found[0] as (typeof found)[0]);
    expect(message).toContain("values are 24 steps early: 2004-01-01 is read as 2003-12-08");
    expect(message).toContain("regular chunk grid");
    expect(remedy).toContain("leave the shape as it is");
  });

  it("where the next begins with a chunk", async () => {
    const found = await causes({ steps: 731 + 7, chunks: LATE });
    expect(found).toMatchObject([
      {
        code: "file-ends-inside-chunk",
        facts: { problem: "late", chunk: 11, from: 12, shift: 7, reads: "2004-01-08" },
      },
    ]);
    expect(explained(found[0] as (typeof found)[0]).message).toContain("From chunk 12 on");
  });

  it("where its end was padded with 0", async () => {
    expect(await causes({ steps: 731, chunks: EARLY, fill: 0 })).toContainEqual(
      expect.objectContaining({ code: "file-ends-inside-chunk" }),
    );
  });
});

it("a number without dimensions is read like any other", async () => {
  const scalar = { zarr_format: 2, shape: [], chunks: [], dtype: "<f4", order: "C", fill_value: 0, compressor: null };
  const set = await madeSet({
    "crs/.zarray": JSON.stringify({ ...scalar, filters: null }),
    "crs/0": inline(Float32Array.of(0)),
  });
  const { chunks } = await checkValues(set, { chunks: "all", decoder: inThread }, context());
  expect(chunks).toEqual({ of: 1, decoded: 1, failed: 0 });
});

describe("nothing is said", () => {
  it.each<readonly [string, Made]>([
    ["of a store that is written up to a step", { steps: 731, chunks: [...full(22), 20, undefined] }],
    ["of one that is, without a coordinate", { steps: 731, chunks: EARLY, hasTimes: false }],
    [
      "of days without data in the middle of a chunk",
      { steps: 24 * 31, chunks: full(24), value: (at) => (at > 3 && at < 5 ? NaN : at) },
    ],
    ["of days without data at the end of a chunk", { steps: 731, chunks: full(24).with(4, 27) }],
    ["of a month that ends with its chunk", { steps: 731, chunks: full(24).with(0, 27) }],
    ["where half of the columns go on", { steps: 731, chunks: EARLY, isPartly: true }],
    ["where every chunk ends so", { steps: 24 * 31, chunks: full(24).map(() => 30) }],
    [
      "of zeros that are values",
      { steps: 731, chunks: EARLY, fill: 0, value: (at) => (Math.floor(at) % 7 === 0 ? -4 : 1) },
    ],
    ["of a single year", { steps: 365, chunks: [...full(11), 24] }],
  ])("%s", async (_, about) => {
    expect((await causes(about)).map(({ code }) => code)).not.toContain("file-ends-inside-chunk");
  });
});

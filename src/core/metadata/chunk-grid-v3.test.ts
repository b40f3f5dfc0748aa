/** The member `chunk_grid` of Zarr v3, rectilinear ones above all; stores of such are in engine/open/zarr. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codecTraits } from "#codecs/find-codec.ts";
import { gridOf, writtenEdges } from "./chunk-grid.ts";
import { RefscopeError } from "../findings/finding.ts";
import { explained } from "../findings/explain.ts";
import { parseArrayMetadataV3 } from "./parse-array-metadata-v3.ts";

const SHARDED = {
  name: "sharding_indexed",
  configuration: {
    chunk_shape: [2],
    codecs: ["bytes"],
    index_codecs: [{ name: "bytes", configuration: { endian: "little" } }],
  },
};

function parse(shape: readonly number[], chunk_grid: unknown, codecs: readonly unknown[] = ["bytes"]) {
  const base = { zarr_format: 3, node_type: "array", data_type: "uint8", fill_value: 0 };
  const text = JSON.stringify({ ...base, shape, chunk_grid, chunk_key_encoding: "default", codecs });
  return parseArrayMetadataV3(text, codecTraits);
}

const inline = (chunk_shapes: unknown, more: object = {}) => ({
  name: "rectilinear",
  configuration: { kind: "inline", chunk_shapes, ...more },
});

function refusal(shape: readonly number[], grid: unknown, codecs?: readonly unknown[]): RefscopeError {
  try {
    parse(shape, grid, codecs);
  } catch (error) {
    if (error instanceof RefscopeError) return error;
    throw error;
  }
  throw new Error("It was read.");
}

describe("a rectilinear grid", () => {
  it.each([
    [[10], [[3, 5, 2]], [[3, 5, 2]]],
    [[14], [[[4, 3], 2]], [[[4, 3], 2]]],
    [[6], [[[1, 3], 3]], [[[1, 3], 3]]],
    // The same lengths in other words: neighbours are one run.
    [[9], [[1, 1, [1, 2], 5]], [[[1, 4], 5]]],
    [
      [10, 6],
      [4, [1, 5]],
      [4, [1, 5]],
    ],
    // All alike, so that it is a regular one.
    [[10], [4], [4]],
    [[10], [[4, 4, 4]], [4]],
    [
      [8, 9],
      [[[4, 2]], [3, 3, 3]],
      [4, 3],
    ],
    [[6], [[[4, 5]]], [4]],
    [[4], [[4, 2, 9]], [4]],
    [
      [0, 5],
      [
        [3, 3],
        [2, 3],
      ],
      [3, [2, 3]],
    ],
    [[], [], []],
  ])("of shape %j written as %j has the edges %j", (shape, shapes, edges) => {
    const { metadata, findings } = parse(shape, inline(shapes));
    expect(metadata.chunks.map(writtenEdges)).toEqual(edges);
    expect(metadata.isRectilinear).toBe(true);
    expect(findings).toEqual([]);
  });

  it("notes what Python takes for a float, as in a regular one", () => {
    const text =
      '{"zarr_format":3,"node_type":"array","data_type":"uint8","fill_value":0,"shape":[3],"codecs":["bytes"],"chunk_key_encoding":"default","chunk_grid":{"name":"rectilinear","configuration":{"kind":"inline","chunk_shapes":[[1.0,2]]}}}';
    expect(parseArrayMetadataV3(text, codecTraits).findings).toMatchObject([{ code: "integer-as-float" }]);
  });

  it.each([
    [[4], { name: "rectilinear" }, "/chunk_grid/configuration/kind", "nothing"],
    [
      [4],
      { name: "rectilinear", configuration: { kind: 1, chunk_shapes: [4] } },
      "/chunk_grid/configuration/kind",
      "1",
    ],
    [[4], inline(undefined), "/chunk_grid/configuration/chunk_shapes", "nothing"],
    [[4], inline([2, 2]), "/chunk_grid/configuration/chunk_shapes", "2"],
    [[4], inline([[]]), "/chunk_grid/configuration/chunk_shapes/0", "[]"],
    [[4], inline([0]), "/chunk_grid/configuration/chunk_shapes/0", "0"],
    [[4], inline([[2, 0, 2]]), "/chunk_grid/configuration/chunk_shapes/0/1", "0"],
    [[4], inline([[6, -2]]), "/chunk_grid/configuration/chunk_shapes/0/1", "-2"],
    [[4], inline([[[4, 0]]]), "/chunk_grid/configuration/chunk_shapes/0/0/1", "0"],
    [[4], inline([[[2, 2, 2]]]), "/chunk_grid/configuration/chunk_shapes/0/0", "[2,2,2]"],
    [[4], inline([[[4]]]), "/chunk_grid/configuration/chunk_shapes/0/0", "[4]"],
    [[4], inline([[[4, [1]]]]), "/chunk_grid/configuration/chunk_shapes/0/0/1", "[1]"],
    [[4], inline(["4"]), "/chunk_grid/configuration/chunk_shapes/0", '"4"'],
    [[4], inline([[2.5, 1.5]]), "/chunk_grid/configuration/chunk_shapes/0/0", "2.5"],
    [[4], inline([true]), "/chunk_grid/configuration/chunk_shapes/0", "true"],
    [[10], inline([[4, 4]]), "/chunk_grid/configuration/chunk_shapes/0", "8"],
  ])("of shape %j is refused as %j, and where", (shape, grid, pointer, found) => {
    const { finding } = refusal(shape, grid);
    expect(finding).toMatchObject({ code: "metadata-invalid", place: { pointer }, facts: { found } });
  });

  it.each([
    [{ name: "rectilinear", configuration: { kind: "external" } }, '"rectilinear" of kind "external"'],
    [inline([[2, 2]], { encoded_chunk_shapes: [[3, 2]] }), '"rectilinear" with "encoded_chunk_shapes"'],
    [{ name: "hexagonal" }, '"hexagonal"'],
  ])("of a kind that is not read stops by name: %j", (grid, found) => {
    const { finding } = refusal([4], grid);
    expect(finding).toMatchObject({ code: "chunk-grid-unsupported", facts: { found } });
    if (finding !== undefined) expect(explained(finding).message).toContain(found);
  });

  it("of shards has edges that the inner chunks divide, or is refused with the first that they do not", () => {
    const { metadata } = parse([12], inline([[4, 8]]), [SHARDED]);
    expect(metadata.chunks).toEqual([2]);
    expect(metadata.sharding?.shape.map(writtenEdges)).toEqual([[4, 8]]);
    expect(gridOf(metadata.shape, metadata.sharding?.shape ?? [])).toEqual([2]);
    expect(refusal([9], inline([[4, 5]]), [SHARDED]).finding).toMatchObject({
      code: "shard-chunks-uneven",
      facts: { shard: [5], chunk: [2] },
    });
  });

  it("of any number of chunks costs what is written", () => {
    const { metadata } = parse(
      [2 ** 50],
      inline([
        [
          [1, 2 ** 40],
          [3, 2 ** 52],
        ],
      ]),
    );
    expect(metadata.chunks).toMatchObject([{ lengths: [1, 3] }]);
    expect(parse([5], inline([[[2 ** 53 - 1, 2 ** 53 - 1]]])).metadata.chunks).toEqual([2 ** 53 - 1]);
  });

  it("is read or refused with a reason, whatever stands in its place", () => {
    const any = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom<unknown>(-1, 0, 2 ** 60, [[2, 2]], [[[1, 9]]]));
    const grids = fc.oneof(
      any.map((shapes) => inline(shapes)),
      any.map((one) => inline([one, 4])),
      any.map((one) => inline([[3, one], [[one, 2]]])),
      any.map((kind) => ({ name: "rectilinear", configuration: { kind, chunk_shapes: [3, 4] } })),
      any.map((configuration) => ({ name: "rectilinear", configuration })),
    );
    fc.assert(
      fc.property(grids, (grid) => {
        try {
          const { chunks, shape } = parse([5, 4], grid).metadata;
          expect(chunks).toHaveLength(2);
          expect(gridOf(shape, chunks).every((count, at) => count >= 1 && count <= (shape[at] ?? 0))).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(RefscopeError);
        }
      }),
    );
  });
});

/**
 * `reshape`: shapes that its specification allows and forbids; stores with it are in engine/many/extension-
 * stores.test.ts.
 */
import { oneChunk } from "../testing/one-chunk.ts";
import { describe, expect, it } from "vitest";
import { codecLabels, runPipeline, undecodable } from "../pipeline.ts";

const { signal } = new AbortController();

const metadataOf = (shape: unknown, ...more: readonly object[]) =>
  oneChunk({
    shape: [2, 3, 4],
    type: "uint8",
    codecs: [{ name: "reshape", configuration: { shape } }, ...more, { name: "bytes" }],
  });

const stored = Uint8Array.from({ length: 24 }, (_, at) => at);
const turn = { name: "transpose", configuration: { order: [1, 0] } };

describe("reshape", () => {
  it.each([
    [[24], "24"],
    [[[0, 1, 2]], "24"],
    [[-1, 4], "6, 4"],
    [[[0], 3, -1], "2, 3, 4"],
    [[[0, 1], 2, 2], "6, 2, 2"],
    [[[0], 1, [1, 2]], "2, 1, 12"],
    [[2, -1, [], 3], "2, 4, 1, 3"],
  ])("to %j keeps the order of the elements", async (shape, written) => {
    const metadata = metadataOf(shape);
    expect((await codecLabels(metadata)).map(({ label }) => label)).toEqual(["bytes", `reshape, from [${written}]`]);
    expect((await runPipeline(metadata, stored, signal)).bytes).toEqual(stored);
  });

  it("gives its shape to the codecs after it", async () => {
    const { bytes } = await runPipeline(metadataOf([[0], [1, 2]], turn), stored, signal);
    expect(bytes).toEqual(Uint8Array.from({ length: 24 }, (_, at) => 2 * (at % 12) + Math.floor(at / 12)));
  });

  it.each([
    [undefined, "nothing"],
    [24, "24"],
    [[0, 24], "0"],
    [[2.5], "2.5"],
    [[[3]], "[3]"],
    [["2"], '"2"'],
    [[25], "[25]"],
    [[-1, 5], "[-1, 5]"],
    [[-1, -1], "[-1, -1]"],
    [[[1], [0], 4], "[1, 0]"],
    [[[0], [0], 12], "[0, 0]"],
    // The dimension is not where it was.
    [[3, [0], 4], "[3, 2, 4]"],
    [[2, [0, 1], 2], "[2, 6, 2]"],
    [[[0, 2], 3], "[8, 3]"],
    [Array.from({ length: 65 }, () => 1), "a list"],
  ])("to %j is refused by name", async (shape, found) => {
    expect(await undecodable(metadataOf(shape))).toMatchObject({
      code: "codec-configuration",
      facts: { codec: "reshape", member: "shape", found },
    });
  });
});

/** Arrays made of the same files, of which one has its keys counted in another's chunks. */
import { describe, expect, it } from "vitest";
import { arrayAt, findingsOf, ZLIB, type Refs } from "../testing/made-set.ts";

/** `first`: the chunk at which each of three files of eight steps begins. */
function array(path: string, chunk: number, first: (file: number) => number): Refs {
  const made = { shape: [24, 5], chunks: [chunk, 5], compressor: ZLIB, dimensions: ["time", "x"] };
  const refs: Record<string, unknown> = { ...arrayAt(path, made) };
  for (let file = 0; file < 3; file += 1) {
    for (let at = 0; at < 8 / chunk; at += 1)
      refs[`${path}/${first(file) + at}.0`] = [`b/sea_200${file}.nc`, 10_000 * chunk + 100 * at, 20 + at];
  }
  return refs;
}

describe("arrays of the same files", () => {
  it("disagree where one was counted in chunks of another's length, which also explains its missing chunks", async () => {
    const found = await findingsOf({ ...array("flux", 4, (file) => file * 2), ...array("sst", 1, (file) => file * 2) });
    expect(found).toMatchObject([
      {
        code: "sources-disagree",
        place: { array: "sst" },
        facts: { array: "sst", other: "flux", element: 2, chunks: [2, 2, 8], countedIn: "flux", countedChunk: 4 },
        // All chunks of files 2 and 3.
        count: 10,
        extent: { arrays: [{ array: "sst", chunks: 10, from: [2, 0], to: [11, 0] }] },
      },
    ]);
  });

  it("agree with other lengths of chunks, and where steps are missing", async () => {
    const sst = array("sst", 1, (file) => file * 8);
    expect(await findingsOf({ ...array("flux", 4, (file) => file * 2), ...sst })).toEqual([]);
    const { "sst/9.0": _, ...gap } = sst;
    const codes = (await findingsOf({ ...array("flux", 4, (file) => file * 2), ...gap })).map(({ code }) => code);
    expect(codes).toEqual(["steps-missing"]);
  });
});

/** Virtual chunks without a checksum or a container: counted, with the first of them. */
import { expect, it } from "vitest";
import { chunkAt } from "#core/findings/fact.ts";
import { oddReferences } from "./load-page.ts";

const columns = { entries: { count: 3 } } as never;

it("chunks without a checksum, and chunks that no container covers", () => {
  const odd = oddReferences("a", [2, 2]);
  odd.uncontained(columns, 1, "s3://elsewhere/b.nc");
  odd.uncontained(columns, 2, "s3://elsewhere/c.nc");
  odd.chunk(columns, 0, 0, true);
  odd.chunk(columns, 1, 1, false);
  odd.chunk(columns, 2, 3, true);
  const place = (at: readonly number[]) => ({ kind: "target", target: "s3://elsewhere/b.nc", chunk: chunkAt("a", at) });
  expect(odd.findings()).toEqual([
    {
      code: "icechunk-no-checksum",
      place: chunkAt("a", [0, 1]),
      facts: {},
      count: 1,
      extent: { arrays: [{ array: "a", chunks: 1, from: [0, 1], to: [0, 1] }], moreArrays: 0 },
    },
    {
      code: "icechunk-no-container",
      place: place([0, 1]),
      places: [place([0, 1]), place([1, 1])],
      facts: { host: "s3://elsewhere/" },
      count: 2,
      extent: { arrays: [{ array: "a", chunks: 2, from: [0, 1], to: [1, 1] }], moreArrays: 0 },
    },
  ]);
});

it("nothing odd is nothing found", () => {
  const odd = oddReferences("a", [2]);
  odd.chunk(columns, 0, 0, true);
  expect(odd.findings()).toEqual([]);
});

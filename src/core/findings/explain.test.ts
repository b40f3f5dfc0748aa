import { expect, it } from "vitest";
import { explained } from "./explain.ts";
import { chunkAt, finding } from "./finding.ts";

const overlap = (problem: "late" | "long") =>
  explained(
    finding("ranges-overlap", chunkAt("sst", [0, 0, 1]), {
      problem,
      bytes: 7,
      other: "sst 0.0.2",
      others: 0,
      target: "ocean-a.nc",
      offset: 25_226,
      length: 12_416,
    }),
  ).title;

it("names a fault by its facts where these say more than the code", () => {
  expect(overlap("late")).toBe("The offset is shifted by 7 bytes");
  expect(overlap("long")).toBe("Overlapping ranges");
});

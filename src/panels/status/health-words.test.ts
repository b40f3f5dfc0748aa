import { describe, expect, it } from "vitest";
import type { NodeSummary } from "#core/open-set.ts";
import type { ReadingTally } from "#core/values/reading-tally.ts";
import { healthOf } from "./HealthLine.tsx";

const array = (path: string, cells: number, present = cells, unknown = 0): NodeSummary => ({
  kind: "array",
  path,
  name: path,
  cells,
  present,
  unknown,
});
const tally = (arrays: ReadingTally["arrays"], asked = 0, answering = 0): ReadingTally => ({
  arrays,
  targets: { asked, answering },
});

describe("the health of a set", () => {
  it("names what failed, the worst array first, and what is missing", () => {
    const nodes = [array("sst", 54), array("ice", 6), array("sparse", 25, 5)];
    const read = tally(
      [
        { path: "ice", ok: 0, failed: 1 },
        { path: "sst", ok: 40, failed: 4 },
      ],
      3,
      2,
    );
    expect(healthOf(nodes, read)).toEqual({
      failed: { sentence: "5 of 65 chunks fail", arrays: "sst 4, ice 1", accepted: false },
      missing: "sparse lacks 20 of 25",
      read: "45 of 65 chunks read",
      whole: false,
      targets: "2 of 3 sources responded",
    });
  });

  it("says what is set aside as such, and not what is more", () => {
    const nodes = [array("sst", 54), array("sparse", 25, 5), array("thin", 9, 8)];
    const read = tally([{ path: "sst", ok: 50, failed: 4 }]);
    const accepted = (failing: number) => ({
      count: 2,
      failing: new Map([["sst", failing]]),
      lacking: new Set(["sparse"]),
    });
    expect(healthOf(nodes, read, accepted(4))).toMatchObject({
      failed: { sentence: "4 of 67 chunks fail, accepted", accepted: true },
      missing: "thin lacks 1 of 9",
    });
    expect(healthOf(nodes, read, accepted(3))).toMatchObject({
      failed: { sentence: "1 of 67 chunks fails, 3 more are accepted", arrays: "sst 1", accepted: false },
    });
  });

  it("says nothing of what was not looked at", () => {
    expect(healthOf([array("a", 4)], tally([]))).toEqual({ read: "0 of 4 chunks read", whole: false });
  });

  it("never calls missing what is not known yet, nor whole what may have more", () => {
    const health = healthOf([array("a", 10, 2, 8)], tally([{ path: "a", ok: 2, failed: 0 }], 1, 1));
    expect(health).toEqual({
      read: "2 read of 2 chunks known so far",
      whole: false,
      targets: "1 of 1 source responded",
    });
  });

  it("is whole once every chunk that is there was read, missing ones beside", () => {
    const health = healthOf(
      [array("a", 4), array("b", 4, 2), array("c", 9, 1)],
      tally([
        { path: "a", ok: 4, failed: 0 },
        { path: "b", ok: 4, failed: 0 },
      ]),
    );
    expect(health).toMatchObject({ whole: true, missing: "c lacks 8 of 9, and 1 more array some" });
  });
});

import { describe, expect, it } from "vitest";
import { NO_LOCATIONS, type Locations } from "../../core/location.ts";
import { draftOf, draftProblems, freshId, locationsOf } from "./locations-draft.ts";

const SOME: Locations = {
  rewrites: [{ from: "s3://a/", to: "https://mirror.example/a/" }],
  credentials: [
    {
      prefix: "https://secret.example/",
      headers: [
        ["Authorization", "Bearer x"],
        ["X-Key", "y"],
      ],
    },
  ],
  target: "https://example.org/x.nc",
  region: "eu-central-1",
  allowPrivate: true,
};

describe("a draft of locations", () => {
  it("means what it was made of", () => {
    expect(locationsOf(draftOf(SOME))).toEqual(SOME);
    expect(locationsOf(draftOf(NO_LOCATIONS))).toEqual(NO_LOCATIONS);
    expect(draftProblems(draftOf(SOME))).toEqual([]);
  });

  it("drops empty rows and trims the rest", () => {
    const draft = {
      ...draftOf(NO_LOCATIONS),
      rules: [
        { id: 0, from: " ", to: "" },
        { id: 4, from: " a ", to: "b " },
      ],
    };
    expect(locationsOf(draft).rewrites).toEqual([{ from: "a", to: "b" }]);
    expect(freshId(draft.rules)).toBe(5);
    expect(freshId([])).toBe(0);
  });

  it("names half-filled and repeated rules", () => {
    const rules = [
      { id: 0, from: "s3://a/", to: "" },
      { id: 1, from: "", to: "https://b/" },
      { id: 2, from: "x", to: "y" },
      { id: 3, from: "x", to: "z" },
    ];
    expect(draftProblems({ ...draftOf(NO_LOCATIONS), rules })).toHaveLength(3);
  });

  it("refuses credentials that belong to no host or are no header", () => {
    const wrong = [
      { id: 0, prefix: "https://", name: "Authorization", value: "x" },
      { id: 1, prefix: "https://a.example/", name: "Not a name", value: "x" },
      { id: 2, prefix: "https://a.example/", name: "X", value: "" },
      { id: 3, prefix: "https://a.example/", name: "X", value: "a\nY: b" },
    ];
    for (const row of wrong)
      expect(draftProblems({ ...draftOf(NO_LOCATIONS), credentials: [row] }), row.prefix).toHaveLength(1);
  });

  it("refuses a region that would change the host", () => {
    expect(draftProblems({ ...draftOf(NO_LOCATIONS), region: "evil.example/" })).toHaveLength(1);
  });
});

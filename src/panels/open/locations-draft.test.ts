import { describe, expect, it } from "vitest";
import { type Locations, NO_LOCATIONS } from "#core/byte-source.ts";
import { draftOf, draftProblems, freshId, locationsOf, offeredDraft } from "./OpenDialog.tsx";

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

  it("refuses credentials that belong to no host or are not a header", () => {
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

  it("is begun for a prefix: rows that are left alone mean nothing", () => {
    const draft = offeredDraft(draftOf(SOME), "https://data.example/x/");
    expect(draft.rules.at(-1)).toMatchObject({ from: "https://data.example/x/", to: "" });
    expect(draft.credentials.at(-1)).toMatchObject({ prefix: "https://data.example/x/", name: "Authorization" });
    expect(draftProblems(draft)).toEqual([]);
    expect(locationsOf(draft)).toEqual(SOME);
    const rules = draft.rules.map((row) => (row.offered === true ? { ...row, to: "https://mirror.example/" } : row));
    expect(locationsOf({ ...draft, rules }).rewrites.at(-1)).toEqual({
      from: "https://data.example/x/",
      to: "https://mirror.example/",
    });
  });

  it("is not begun twice, and has credentials for HTTP only", () => {
    const draft = offeredDraft(draftOf(SOME), "s3://a/");
    expect(draft.rules).toHaveLength(1);
    expect(draft.credentials).toHaveLength(2);
    expect(offeredDraft(draftOf(SOME), "https://secret.example/").credentials).toHaveLength(2);
  });
});

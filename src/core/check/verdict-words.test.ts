/** The five answers, of findings as they are said. */
import { describe, expect, it } from "vitest";
import { explained } from "../findings/explain.ts";
import { chunkAt, finding, targetAt, WHOLE_SET } from "../findings/finding.ts";
import type { Compared, Quantity, StatementSource } from "./statement.ts";
import { lossWords } from "./loss-words.ts";
import { headlineOf, verdictOf, type Judged } from "./verdict-words.ts";

const SET = { format: "Kerchunk JSON, Version 1", references: 6, states: { missing: 0, unknown: 0 }, cells: 4 };

/** Four chunks of one target, all of which decode. */
function judged(found: ReturnType<typeof finding>): Judged {
  const chunks = { of: 4, decoded: 4, failed: 0 };
  const checked = { rules: [], chunks, targets: { of: 1, asked: 1, answered: 1 } };
  return { set: SET, findings: [{ found, said: explained(found) }], checked } as unknown as Judged;
}

const withChunks = (one: Judged, chunks: Judged["checked"]["chunks"]): Judged => ({
  ...one,
  checked: { ...one.checked, chunks },
});

it("a dataset without arrays is not complete", () => {
  const empty = judged(finding("no-arrays", WHOLE_SET, {}));
  const set = { ...SET, cells: 0, references: 0 } as Judged["set"];
  expect(verdictOf({ ...empty, set }).complete).toEqual({ answer: "no", why: "There are no arrays." });
  const draft = judged(finding("zarr-v3-draft", WHOLE_SET, { format: undefined }));
  const why = "No array with chunks could be read.";
  expect(verdictOf({ ...draft, set }).complete).toEqual({ answer: "no", why });
});

describe("whether the values are right", () => {
  const place = { ...targetAt("a.nc"), chunk: chunkAt("a", [0]) };

  it("is denied where chunks decode that were not read from the data", () => {
    const page = judged(finding("web-page", place, { words: "Sign in" }));
    expect(headlineOf(page)).toBe("Opens, but 1 chunk cannot be read");
    expect(verdictOf(page).values).toEqual({
      answer: "no",
      why: "1 chunk cannot be read: Sign-in page instead of data.",
    });
  });

  it("is not touched by what costs time alone", () => {
    const slow = judged(finding("range-ignored", place, { outcome: "seen", size: 100 }));
    expect(verdictOf(slow).values).toEqual({ answer: "yes", why: "All 4 chunks decode." });
  });

  it("is not known of chunks that Refscope has no decoder for", () => {
    const lacking = finding("codec-unknown", chunkAt("a", [0]), {
      codec: "imagecodecs_jpegxr",
      words: "JPEG XR images",
    });
    const some = withChunks(judged(lacking), { of: 4, decoded: 3, failed: 0, unbuilt: 1 });
    expect(headlineOf(some)).toBe("No errors found so far · 1 note");
    expect(verdictOf(some).values).toMatchObject({
      answer: "partly",
      why: expect.stringMatching(
        /^No problems in 3 of 4 chunks\. 1 chunk is not checked: Refscope has no decoder for it\./,
      ) as string,
    });
    const all = withChunks(judged(lacking), { of: 4, decoded: 0, failed: 0, unbuilt: 4 });
    expect(verdictOf(all).values).toEqual({
      answer: "not-checked",
      why: "4 chunks are not checked: Refscope has no decoder for them.",
    });
  });

  it("no reference that cannot be used counts as one", () => {
    const some = {
      set: { ...SET, states: { missing: 0, unknown: 0, bad: 3 } },
      findings: [],
      checked: { rules: [], chunks: { of: 1, decoded: 1, failed: 0 }, targets: { of: 1, asked: 1, answered: 1 } },
    };
    expect(verdictOf(some as unknown as Judged).complete).toEqual({
      answer: "partly",
      why: "3 chunks have no reference that can be used.",
    });
  });

  it("is not known where none of several hosts responds", () => {
    const silent = (hosts: readonly string[], answered = 0) => {
      const found = hosts.map((host) =>
        finding("host-unreachable", targetAt(`https://${host}/a.nc`), { reason: "ENOTFOUND", targets: 2 }),
      );
      const checked = { rules: [], chunks: { of: 4, decoded: 0, failed: 0 }, targets: { of: 4, asked: 4, answered } };
      const findings = found.map((one) => ({ found: one, said: explained(one) }));
      return { set: SET, findings, checked } as unknown as Judged;
    };
    expect(headlineOf(silent(["a.example", "b.example"]))).toMatch(/^Opens; none of 2 hosts responds/);
    expect(verdictOf(silent(["a.example", "b.example"])).sources).toEqual({
      answer: "not-checked",
      why: "None of 2 hosts responded, so there may be no network here: nothing is known of the sources.",
    });
    expect(verdictOf(silent(["a.example"])).sources.answer).toBe("no");
    expect(verdictOf(silent(["a.example", "b.example"], 2)).sources.answer).toBe("partly");
  });

  it("of a dataset's own chunk objects are there once they were requested", () => {
    const of = (decoded: number, native: number) =>
      verdictOf({
        set: { ...SET, states: { missing: 0, unknown: 0, native } },
        findings: [],
        checked: { rules: [], chunks: { of: 4, decoded, failed: 0 }, targets: { of: 0, asked: 0, answered: 0 } },
      } as unknown as Judged).sources;
    const own = "The dataset uses no files but its own: 4 chunks are separate objects in it.";
    expect(of(1, 4)).toEqual({ answer: "not-checked", why: `${own} Not all of them have been read.` });
    expect(of(4, 4)).toEqual({ answer: "yes", why: `${own} All were requested.` });
    expect(of(0, 0)).toEqual({ answer: "yes", why: "The dataset uses no other files." });
  });

  it("is not known where references are not here yet, nor are the sources", () => {
    const unseen = {
      ...judged(finding("range-ignored", place, { outcome: "seen", size: 100 })),
      set: { ...SET, states: { missing: 0, unknown: 4 } },
      findings: [],
      checked: { rules: [], chunks: { of: 0, decoded: 0, failed: 0 }, targets: { of: 0, asked: 0, answered: 0 } },
    } as unknown as Judged;
    expect(headlineOf(unseen)).toBe("No problems found so far");
    expect(verdictOf(unseen)).toMatchObject({
      values: {
        answer: "not-checked",
        why: expect.stringContaining("references of 4 chunks have not been read") as string,
      },
      sources: { answer: "not-checked" },
    });
  });

  it("counts a chunk once, whatever its causes, and no reader reads it", () => {
    const far = (code: "decode-failed" | "range-past-end") => {
      const facts = code === "decode-failed" ? { codec: "zlib", expected: "x", found: "y" } : { end: 10, size: 5 };
      const found = finding(code, place, facts as never);
      return {
        ...found,
        extent: { arrays: [{ array: "a", chunks: 3, from: [0], to: [2] }] },
      } as unknown as typeof found;
    };
    const twice = judged(far("decode-failed"));
    const other = far("range-past-end");
    const both = { ...twice, findings: [...twice.findings, { found: other, said: explained(other) }] };
    expect(headlineOf(both)).toBe("Opens, but 4 chunks cannot be read");
    const reader = { name: "GDAL", version: "3.11", date: "2026-11", answer: "yes" };
    const asked = { ...both, checked: { ...both.checked, reader } } as unknown as Judged;
    expect(verdictOf(asked).readers).toMatchObject({
      answer: "partly",
      why: expect.stringMatching(/^No reader reads 4 chunks/) as string,
    });
  });

  it("does not count what its owner set aside", () => {
    const error = (at: number) =>
      finding("decode-failed", chunkAt("a", [at]), { codec: "zlib", expected: "x", found: "y" });
    const said = (found: ReturnType<typeof finding>) => ({ found, said: explained(found) });
    const both = {
      ...withChunks(judged(error(0)), { of: 4, decoded: 2, failed: 2 }),
      accepted: ["decode-failed"],
      aside: [said(error(1))],
    };
    expect(verdictOf(both).values).toEqual({
      answer: "no",
      why: "1 of 4 checked chunks failed to decode. 1 more fails but is accepted.",
    });
    const aside = { ...both, findings: [], aside: [said(error(0)), said(error(1))] };
    expect(verdictOf(aside).values).toEqual({ answer: "yes", why: "2 of 4 decoded chunks fail but are accepted." });
  });
});

describe("whether it is complete", () => {
  it("is not known of chunks that are denied", () => {
    const denied = (...coordinates: number[][]) => ({
      ...finding("chunk-denied", chunkAt("a", coordinates[0] ?? []), { status: 403 }),
      places: coordinates.map((one) => chunkAt("a", one)),
    });
    expect(verdictOf(judged(denied([0], [1], [2], [3]))).complete).toEqual({
      answer: "not-checked",
      why: "Not known for 4 chunks: access is denied.",
    });
    expect(verdictOf(judged(denied([0]))).complete).toEqual({
      answer: "partly",
      why: "Not known for 1 chunk: access is denied.",
    });
  });
});

describe("whether the sources are there", () => {
  it("says how many gave what a reader needs", () => {
    const page = judged(finding("web-page", targetAt("a.nc"), { words: "Sign in" }));
    const targets = (unfit: number) => ({
      ...page,
      checked: { ...page.checked, targets: { of: 5, asked: 5, answered: 5, unfit } },
    });
    expect(verdictOf(targets(5)).sources.why).toMatch(/^5 of 5 sources responded, none as a reader needs\./);
    const whole = judged(finding("range-ignored", targetAt("a.nc"), { outcome: "seen", size: 100 }));
    const checked = { ...whole.checked, targets: { of: 1, asked: 1, answered: 1, unfit: 1 } };
    const why = "The source responded, but ignores range requests.";
    expect(verdictOf({ ...whole, checked }).sources.why).toBe(why);
    expect(verdictOf(targets(2)).sources.why).toMatch(/^5 of 5 sources responded, only 3 as a reader needs\./);
  });

  it("says what references were compared with, where they are as the files say", () => {
    const good = judged(finding("fill-value-confusing", WHOLE_SET, { problem: "zero" } as never));
    const held = (lookedAt: number) => {
      const rules = [{ rule: "files", unit: "targets" as const, of: 3, lookedAt, sampled: 0 }];
      return verdictOf({ ...good, checked: { ...good.checked, rules } }).sources;
    };
    expect(held(3)).toEqual({
      answer: "yes",
      why: "1 of 1 source responded. Offsets and lengths are as the files' own indexes have them.",
    });
    expect(held(2).why).toMatch(/Offsets and lengths are as the indexes of 2 of 3 files have them\.$/);
    expect(held(0).why).toBe("1 of 1 source responded.");
  });
});

describe("what was compared", () => {
  const good = judged(finding("fill-value-confusing", WHOLE_SET, { problem: "zero" } as never));
  type Sources = readonly (readonly [kind: StatementSource["kind"], name: string])[];
  const fact = (quantity: Quantity, subject: string, sources: Sources, agrees = true): Compared => ({
    quantity,
    subject,
    sources: sources.map(([kind, name]) => ({ kind, name })),
    agrees,
  });
  const place = (name: string, ...others: Sources) => fact("place", name, [["values", name], ...others]);
  const verdict = (...compared: readonly Compared[]) => {
    const rules = [{ rule: "files", unit: "targets" as const, of: 1, lookedAt: 1, sampled: 0 }];
    return verdictOf({ ...good, checked: { ...good.checked, rules, compared } });
  };

  it("is said with a yes: what agrees with what, and what is stated once", () => {
    const times = [
      place("time", ["bounds", "time_bnds"], ["file-name", "a_2001.nc"]),
      fact("calendar", "time", [
        ["attribute", "calendar"],
        ["values", "time"],
      ]),
    ];
    const places = [place("lat", ["bounds", "lat_bnds"]), place("lon", ["bounds", "lon_bnds"]), place("level")];
    expect(verdict(...places, ...times).values).toEqual({
      answer: "yes",
      why: "All 4 chunks decode; time agrees with its bounds, the file names and its calendar; lat and lon with their bounds. 1 coordinate is stated once: nothing to compare.",
    });
  });

  it("is said shortly, and without what disagrees", () => {
    const pixel = fact("pixel", "0/x", [
      ["data", "x and y"],
      ["convention", "spatial:transform"],
    ]);
    const crs = fact("crs", "", [
      ["attribute", "proj:code"],
      ["attribute", "crs_wkt"],
    ]);
    const many = ["a", "b", "c"].map((name) => place(name, ["sibling", `${name}2`]));
    const odd = fact(
      "place",
      "odd",
      [
        ["values", "odd"],
        ["bounds", "odd_bnds"],
      ],
      false,
    );
    const units = fact("units", "t", [
      ["attribute", "units"],
      ["attribute", "standard_name"],
      ["data", "t"],
    ]);
    const level = fact("level", "1", [
      ["level", "1"],
      ["level", "0"],
    ]);
    expect(verdict(pixel, level, units).values.why).toBe(
      "All 4 chunks decode; the units of t agree with standard_name and its values; x and y of 0 with spatial:transform; level 1 with level 0.",
    );
    expect(verdict(pixel, crs, units, level, ...many, odd).values.why).toBe(
      "All 4 chunks decode; a agrees with a2; b with b2; c with c2; and 4 more facts.",
    );
  });

  it("of files is each on its own", () => {
    const offsets = "1 of 1 source responded. Offsets and lengths are as the file's own index has them.";
    expect(verdict(place("lat")).sources.why).toBe(offsets);
    const held = verdict(place("lat", ["file", "a.nc"]), place("time", ["bounds", "b"], ["file", "a.nc"]));
    expect(held.sources.why).toBe(`${offsets} lat and time have the file's values.`);
  });
});

describe("what is lost", () => {
  const said = (found: ReturnType<typeof finding>) => ({ found, said: explained(found) });
  const failed = (...at: readonly number[]) =>
    said(finding("decode-failed", chunkAt("a", at), { codec: "zlib", expected: "x", found: "y" }));
  const zeroed = said(
    finding("chunk-zeroed", chunkAt("a", [0, 1]), {
      chunks: 1,
      elements: 8,
      beside: [0, 0],
      besideRange: [1, 2],
      isPlain: true,
      isSure: true,
      others: 0,
    }),
  );
  const of = (...findings: readonly ReturnType<typeof said>[]): Judged => ({ ...judged(findings[0]!.found), findings });
  const sizes = (shape: readonly number[]) => ({ cells: 4, shape, chunks: shape.map(() => 4) });

  it("is not what decodes: that is wrong", () => {
    expect(headlineOf(of(zeroed))).toBe("Opens, but 1 chunk holds zeros instead of data");
    expect(headlineOf(of(zeroed, failed(0, 0)))).toBe(
      "Opens, but 1 chunk cannot be read and 1 holds zeros instead of data",
    );
    expect(lossWords([zeroed, failed(0, 0)], () => sizes([8, 8]))).toBe(
      "25.0% of a cannot be read. 25.0% of a is wrong. 2 problems.",
    );
    // A chunk that does not decode is read by nobody.
    expect(headlineOf(of({ ...zeroed, failing: [chunkAt("a", [0, 1])] } as never))).toBe(
      "Opens, but 1 chunk cannot be read",
    );
  });

  it("is told by elements: chunks at an edge hold fewer", () => {
    expect(lossWords([failed(1, 1)], () => sizes([5, 5]))).toMatch(/^4\.0% of a cannot be read\./);
    // For many chunks the box tells how many elements they have.
    const { found } = failed(0, 1);
    const box = { array: "a", chunks: 2, from: [0, 1], to: [1, 1] };
    const column = said({ ...found, extent: { arrays: [box], moreArrays: 0 } });
    expect(lossWords([column], () => sizes([5, 5]))).toMatch(/^20\.0% of a cannot be read\./);
    expect(lossWords([column], () => ({ cells: 4 }))).toMatch(/^50\.0% of a cannot be read\./);
  });
});

import { describe, expect, it } from "vitest";
import { causeOf } from "#core/findings/cause.ts";
import { chunkAt, finding, keyAt, nodeAt, targetAt, WHOLE_SET } from "#core/findings/finding.ts";
import type { Finding, Place } from "#core/findings/finding.ts";
import { explained } from "#core/findings/explain.ts";
import type { Diagnostic } from "#core/studio.ts";
import { alikeAsOne, causesBySeverity, countsBySeverity, listedFindings, whereOf, type Found } from "./findings.ts";

const NONE: Found = { ofSet: [], ofReadings: [], diagnostics: [] };
const listed = (part: Partial<Found>) => listedFindings({ ...NONE, ...part }, explained);
const error = (place: Place = WHOLE_SET, count = 1) =>
  finding("unexpected", place, { doing: "x", message: "y" }, count);
const warning = (place: Place) => finding("key-outside-grid", place, {});
const info = finding("reader-drops-gen", WHOLE_SET, {});

describe("the list of findings", () => {
  it("has the worst first, the set's own before those of readings", () => {
    const ofReadings = [
      ["sst/0.0.0", [error()]],
      ["sst/0.0.1", [warning(keyAt("own"))]],
    ] as const;
    const all = listed({ ofSet: [info, error(nodeAt("ice"))], ofReadings });
    expect(all.map(({ found: { code }, said: { severity } }) => [code, severity])).toEqual([
      ["unexpected", "error"],
      ["unexpected", "error"],
      ["key-outside-grid", "warning"],
      ["reader-drops-gen", "info"],
    ]);
    expect(all.map((one) => whereOf(one))).toEqual(["ice", "sst/0.0.0", "own", "the whole set"]);
  });

  it("counts repetitions", () => {
    const all = listed({ ofSet: [error(WHOLE_SET, 40), error(nodeAt("a")), info] });
    expect([...countsBySeverity(all)]).toEqual([
      ["error", 41],
      ["info", 1],
    ]);
  });

  it("says where in the narrowest words", () => {
    const where = (place: Place) => listed({ ofSet: [error(place)] }).map((one) => whereOf(one))[0];
    expect(where(keyAt("sst/0"))).toBe("sst/0");
    expect(where(chunkAt("sst", [1, 2]))).toBe("sst/1.2");
    expect(where(nodeAt(""))).toBe("/");
    expect(where(targetAt("s3://x"))).toBe("s3://x");
    expect(where(WHOLE_SET)).toBe("the whole set");
  });

  it("is one finding for what several readings met for the same cause", () => {
    const denied = (at: number) =>
      finding(
        "http-status",
        { kind: "target", target: "https://h/a.nc", chunk: chunkAt("sst", [at]) },
        { status: 403, expected: [206], attempts: 1 },
      );
    const [one, ...others] = listed({ ofReadings: [2, 1, 0].map((at) => [`sst/${at}`, [denied(at)]]) });
    expect(others).toEqual([]);
    expect(one?.place).toEqual(chunkAt("sst", [2]));
    expect(one?.found).toMatchObject({
      count: 3,
      extent: { arrays: [{ array: "sst", chunks: 3, from: [0], to: [2] }] },
    });
  });

  it("leads from a target to the chunk for which it was read", () => {
    const [one] = listed({
      ofReadings: [["sst/1.1", [error({ kind: "target", target: "s3://x", chunk: chunkAt("sst", [1, 1]) })]]],
    });
    expect(one?.place).toEqual(chunkAt("sst", [1, 1]));
  });
});

describe("findings of the set beside what is said in the text", () => {
  const diagnostic = (found: Finding, part: Partial<Diagnostic> = {}): Diagnostic => ({
    ...found,
    place: { kind: "text", start: 0, end: 1, line: 1 },
    covers: [],
    ...part,
  });
  const left = (ofSet: readonly Finding[], diagnostics: readonly Diagnostic[]) =>
    listed({ ofSet, diagnostics }).flatMap((one) => (one.diagnostic === undefined ? [one.found] : []));

  it("go only where the text says the same of the same place", () => {
    const [here, there] = [warning(keyAt("sst/9.9")), warning(keyAt("ice/9.9"))];
    expect(left([here, there], [diagnostic(here, { covers: [causeOf(here)] })])).toEqual([there]);
    expect(left([here], [diagnostic(here, { covers: [causeOf(there)] })])).toEqual([here]);
  });

  it("of the whole set go where the text says the same of the whole set", () => {
    const unknown = finding("version-unknown", WHOLE_SET, { version: "2", raises: "ValueError" });
    expect(left([unknown], [diagnostic(unknown, { covers: [causeOf(unknown)] })])).toEqual([]);
  });

  it("names what it is about", () => {
    const [one] = listed({ diagnostics: [diagnostic(warning(keyAt("a/9")), { subject: "a/9" })] });
    expect(one?.said.message).toMatch(/^a\/9: The chunk's coordinates/);
    expect(one && whereOf(one)).toBe("line 1");
  });
});

it("tells what is said of several arrays in the same words as one, and keeps apart what is to stand alone", () => {
  const ofNodes = ["a", "b/c", "d"].map((path) =>
    finding("dimension-names-rank", nodeAt(path), { member: "_ARRAY_DIMENSIONS", names: 1, dimensions: 2 }),
  );
  const all = listed({ ofSet: ofNodes });
  const [one, ...others] = alikeAsOne(all, () => false);
  expect(others).toEqual([]);
  expect(whereOf(one!)).toBe("a and 2 more");
  expect(one!.found).toMatchObject({ count: 3, places: ofNodes.map(({ place }) => place) });
  expect(one!.alike).toEqual(all);
  expect(causesBySeverity(all)).toEqual({ errors: 0, warnings: 1, notes: 0 });
  expect(alikeAsOne(all, (each) => each === all[1])).toHaveLength(2);
});

/** Rules over counted sets: what they find, where it lies, and how much was looked at. */
import { describe, expect, it } from "vitest";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import type { DocumentSet } from "../engine-set.ts";
import { CONTEXT } from "../fixtures/plain-table.ts";
import { openSet } from "../open/kerchunk-json/open-document.ts";
import { textDocument } from "../chunk/sources.ts";
import { isCounted, runAll, runRules, type Checked } from "./count-rules.ts";
import type { Rule } from "./rule.ts";

async function open(refs: Readonly<Record<string, unknown>>): Promise<DocumentSet> {
  const text = JSON.stringify({ version: 1, refs });
  const opening = { locations: NO_LOCATIONS, network: {}, options: {}, context: CONTEXT };
  const opened = await openSet(textDocument(text, "x.json"), undefined, opening);
  if (opened.kind === "choose") throw new Error(opened.title);
  return opened.set;
}

async function check(refs: Readonly<Record<string, unknown>>, unlisted = false): Promise<Checked> {
  const { hierarchy, index, tally } = await open(refs);
  return runRules({ hierarchy, index, counts: tally, unlisted }, CONTEXT);
}

const zarray = (shape: readonly number[], fill: unknown = 0, dtype = "<i2") => {
  const rest = { compressor: null, filters: null, order: "C", fill_value: fill };
  return JSON.stringify({ zarr_format: 2, shape, chunks: shape.map(() => 1), dtype, ...rest });
};

const cells = (array: string, keys: readonly string[]) =>
  Object.fromEntries(keys.map((key) => [`${array}/${key}`, ["u", 0, 2]]));

const dimensions = (...names: readonly string[]) => JSON.stringify({ _ARRAY_DIMENSIONS: names });

describe("missing chunks", () => {
  it("are counted for each array, with the box that holds them and the dimensions that it cuts", async () => {
    const refs = { ...cells("a", ["0.0", "0.1", "0.2", "2.0", "2.1", "2.2", "3.0", "3.1", "3.2", "1.0"]) };
    const { findings } = await check({ "a/.zarray": zarray([4, 3]), "a/.zattrs": dimensions("time", "x"), ...refs });
    expect(findings).toMatchObject([
      {
        code: "chunks-missing",
        place: { kind: "node", path: "a" },
        facts: {
          missing: 2,
          chunks: 12,
          fill: "value",
          fillValue: "0",
          span: [
            { dimension: "time", from: 1, to: 1, chunks: 4 },
            { dimension: "x", from: 1, to: 2, chunks: 3 },
          ],
        },
        extent: { arrays: [{ array: "a", chunks: 2, from: [1, 1], to: [1, 2] }], moreArrays: 0 },
      },
    ]);
  });

  it("of a whole array have no span; strays fill no place", async () => {
    const { findings } = await check({
      "a/.zarray": zarray([2], null),
      "a/7": ["u", 0, 2],
      "b/.zarray": zarray([1], "x"),
      ...cells("c", ["0"]),
      "c/.zarray": zarray([1]),
    });
    expect(findings).toMatchObject([
      { place: { path: "a" }, facts: { missing: 2, span: [], fill: "null" }, extent: { arrays: [{ to: [1] }] } },
      { place: { path: "b" }, facts: { missing: 1, span: [], fill: "unfit", dtype: "<i2" } },
    ]);
  });

  it("of many arrays are one finding, with the first of them", async () => {
    const many = Array.from({ length: 30 }, (_, at) => [`a${at}/.zarray`, zarray([2])] as const);
    const { findings } = await check({ ...Object.fromEntries(many), "a0/0": ["u", 0, 2] });
    expect(findings).toMatchObject([
      { place: { kind: "set" }, facts: { missing: 59, arrays: 30 }, extent: { moreArrays: 10 } },
    ]);
    expect(findings[0]?.extent?.arrays[0]).toEqual({ array: "a0", chunks: 1, from: [1], to: [1] });
  });
});

it("sets without chunks or arrays, and null targets, are found where nothing else may be there", async () => {
  const codes = ({ findings }: Checked) => findings.map(({ code }) => code);
  expect(codes(await check({ "a/.zarray": zarray([1]) }))).toEqual(["no-chunks", "chunks-missing"]);
  expect(codes(await check({ ".zgroup": '{"zarr_format": 2}' }))).toEqual(["no-arrays"]);
  expect(codes(await check({ ".zgroup": '{"zarr_format": 2}' }, true))).toEqual([]);
  const { findings } = await check({ "a/.zarray": zarray([1]), "a/0": [null, 0, 2] });
  expect(findings).toMatchObject([{ code: "target-null", facts: { references: 1 } }]);
  expect(findings.every(isCounted)).toBe(true);
});

it("attributes of the CF conventions that mislead are found", async () => {
  const zattrs = '{"scale_factor": 0, "add_offset": 1}';
  const { findings } = await check({ "a/.zarray": zarray([1]), "a/.zattrs": zattrs, "a/0": ["u", 0, 2] });
  expect(findings).toMatchObject([{ code: "scaling-confusing", place: { path: "a" }, facts: { problem: "zero" } }]);
});

it("each rule says what it looked at", async () => {
  const { coverage } = await check({ "a/.zarray": zarray([2]), "b/.zarray": zarray([2]), "a/0": ["u", 0, 2] });
  expect(coverage).toEqual([
    { rule: "empty-set", unit: "sets", of: 1, lookedAt: 1, sampled: 0 },
    { rule: "cf-attributes", unit: "arrays", of: 2, lookedAt: 2, sampled: 0 },
    { rule: "levels", unit: "arrays", of: 2, lookedAt: 2, sampled: 0 },
    { rule: "missing-chunks", unit: "arrays", of: 2, lookedAt: 2, sampled: 0 },
    { rule: "null-targets", unit: "references", of: 1, lookedAt: 1, sampled: 0 },
  ]);
});

describe("a rule that cannot finish", () => {
  const broken = (error: Error): Rule => ({
    id: "broken",
    codes: [],
    run: () => {
      throw error;
    },
  });
  const whole: Rule = { id: "whole", codes: [], run: () => ({ unit: "sets", of: 1, lookedAt: 1, sampled: 0 }) };

  const run = async (error: Error) => {
    const { hierarchy, index, tally } = await open({ "a/.zarray": zarray([1]) });
    return runAll({ hierarchy, index, counts: tally, unlisted: false, arrays: [] }, [broken(error), whole], CONTEXT);
  };

  it("is named, and the others are run", async () => {
    const { findings, coverage } = await run(new RangeError("Invalid array length"));
    expect(findings).toMatchObject([
      { code: "unexpected", facts: { doing: 'The rule "broken" of the check', message: "Invalid array length" } },
    ]);
    expect(coverage).toMatchObject([
      { rule: "broken", lookedAt: 0 },
      { rule: "whole", lookedAt: 1 },
    ]);
  });

  it("because the user cancelled ends all", async () => {
    const cancelled = run(new DOMException("Cancelled", "AbortError"));
    await expect(cancelled).rejects.toThrow("Cancelled");
  });
});

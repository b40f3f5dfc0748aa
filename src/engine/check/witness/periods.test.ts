/** Daily steps in files that are named for months, against the lengths of these. */
import { expect, it } from "vitest";
import { explained } from "#core/findings/explain.ts";
import { inThread } from "#engine/chunk/chunk-decoder.ts";
import { CONTEXT } from "#engine/fixtures/plain-table.ts";
import { openMade, type RangeReference } from "#engine/repair/suggest/testing/damaged-set.ts";
import { arrayAt } from "../testing/made-set.ts";
import type { ArrayFacts } from "../values/value-facts.ts";
import { checkValues } from "../values/check-values.ts";
import { checkWitnesses } from "./check-witnesses.ts";
import { statedArray } from "./testing/stated-set.ts";

/** Days of each file, from the first of its month on. */
async function told(days: readonly number[], { year = 2020, calendar = "standard" } = {}) {
  const months = days.map((_, month) => (Date.UTC(year, month, 1) - Date.UTC(year, 0, 1)) / 86_400_000);
  const values = days.flatMap((count, month) => Array.from({ length: count }, (_, day) => (months[month] ?? 0) + day));
  const refs = {
    ".zgroup": { zarr_format: 2 },
    ...statedArray("time", { values, units: `days since ${year}-01-01`, calendar }),
    ...arrayAt("v", { shape: [values.length, 2], chunks: [1, 2], dimensions: ["time", "x"] }),
  };
  const texts = Object.entries(refs).map(([key, value]) => [
    key,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  const name = (month: number) => `rain_${year}${String(month + 1).padStart(2, "0")}.bin`;
  const chunks = days.flatMap((count, month) =>
    Array.from({ length: count }, (_, day): RangeReference => [name(month), 8 * day, 8]),
  );
  const references = {
    ...(Object.fromEntries(texts) as Record<string, string>),
    ...Object.fromEntries(chunks.map((reference, at) => [`v/${at}.0`, reference])),
  };
  const bytes = (count: number) => new Uint8Array(Float32Array.from({ length: 2 * count }, Math.sin).buffer);
  const set = await openMade({ references, files: new Map(days.map((count, month) => [name(month), bytes(count)])) });
  let facts: readonly ArrayFacts[] = [];
  await checkValues(set, { chunks: "all", decoder: inThread, onFacts: (all) => void (facts = all) }, CONTEXT);
  const request = { decoder: inThread, isPaid: true, isDeep: true, facts, before: [] };
  const { findings } = await checkWitnesses(set, request, CONTEXT);
  return findings.map((found) => explained(found)).flatMap((one) => (one.severity === "info" ? [] : [one.message]));
}

it("files that fill their months are silent, and so are the first and the last", async () => {
  expect(await told([31, 29, 31, 30])).toEqual([]);
  expect(await told([31, 28, 31, 30], { year: 2021 })).toEqual([]);
  expect(await told([31, 29, 31, 12])).toEqual([]);
});

it("a month without its last day is told", async () => {
  expect(await told([31, 28, 31, 30])).toEqual([
    "time says 28 (2020-02-01/2020-02-28), the file name “rain_202002.bin” says 29 (202002) (steps).",
  ]);
});

it("nothing is told of other calendars, or of files of which several are short", async () => {
  expect(await told([31, 28, 31, 30], { calendar: "noleap" })).toEqual([]);
  expect(await told([31, 20, 20, 30])).toEqual([]);
});

import { expect, it } from "vitest";
import type { Explained, SaidFinding } from "./explained.ts";
import type { Finding } from "./fact.ts";
import { oneCauseEach } from "./one-cause.ts";
import { chunkAt, type Place } from "./place.ts";

const at = (...coordinates: number[]): Place => chunkAt("sst", coordinates);

function said(code: string, places: readonly Place[], more: Partial<Explained>): SaidFinding {
  const [place = at(0)] = places;
  const found: Finding = { code, place, facts: {}, count: places.length, ...(places.length > 1 ? { places } : {}) };
  return { found, said: { severity: "warning", message: `${code}.`, title: code, ...more } as Explained };
}

const cause = (places: readonly Place[]) => said("range-overlaps", places, { causes: true });
const failed = (places: readonly Place[]) => said("decode-failed", places, { follows: true, severity: "error" });

it("a failed reading is evidence of the cause that is known, which is then certain", () => {
  const [one, ...rest] = oneCauseEach([cause([at(1)]), failed([at(1)])]);
  expect(rest).toEqual([]);
  expect(one).toMatchObject({
    found: { code: "range-overlaps", count: 1 },
    said: { severity: "error", message: "range-overlaps. decode-failed." },
  });
});

it("what else failed keeps its finding, with what is left of its places", () => {
  const all = oneCauseEach([cause([at(1)]), failed([at(0), at(1), at(2)])]);
  expect(all.map(({ found: { code, count, place, places } }) => [code, count, place, places?.length])).toEqual([
    ["range-overlaps", 1, at(1), undefined],
    ["decode-failed", 2, at(0), 2],
  ]);
});

it("places that were only counted stay", () => {
  const many = failed([at(1), at(2)]);
  const [, rest] = oneCauseEach([cause([at(1), at(2)]), { ...many, found: { ...many.found, count: 500 } }]);
  expect(rest?.found.count).toBe(498);
  const [, kept] = oneCauseEach([cause([at(1)]), { ...many, found: { ...many.found, count: 500 } }]);
  expect(kept?.found).toMatchObject({ count: 499, place: at(2) });
});

it("without a cause nothing changes", () => {
  const findings = [failed([at(1)]), said("chunks-missing", [at(1)], { severity: "info" })];
  expect(oneCauseEach(findings)).toBe(findings);
});

import { expect, it } from "vitest";
import { causesOf } from "./cause.ts";
import { explained } from "./explain.ts";
import { inWords } from "./explained.ts";
import type { Finding } from "./fact.ts";
import { chunkAt, type Place } from "./place.ts";

const at = (...coordinates: number[]): Place => chunkAt("sst", coordinates);

function found(code: string, places: readonly Place[]): Finding {
  const [place = at(0)] = places;
  const facts =
    code === "target-gone" ? { status: 404 } : { codec: "zlib", expected: "a header", found: "nothing of it" };
  return { code, place, facts, count: places.length, ...(places.length > 1 ? { places } : {}) };
}

const cause = (places: readonly Place[]) => found("target-gone", places);
const failed = (places: readonly Place[]) => found("decode-failed", places);

it("a failed reading is evidence of the cause that is known, which is then certain", () => {
  const [one, ...rest] = causesOf([cause([at(1)]), failed([at(1)])]);
  expect(rest).toEqual([]);
  expect(one).toMatchObject({ code: "target-gone", count: 1, evidence: { chunks: [at(1)] } });
  const said = inWords(one as Finding, explained);
  expect(said.failing).toEqual([at(1)]);
  expect(said.said.severity).toBe("error");
  expect(said.said.message).toContain(explained(failed([at(1)])).message);
});

it("what else failed keeps its finding, with what is left of its places", () => {
  const all = causesOf([cause([at(1)]), failed([at(0), at(1), at(2)])]);
  expect(all.map(({ code, count, place, places }) => [code, count, place, places?.length])).toEqual([
    ["target-gone", 1, at(1), undefined],
    ["decode-failed", 2, at(0), 2],
  ]);
});

it("places that were only counted stay", () => {
  const many = { ...failed([at(1), at(2)]), count: 500 };
  expect(causesOf([cause([at(1), at(2)]), many])[1]?.count).toBe(498);
  expect(causesOf([cause([at(1)]), many])[1]).toMatchObject({ count: 499, place: at(2) });
});

it("without a cause nothing changes", () => {
  const findings = [failed([at(1)]), found("decode-failed", [at(2)])];
  expect(causesOf(findings)).toBe(findings);
});

/** One fault is one finding: what reading gives of a chunk whose target is at fault is not told again. */
import { expect, it } from "vitest";
import { chunkAt, finding, type Finding, nodeAt } from "#core/findings/finding.ts";
import { zarrayWith } from "#core/testing/zarr-documents.ts";
import { CONTEXT } from "../fixtures/plain-table.ts";
import { together } from "../check/set-checks.ts";
import { openBeside } from "../check/testing/open-with-targets.ts";
import { checkSources } from "../check/sources/check-sources.ts";

const refs = { "a/.zarray": zarrayWith({ shape: [3], chunks: [1] }), "a/0": ["gone.nc", 0, 4], "a/1": ["a.nc", 0, 4] };

it("findings of reading are told only of chunks that sources did not explain", async () => {
  const set = await openBeside(refs, { "a.nc": new Uint8Array(4), "b.nc": "" });
  const sources = await checkSources(set, { limit: 10, written: Date.now() }, CONTEXT);
  expect(sources.explained).toEqual(new Map([["a", new Set([0])]]));
  const read = (at: number): Finding =>
    finding("short-read", chunkAt("a", [at]), { received: 1, length: 4, end: 4, size: 1 });
  const both = { ...read(0), places: [chunkAt("a", [0]), chunkAt("a", [1])], count: 2 };
  const ofArray = finding("no-values", nodeAt("a"), {});
  const values = { findings: [read(0), ofArray], rules: [], chunks: { of: 2, decoded: 1, failed: 1 } };
  const codes = (findings: readonly Finding[]) => findings.map(({ code }) => code);
  expect(codes(together(set, [sources, values]).findings)).toEqual(["target-missing", "no-values"]);
  const other = { ...values, findings: [both] };
  expect(codes(together(set, [sources, other]).findings)).toEqual(["target-missing", "short-read"]);
  expect(codes(together(set, [other]).findings)).toEqual(["short-read"]);
});

/** Manifests that are too large for their use. */
import { expect, it } from "vitest";
import type { Finding } from "#core/findings/finding.ts";
import { CONTEXT } from "#engine/fixtures/plain-table.ts";
import { manifestSizes } from "./array-metadata.ts";

async function found(references: number, manifests: number): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const pages = { unit: "manifest", count: manifests, cellsOf: () => references / manifests };
  const view = {
    set: { repository: {} },
    arrays: [{ path: "a" }],
    index: { arrayIds: new Map([["a", 0]]), paged: new Map([[0, { pages }]]) },
    counts: { arrays: new Map([["a", { references }]]) },
  };
  await manifestSizes.run(view as never, (one) => findings.push(one), CONTEXT);
  return findings;
}

it("one for all references of a large array is large; split ones are not", async () => {
  expect(await found(6_000_000, 1)).toMatchObject([
    { code: "icechunk-manifest-large", place: { path: "a" }, facts: { references: 6_000_000, manifests: 1 } },
  ]);
  expect(await found(6_000_000, 6)).toEqual([]);
  expect(await found(1000, 1)).toEqual([]);
});

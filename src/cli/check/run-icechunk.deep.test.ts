/** Icechunk's own library beside ours, on the sample; skipped where it is not here (REFSCOPE_ICECHUNK). */
import { expect, it } from "vitest";
import { CONTEXT } from "#engine/fixtures/plain-table.ts";
import { openSet } from "../open-refs.ts";
import { withIcechunkRun } from "./run-icechunk.ts";

const isHere = process.env.REFSCOPE_ICECHUNK !== undefined;
if (!isHere) console.log("REFSCOPE_ICECHUNK names no folder with Icechunk's library: it is not run.");

it.skipIf(!isHere)("finds the stored bytes of the sample's chunks to be the same", async () => {
  const repository = "public/samples/ocean.icechunk";
  const set = await openSet(repository, {}, CONTEXT);
  const verdict = { reader: { id: "icechunk" } } as Parameters<typeof withIcechunkRun>[0][number];
  const run = (await withIcechunkRun([verdict], repository, set, CONTEXT))[0]?.run;
  expect(run).toMatchObject({ different: 0, failed: 0, unjudged: 0 });
  expect(run?.same).toBe(run?.compared);
  expect(run?.same).toBeGreaterThan(10);
});

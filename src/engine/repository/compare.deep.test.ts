/** The laws of comparisons for every two snapshots of every recorded history that is here. */
import { describe, expect, it } from "vitest";
import { checkLaws, snapshotsIn } from "./testing/comparison-laws.ts";
import { historiesHere } from "./testing/histories.ts";
import { openRepositoryOf } from "./testing/open.ts";

const HISTORIES = historiesHere();
if (HISTORIES.length === 0) console.log("Skipped: there are no recorded histories here.");

describe.skipIf(HISTORIES.length === 0)("every two snapshots", () => {
  it.each(HISTORIES)("of %s", { timeout: 120_000 }, async (_name, read) => {
    const { files } = read();
    const repository = await openRepositoryOf(files);
    expect(await checkLaws(files, repository, await snapshotsIn(files, repository))).toBeGreaterThan(0);
  });
});

/** The planted fault of every recorded history, within its bound. */
import { describe, expect, it } from "vitest";
import { inThread } from "#engine/chunk/chunk-decoder.ts";
import type { TrueHistory } from "#engine/repository/blame/testing/histories.ts";
import { historiesHere } from "#engine/repository/testing/histories.ts";
import { CONTEXT, openSet } from "#engine/repository/testing/open.ts";
import { bisect } from "./bisect.ts";

const HISTORIES = historiesHere<TrueHistory>();
if (HISTORIES.length === 0) console.log("Skipped: there are no recorded histories here.");

describe.skipIf(HISTORIES.length === 0)("the first bad commit of", () => {
  it.each(HISTORIES)("%s", async (_name, read) => {
    const { files, truth } = read();
    const { code, array, first, before, snapshots } = truth.bisect;
    const found = await bisect(await openSet(files), { test: { kind: "finding", code, array } }, inThread, CONTEXT);
    expect(found).toMatchObject({
      outcome: "found",
      first: { commit: { id: first } },
      before: { commit: { id: before } },
    });
    expect(found.checks).toBeLessThanOrEqual(Math.ceil(Math.log2(snapshots)) + 1);
  });
});

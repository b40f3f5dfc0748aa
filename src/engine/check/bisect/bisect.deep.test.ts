/** The planted fault of every recorded history, within its bound. */
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { inThread } from "#engine/chunk/chunk-decoder.ts";
import { historyFolders, historiesIn, truthOf } from "#engine/repository/blame/testing/histories.ts";
import { CONTEXT, openSet } from "#engine/repository/testing/open.ts";
import { folderFiles } from "#formats/icechunk/testing/objects.ts";
import { bisect } from "./bisect.ts";

for (const folder of historyFolders()) {
  const names = historiesIn(folder);
  if (names.length === 0) console.log(`Skipped: there are no recorded histories in ${resolve(folder)}.`);
  describe.skipIf(names.length === 0)(`the histories of ${folder}`, () => {
    it.each(names)("%s", async (name) => {
      const { code, array, first, before, snapshots } = truthOf(folder, name).bisect;
      const set = await openSet(folderFiles(join(folder, name)));
      const found = await bisect(set, { test: { kind: "finding", code, array } }, inThread, CONTEXT);
      expect(found).toMatchObject({
        outcome: "found",
        first: { commit: { id: first } },
        before: { commit: { id: before } },
      });
      expect(found.checks).toBeLessThanOrEqual(Math.ceil(Math.log2(snapshots)) + 1);
    });
  });
}

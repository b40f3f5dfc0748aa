/** The blame of every chunk of recorded histories at every recorded snapshot, against what their players recorded. */
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { SHARED } from "#formats/icechunk/testing/objects.ts";
import { differencesIn, historiesIn, openHistory, truthOf } from "./testing/histories.ts";

const FOLDERS = [
  resolve(SHARED, "fixtures/icechunk-history"),
  ...(process.env["REFSCOPE_HISTORIES"] === undefined ? [] : [resolve(process.env["REFSCOPE_HISTORIES"])]),
];

for (const folder of FOLDERS) {
  const names = historiesIn(folder);
  if (names.length === 0) console.log(`Skipped: there are no recorded histories in ${folder}.`);
  describe.skipIf(names.length === 0)(`the histories of ${folder}`, () => {
    it.each(names)("%s", async (name) => {
      const { compared, differences } = await differencesIn(await openHistory(folder, name), truthOf(folder, name));
      expect(differences).toEqual([]);
      expect(compared).toBeGreaterThan(0);
    });
  });
}

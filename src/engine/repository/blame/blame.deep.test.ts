/** The blame of every chunk of recorded histories at every recorded snapshot, against what their players recorded. */
import { describe, expect, it } from "vitest";
import { differencesIn, historiesIn, historyFolders, openHistory, truthOf } from "./testing/histories.ts";

for (const folder of historyFolders()) {
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

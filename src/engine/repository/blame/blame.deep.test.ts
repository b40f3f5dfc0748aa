/** The blame of every chunk of recorded histories at every recorded snapshot, against what their players recorded. */
import { describe, expect, it } from "vitest";
import { repositoryOf } from "#engine/engine-set.ts";
import { historiesHere } from "../testing/histories.ts";
import { openSet } from "../testing/open.ts";
import { differencesIn, type TrueHistory } from "./testing/histories.ts";

const HISTORIES = historiesHere<TrueHistory>();
if (HISTORIES.length === 0) console.log("Skipped: there are no recorded histories here.");

describe.skipIf(HISTORIES.length === 0)("the blame of", () => {
  it.each(HISTORIES)("%s", async (_name, read) => {
    const { files, truth } = read();
    const { compared, differences } = await differencesIn(repositoryOf(await openSet(files)), truth);
    expect(differences).toEqual([]);
    expect(compared).toBeGreaterThan(0);
  });
});

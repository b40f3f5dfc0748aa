/**
 * Breakages that users reported, of which the smallest are kept with the project: each is named, its healthy twin is
 * not.
 */
import { join } from "node:path";
import { expect, it } from "vitest";
import { alarmsIn, checked, outcomeOf, wildSets } from "./testing/wild-sets.ts";

const FOLDER = join(import.meta.dirname, "fixtures/wild");

it.each(wildSets(FOLDER).map((entry) => [entry.id, entry] as const))(
  "%s is named, its twin is not",
  async (id, entry) => {
    const options = ["--network", "--deep", "all"];
    expect(outcomeOf(entry, await checked(entry, join(FOLDER, id), options))).toBe("named");
    const twin = await checked(entry, join(FOLDER, id, String(entry.healthy)), options);
    expect(alarmsIn(twin.findings)).toEqual([]);
  },
);

/**
 * Breakages that users reported, where they lie beside the project: which of them `check` names among its first two
 * problems, that it leads nobody to a wrong cause, and that it says nothing against their healthy twins. A few are kept
 * with the project (`wild.test.ts`).
 */
import { describe, expect, it } from "vitest";
import { checkWildSet, falseAlarms, WILD, wildSets } from "./testing/wild-sets.ts";

if (WILD.length === 0)
  console.log("The reported breakages do not lie beside the project: how many are named is not tested.");

/** Those that need not be named, and what would tell them: they must not mislead either. */
const NOT_NAMED: ReadonlyMap<string, string> = new Map();

const sets = WILD.flatMap(wildSets);

describe.skipIf(sets.length === 0)("reported breakages", () => {
  it.each(sets.map((entry) => [entry.id, entry] as const))(
    "%s",
    async (id, entry) => {
      const outcome = await checkWildSet(entry);
      if (NOT_NAMED.has(id)) expect(outcome).not.toBe("misled");
      else expect(outcome).toBe("named");
      if (NOT_NAMED.has(id) && outcome === "named") console.log(`${id} is named now: strike it from the list.`);
      expect(await falseAlarms(entry)).toEqual([]);
    },
    120_000,
  );

  it("are all of those that are known not to be named", () => {
    const ids = sets.map(({ id }) => id);
    expect([...NOT_NAMED.keys()].filter((id) => !ids.includes(id))).toEqual([]);
  });
});

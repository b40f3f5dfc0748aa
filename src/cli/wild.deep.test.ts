/**
 * Breakages that users reported, where they lie beside the project: which of them `check` names among its first two
 * problems, that it leads nobody to a wrong cause, and that it says nothing against their healthy twins. A few are kept
 * with the project (`wild.test.ts`).
 */
import { describe, expect, it } from "vitest";
import { areThere, checkWildSet, falseAlarms, wildSets } from "./testing/wild-sets.ts";

if (!areThere) console.log("The reported breakages do not lie beside the project: how many are named is not tested.");

/** Those that need not be named, and what would tell them: they must not mislead either. */
const NOT_NAMED: ReadonlyMap<string, string> = new Map([
  ["25-k584-extents-differ", "x and y in each file's own header"],
  ["29-xr11101-append-flips-level", "neighbouring steps, compared with one of them reversed"],
  ["37-icechunk367-big-endian", "what earlier versions of readers refuse"],
  ["39-fsspec1615-dict-templates", "what earlier versions of fsspec refuse"],
  ["45-k449-flaky-server", "refusals that were answered when asked again"],
  ["51-vole293-404-without-cors", "the CORS headers of a file that is not there"],
  ["53-ng651-preflight", "how the server answers a preflight"],
]);

/** What is said of twins all the same, and is so. */
const TRUE_OF_TWINS: ReadonlyMap<string, string> = new Map([
  // A real 0 among twelve values, with fill_value 0 and no _FillValue: xarray does mask it.
  ["39-fsspec1615-dict-templates", "warning fill-masks-values"],
]);

const sets = areThere ? wildSets() : [];

describe.skipIf(!areThere)("reported breakages", () => {
  it.each(sets.map((entry) => [entry.id, entry] as const))(
    "%s",
    async (id, entry) => {
      const outcome = await checkWildSet(entry);
      if (NOT_NAMED.has(id)) expect(outcome).not.toBe("misled");
      else expect(outcome).toBe("named");
      if (NOT_NAMED.has(id) && outcome === "named") console.log(`${id} is named now: strike it from the list.`);
      const known = TRUE_OF_TWINS.get(id);
      const alarms = await falseAlarms(entry);
      expect(alarms.filter((one) => known === undefined || !one.startsWith(known))).toEqual([]);
    },
    120_000,
  );

  it("are all of those that are known not to be named", () => {
    const ids = sets.map(({ id }) => id);
    expect([...NOT_NAMED.keys()].filter((id) => !ids.includes(id))).toEqual([]);
  });
});

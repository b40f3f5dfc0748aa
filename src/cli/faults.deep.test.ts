/**
 * Planted faults, where they lie beside the project: how many `check` names at their place, and that it raises no alarm
 * about sets that are odd but right. `tools/planted-faults.ts` lists them one by one.
 */
import { afterAll, describe, expect, it } from "vitest";
import { nodePool } from "./decode-threads.ts";
import { arePlanted, checkFaultSet, namedBy, plantedFaults } from "./testing/planted-faults.ts";
import type { CheckedFaultSet, FaultSet, Planted, Visible } from "./testing/planted-faults.ts";

if (!arePlanted) console.log("The planted faults do not lie beside the project: how many are named is not tested.");

const decoder = nodePool(0);
afterAll(() => {
  decoder.close();
});

describe.skipIf(!arePlanted)("planted faults", () => {
  it.each([
    ["references and metadata alone", "a", 0.97],
    ["sizes and headers of targets", "b", 0.97],
    ["decoding", "c", 0.97],
    ["comparing values", "d", 0.85],
  ] as const)(
    "visible by %s are named at their place",
    async (_, visible, share) => {
      const planted = await plantedFaults();
      const bases = new Map<string, CheckedFaultSet>();
      let [of, named] = [0, 0];
      for (const entry of planted.cases) {
        const faults = entry.faults.filter((fault) => fault.visible === visible);
        if (faults.length === 0) continue;
        const checked = await checkFaultSet(planted, entry, visible, decoder);
        const base = await baseOf(planted, entry, visible, bases);
        of += faults.length;
        named += faults.filter((fault) => namedBy(fault, checked, base) !== undefined).length;
      }
      console.log(`visible by “${visible}”: ${named} of ${of} named`);
      expect(named / of).toBeGreaterThanOrEqual(share);
    },
    300_000,
  );

  it("are not seen where sets are odd but right: no error, and at most one warning for most", async () => {
    const planted = await plantedFaults();
    const warnings: number[] = [];
    for (const control of planted.controls) {
      const isMade = "files" in control || "inPlace" in control;
      const entry = isMade ? control : planted.bases[control.base ?? ""];
      if (entry === undefined) throw new Error(`${control.id} is of no base`);
      const { report } = await checkFaultSet(planted, entry, control.visible, decoder);
      const errors = report.findings.filter(({ severity }) => severity === "error");
      expect(errors.map(({ code, message }) => `${control.id} ${code} ${message}`)).toEqual([]);
      warnings.push(report.findings.filter(({ severity }) => severity === "warning").length);
    }
    expect(warnings.toSorted((a, b) => a - b)[warnings.length >> 1]).toBeLessThanOrEqual(1);
  }, 300_000);
});

async function baseOf(
  planted: Planted,
  { base }: FaultSet,
  visible: Visible,
  known: Map<string, CheckedFaultSet>,
): Promise<CheckedFaultSet | undefined> {
  const entry = base === undefined ? undefined : planted.bases[base];
  if (base === undefined || entry === undefined) return undefined;
  const checked = known.get(base) ?? (await checkFaultSet(planted, entry, visible, decoder));
  known.set(base, checked);
  return checked;
}

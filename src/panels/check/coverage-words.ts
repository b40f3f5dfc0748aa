/** How much was looked at for the findings that there are. */
import type { Coverage, RuleCoverage } from "../../core/open-set.ts";
import { countOf, formatCount } from "../../widgets/number-format.ts";

const UNITS = ["arrays", "references", "targets", "chunks"] as const satisfies readonly Coverage["unit"][];

/** `Looked at 8 arrays and 3 of 121 references.` Of several rules, that counts which came least far. */
export function coverageWords(coverage: readonly RuleCoverage[]): string {
  const parts = UNITS.flatMap((unit) => {
    const [least] = coverage.filter((one) => one.unit === unit).toSorted((a, b) => reached(a) - reached(b));
    return least === undefined || least.of === 0 ? [] : [part(least, unit.slice(0, -1))];
  });
  return parts.length === 0 ? "" : `Looked at ${parts.join(" and ")}.`;
}

const reached = ({ lookedAt, sampled }: Coverage): number => lookedAt + sampled;

function part(coverage: Coverage, unit: string): string {
  const { of, sampled } = coverage;
  const all =
    reached(coverage) === of ? countOf(of, unit) : `${formatCount(reached(coverage))} of ${countOf(of, unit)}`;
  return sampled === 0 ? all : `${all}, ${formatCount(sampled)} of them judged by a sample`;
}

/** What is known of the set, as a report takes it along. */
import type { Acceptance } from "../../core/acceptance.ts";
import { outgrownOf } from "../../core/accepted.ts";
import type { Remedy } from "../../core/access/server-remedies.ts";
import type { Finding } from "../../core/findings/fact.ts";
import type { ReaderVerdict } from "../../core/readers/verdict.ts";
import { readerReport } from "../../core/report/readers.ts";
import { reportOf, type CheckReport, type KnownBeside } from "../../core/report/report.ts";
import type { NodesByPath } from "./chunk-of-key.ts";
import { saidFinding, type ListedFinding } from "./findings.ts";
import type { KnownVerdict } from "./use-verdict.ts";

export interface ReportedFindings {
  readonly known: KnownVerdict;
  readonly findings: readonly ListedFinding[];
  readonly nodes: NodesByPath;
  /** Of the findings: what reaches further than was set aside. */
  readonly outgrown: ReadonlyMap<ListedFinding, Acceptance> | undefined;
  /** All, where they were compared. */
  readonly readers: readonly ReaderVerdict[];
  /** What is offered beside a finding. Absent: nothing. */
  readonly remediesOf?: (found: Finding) => readonly Remedy[];
}

export function setReport({ known, findings, nodes, outgrown, readers, remediesOf }: ReportedFindings): CheckReport {
  const { verdict, checked, known: accepted } = known;
  const listed = new Map(findings.map((one) => [saidFinding(one), one]));
  const beside = (one: ListedFinding | undefined): KnownBeside => {
    const acceptance = one && outgrown?.get(one);
    const remedies = (one && remediesOf?.(one.finding)) ?? [];
    return {
      ...(remedies.length === 0 ? {} : { remedies }),
      ...(acceptance === undefined ? {} : { outgrown: outgrownOf(acceptance) }),
    };
  };
  const keysOf = (array: string) => nodes.get(array)?.keys;
  const told = { verdict, checked, accepted, readers: readers.map(readerReport) };
  return reportOf(told, [...listed.keys()], keysOf, (one) => beside(listed.get(one)));
}

/** What the page offers beside a cause, for a terminal: what to configure, to try by hand, and to write in Python. */
import { accessRemedy, findingRemedies, isRefused } from "../core/access/finding-remedies.ts";
import type { Remedy } from "../core/access/server-remedies.ts";
import type { CallContext } from "../core/byte-source.ts";
import type { SaidFinding } from "../core/findings/explained.ts";
import type { Finding } from "../core/findings/finding.ts";
import type { CheckFinding } from "../core/report/report.ts";
import type { TargetReport } from "../core/target-probe.ts";
import { accessFacts } from "../engine/check/sources/access-facts.ts";
import type { EngineSet } from "../engine/engine-set.ts";
import { paint, printable, printableLines } from "./lines.ts";

/** What is known of the targets of a set. */
interface Asked {
  readonly set: EngineSet;
  readonly findings: readonly Finding[];
  readonly reports: readonly TargetReport[];
  readonly origin: string;
}

export type RemediesOf = (one: SaidFinding) => readonly Remedy[];

export async function remediesFor(asked: Asked, context: CallContext): Promise<RemediesOf> {
  const { reports, origin } = asked;
  const addresses = new Map(reports.map(({ target, probe }) => [target, probe?.url]));
  const python = await pythonRemedy(asked, context);
  return ({ found }) => {
    const { likely = [], lines = [] } = findingRemedies(found, origin, (target) => addresses.get(target)) ?? {};
    return [...likely, ...lines, ...(python !== undefined && isRefused(found) ? [python] : [])];
  };
}

/** Where a target that was asked refuses; where none was asked, nothing shows which access it wants. */
async function pythonRemedy({ set, findings, reports }: Asked, context: CallContext): Promise<Remedy | undefined> {
  if (reports.length === 0 || !findings.some(isRefused)) return undefined;
  try {
    return accessRemedy(await accessFacts(set, reports, context), reports.length);
  } catch {
    // The log of a repository, which names its containers, may be what cannot be read: that is a finding of its own.
    context.signal.throwIfAborted();
    return undefined;
  }
}

/** Lines for people: of several configurations the likeliest, and none that was printed before. */
export function remedyLines({ remedies = [] }: CheckFinding, printed: Set<string>): readonly string[] {
  const [first] = remedies;
  const shown = remedies.filter((one) => one === first || isForAll(one));
  return shown.flatMap((remedy) => {
    const { title, text } = remedy;
    const isPrinted = printed.has(text);
    printed.add(text);
    if (isPrinted) return [`    ${paint("info", printable(`${title}: as above.`))}`];
    if (!text.includes("\n")) return [`    ${paint("info", `${printable(title)}:`)} ${printable(text)}`];
    const lines = printableLines(text).split("\n");
    return [
      `    ${paint("info", `${printable(title)}:`)}`,
      ...lines.map((line) => (line === "" ? "" : `      ${line}`)),
    ];
  });
}

const isForAll = ({ id }: Remedy): boolean => id === "curl" || id === "doctor" || id === "python";

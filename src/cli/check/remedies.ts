/**
 * Remedies that the page offers beside a cause, for a terminal: configuration, requests to try by hand, lines of
 * Python.
 */
import type { AccessFacts } from "#core/access/access-recipe.ts";
import { isRefused, remediesFor } from "#core/access/finding-remedies.ts";
import type { Remedy } from "#core/access/server-remedies.ts";
import { addressOf, type CallContext } from "#core/byte-source.ts";
import type { TargetReport } from "#core/check/target-probe.ts";
import type { SaidFinding } from "#core/findings/explained.ts";
import type { Finding } from "#core/findings/finding.ts";
import type { CheckFinding } from "#core/report/report.ts";
import { accessFacts } from "#engine/check/sources/access-facts.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { paint, printable, printableLines } from "../print/lines.ts";

/** Facts about the targets of a set. */
interface Asked {
  readonly set: EngineSet;
  readonly findings: readonly Finding[];
  readonly reports: readonly TargetReport[];
  readonly origin: string;
}

export type RemediesOf = (one: SaidFinding) => readonly Remedy[];

export async function remediesOfSet(asked: Asked, context: CallContext): Promise<RemediesOf> {
  const { reports, origin } = asked;
  const addresses = new Map(reports.map(({ target, probe }) => [target, probe?.url]));
  const access = await knownAccess(asked, context);
  const options = { asked: Math.max(1, reports.length), addressOf: (target: string) => addresses.get(target) };
  return ({ found }) => remediesFor(found, origin, access, options);
}

/** Access that a refusing target needs; if none refuses, nothing shows it. */
async function knownAccess({ set, findings, reports }: Asked, context: CallContext): Promise<AccessFacts | undefined> {
  const refused = findings.filter(isRefused);
  if (refused.length === 0) return undefined;
  try {
    return await accessFacts(set, reports.length > 0 ? reports : refusedTargets(set, refused), context);
  } catch {
    // The log of a repository, which names its containers, may be what cannot be read: that is a finding of its own.
    context.signal.throwIfAborted();
    return undefined;
  }
}

/** Targets that are looked at; those of a set nearly always share a place. */
const MAX_LOOKED_AT = 10_000;

export const lookedAt = ({ table }: EngineSet): readonly string[] =>
  Array.from({ length: Math.min(table.targets.count, MAX_LOOKED_AT) }, (_, id) => table.targets.text(id));

/** No target was asked, but chunks were read: their answers, at the targets as references name them. */
function refusedTargets(set: EngineSet, refused: readonly Finding[]): readonly SeenTarget[] {
  const statuses = new Map<string, number>();
  for (const { facts, place, places = [place] } of refused) {
    for (const one of places) if (one.kind === "target") statuses.set(one.target, Number(facts["status"]));
  }
  return lookedAt(set).map((target) => {
    const url = addressOf(set.targets.resolve(target)) ?? target;
    const status = statuses.get(url);
    const nothing = { requests: 0, attempts: 1, bytesReceived: 0, milliseconds: 0 };
    return status === undefined ? { target } : { target, probe: { ...nothing, url, status } };
  });
}

type SeenTarget = Parameters<typeof accessFacts>[1][number];

/**
 * Lines for people, none twice: what `doctor` says of an address (how to configure its server, what to try by hand) it
 * says there.
 */
export function remedyLines({ remedies = [] }: CheckFinding, printed: Set<string>): readonly string[] {
  return remedies.filter(isPrintedHere).flatMap((remedy) => {
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

const isPrintedHere = ({ id }: Remedy): boolean => id === "doctor" || id === "python";

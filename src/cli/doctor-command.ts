/** `doctor`: why a URL cannot be read, or what may not be readable by a page; a terminal knows for certain. */
import { corsRemedies, curlLine, type Remedy } from "../core/access/server-remedies.ts";
import { explained } from "./print/explained.ts";
import { SEVERITIES } from "../core/findings/explained.ts";
import { type Finding, RefscopeError } from "../core/findings/finding.ts";
import { NO_LOCATIONS } from "../core/byte-source.ts";
import { resolveTarget } from "../io/resolve.ts";
import { checkFinding } from "../core/report/report.ts";
import { originOf, type CommandOptions } from "./options.ts";
import { examine, type Examination } from "./doctor/examine.ts";
import { findingsOf } from "./doctor/findings.ts";
import { examinationLines } from "./doctor/words.ts";
import { findingLines } from "./print/finding-lines.ts";
import { jsonByName } from "./print/finding-json.ts";
import { aligned, paint, printable, printableLines } from "./print/lines.ts";
import { terminalContext } from "./open-refs.ts";

/** 0 where a page could read it, 1 where something stands in the way, 2 where it is no address. */
export async function doctorCommand(urls: readonly string[], options: CommandOptions): Promise<number> {
  const context = terminalContext();
  const origin = originOf(options);
  const answers: Examined[] = [];
  for (const url of urls) {
    const of = await examine(url, addressOf(url, options), origin, context);
    const findings = findingsOf(of);
    const answer = { of, findings, remedies: remediesFor(of, findings) };
    answers.push(answer);
    if (!options.json) print(answer);
  }
  if (options.json) console.log(jsonByName(new Map(answers.map((answer) => [answer.of.given, asJson(answer)]))));
  return answers.some(({ findings }) => findings.some(isInTheWay)) ? 1 : 0;
}

interface Examined {
  readonly of: Examination;
  readonly findings: readonly Finding[];
  readonly remedies: readonly Remedy[];
}

const isInTheWay = (found: Finding): boolean => explained(found).severity !== "info";

/** Addresses of buckets are those that a page would ask. Throws where it is none. */
function addressOf(given: string, { region }: CommandOptions) {
  const found = resolveTarget(
    given,
    { kind: "url", url: given },
    { ...NO_LOCATIONS, allowPrivate: true, region },
    undefined,
  );
  if (found.kind === "url") return found;
  if (found.kind === "unresolved") throw new RefscopeError(found.finding);
  throw new TypeError("A file was found where none were given.");
}

function remediesFor({ url, origin }: Examination, findings: readonly Finding[]): readonly Remedy[] {
  const curl = { id: "curl", title: "The same by hand", text: curlLine(url, origin) } as const;
  const isCors = findings.some(({ code }) => code === "cors-absent");
  return [...(isCors ? corsRemedies(url) : []), curl];
}

function asJson({ of, findings, remedies }: Examined) {
  const { url, given, origin, connection, trace, probe, preflight, head, region } = of;
  return {
    url: given,
    address: url,
    origin,
    connection,
    redirects: (trace?.hops ?? []).flatMap(({ status, location }) =>
      location === undefined ? [] : [{ status, location }],
    ),
    ...(probe === undefined ? {} : { answer: { ...probe, failure: probe.failure?.code } }),
    ...(preflight === undefined ? {} : { preflight }),
    ...(head === undefined ? {} : { head }),
    ...(region === undefined ? {} : { region }),
    findings: findings
      .map((found) => checkFinding({ found, said: explained(found) }, undefined))
      .toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity)),
    remedies,
  };
}

function print({ of, findings, remedies }: Examined): void {
  console.log(paint("heading", printable(of.given)));
  for (const line of aligned(examinationLines(of).map((cells) => [...cells]))) console.log(`  ${line}`);
  for (const line of findingLines(findings)) console.log(`  ${line}`);
  const advice = new Set(findings.flatMap((found) => explained(found).remedy ?? []));
  for (const one of advice) console.log(`  ${printable(one)}`);
  for (const { title, text } of remedies) console.log(`\n${paint("heading", `# ${title}`)}\n${printableLines(text)}`);
}

/** `preflight`: whether data files are one dataset. `combine`: references to all of them as one. */
import { readFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { type Acceptance, parseAcceptances } from "#core/check/acceptance.ts";
import { outgrownOf, unusedFinding, withoutAccepted } from "#core/check/accepted.ts";
import { barrierOf, BARRIERS, isLoss, mayBeAccepted, stopsCombining, verdictOf } from "#core/check/preflight.ts";
import type { Preflight } from "#core/check/preflight.ts";
import { inWords, type SaidFinding } from "#core/findings/explained.ts";
import type { Finding } from "#core/findings/finding.ts";
import { inlineText, markdownFindings } from "#core/report/markdown.ts";
import { checkFinding, type ReportedFindings } from "#core/report/report.ts";
import { count, listed } from "#core/words.ts";
import { combinedWords } from "#core/words/combined-words.ts";
import { inThread } from "#engine/chunk/chunk-decoder.ts";
import { eachAtOnce } from "#engine/kept.ts";
import { dataFile } from "#engine/open/drivers.ts";
import { listedFiles } from "#engine/open/candidates.ts";
import { combine } from "#engine/preflight/combine.ts";
import { AT_ONCE, examine, type Examined } from "#engine/preflight/preflight.ts";
import type { GivenFile } from "#engine/preflight/sourced-file.ts";
import { githubText, sarifText } from "../check/formats.ts";
import { reportedLines } from "../check/text.ts";
import { columns, fitted } from "../print/columns.ts";
import { filesOfDirectory } from "../directory.ts";
import { explained } from "../print/explained.ts";
import { printableJson } from "../print/finding-json.ts";
import { paint, printable, printableLines } from "../print/lines.ts";
import { isUrl, networkOf, openSet, terminalContext } from "../open-refs.ts";
import { type CheckFormat, type CommandOptions, locationsOf } from "../options.ts";
import { Output } from "../print/output.ts";
import { writeOut } from "../write-out.ts";

export async function preflightCommand(refs: readonly string[], options: CommandOptions): Promise<number> {
  const { answer, judged } = await examined(refs, options);
  console.log(PRINTED[formatOf(options)](answer, judged));
  return judged.stops ? 1 : losses(judged);
}

/** 1 where a variable has no references, or such as Python does not read: stderr names it, whatever stdout has. */
function losses({ report: { findings } }: Judged): number {
  const those = findings.filter(isLoss);
  for (const { code, array = "", message } of those) console.error(printable(`warning ${code}: ${array}: ${message}`));
  return those.length > 0 ? 1 : 0;
}

export async function combineCommand(refs: readonly string[], options: CommandOptions): Promise<number> {
  const { answer, judged, ...found } = await examined(refs, options);
  const format = formatOf(options);
  if (judged.stops) {
    const text = PRINTED[format](answer, judged);
    if (format === "text") console.error(text);
    else console.log(text);
    return 1;
  }
  const combined = await combine({ answer, ...found }, inThread, terminalContext());
  const { out } = options;
  const status = losses(judged);
  if (out === undefined) {
    const output = new Output(process.stdout);
    for (const piece of combined.text()) await output.write(piece);
    await output.end();
    return status;
  }
  await writeOut(out, combined.text(), options);
  const done = [...combined.notes, `Written: ${out}`].map(printable);
  if (format === "json") console.log(printableJson({ written: out, ...contract(answer, judged) }));
  else console.log(PRINTED[format](answer, judged) + (format === "text" ? `\n${done.join("\n")}` : ""));
  return status;
}

const formatOf = ({ format, json }: CommandOptions): CheckFormat => format ?? (json === true ? "json" : "text");

/** Report without the findings that were accepted. */
interface Judged {
  readonly report: ReportedFindings;
  /** Findings that hold, in the order of the report: also accepted ones that stop combining none the less. */
  readonly barriers: readonly Finding[];
  readonly verdict: Preflight["verdict"];
  /** The files cannot be combined. */
  readonly stops: boolean;
  /** The report by the first file that each finding names. */
  readonly byFile: readonly (readonly [name: string, report: ReportedFindings])[];
}

function judge({ findings, files }: Preflight, acceptances: readonly Acceptance[], folder: string): Judged {
  const said = findings.map((one) => inWords(one, explained));
  const inReport = (one: SaidFinding) => checkFinding(one, undefined);
  const { rest, accepted, outgrown, unmet } = withoutAccepted(said, acceptances, inReport);
  const unused = unmet.filter(({ code }) => Object.hasOwn(BARRIERS, code)).map((one) => unusedFinding(one));
  const open = [...rest, ...unused.map((one) => inWords(one, explained))].map((one) => {
    const known = outgrown.get(one);
    return { one, found: { ...inReport(one), ...(known === undefined ? {} : { outgrown: outgrownOf(known) }) } };
  });
  const aside = accepted.map(({ one, found, acceptance: { reason, date } }) => ({
    one,
    found: { ...found, reason, date },
  }));
  const standing = new Set([
    ...rest.map(({ found }) => found),
    ...accepted.flatMap(({ one: { found } }) => (mayBeAccepted(found) ? [] : [found])),
  ]);
  const barriers = findings.filter((one) => standing.has(one));
  const nameOf = ({ one }: { readonly one: SaidFinding }) => {
    const [name = files[0]?.name ?? ""] = (one.found.facts["files"] ?? []) as readonly string[];
    return isUrl(name) ? name : resolve(folder, name);
  };
  const names = new Set([...open, ...aside].map(nameOf));
  const reportOf = (is: (one: { readonly one: SaidFinding }) => boolean): ReportedFindings => ({
    findings: open.filter(is).map(({ found }) => found),
    ...(aside.some(is) ? { accepted: aside.filter(is).map(({ found }) => found) } : {}),
  });
  return {
    report: reportOf(() => true),
    barriers,
    verdict: verdictOf(barriers),
    stops: barriers.some(stopsCombining),
    byFile: [...names].map((name) => [name, reportOf((one) => nameOf(one) === name)] as const),
  };
}

/** `barriers`: the findings that hold, as they were told before they were findings. */
const contract = (answer: Preflight, { verdict, barriers, report }: Judged): object => ({
  ...answer,
  verdict,
  barriers: barriers.map((one) => barrierOf(one, explained)),
  ...report,
});

const PRINTED: Readonly<Record<CheckFormat, (answer: Preflight, judged: Judged) => string>> = {
  text: (answer, judged) => answerLines(answer, judged).join("\n"),
  json: (answer, judged) => printableJson(contract(answer, judged)),
  sarif: (_, { byFile }) => sarifText(byFile),
  github: (_, { byFile }) => githubText(byFile),
  markdown: (answer, judged) =>
    printableLines([`## ${inlineText(headline(answer, judged))}`, "", ...markdownFindings(judged.report)].join("\n")),
};

/** References name files below the document's folder from there, others by their full path. */
async function examined(
  refs: readonly string[],
  options: CommandOptions,
): Promise<Examined & { readonly judged: Judged }> {
  const { accept } = options;
  const acceptances = accept === undefined ? [] : parseAcceptances(await readFile(accept, "utf8"));
  const folder = options.out === undefined ? process.cwd() : dirname(resolve(options.out));
  const paths = (await Promise.all(refs.map((given) => pathsOf(given, options)))).flat();
  if (paths.length === 0) throw new Error(`No data file is in ${refs.join(", ")}.`);
  const given: GivenFile[] = [];
  const context = terminalContext();
  await eachAtOnce([...paths.entries()], AT_ONCE, async ([at, path]) => {
    const below = relative(folder, resolve(path)).split(sep).join("/");
    const name = isUrl(path) ? path : below.startsWith("../") ? resolve(path) : below;
    given[at] = { name, set: await openSet(path, options, context) };
  });
  const found = await examine(given, options, inThread, context);
  return { ...found, judged: judge(found.answer, acceptances, folder) };
}

/** Data files of a folder, or of a pattern in an address. */
async function pathsOf(given: string, options: CommandOptions): Promise<readonly string[]> {
  if (isUrl(given)) {
    const [locations, network, context] = [locationsOf(options), networkOf(given, options), terminalContext()];
    const files = await listedFiles(given, { locations, network, context });
    return files?.list.map((name) => files.urlOf?.(name) ?? name) ?? [given];
  }
  const inside = await filesOfDirectory(given);
  if (inside === undefined) return [given];
  return inside.list.filter((path) => dataFile.document?.names.test(path)).map((path) => join(given, path));
}

const MOST_LISTED = 12;

const headline = (answer: Preflight, { verdict, barriers }: Judged): string =>
  combinedWords({ ...answer, verdict, findings: barriers }, answer.files.length);

const TONES = { yes: "good", no: "error", if: "warning" } as const;

function answerLines(answer: Preflight, judged: Judged): readonly string[] {
  const { along, files, notCompared } = answer;
  const placed = files.flatMap(({ name, variables }) => {
    const values = variables.find(({ path }) => path === along)?.values;
    return values === undefined
      ? []
      : [printable(`  ${basename(name)}: ${[...new Set([values.first, values.last])].join(" to ")}`)];
  });
  const accepted = (judged.report.accepted ?? []).map(
    ({ code, array = "", reason, date }) => `Accepted on ${date}: ${[code, array].join(" ").trim()}: ${reason}`,
  );
  const refused = judged.barriers.filter((one) => stopsCombining(one) && !mayBeAccepted(one)).map(({ code }) => code);
  const isInVain = ({ code }: { readonly code: string }) => refused.includes(code);
  const vain = (judged.report.accepted ?? []).filter(isInVain).map(({ code }) => code);
  const wrapped = (text: string) => fitted(printable(text), columns(), "  ");
  return [
    paint(TONES[judged.verdict], printable(headline(answer, judged))),
    ...placed.slice(0, MOST_LISTED),
    ...(placed.length > MOST_LISTED ? [`  … and ${count(placed.length - MOST_LISTED)} more`] : []),
    ...reportedLines(judged.report),
    ...accepted.flatMap(wrapped),
    ...(vain.length === 0 ? [] : wrapped(`Accepting ${listed(vain)} does not make the files one dataset.`)),
    ...(notCompared.length === 0 ? [] : wrapped(`Too large to be compared: ${listed(notCompared)}.`)),
  ];
}

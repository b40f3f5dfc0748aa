/** Findings for programs and code hosts: the same of a dataset, and of files that may be one. */
import { isAbsolute, relative } from "node:path";
import { inTerminal } from "#core/findings/catalogue/in-terminal.ts";
import { entryOf } from "#core/findings/catalogue/index.ts";
import { describeCode } from "#core/findings/code-list.ts";
import { githubLines } from "#core/report/github.ts";
import type { ReportedFindings } from "#core/report/report.ts";
import { sarifReport } from "#core/report/sarif.ts";
import { VERSION } from "#core/version.ts";
import { printableJson } from "../print/finding-json.ts";
import { visible } from "../print/lines.ts";

type Named = readonly [name: string, report: ReportedFindings];

export const sarifText = (reports: readonly Named[]): string =>
  printableJson(
    sarifReport(
      reports.map(([name, report]) => ({ name: inProject(name), report })),
      VERSION,
      (code) => entryOf(code)?.title,
      helpOf,
    ),
  );

export const githubText = (reports: readonly Named[]): string =>
  reports.flatMap(([name, report]) => githubLines(inProject(name), report).map(visible)).join("\n");

/** Help for a code: the example's sentences on the fix and the readers that name none of its numbers and names. */
function helpOf(code: string): string | undefined {
  const { remedy = "", readers } = describeCode(code) ?? {};
  if (readers === undefined) return undefined;
  const general = `${inTerminal(remedy)} ${readers}`.split(/(?<=\.) /).filter((sentence) => !/[\d“]/.test(sentence));
  return general.join(" ").trim();
}

/** Code hosts know files by their paths in the project, where the command runs. */
function inProject(name: string): string {
  const path = isAbsolute(name) ? relative(process.cwd(), name) : name;
  return path.startsWith("..") || isAbsolute(path) ? name : path;
}

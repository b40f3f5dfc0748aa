/** What `check` prints: for people, for programs, for code hosts. */
import { count, counted } from "../core/words.ts";
import { together } from "../core/findings/alike.ts";
import { QUESTIONS } from "../core/question.ts";
import { githubLines } from "../core/report/github.ts";
import { markdownReport } from "../core/report/markdown.ts";
import { outgrownWords } from "../core/report/outgrown-words.ts";
import { likenessInReport, type CheckFinding } from "../core/report/report.ts";
import { sarifReport } from "../core/report/sarif.ts";
import { ANSWER_WORDS, QUESTION_WORDS } from "../core/verdict-words.ts";
import type { Report } from "./check-outcome.ts";
import { remedyLines } from "./check-remedies.ts";
import { readerLines } from "./reader-lines.ts";
import type { CheckFormat } from "./options.ts";
import { aligned, paint, printable, printableJson, printableLines, visible } from "./lines.ts";
import { VERSION } from "../core/version.ts";

type Named = readonly [name: string, report: Report];

const PRINTED: Readonly<Record<CheckFormat, (reports: readonly Named[]) => string>> = {
  text: (reports) => reports.flatMap(textLines).join("\n"),
  json: (reports) => printableJson(jsonOf(reports)),
  sarif: (reports) =>
    printableJson(
      sarifReport(
        reports.map(([name, report]) => ({ name, report })),
        VERSION,
      ),
    ),
  github: (reports) => reports.flatMap(([name, report]) => githubLines(name, report).map(visible)).join("\n"),
  markdown: (reports) =>
    reports
      .map(([name, report]) => markdownReport(name, report.headline, report))
      .map(printableLines)
      .join("\n"),
};

export function printReports(reports: readonly Named[], format: CheckFormat): void {
  const text = PRINTED[format](reports);
  if (text !== "") console.log(text);
}

/** What was accepted and what readers were asked about stand beside the findings, where there are any. */
function contract({ verdict, findings, checked, accepted, readers }: Report): object {
  return {
    verdict,
    findings,
    checked,
    ...(readers.length === 0 ? {} : { readers }),
    ...(accepted === undefined ? {} : { accepted }),
  };
}

function jsonOf(reports: readonly Named[]): object | undefined {
  const [only] = reports;
  if (reports.length === 1 && only !== undefined) return contract(only[1]);
  return Object.fromEntries(reports.map(([name, report]) => [name, contract(report)]));
}

const TONES = { yes: "good", no: "error", partly: "warning", "not-checked": "info" } as const;
const SIGNS = { yes: "✓", no: "✕", partly: "◐", "not-checked": "○" } as const;

/** The verdict first, then what is wrong, the worst first. */
function textLines([name, report]: Named): readonly string[] {
  const { verdict, findings, headline, loss, accepted = [], readers } = report;
  const answers = QUESTIONS.map((question) => {
    const { answer, why } = verdict[question];
    return { tone: TONES[answer], cells: [`${SIGNS[answer]} ${QUESTION_WORDS[question]}`, ANSWER_WORDS[answer], why] };
  });
  const printed = new Set<string>();
  const causes = together(findings, likenessInReport);
  const lines = aligned(answers.map(({ cells }) => cells));
  return [
    paint("heading", printable(`${name}: ${headline}`)),
    ...(loss === "" ? [] : [`  ${printable(loss)}`]),
    "",
    ...lines.map((line, at) => `  ${paint(answers[at]?.tone ?? "info", line)}`),
    "",
    ...causes.flatMap(([first, ...others]) => findingLines(first, others, printed)),
    ...(causes.length === 0 ? [] : [`  ${totals(causes.map(([first]) => first))}`]),
    ...(accepted.length === 0 ? [] : [`  ${counted(accepted.length, "accepted finding")}`]),
    ...(readers.length === 0 ? [] : readerLines(readers)),
    "",
  ];
}

/** Chunks that are named. */
const MAX_CHUNKS = 4;

function findingLines(found: CheckFinding, others: readonly CheckFinding[], printed: Set<string>): readonly string[] {
  const { severity, code, cause, message, advice, count: times } = found;
  const where = [whereOf(found), ...moreNodes(others)].join("");
  const outgrown = outgrownWords(found);
  const often = times > 1 ? ` (${count(times)} times)` : "";
  const head = `${paint(severity, severity === "info" ? "note" : severity)} ${paint("heading", printable(cause))}`;
  return [
    `  ${head}${printable(`${where === "" ? "" : ` · ${where}`}${often}`)} ${paint("info", `[${code}]`)}`,
    `    ${printable(message)}`,
    ...(outgrown === undefined ? [] : [`    ${printable(outgrown)}`]),
    ...(advice === undefined ? [] : [paint("info", `    ${printable(advice)}`)]),
    ...remedyLines(found, printed),
  ];
}

function whereOf({ array, key, target, chunks = [] }: CheckFinding): string {
  const named = chunks.slice(0, MAX_CHUNKS).map(String);
  const more = chunks.length > MAX_CHUNKS ? ["…"] : [];
  const place = named.length > 0 ? [...named, ...more].join(", ") : (key ?? (array === "" ? "/" : array));
  return [place, target].filter((part) => part !== undefined && part !== "").join(" · ");
}

/** Nodes that are named besides the first. */
const MAX_NODES = 3;

function moreNodes(others: readonly CheckFinding[]): readonly string[] {
  const named = others.slice(0, MAX_NODES).map(({ array }) => (array === "" ? "/" : array));
  const rest = others.length - named.length;
  return [...named.map((name) => `, ${name}`), ...(rest === 0 ? [] : [` and ${rest} more`])];
}

function totals(findings: readonly CheckFinding[]): string {
  const of = (severity: CheckFinding["severity"]) => findings.filter((one) => one.severity === severity).length;
  return [counted(of("error"), "error"), counted(of("warning"), "warning"), counted(of("info"), "note")].join(", ");
}

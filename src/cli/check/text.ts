/** Prints `check` for people: the verdict first, then the problems, the worst first, in lines that fit the terminal. */
import type { Answer, Checked } from "#core/check/check.ts";
import { comparisonWords, isComparison, QUANTITY_WORDS } from "#core/check/compared-words.ts";
import { type Question, QUESTIONS } from "#core/check/question.ts";
import { ANSWER_WORDS } from "#core/check/verdict-words.ts";
import { sourceText } from "#core/findings/catalogue/witness.ts";
import { together } from "#core/findings/finding.ts";
import { outgrownWords, likenessInReport, oftenWords } from "#core/report/report.ts";
import type { CheckFinding, CheckReport, ReportedFindings } from "#core/report/report.ts";
import { count, counted } from "#core/words.ts";
import { columns, fitted } from "../print/columns.ts";
import { aligned, paint, printable, type Tone } from "../print/lines.ts";
import { remedyLines } from "./remedies.ts";

const TONES: Readonly<Record<Answer, Tone>> = {
  yes: "good",
  no: "error",
  partly: "warning",
  "not-checked": "info",
};
const SIGNS: Readonly<Record<Answer, string>> = { yes: "✓", no: "✕", partly: "◐", "not-checked": "○" };

const SHORT: Readonly<Record<Question, string>> = {
  opens: "Opens",
  complete: "Complete",
  values: "Values",
  sources: "Sources",
  readers: "Readers",
};

export interface TextReport extends Omit<CheckReport, "readers"> {
  readonly headline: string;
  readonly loss: string;
}

/** `more`: what is said below the findings. */
export function textLines(name: string, report: TextReport, more: readonly string[] = []): readonly string[] {
  const { headline, loss } = report;
  const width = columns();
  const fit = (line: string, next?: string) => fitted(line, width, next);
  return [
    ...fit(paint("heading", printable(`${name}: ${headline}`))),
    ...(loss === "" ? [] : fit(`  ${printable(loss)}`, "  ")),
    "",
    ...QUESTIONS.flatMap((question) => answerLines(question, report, width)),
    ...coverageWords(report).flatMap((line) => fit(`    ${paint("info", line)}`, "    ")),
    "",
    ...reportedLines(report),
    ...more.flatMap((line) => fit(line)),
    "",
  ];
}

/** Findings, how many they are, and what can be done next. */
export function reportedLines({ findings, accepted = [] }: ReportedFindings): readonly string[] {
  const width = columns();
  const printed = new Set<string>();
  const causes = together(findings, likenessInReport);
  const firsts = causes.map(([first]) => first);
  return [
    ...causes.flatMap(([first, ...others]) => findingLines(first, others, printed, width)),
    ...(causes.length === 0 ? [] : fitted(totals(firsts), width)),
    ...(accepted.length === 0 ? [] : fitted(counted(accepted.length, "accepted finding"), width)),
    ...closing(firsts).flatMap((line) => fitted(paint("info", line), width)),
  ];
}

function answerLines(question: Question, { verdict }: TextReport, width: number): readonly string[] {
  const { answer, why } = verdict[question];
  const head = `  ${SIGNS[answer]} ${SHORT[question].padEnd(9)} `;
  return fitted(
    `${paint(TONES[answer], head)}${paint(TONES[answer], `${ANSWER_WORDS[answer]}.`)} ${printable(why)}`,
    width,
    " ".repeat(head.length),
  );
}

/** `--explain-compared`: a line a fact, with who states it and whether they agree. */
export function comparedLines(compared: Checked["compared"] = []): readonly string[] {
  const rows = compared.map((one) => [
    isComparison(one) ? SIGNS[one.agrees ? "yes" : "no"] : SIGNS["not-checked"],
    QUANTITY_WORDS[one.quantity],
    one.subject === "" ? "/" : one.subject,
    comparisonWords(one),
    one.sources.map(sourceText).join(", "),
  ]);
  const lines = rows.length === 0 ? ["No fact was compared."] : aligned(rows);
  return ["", paint("heading", "  Compared"), ...lines.map((line) => `  ${line}`)];
}

/** Words for what was checked unasked, and the option that checks the rest. */
function coverageWords({ checked: { chunks, unasked } }: TextReport): readonly string[] {
  const done = chunks.decoded + chunks.failed;
  if (unasked === undefined || done >= chunks.of) return [];
  return [
    `Decoded ${count(chunks.decoded)} of ${counted(chunks.of, "chunk")}, doubtful first; --deep all decodes the rest.`,
  ];
}

/** Chunks that are named. */
const MAX_CHUNKS = 4;
/** Width of the column of lines and labels. */
const LABEL = 5;

function findingLines(
  found: CheckFinding,
  others: readonly CheckFinding[],
  printed: Set<string>,
  width: number,
): readonly string[] {
  const { severity, code, cause, message, advice, line, written, where = [], fix, tried } = found;
  const place = [whereOf(found), ...moreNodes(others)].join("");
  const name = severity === "info" ? "note" : severity;
  const head = `${paint(severity, `${name}[${code}]:`)} ${paint("heading", printable(cause))}`;
  const row = (label: string, text: string, tone?: Tone) => {
    const lines = fitted(printable(text), width - LABEL - 3, "");
    return lines.map((line, at) => {
      const bar = paint("info", `${(at === 0 ? label : "").padStart(LABEL)} │`);
      return `${bar} ${tone === undefined ? line : paint(tone, line)}`;
    });
  };
  const outgrown = outgrownWords(found);
  return [
    ...fitted(`${head}${printable(`${place === "" ? "" : ` · ${place}`}${reachWords(found)}`)}`, width),
    ...(written === undefined || OWN_OBJECT.test(written)
      ? []
      : row(line === undefined ? "" : String(line), shortValue(written))),
    ...(where.length === 0 ? [] : row("", where.join(", "))),
    ...row("", message),
    ...(outgrown === undefined ? [] : row("", outgrown)),
    // A tried fix says more than general advice.
    ...(advice === undefined || (fix !== undefined && fix.ofFirstAlone !== true) ? [] : row("help", advice)),
    ...(fix === undefined ? [] : fixLines(fix, row)),
    ...(tried === undefined ? [] : row("", tried, "info")),
    ...remedyLines(found, printed),
    "",
  ];
}

/** A chunk of a store that is its own object: the reference says no more than the key. */
const OWN_OBJECT = /^"([^"]+)": \1$/;

/** Shortens inline bytes: their beginning is enough. */
const shortValue = (text: string): string => text.replace(/(base64:[^"]{40})[^"…]{8,}…?/, "$1…");

type Row = (label: string, text: string, tone?: Tone) => readonly string[];

function fixLines(
  { title, words, key, line, before, after, evidence, ofFirstAlone }: NonNullable<CheckFinding["fix"]>,
  row: Row,
): readonly string[] {
  const alone = ofFirstAlone === true ? " It fixes this chunk alone." : "";
  const isMember = after.startsWith(`${JSON.stringify(key)}:`) || /^"[^"]*": /.test(after);
  const written = (text: string) => (isMember || text === "" ? text : `${JSON.stringify(key)}: ${text}`);
  return [
    ...row("fix", after === "" ? `${title}.` : shortValue(written(after)), "good"),
    ...row("", `${after === "" ? "" : `${title}. `}${words}${alone}`),
    ...(line === undefined && before !== "" ? row("", `Instead of ${shortValue(before)}`) : []),
    ...(evidence.length === 0 ? [] : row("", `${evidence.join(". ")}.`)),
  ];
}

/** "1 of 54 chunks", where that is known; else how often. */
function reachWords(found: CheckFinding): string {
  const { share } = found;
  if (share === undefined) return oftenWords(found);
  return ` (${count(share.chunks)} of ${counted(share.of, "chunk")})`;
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

/** Closing lines: next steps. */
function closing(findings: readonly CheckFinding[]): readonly string[] {
  const safe = findings.filter(({ fix }) => fix?.certainty === "safe").length;
  const has = safe === 1 ? "has a safe fix" : "have safe fixes";
  return [
    ...(safe === 0 ? [] : [`${counted(safe, "problem")} ${has}: --diff shows, --fix --out FILE writes them.`]),
    ...(findings.length === 0 ? [] : ["explain CODE says more."]),
  ];
}

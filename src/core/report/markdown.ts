/**
 * A report as Markdown, for an issue or a pull request. Whatever comes from a set is code, so that none of it is
 * markup.
 */
import { withoutSecrets } from "../words/without-secrets.ts";
import { QUESTIONS } from "../check/question.ts";
import { ANSWER_WORDS, QUESTION_WORDS } from "../check/verdict-words.ts";
import { together } from "../findings/finding.ts";
import type { EffectReport, ReaderReport } from "./readers.ts";
import { outgrownWords, likenessInReport, oftenWords } from "./report.ts";
import type { CheckFinding, CheckReport, KnownFinding, ReportedFindings } from "./report.ts";

const SIGNS = { yes: "✓", no: "✕", partly: "◐", "not-checked": "○" } as const;

/** Findings beyond these are counted. */
const MAX_LISTED = 200;
const MAX_CHUNKS = 8;

/** `name`: of the set, as it was given. */
export function markdownReport(
  name: string,
  headline: string,
  { verdict, findings, checked, accepted = [], readers = [] }: CheckReport,
): string {
  const { chunks, targets } = checked;
  const rows = QUESTIONS.map((question) => {
    const { answer, why } = verdict[question];
    return `| ${QUESTION_WORDS[question]} | ${SIGNS[answer]} ${ANSWER_WORDS[answer]} | ${cell(why)} |`;
  });
  return [
    `## ${inlineText(headline)}`,
    "",
    `${codeSpan(name)}: decoded ${chunks.decoded} of ${chunks.of} chunks, checked ${targets.asked} of ${targets.of} sources.`,
    "",
    "| Question | Answer | Evidence |",
    "| --- | --- | --- |",
    ...rows,
    "",
    ...markdownFindings({ findings, accepted }),
    ...readerLines(readers),
  ].join("\n");
}

export function markdownFindings({ findings, accepted = [] }: ReportedFindings): readonly string[] {
  const causes = together(findings, likenessInReport);
  const rest = causes.length - MAX_LISTED;
  return [
    ...causes.slice(0, MAX_LISTED).map(([first, ...others]) => item(first, others)),
    ...(rest > 0 ? [`- and ${rest} more`] : []),
    "",
    ...acceptedLines(accepted),
  ];
}

/** Lines on readers, if any were asked about: a table, and below it the effects that differ from the reference. */
function readerLines(readers: readonly ReaderReport[]): readonly string[] {
  if (readers.length === 0) return [];
  const rows = readers.map(({ name, verdict, basis, version, date, why }) => {
    const evidence = `${basis}; ${version}, ${date}`;
    return `| ${[name, verdict, evidence, why].map(cell).join(" | ")} |`;
  });
  const effects = readers.flatMap(({ name, effects: all }) =>
    all.filter(({ effect }) => effect !== "reads").map((one) => effectLine(name, one)),
  );
  return [
    "### Readers",
    "",
    "| Reader | Verdict | Known from | Why |",
    "| --- | --- | --- | --- |",
    ...rows,
    "",
    ...(effects.length === 0 ? [] : ["What each reads differently:", "", ...effects, ""]),
  ];
}

/** The sentence begins with the reader's name. */
function effectLine(name: string, { title, message, advice }: EffectReport): string {
  const rest = message.startsWith(`${name} `) ? message.slice(name.length + 1) : message;
  const remedy = advice === undefined ? "" : ` What to do: ${inlineText(advice)}`;
  return `- **${inlineText(name)}** ${inlineText(rest)} (${inlineText(title)}.)${remedy}`;
}

function acceptedLines(accepted: readonly KnownFinding[]): readonly string[] {
  if (accepted.length === 0) return [];
  const lines = accepted.slice(0, MAX_LISTED).map((known) => {
    const { code, cause, reason, date } = known;
    const where = whereOf(known);
    return `- \`${code}\`: ${inlineText(cause)}${where === "" ? "" : `, ${where}`}; ${inlineText(date)}: ${inlineText(reason)}`;
  });
  const rest = accepted.length - lines.length;
  return ["### Accepted", "", ...lines, ...(rest > 0 ? [`- and ${rest} more`] : []), ""];
}

function item(found: CheckFinding, others: readonly CheckFinding[]): string {
  const { severity, code: name, cause, message, advice } = found;
  const where = whereOf(found, others);
  const outgrown = outgrownWords(found);
  return [
    `- **${severity === "info" ? "note" : severity}** \`${name}\`: ${inlineText(cause)}${oftenWords(found)}${where === "" ? "" : `, ${where}`}`,
    `  ${inlineText(outgrown === undefined ? message : `${message} ${outgrown}`)}`,
    ...(advice === undefined ? [] : [`  What to do: ${inlineText(advice)}`]),
  ].join("\n");
}

function whereOf({ array, key, target, chunks = [] }: CheckFinding, others: readonly CheckFinding[] = []): string {
  const nodes = [key ?? array, ...others.map((one) => one.array)].filter((one) => one !== undefined);
  const names = chunks.length > 0 ? chunks.map(String) : nodes;
  const some = names.slice(0, MAX_CHUNKS).map(codeSpan);
  const more = names.length > MAX_CHUNKS ? [`and ${names.length - MAX_CHUNKS} more`] : [];
  return [...some, ...more, ...(target === undefined ? [] : [codeSpan(target)])].join(", ");
}

/** A code span holds anything but as many backticks as enclose it, and no line feeds. */
export function codeSpan(text: string): string {
  const flat = withoutSecrets(text).replaceAll(/\s+/gu, " ");
  const longest = Math.max(0, ...(flat.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? `${fence}${flat}${fence}` : `${fence} ${flat} ${fence}`;
}

/** Text of our own, in which names of a set may stand: nothing in it is markup, a link, a mention, HTML or a secret. */
export const inlineText = (text: string): string =>
  withoutSecrets(text)
    .replaceAll(/\s+/gu, " ")
    .replaceAll(/[\\`*_{}[\]<>#|~]/g, (sign) => `\\${sign}`)
    .replaceAll("@", "@\u200b")
    // Else hosts of code make links of them.
    .replaceAll("://", ":\u200b//")
    .replaceAll(/\bwww\./gi, "$&\u200b");

const cell = (text: string): string => inlineText(text);

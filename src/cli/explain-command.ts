/** `explain`: what the codes of findings and errors mean, from the catalogue. */
import { inTerminal } from "../core/findings/catalogue/in-terminal.ts";
import { codesBySubject, describeCode, type CodeDescription } from "../core/findings/code-list.ts";
import { codeAddress } from "../core/version.ts";
import { meantName } from "../core/words/near-name.ts";
import type { CommandOptions } from "./options.ts";
import { columns, fitted } from "./print/columns.ts";
import { printableJson } from "./print/finding-json.ts";
import { aligned, paint, printable } from "./print/lines.ts";

/** 0 fine, 2 where a code is not known. */
export function explainCommand(codes: readonly string[], { json }: Pick<CommandOptions, "json">): number {
  const subjects = codesBySubject();
  const known = codes.flatMap((code) => describeCode(code) ?? []).map(worded);
  const unknown = codes.filter((code) => describeCode(code) === undefined);
  const shown = codes.length === 0 ? subjects.flatMap((subject) => subject.codes.map(worded)) : known;
  if (json) console.log(printableJson(Object.fromEntries(shown.map((one) => [one.code, one]))));
  else if (codes.length > 0) console.log(known.map((one) => codeLines(one).join("\n")).join("\n\n"));
  else console.log(subjects.map(({ title, codes }) => subjectLines(title, codes).join("\n")).join("\n\n"));
  const all = subjects.flatMap((subject) => subject.codes.map(({ code }) => code));
  for (const code of unknown) {
    const meant = meantName(code, all);
    console.error(`Unknown code “${printable(code)}”.${meant} Run explain without a code to list all codes.`);
  }
  return unknown.length > 0 ? 2 : 0;
}

function worded(one: CodeDescription): CodeDescription {
  const { remedy, example } = one;
  return {
    ...one,
    example: { ...example, message: inTerminal(example.message) },
    remedy: remedy === undefined ? undefined : inTerminal(remedy),
  };
}

function subjectLines(title: string, codes: readonly CodeDescription[]): readonly string[] {
  const rows = aligned(codes.map(({ code, severity, title: what }) => [code, severity, what]));
  return [paint("heading", title), ...rows.map((row) => `  ${row}`)];
}

function codeLines({ code, severity, title, example, remedy, readers }: CodeDescription): readonly string[] {
  const address = codeAddress(code);
  return [
    `${paint("heading", printable(code))}  ${paint(severity, severity === "info" ? "note" : severity)}`,
    `  ${title}`,
    "",
    ...[
      `  Example     ${printable(`${example.where}: ${example.message}`)}`,
      ...(remedy === undefined ? [] : [`  What to do  ${printable(remedy)}`]),
      `  Readers     ${printable(readers)}`,
    ].flatMap((line) => fitted(line, columns(), " ".repeat(14))),
    ...(address === undefined ? [] : [`  More        ${address}`]),
  ];
}

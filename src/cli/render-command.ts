/** `render`: a document as fsspec renders it, as Version 0. */
import { explained } from "../core/findings/explain.ts";
import { worstFirst } from "../core/findings/explained.ts";
import type { Finding } from "../core/findings/finding.ts";
import { renderDocument, type RenderedDocument } from "../engine/render/document.ts";
import { textJson } from "../engine/render/python-json.ts";
import { raisedText, type Raised } from "../engine/render/raised.ts";
import { renderingOf, type CommandOptions } from "./options.ts";
import { documentText } from "./document-text.ts";
import { terminalContext } from "./open-refs.ts";
import { areNotes, often } from "./finding-lines.ts";
import { renderLines } from "./render-lines.ts";
import { printable } from "./lines.ts";
import { Output } from "./output.ts";

/** 0 fine, 1 with warnings, 2 where fsspec refuses the document or it cannot be read. */
export async function renderCommand(refs: readonly string[], options: CommandOptions): Promise<number> {
  const rendering = { ...renderingOf(options), simple: options.simple };
  if (options.lines === true) return renderLines(process.stdin, rendering);
  const [doc] = refs;
  if (doc === undefined) throw new Error("render needs one DOC.");
  const rendered = renderDocument(await documentText(doc, options, terminalContext()), rendering);
  for (const finding of worstFirst(rendered.findings, explained)) console.error(printable(findingLine(finding)));
  if (rendered.kind === "error") {
    const isSaid = rendered.findings.some((one) => explained(one).severity === "error");
    if (!isSaid) console.error(printable(`error document-fails: ${raisedSentence(rendered)}`));
    return 2;
  }
  await writeVersion0(rendered);
  return areNotes(rendered.findings) ? 0 : 1;
}

function findingLine(found: Finding): string {
  const { severity, message, remedy } = explained(found);
  return `${severity} ${found.code}${often(found)}: ${message}${remedy === undefined ? "" : ` ${remedy}`}`;
}

/** A member a line. */
async function writeVersion0({ refs }: Extract<RenderedDocument, { kind: "refs" }>): Promise<void> {
  const output = new Output(process.stdout);
  let before = "{\n";
  for (const [key, json] of refs()) {
    await output.write(`${before}${textJson(key)}: ${json}`);
    before = ",\n";
  }
  await output.write(before === "{\n" ? "{}\n" : "\n}\n");
  await output.end();
}

/** What was raised as a sentence, with what follows from it. */
function raisedSentence(raised: Raised): string {
  const text = raisedText(raised);
  return `${text}${/[.!?]$/.test(text) ? "" : "."} ${consequence(raised)}`;
}

/** What follows for the user. */
function consequence(raised: Raised): string {
  if (raised.python === "Budget") return "fsspec would go on; Refscope does not.";
  if (raised.python === "Unsupported") return "fsspec may render it; Refscope does not guess.";
  return "fsspec refuses the whole set.";
}

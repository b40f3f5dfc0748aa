/** `render`: a document as fsspec renders it, as Version 0. */
import { attempt } from "../core/basics.ts";
import type { CallContext } from "../core/byte-source.ts";
import { explained } from "./print/explained.ts";
import { worstFirst } from "../core/findings/explained.ts";
import { failure, type Finding, targetAt } from "../core/findings/finding.ts";
import { urlDocument } from "../engine/chunk/sources.ts";
import { type DocumentOptions, renderDocument, type RenderedDocument } from "../engine/render/document-version1.ts";
import { type Raised, raisedText } from "#engine/render/render-findings.ts";
import { decompressed } from "../io/decompress.ts";
import { pathSource } from "./directory.ts";
import { areNotes, often, severityWord } from "./print/finding-lines.ts";
import { printable } from "./print/lines.ts";
import { isUrl, networkOf, terminalContext } from "./open-refs.ts";
import { type CommandOptions, locationsOf, renderingOf } from "./options.ts";
import { Output } from "./print/output.ts";

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
  return `${severityWord(severity)} ${found.code}${often(found)}: ${message}${remedy === undefined ? "" : ` ${remedy}`}`;
}

/** A member a line. */
async function writeVersion0({ refs }: Extract<RenderedDocument, { kind: "refs" }>): Promise<void> {
  const output = new Output(process.stdout);
  let before = "{\n";
  for (const [key, json] of refs()) {
    await output.write(`${before}${JSON.stringify(key)}: ${json}`);
    before = ",\n";
  }
  await output.write(before === "{\n" ? "{}\n" : "\n}\n");
  await output.end();
}

/** Sentence for a raised error, with its consequence. */
function raisedSentence(raised: Raised): string {
  const text = raisedText(raised);
  return `${text}${/[.!?]$/.test(text) ? "" : "."} ${consequence(raised)}`;
}

/** Consequence for the user. */
function consequence(raised: Raised): string {
  if (raised.python === "Budget") return "fsspec would go on; Refscope does not.";
  if (raised.python === "Unsupported") return "fsspec may render it; Refscope does not guess.";
  return "fsspec rejects the whole dataset.";
}

// The whole text of a document named on the command line: a path or a URL, plain or compressed.

/** Characters that a string holds. */
const MAX_TEXT = 2 ** 29 - 24;

/** Throws `not-utf-8`, `document-too-large`, and what reading and decompressing throw. */
export async function documentText(refs: string, options: CommandOptions, context: CallContext): Promise<string> {
  const document = isUrl(refs)
    ? urlDocument(refs, locationsOf(options), networkOf(refs, options)).document
    : await pathSource(refs, true);
  const { stream } = await decompressed(await document.stream(context), context);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const pieces: string[] = [];
  let length = 0;
  try {
    for await (const bytes of stream.body) {
      const piece = decoder.decode(bytes, { stream: true });
      length += piece.length;
      if (length > MAX_TEXT) throw failure("document-too-large", targetAt(refs), {});
      pieces.push(piece);
      // Devices and sparse files have no end; what begins otherwise is no document, however it goes on.
      if (length === piece.length && /^\s*[^\s{]/.test(piece)) return piece;
    }
    return pieces.join("") + decoder.decode();
  } catch (cause) {
    throw textFailure(refs, cause);
  }
}

/** No text: bytes that are none, or more than a string holds; `cause` itself where it is something else. */
export function textFailure(refs: string, cause: unknown): unknown {
  if (cause instanceof RangeError) return failure("document-too-large", targetAt(refs), {}, { cause });
  return cause instanceof TypeError ? failure("not-utf-8", targetAt(refs), {}, { cause }) : cause;
}

// `render --lines`: many documents in one run, one line each, so that thousands can be compared with another reader.

/** Per line, so that a hostile one costs little: bytes read, time, characters of its references. */
const MAX_BYTES = 64 << 20;
const MAX_MILLISECONDS = 1500;
const MAX_CHARACTERS = 32_000_000;

/** `undefined` for a line that is too long. */
type Line = Uint8Array | undefined;

/** Answers every line with one line: `{"refs": [[key, value], …]}`, or `{"error": "…"}`. */
async function renderLines(input: AsyncIterable<Uint8Array>, options: DocumentOptions): Promise<number> {
  const limits = { maxMilliseconds: MAX_MILLISECONDS, maxCharacters: MAX_CHARACTERS };
  const output = new Output(process.stdout);
  for await (const line of linesOf(input)) {
    await output.write(`${answer(line, { ...limits, ...options })}\n`);
    await output.flush();
  }
  return 0;
}

/** Nothing that a line holds ends the run. */
function answer(line: Line, options: DocumentOptions): string {
  try {
    const outcome = render(line, options);
    return typeof outcome === "string" ? `{"error": ${JSON.stringify(outcome)}}` : `{"refs": ${pairs(outcome)}}`;
  } catch (error) {
    return `{"error": ${JSON.stringify(`InternalError: ${error instanceof Error ? error.message : String(error)}`)}}`;
  }
}

/** The references, or what was raised. */
function render(line: Line, options: DocumentOptions): Iterable<readonly [string, string]> | string {
  if (line === undefined) return `Budget: The line has more than ${MAX_BYTES.toLocaleString("en")} bytes.`;
  const text = decoded(line);
  if (text === undefined) return "UnicodeDecodeError: The line is not UTF-8.";
  const rendered = renderDocument(text, options);
  return rendered.kind === "error" ? raisedText(rendered) : rendered.refs();
}

const decoded = (line: Uint8Array): string | undefined =>
  attempt(() => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(line));

const pairs = (refs: Iterable<readonly [string, string]>): string =>
  `[${Array.from(refs, ([key, json]) => `[${JSON.stringify(key)}, ${json}]`).join(", ")}]`;

const LINE_FEED = 0x0a;

async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let held: Uint8Array[] = [];
  let size = 0;
  const take = (): Line => {
    const line = size > MAX_BYTES ? undefined : Buffer.concat(held);
    held = [];
    size = 0;
    return line;
  };
  const hold = (bytes: Uint8Array): void => {
    size += bytes.length;
    if (size > MAX_BYTES) held = [];
    else held.push(bytes);
  };
  for await (const bytes of input) {
    let from = 0;
    for (let to = bytes.indexOf(LINE_FEED); to >= 0; to = bytes.indexOf(LINE_FEED, from)) {
      hold(bytes.subarray(from, to));
      from = to + 1;
      yield take();
    }
    if (from < bytes.length) hold(bytes.subarray(from));
  }
  if (size > 0) yield take();
}

/** `render --lines`: many documents in one run, one line each, so that thousands can be compared with another reader. */
import type { DocumentOptions } from "../engine/render/document-version1.ts";
import { renderDocument } from "../engine/render/document.ts";
import { textJson } from "../engine/render/python-json.ts";
import { raisedText } from "../engine/render/raised.ts";
import { Output } from "./output.ts";

/** Per line, so that a hostile one costs little: bytes read, time, characters of its references. */
const MAX_BYTES = 64 << 20;
const MAX_MILLISECONDS = 1500;
const MAX_CHARACTERS = 32_000_000;

/** `undefined` for a line that is too long. */
type Line = Uint8Array | undefined;

/** Answers every line with one line: `{"refs": [[key, value], …]}`, or `{"error": "…"}`. */
export async function renderLines(input: AsyncIterable<Uint8Array>, options: DocumentOptions): Promise<number> {
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
    return typeof outcome === "string" ? `{"error": ${textJson(outcome)}}` : `{"refs": ${pairs(outcome)}}`;
  } catch (error) {
    return `{"error": ${textJson(`InternalError: ${error instanceof Error ? error.message : String(error)}`)}}`;
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

function decoded(line: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(line);
  } catch {
    return undefined;
  }
}

const pairs = (refs: Iterable<readonly [string, string]>): string =>
  `[${Array.from(refs, ([key, json]) => `[${textJson(key)}, ${json}]`).join(", ")}]`;

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

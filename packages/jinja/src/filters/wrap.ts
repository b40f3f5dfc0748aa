/** `wordwrap`: as Python's `textwrap.wrap`, line by line. */
import { bound } from "../compile/bind-arguments.ts";
import { asInteger, truth, typeName, undefinedError } from "../python/index.ts";
import type { Filter, Run } from "../run.ts";
import { TemplateError, typeError, unsupported, valueError } from "../template-error.ts";
import { Markup, PyFloat, Undefined, type Value } from "../value.ts";
import { linesOf } from "./attribute.ts";

interface Wrapping {
  readonly width: number;
  readonly breakLong: boolean;
  readonly breakHyphens: boolean;
}

export const wordwrap: Filter = bound(
  "do_wordwrap(width?, break_long_words?, wrapstring?, break_on_hyphens?)",
  (run, value, [width = 79, breakLong = true, wrapstring = null, breakHyphens = true]) => {
    if (value instanceof Undefined) throw undefinedError(value);
    const between = betweenOf(wrapstring);
    const lines = wrappedLines(run, value).map((line) => {
      const wrapping = { width: widthOf(width), breakLong: truth(breakLong), breakHyphens: truth(breakHyphens) };
      return wrap(line, wrapping).join(between);
    });
    const text = lines.join(between);
    run.budget.characters(text.length);
    return text;
  },
);

function betweenOf(wrapstring: Value): string {
  if (wrapstring === null) return "\n";
  if (wrapstring instanceof Markup) throw unsupported("wordwrap with a wrapstring that is marked safe");
  if (wrapstring instanceof Undefined) throw undefinedError(wrapstring);
  if (typeof wrapstring === "string") return wrapstring;
  throw new TemplateError("AttributeError", `'${typeName(wrapstring)}' object has no attribute 'join'`);
}

function widthOf(width: Value): number {
  if (width instanceof PyFloat) throw unsupported("wordwrap to a width that is not an integer");
  const number = asInteger(width);
  if (number === undefined) throw typeError(`'<=' not supported between instances of '${typeName(width)}' and 'int'`);
  return Number(number);
}

function wrappedLines(run: Run, value: Value): readonly string[] {
  const text = value instanceof Markup ? value.text : value;
  if (typeof text !== "string") {
    throw new TemplateError("AttributeError", `'${typeName(value)}' object has no attribute 'splitlines'`);
  }
  run.budget.spend(text.length);
  return linesOf(run, text);
}

const SPACE = "[\\t\\n\\x0b\\x0c\\r ]";
const WORD = "[\\p{L}\\p{N}_!\"'&.,?]";
const LETTER = "[\\p{L}_]";
/** White space, em-dashes, and words, the latter cut after their hyphens. */
const PIECES = new RegExp(
  `(${SPACE}+|(?<=${WORD})-{2,}(?=[\\p{L}\\p{N}_])|` +
    `[^\\t\\n\\x0b\\x0c\\r ](?:[^\\t\\n\\x0b\\x0c\\r ])*?` +
    `(?:-(?:(?<=${LETTER}{2}-)|(?<=${LETTER}-${LETTER}-))(?=${LETTER}-?${LETTER})|(?=${SPACE}|$)|(?<=${WORD})(?=-{2,}[\\p{L}\\p{N}_])))`,
  "u",
);
const SPACES = new RegExp(`(${SPACE}+)`, "u");

/** A word or white space, of which the characters before `from` are used up. */
interface Chunk {
  readonly characters: readonly string[];
  from: number;
}

const lengthLeft = (chunk: Chunk): number => chunk.characters.length - chunk.from;

function take(chunk: Chunk, count: number): string {
  const taken = chunk.characters.slice(chunk.from, chunk.from + count);
  chunk.from += count;
  return taken.join("");
}

function wrap(text: string, wrapping: Wrapping): readonly string[] {
  const { width } = wrapping;
  const pieces = text.split(wrapping.breakHyphens ? PIECES : SPACES);
  if (width <= 0) throw valueError(`invalid width ${width} (must be > 0)`);
  const rest = pieces
    .filter((piece) => piece !== "" && piece !== undefined)
    .map((piece): Chunk => ({ characters: Array.from(piece), from: 0 }))
    .toReversed();
  const lines: string[] = [];
  for (let next = rest.at(-1); next !== undefined; next = rest.at(-1)) {
    if (lines.length > 0 && isBlank(next)) rest.pop();
    const line = takeLine(rest, wrapping);
    if (line !== "") lines.push(line);
  }
  return lines;
}

function isBlank(chunk: Chunk): boolean {
  const { characters, from } = chunk;
  let at = from;
  while (at < characters.length && characters[at]?.trim() === "") at += 1;
  return at === characters.length;
}

/** Takes the chunks of one line off the end of `rest`; white space at its end is dropped. */
function takeLine(rest: Chunk[], { width, breakLong, breakHyphens }: Wrapping): string {
  const line: string[] = [];
  let used = 0;
  for (let next = rest.at(-1); next !== undefined && used + lengthLeft(next) <= width; next = rest.at(-1)) {
    used += lengthLeft(next);
    line.push(take(next, lengthLeft(next)));
    rest.pop();
  }
  const long = rest.at(-1);
  if (long !== undefined && lengthLeft(long) > width) {
    if (breakLong) line.push(take(long, breakAt(long, width - used, breakHyphens)));
    else if (line.length === 0) {
      line.push(take(long, lengthLeft(long)));
      rest.pop();
    }
  }
  if (line.at(-1)?.trim() === "") line.pop();
  return line.join("");
}

/** Where a word too long for a line is cut: after its last hyphen that fits, else where the line ends. */
function breakAt({ characters, from }: Chunk, space: number, breakHyphens: boolean): number {
  if (!breakHyphens || characters.length - from <= space) return space;
  const start = characters.slice(from, from + space);
  const hyphen = start.lastIndexOf("-");
  return hyphen > 0 && start.slice(0, hyphen).some((character) => character !== "-") ? hyphen + 1 : space;
}

/**
 * For editors of templates: the tag at a place of a text, half written as it may be, what is being written there, and one
 * line each on what may be: filters, tests, globals, methods.
 */

export interface Tag {
  readonly kind: "{{" | "{%";
  /** From the opening marks to after the closing ones (the end of the text where they are missing). */
  readonly start: number;
  readonly end: number;
  /** Text between the marks (and their "-" or "+"). */
  readonly innerStart: number;
  readonly innerEnd: number;
  readonly closed: boolean;
}

const OPENING = /\{\{|\{%|\{#/g;

/** The tag around `index`, its marks included; none in comments and plain text. */
export function tagAt(source: string, index: number): Tag | undefined {
  OPENING.lastIndex = 0;
  for (let match = OPENING.exec(source); match !== null; match = OPENING.exec(source)) {
    if (match.index >= index) return undefined;
    if (match[0] === "{#") {
      const end = source.indexOf("#}", match.index + 2);
      if (end < 0 || end + 2 > index) return undefined;
      OPENING.lastIndex = end + 2;
      continue;
    }
    const tag = readTag(source, match.index, match[0] === "{{" ? "{{" : "{%");
    if (index < tag.end || (index === tag.end && !tag.closed)) return tag;
    OPENING.lastIndex = tag.end;
  }
  return undefined;
}

function readTag(source: string, start: number, kind: Tag["kind"]): Tag {
  const close = kind === "{{" ? "}}" : "%}";
  let innerStart = start + 2;
  if (/[-+]/.test(source.charAt(innerStart))) innerStart += 1;
  let braces = 0;
  for (let at = innerStart; at < source.length; at += 1) {
    const letter = source.charAt(at);
    if (letter === "'" || letter === '"') at = quoteEnd(source, at);
    else if (braces === 0 && source.startsWith(close, at)) {
      const minus = /[-+]/.test(source.charAt(at - 1)) && at - 1 >= innerStart ? 1 : 0;
      return { kind, start, end: at + 2, innerStart, innerEnd: at - minus, closed: true };
    } else if (letter === "{") braces += 1;
    else if (letter === "}") braces = Math.max(0, braces - 1);
    else if (source.startsWith("{{", at) || source.startsWith("{%", at)) break;
  }
  // Not closed: it may reach to the next tag at most.
  const next = source.slice(innerStart).search(/\{\{|\{%|\{#/);
  const end = next < 0 ? source.length : innerStart + next;
  return { kind, start, end, innerStart, innerEnd: end, closed: false };
}

/** Index of the closing quote; where there is none, the opening one, as if it were no string. */
function quoteEnd(source: string, start: number): number {
  const quote = source.charAt(start);
  for (let at = start + 1; at < source.length; at += 1) {
    if (source.charAt(at) === "\\") at += 1;
    else if (source.charAt(at) === quote) return at;
  }
  return start;
}

/** Word being written at a place of a tag. `from`: where it begins. */
export interface Writing {
  readonly what: "name" | "filter" | "test" | "method" | "text";
  readonly from: number;
  readonly to: number;
  readonly word: string;
}

/** `index` lies in the tag. "text": inside a quoted string. */
export function writingAt(source: string, tag: Tag, index: number): Writing {
  let from = index;
  while (from > tag.innerStart && /[\p{L}\p{N}_]/u.test(source.charAt(from - 1))) from -= 1;
  let to = index;
  while (to < tag.innerEnd && /[\p{L}\p{N}_]/u.test(source.charAt(to))) to += 1;
  const before = source.slice(tag.innerStart, from);
  return { what: whatAfter(before), from, to, word: source.slice(from, to) };
}

function whatAfter(before: string): Writing["what"] {
  if (inQuotes(before)) return "text";
  if (/\|\s*$/.test(before)) return "filter";
  if (/\bis\s+(?:not\s+)?$/.test(before)) return "test";
  if (/[\p{L}_)\]'"][\p{L}\p{N}_]*\s*\.\s*$/u.test(before)) return "method";
  return "name";
}

function inQuotes(before: string): boolean {
  for (let at = 0; at < before.length; at += 1) {
    const letter = before.charAt(at);
    if (letter !== "'" && letter !== '"') continue;
    const end = quoteEnd(before, at);
    if (end === at) return true;
    at = end;
  }
  return false;
}

export const FILTER_DOCS: ReadonlyMap<string, string> = new Map([
  ["abs", "Absolute value."],
  ["attr", "An attribute by its name."],
  ["batch", "Lists of n items each, the last filled up."],
  ["capitalize", "First letter upper case, all others lower."],
  ["center", "Centred in a field of the given width."],
  ["count", "Number of items or characters."],
  ["d", "The given value where this one is undefined."],
  ["default", "The given value where this one is undefined."],
  ["dictsort", "The pairs of a dict, sorted."],
  ["e", "Escaped for HTML: & < > ' \""],
  ["escape", "Escaped for HTML: & < > ' \""],
  ["filesizeformat", "A number of bytes for people: 13.0 kB."],
  ["first", "The first item."],
  ["float", "As a float; 0.0 where that cannot be."],
  ["forceescape", "Escaped for HTML, even where it is marked safe."],
  ["format", "printf-style: '%02d'|format(i)."],
  ["groupby", "Items in groups of equal attributes."],
  ["indent", "Every line but the first indented."],
  ["int", "As an integer; 0 where that cannot be. Cuts fractions off."],
  ["items", "The pairs of a dict."],
  ["join", "The items as one text, with a separator."],
  ["last", "The last item."],
  ["length", "Number of items or characters."],
  ["list", "As a list; a text becomes its characters."],
  ["lower", "Lower case."],
  ["map", "A filter or attribute applied to every item."],
  ["max", "The largest item."],
  ["min", "The smallest item."],
  ["pprint", "As Python's pprint prints it."],
  ["random", "A random item. Not supported here."],
  ["reject", "Items for which a test fails."],
  ["rejectattr", "Items for whose attribute a test fails."],
  ["replace", "One text replaced by another."],
  ["reverse", "The other way round."],
  ["round", "Rounded to a given number of digits; the result is a float."],
  ["safe", "Marked as needing no escape."],
  ["select", "Items for which a test holds."],
  ["selectattr", "Items for whose attribute a test holds."],
  ["slice", "In a given number of columns."],
  ["sort", "Sorted."],
  ["string", "As text."],
  ["striptags", "Without HTML tags."],
  ["sum", "The sum of the items."],
  ["title", "Every word with a capital."],
  ["tojson", "As JSON text."],
  ["trim", "Without white space (or given characters) at both ends."],
  ["truncate", "Cut to a length, with an ellipsis."],
  ["unique", "Every item once."],
  ["upper", "Upper case."],
  ["urlencode", "Percent-encoded for a URL."],
  ["urlize", "URLs made into links."],
  ["wordcount", "Number of words."],
  ["wordwrap", "Lines of at most a given number of characters."],
  ["xmlattr", "A dict as XML attributes."],
]);

export const TEST_DOCS: ReadonlyMap<string, string> = new Map([
  ["boolean", "Is it True or False?"],
  ["callable", "Can it be called?"],
  ["defined", "Is there such a name?"],
  ["divisibleby", "Is it divisible by the number?"],
  ["eq", "Is it equal to the other?"],
  ["equalto", "Is it equal to the other?"],
  ["escaped", "Is it marked as needing no escape?"],
  ["even", "Is it even?"],
  ["false", "Is it False itself?"],
  ["filter", "Is there a filter of that name?"],
  ["float", "Is it a float?"],
  ["ge", "Is it at least the other?"],
  ["greaterthan", "Is it more than the other?"],
  ["gt", "Is it more than the other?"],
  ["in", "Is it in the list, dict or text?"],
  ["integer", "Is it an integer?"],
  ["iterable", "Can it be iterated over?"],
  ["le", "Is it at most the other?"],
  ["lessthan", "Is it less than the other?"],
  ["lower", "Is it lower case?"],
  ["lt", "Is it less than the other?"],
  ["mapping", "Is it a dict?"],
  ["ne", "Is it other than the other?"],
  ["none", "Is it None?"],
  ["number", "Is it a number?"],
  ["odd", "Is it odd?"],
  ["sameas", "Is it the same object?"],
  ["sequence", "Is it a list, tuple or text?"],
  ["string", "Is it a text?"],
  ["test", "Is there a test of that name?"],
  ["true", "Is it True itself?"],
  ["undefined", "Is there no such name?"],
  ["upper", "Is it upper case?"],
]);

export const GLOBAL_DOCS: ReadonlyMap<string, string> = new Map([
  ["cycler", "Gives its values in turn: cycler('a', 'b')."],
  ["dict", "A dict of keyword arguments: dict(a=1)."],
  ["joiner", "Nothing the first time, then a separator."],
  ["lipsum", "Random text. Not supported here."],
  ["namespace", "Values that loops may set: namespace(n=0)."],
  ["range", "Numbers: range(stop), range(start, stop, step)."],
]);

export const LOOP_DOC = "Inside a for loop: loop.index, loop.index0, loop.first, loop.last, loop.length, …";

/** The methods that are of use in keys and URLs; all of Python's work. */
export const METHOD_DOCS: ReadonlyMap<string, string> = new Map([
  ["capitalize", "First letter upper case, all others lower."],
  ["center", "Centred in a field: s.center(8, '0')."],
  ["count", "How often a text occurs."],
  ["endswith", "Whether it ends with a given text."],
  ["find", "Where a text first occurs, -1 if nowhere."],
  ["format", "'{:02d}'.format(i)"],
  ["get", "The value of a key of a dict, or None."],
  ["index", "Where an item or text first occurs."],
  ["isdigit", "Whether all characters are digits."],
  ["items", "The pairs of a dict."],
  ["join", "','.join(list)"],
  ["keys", "The keys of a dict."],
  ["ljust", "Filled up on the right: s.ljust(8)."],
  ["lower", "Lower case."],
  ["lstrip", "Without white space (or given characters) at the start."],
  ["replace", "s.replace('a', 'b')"],
  ["rjust", "Filled up on the left: s.rjust(8, '0')."],
  ["rsplit", "Split from the right."],
  ["rstrip", "Without white space (or given characters) at the end."],
  ["split", "As a list, split at a separator."],
  ["startswith", "Whether it begins with a given text."],
  ["strip", "Without white space (or given characters) at both ends."],
  ["swapcase", "Upper case for lower and the other way round."],
  ["title", "Every word with a capital."],
  ["upper", "Upper case."],
  ["values", "The values of a dict."],
  ["zfill", "Filled up with zeros on the left: s.zfill(4)."],
]);

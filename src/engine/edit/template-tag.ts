/** Finds the tag at a place in a template's text, and what is being written there. Works on text half written. */

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

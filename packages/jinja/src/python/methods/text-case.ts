/**
 * Methods of `str` that change case, after Unicode's full mappings as in Python. JavaScript has the mappings to upper
 * and lower case, the ones to title case and the folding are derived from them here.
 */
import { method, type Method, methods } from "./method.ts";

/** Title case where it is neither upper case nor upper case with its tail lowered. */
const TITLE: ReadonlyMap<string, string> = new Map([
  ["ŉ", "ʼN"],
  ["\u1fb7", "\u0391\u0342\u0345"],
  ["\u1fc7", "\u0397\u0342\u0345"],
  ["\u1ff7", "\u03a9\u0342\u0345"],
  ...["Ǆǅǆǅ", "Ǉǈǉǈ", "Ǌǋǌǋ", "Ǳǲǳǲ"].flatMap((row) =>
    [0, 1, 2].map((i): [string, string] => [row.charAt(i), row.charAt(3)]),
  ),
]);

/** One character in title case. */
function titled(character: string): string {
  const known = TITLE.get(character);
  if (known !== undefined) return known;
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0x10d0 && code <= 0x10ff) return character;
  if (code >= 0x1f80 && code <= 0x1ffc) return titledGreek(character, code);
  const [first = "", ...tail] = character.toUpperCase();
  return first + tail.join("").toLowerCase();
}

/** Greek with iota subscript: the iota stays below. */
function titledGreek(character: string, code: number): string {
  if (code <= 0x1faf) return String.fromCodePoint(code | 8);
  if ([0x1fb3, 0x1fc3, 0x1ff3].includes(code)) return String.fromCodePoint(code + 9);
  if ([0x1fbc, 0x1fcc, 0x1ffc].includes(code)) return character;
  const upper = character.toUpperCase();
  return [0x1fb2, 0x1fb4, 0x1fc2, 0x1fc4, 0x1ff2, 0x1ff4].includes(code) ? `${upper.charAt(0)}\u0345` : upper;
}

const CASED = /[\p{Uppercase}\p{Lowercase}\p{Lt}]/u;
const IGNORED = /\p{Case_Ignorable}/u;

/** One character in lower case; a capital sigma at the end of a word has a form of its own. */
function lowered(characters: readonly string[], at: number): string {
  const character = characters[at] ?? "";
  if (character !== "Σ") return character.toLowerCase();
  return isCasedBeside(characters, at, -1) && !isCasedBeside(characters, at, 1) ? "ς" : "σ";
}

function isCasedBeside(characters: readonly string[], at: number, step: 1 | -1): boolean {
  let i = at + step;
  while (IGNORED.test(characters[i] ?? "")) i += step;
  return CASED.test(characters[i] ?? "");
}

function capitalize(text: string): string {
  const characters = Array.from(text);
  return characters.map((character, i) => (i === 0 ? titled(character) : lowered(characters, i))).join("");
}

/** `str.title`: a word begins wherever a cased letter follows something else. */
export function titleCase(text: string): string {
  const characters = Array.from(text);
  let isInWord = false;
  const changed = characters.map((character, i) => {
    const result = isInWord ? lowered(characters, i) : titled(character);
    isInWord = CASED.test(character);
    return result;
  });
  return changed.join("");
}

function swapCase(text: string): string {
  const characters = Array.from(text);
  return characters
    .map((character, i) => {
      if (/\p{Uppercase}/u.test(character)) return lowered(characters, i);
      return /\p{Lowercase}/u.test(character) ? character.toUpperCase() : character;
    })
    .join("");
}

/** `str.casefold`: mostly the lower case of the upper case; Cherokee folds to its upper case. */
const foldCase = (text: string): string => Array.from(text, folded).join("");

function folded(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return character.toLowerCase();
  if (code === 0x131 || (code >= 0x13a0 && code <= 0x13f5)) return character;
  if (code >= 0x13f8 && code <= 0x13fd) return String.fromCodePoint(code - 8);
  if (code >= 0xab70 && code <= 0xabbf) return String.fromCodePoint(code - 0x97d0);
  if (code === 0x1e9e) return "ss";
  return Array.from(character.toUpperCase(), (upper) => upper.toLowerCase()).join("");
}

function changing(change: (text: string) => string): Method<string> {
  return method(0, 0, (text, _, budget) => {
    budget.characters(text.length);
    return change(text);
  });
}

export const CASE_METHODS = methods<string>({
  upper: changing((text) => text.toUpperCase()),
  lower: changing((text) => text.toLowerCase()),
  capitalize: changing(capitalize),
  title: changing(titleCase),
  swapcase: changing(swapCase),
  casefold: changing(foldCase),
});

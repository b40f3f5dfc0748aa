/** `repr` of a str. */

/** Characters that Python does not print: categories C (Cc, Cf, Cs, Co, Cn) and Z, the space excepted. */
const UNPRINTABLE = /[\p{C}\p{Z}]/u;
const SPECIAL = /[\\'"]|[^ -~]/;
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["\\", "\\\\"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

/** `repr(text)`: single quotes unless the text has some and no double ones; `\x`, `\u` and `\U` for the unprintable. */
export function quote(text: string): string {
  if (!SPECIAL.test(text)) return `'${text}'`;
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  let inner = "";
  for (const character of text) {
    if (character === mark) inner += `\\${mark}`;
    else inner += ESCAPES.get(character) ?? (isPrintable(character) ? character : escaped(character));
  }
  return mark + inner + mark;
}

/** `str.isprintable` of one character. Node and browsers may know newer characters than Python 3.11's Unicode 14. */
export const isPrintable = (character: string): boolean => character === " " || !UNPRINTABLE.test(character);

/** Text with every character outside of ASCII escaped, as `ascii()` does with what `repr` gives. */
export const asciiOnly = (text: string): string => text.replaceAll(/[^\0-\x7f]/gu, escaped);

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}

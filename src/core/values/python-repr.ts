/** `repr` of a str. */

/** Quotation marks, the backslash, and all that Python does not print: categories C and Z, the space excepted. */
const ESCAPED = /[\\'"\p{C}]|(?! )\p{Z}/gu;
const SHORT: ReadonlyMap<string, string> = new Map(
  Object.entries({ "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" }),
);

/** `repr(text)`: single quotes unless the text has some and no double ones; `\x`, `\u` and `\U` for the unprintable. */
export function quote(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inner = text.replaceAll(ESCAPED, (one) => {
    if (one === "'" || one === '"') return one === mark ? `\\${mark}` : one;
    return SHORT.get(one) ?? byCode(one.codePointAt(0) ?? 0);
  });
  return mark + inner + mark;
}

function byCode(code: number): string {
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}

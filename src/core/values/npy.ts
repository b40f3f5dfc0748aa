/**
 * NumPy's file format (numpy.org, "numpy.lib.format"): a header of Python's literals, then the elements. Version 1.0; 2.0
 * where the header needs four bytes of length, 3.0 where it is no Latin-1.
 */

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
/** Elements begin at a multiple of it. */
const ALIGNMENT = 64;
const MAX_LENGTH_1 = 0xffff;

/** `descr`: the type as NumPy writes it, `<f4`, or a list of fields. `bytes`: the elements in C order. */
export function npyFile(descr: string, shape: readonly number[], bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const written = descr.startsWith("[") ? descr : quote(descr);
  const extent = `(${shape.join(", ")}${shape.length === 1 ? "," : ""})`;
  const literal = `{'descr': ${written}, 'fortran_order': False, 'shape': ${extent}, }`;
  const isLatin1 = /^[\0-\xff]*$/.test(literal);
  const text = isLatin1 ? Uint8Array.from(literal, (one) => one.charCodeAt(0)) : new TextEncoder().encode(literal);
  const version = isLatin1 ? (text.length + ALIGNMENT > MAX_LENGTH_1 ? 2 : 1) : 3;
  const before = MAGIC.length + (version === 1 ? 4 : 6);
  const from = Math.ceil((before + text.length + 1) / ALIGNMENT) * ALIGNMENT;
  const file = new Uint8Array(from + bytes.length).fill(0x20, before, from - 1);
  file.set([...MAGIC, version, 0]);
  const view = new DataView(file.buffer);
  if (version === 1) view.setUint16(MAGIC.length + 2, from - before, true);
  else view.setUint32(MAGIC.length + 2, from - before, true);
  file.set(text, before);
  file[from - 1] = 0x0a;
  file.set(bytes, from);
  return file;
}

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

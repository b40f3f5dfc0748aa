/** A data type as people name it: `int16` for `<i2`. Others stay as the metadata spell them. */
const KINDS: Readonly<Record<string, string>> = { i: "int", u: "uint", f: "float", c: "complex" };

export function typeName(text: string): string {
  const [, letter = "", size = "", unit = ""] = /^[<>|=]([a-zA-Z])(\d+)(\[\w+\])?$/.exec(text) ?? [];
  if (letter === "b") return "bool";
  if (letter === "M" || letter === "m") return `${letter === "M" ? "datetime" : "timedelta"}64${unit}`;
  const kind = KINDS[letter];
  return kind === undefined ? text : `${kind}${Number(size) * 8}`;
}

/** With what readers do not see. */
export const typeWords = (text: string): string =>
  /^>[iufcMm](?!1$)/.test(text) ? `${typeName(text)}, big-endian` : typeName(text);

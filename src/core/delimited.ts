/** A line of a table for other programs, by commas (RFC 4180) or tabs. */
export const delimitedLine = (fields: readonly string[], delimiter: "," | "\t"): string =>
  fields.map((text) => field(text, delimiter)).join(delimiter);

/** The text, quoted if it has to be; an apostrophe precedes what a spreadsheet would take for a formula. */
function field(text: string, delimiter: string): string {
  const isNumber = /^[+-]?(?:[\d.]+(?:e[+-]?\d+)?|inf)$/i.test(text);
  const safe = !isNumber && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return safe.includes(delimiter) || /["\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

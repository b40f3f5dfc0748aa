/** JSON text: invalid, or read although not every reader would. */
import { count, cut, quoted } from "#core/words.ts";
import { about } from "../entry.ts";

type Position = { readonly line: number; readonly column: number };
/**
 * `written`: the key, number or word as written in the text; a closing bracket for a comma before it. The reader of
 * documents, which keeps no lines, knows only that there is one.
 */
type Written = { readonly written?: string; readonly line?: number; readonly column?: number };

const at = ({ line, column }: Written): string =>
  line === undefined ? "in the text" : `at line ${line}, column ${column ?? 1}`;

const CORRECT = "Correct the text there.";

const { error, warning, graded } = about("document");

export const JSON_TEXT = {
  "json-invalid": error<Position & { expected: string; found: string }>("Text is not JSON", {
    explain: (facts) =>
      `The text is not JSON ${at(facts)}: expected ${facts.expected}; found ${cut(facts.found, 200)}.`,
    remedy: CORRECT,
    readers: "Python's json also refuses the text, and with it whatever it describes.",
  }),
  "json-too-deep": error<Position & { limit: number }>("JSON nested too deeply", {
    explain: (facts) =>
      `Refscope reads arrays and objects nested up to ${count(facts.limit)} levels deep; the text goes deeper ${at(facts)}.`,
    remedy: CORRECT,
    readers: "Python's json raises RecursionError at about a thousand levels.",
  }),
  "json-duplicate-key": warning<Written>("Duplicate key", {
    explain: (facts) => `The key ${quoted(facts.written ?? "", 60)} occurs again ${at(facts)}; the last value counts.`,
    remedy: "Remove the earlier values.",
    readers: "Python's json also uses the last value; other readers may use the first, or refuse the text.",
  }),
  "json-not-finite": graded<Written>("NaN or Infinity in JSON", {
    // Other readers refuse a whole document.
    severity: ({ line }) => (line === undefined ? "warning" : "info"),
    explain: (facts) =>
      `There is a bare ${facts.written ?? "NaN or Infinity"} ${at(facts)}, which JSON does not allow.`,
    remedy: "If readers other than Python's need it, write it as text or null.",
    readers: "Python's json writes and reads it; other readers, including browsers, refuse the whole text.",
  }),
  "json-number-overflow": warning<Written>("Number too large", {
    explain: (facts) =>
      `The number ${cut(facts.written ?? "", 60)} ${at(facts)} is too large for a double. Refscope reads it as infinite.`,
    remedy: "Write a number below 1.8e308.",
    readers: "Python and browsers also read it as infinite.",
  }),
  "json-trailing-comma": graded<Written>("Trailing comma", {
    severity: ({ line }) => (line === undefined ? "error" : "warning"),
    explain: (facts) =>
      `There is a comma before ${facts.written === undefined ? "a closing bracket" : quoted(facts.written)} ${at(facts)}, which JSON does not allow.`,
    remedy: "Remove the comma.",
    readers: "Python's json and browsers refuse the whole text; Refscope reads it.",
  }),
  "json-byte-order-mark": warning<Written>("Byte order mark in JSON", {
    explain: "The text begins with a byte order mark (U+FEFF), which JSON does not allow.",
    remedy: "Save the text as UTF-8 without a byte order mark.",
    readers: "Python's json refuses it in text and skips it in bytes; Refscope skips it.",
  }),
};
